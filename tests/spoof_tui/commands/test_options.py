"""Arguments that several commands share: a value, or one clear sentence."""

from argparse import ArgumentParser, ArgumentTypeError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import MAX_NAME
from protocol.rules.options import PRESETS, Rules
from spoof_tui.bots.levels import Level
from spoof_tui.commands import options


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Maria", "Maria"), ("  Maria   of  Kyiv ", "Maria of Kyiv"), ("Марія 🪙", "Марія 🪙")],
)
def test_a_name_is_what_was_typed_without_needless_blanks(typed: str, name: str) -> None:
    assert options.name(typed) == name


@pytest.mark.parametrize("typed", ["", "  ", "\x1b[31m", "a\x00b", "\udcff", "\u202eabc"])
def test_a_name_that_cannot_be_printed_is_refused(typed: str) -> None:
    with pytest.raises(ArgumentTypeError, match="can be printed"):
        options.name(typed)


@pytest.mark.parametrize("letter", ["x", "ї", "🪙"])
def test_a_name_has_a_most(letter: str) -> None:
    most = MAX_NAME // len(letter.encode())
    assert options.name(letter * most) == letter * most
    with pytest.raises(ArgumentTypeError, match="at most 64 bytes"):
        options.name(letter * (most + 1))


@given(st.text())
def test_a_name_that_is_taken_can_be_sent(typed: str) -> None:
    try:
        name = options.name(typed)
    except ArgumentTypeError:
        return
    assert 1 <= len(name.encode()) <= MAX_NAME


@pytest.mark.parametrize("text", [*PRESETS, "milan cap=5", "milan cap=5 zero=first-action"])
def test_a_rule_set_is_read(text: str) -> None:
    assert options.rules(text) == Rules.parse(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hamburg", "no preset is called 'hamburg'"),
        ("", "no preset is called ''"),
        ("milan cap=2", "cap must be 3"),
        ("milan zero=never", "not 'never'"),
        ("milan colour=red", "milan has no option called 'colour'"),
    ],
)
def test_what_is_no_rule_set_is_named(text: str, sentence: str) -> None:
    with pytest.raises(ArgumentTypeError, match=sentence):
        options.rules(text)


@pytest.mark.parametrize(("text", "number"), [("2", 2), ("9", 9), ("05", 5)])
def test_a_number_within_its_bounds_is_read(text: str, number: int) -> None:
    assert options.whole(2, 9)(text) == number


@pytest.mark.parametrize("text", ["1", "10", "00000010"])
def test_a_number_out_of_its_bounds_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"{text} is not from 2 to 9"):
        options.whole(2, 9)(text)


@pytest.mark.parametrize("text", ["", "x", "-3", "+3", "3.0", "٣", "²", "9" * 5000, "1_0", " 3"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="is not a number"):
        options.whole(2, 9)(text)


@pytest.mark.parametrize("level", Level)
def test_a_level_is_read(level: Level) -> None:
    assert options.level(level.value) is level


def test_what_is_no_level_is_told_those_that_are() -> None:
    with pytest.raises(ArgumentTypeError, match="easy, medium, hard"):
        options.level("Hard")


@pytest.mark.parametrize("typed", ["K7M4Q", "k7m4q", " k7-m4 q "])
def test_a_code_is_read_as_people_write_it(typed: str) -> None:
    assert options.code(typed) == "K7M4Q"


@pytest.mark.parametrize("typed", ["", "K7M4", "K7M4QQ", "K7M4O", "K7M4ї", "\x1b[31m"])
def test_what_is_no_code_is_refused(typed: str) -> None:
    with pytest.raises(ArgumentTypeError, match="five letters and digits"):
        options.code(typed)


def parsed_code(*words: str) -> str | None:
    parser = ArgumentParser()
    options.add_code(parser)
    found: str | None = parser.parse_args(words).code
    return found


def test_the_code_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPOOF_CODE", "k7m-4q")
    assert parsed_code() == "K7M4Q"
    assert parsed_code("--code", "AAAAA") == "AAAAA"


def test_a_wrong_code_in_the_environment_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SPOOF_CODE", "K7M40")
    with pytest.raises(SystemExit):
        parsed_code()
    assert "error: $SPOOF_CODE: a code is five letters" in capsys.readouterr().err


def test_without_a_code_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPOOF_CODE", raising=False)
    assert parsed_code() is None
