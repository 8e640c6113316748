"""What a terminal sends is cut by its shape: keys are keys, and no answer is ever typed."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS

from spoof_tui.terminal_input import (
    ESCAPE,
    KEY_WAIT,
    MAX_KEPT,
    PASTE_WAIT,
    REPORT_WAIT,
    Sent,
    SentKind,
    TerminalInput,
    typed_text,
)
from tests.helpers.reports import ANSWERS, REPORTS, cuts

KEYS = sorted(ANSI_SEQUENCES_KEYS.keys() - {ESCAPE * 2})

AT_ONCE = KEY_WAIT / 2
SLOWLY = KEY_WAIT * 3
"""Longer than a lone Esc is waited for, and less than anything else."""

SEQUENCES = st.from_regex(
    re.compile(
        r"""\x1b(?: \[ [0-?]{0,9} [ -/]{0,2} [@-~] | O [@-~] | [ -/]{1,3} [0-~]
        | [\]PX^_] [^\a\x18\x1a\x1b\x9c]* (?: \x1b\\ | \a ) | [^\x1b[\]PX^_O\ -/] )""",
        re.VERBOSE,
    ),
    fullmatch=True,
)
"""Whole control sequences, and characters after Esc."""

LONGER = ("\x1b[M", "\x1b[[", "\x1b[200~")
"""What has more behind it than the standard says."""

SHORTER = re.compile(r"\x1b(?:\[\d+\$|-)")
"""Keys that end before the standard says, of rxvt and of a Mac."""

MAY_BE_KEY = re.compile(
    r"\x1b(?:[^\x1b[\]PX^_O -/]|\[[\d:;]*[u~A-HPQS]|\[[IO]|\[<[\d;-]+[Mm]|\[\?2026;\d\$y)"
)
"""With Alt, with modifiers, or a report."""


def read(*parts: str, gap: float = AT_ONCE, takes_text: bool = False) -> list[Sent]:
    """What comes of parts that are read with these seconds between them."""
    source, sent, at = TerminalInput(KEYS), list[Sent](), 0.0
    for part in parts:
        sent += source.feed(part, at, takes_text=takes_text)
        sent += source.tick(at := at + gap)
    return sent + source.tick(at + PASTE_WAIT)


def key(text: str) -> Sent:
    return Sent(SentKind.KEY if text.startswith(ESCAPE) else SentKind.TYPED, text)


def typed(*parts: str, gap: float = AT_ONCE) -> str:
    return "".join(each.text for each in read(*parts, gap=gap) if each.kind is SentKind.TYPED)


# Keys


def test_every_key_of_textual_is_told_alone_twice_in_two_reads_and_in_a_burst() -> None:
    assert len(KEYS) == 337
    sequences = [each for each in KEYS if len(each) > 1]
    assert [each for each in KEYS if read(each) != [key(each)]] == []
    assert [each for each in sequences if read(each * 2) != [key(each)] * 2] == []
    assert [
        parts for each in sequences for parts in cuts(each) if read(*parts) != [key(each)]
    ] == []
    for one, other in pairwise(sequences):
        assert read(f"{one}1{other}\r") == [key(one), key("1"), key(other), key("\r")]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ("\x1b[1;10A", ["\x1b[1;10A"]),
        ("\x1b[3;11~", ["\x1b[3;11~"]),
        ("\x1b[27;5;109~", ["\x1b[27;5;109~"]),  # Ctrl-M, as xterm reports it
        ("\x1b[27u", ["\x1b[27u"]),
        ("\x1b[99;5u", ["\x1b[99;5u"]),
        ("\x1b[97:65;2:1;65u", ["\x1b[97;2;65u"]),
        ("\x1b[32;1:2u", ["\x1b[32;1u"]),
        ("\x1b[32;1:3u", []),  # a key that is let go
        ("\x1b[0;;1087:1088u", ["\x1b[0;;1087u", "\x1b[0;;1088u"]),
        ("\x1b[99999999999;1u", []),
        ("\x1b[55296u", []),
        ("\x1b[49A", []),  # no such key: 49 is the character 1
        ("\x1b[49~", []),
        ("\x1b[27;5~", []),
    ],
)
def test_keys_with_modifiers_and_texts(sent: str, told: list[str]) -> None:
    assert read(sent) == [*map(key, told)]


def test_a_lone_escape_is_a_key_after_a_moment() -> None:
    source = TerminalInput(KEYS)
    assert source.feed(ESCAPE, 5.0) == source.tick(5.0 + AT_ONCE) == []
    assert source.tick(5.0 + KEY_WAIT) == [key(ESCAPE)]
    assert read(ESCAPE * 3) == [key(ESCAPE)] * 3
    assert read(f"{ESCAPE}{ESCAPE}[A") == [key(ESCAPE), key("\x1b[A")]


def test_a_character_right_after_escape_is_typed_with_alt() -> None:
    assert [read(*parts) for parts in (["\x1bx"], ["\x1b", "ф"], ["\x1b\r"])] == [
        [Sent(SentKind.ALT, letter)] for letter in "xф\r"
    ]


def test_a_burst_over_a_bad_line_is_keys() -> None:
    assert read("\x1b[C\x1b[C\x1b[C\r") == [*map(key, ("\x1b[C", "\x1b[C", "\x1b[C", "\r"))]
    assert typed("ct", "пфі", "3+\t") == "ctпфі3+\t"


@pytest.mark.parametrize("sign", ";:/\\")
def test_a_sign_that_is_typed_alone_is_a_key(sign: str) -> None:
    assert typed(sign) == sign
    assert typed(f"1{sign}2") == ""
    assert read(f"1{sign}2", takes_text=True) == [key(f"1{sign}2")]


# Answers


def test_no_answer_is_a_key_whole_or_twice_or_after_a_key() -> None:
    assert [each for each in ANSWERS if read(each) != []] == []
    assert [each for each in ANSWERS if read(each * 2) != []] == []
    assert [each for each in ANSWERS if read(f"1{each}\x1b[C") != [key("1"), key("\x1b[C")]] == []


@pytest.mark.parametrize("gap", [AT_ONCE, SLOWLY, REPORT_WAIT * 0.9])
def test_what_comes_in_two_reads_is_not_typed(gap: float) -> None:
    for answer in (*ANSWERS, *REPORTS):
        for parts in cuts(answer):
            rest = [each for each in read(*parts, gap=gap) if each != key(ESCAPE)]
            assert rest == [key(answer)] * (answer in REPORTS)


def test_reports_that_are_asked_for_are_told() -> None:
    assert [read(each) for each in REPORTS] == [[key(each)] for each in REPORTS]
    assert read('\x1b[M !"1') == [key("1")], "the mouse of old terminals has three bytes"


@pytest.mark.parametrize(
    "tail",
    ["1;2c0;276;0c", "]11;rgb:1e1e/1e1e/2e2e", "1e/2e2e\x1b\\", "cccc\x1b\\", "cc\x07", "1\x1b\\"],
)
def test_the_tail_of_an_answer_whose_escape_was_lost_is_dropped(tail: str) -> None:
    assert read(tail) == []


def test_what_stays_unfinished_is_dropped() -> None:
    for beginning in (
        "\x1b[<0;1",
        "\x1b[",
        "\x1b]11;rgb:12",
        "\x1bP",
        "\x1b_c",
        "\x1b[?1",
        "\x1bO",
    ):
        assert read(beginning, "c", gap=REPORT_WAIT) == [key("c")]
    assert read("\x1b[<0;1\r") == read("\x1b]11;rgb:12\x1a\r") == [key("\r")]
    assert read("\x1b]11;rgb:12\x1b[C") == [key("\x1b[C")]
    long = ["\x1b]52;c;", *["1234" * 1024] * 100]
    assert read(*long, "\x07", "c") == [key("c")]


@given(SEQUENCES)
def test_nothing_that_begins_with_escape_is_typed_unless_it_is_a_key(sequence: str) -> None:
    assume(not sequence.startswith(LONGER) and not SHORTER.match(sequence))
    told = read(sequence)
    assert {each.kind for each in told} <= {SentKind.KEY, SentKind.ALT}
    if sequence not in KEYS and not MAY_BE_KEY.fullmatch(sequence):
        assert told == []
    for parts in cuts(sequence):
        assert read(*parts) == told
        if parts[0] != ESCAPE:
            assert read(*parts, gap=SLOWLY) == told
        elif len(sequence) > 2 and sequence[1] in "[]PX^_O":
            assert read(*parts, gap=SLOWLY) == [key(ESCAPE), *told]


@given(st.lists(st.text(st.sampled_from("\x1b[]PO\\<200~1;:Mcu? \r\a") | st.characters())))
def test_whatever_is_read_is_dropped_or_told_in_its_order(parts: list[str]) -> None:
    told = "".join(each.text for each in read(*parts, takes_text=True))
    letters = iter("".join(parts))
    assert all(letter in letters for letter in told)


# Pastes


def test_a_paste_is_a_text_whatever_it_holds() -> None:
    paste = "\x1b[200~1;2 \x1b[Acc\x1b]11;\r\x1b[201~"
    pasted = [Sent(SentKind.PASTED, "1;2 [Acc]11;\r")]
    assert read(paste) == pasted
    for parts in cuts(paste):
        assert read(*parts) == pasted
    assert read(f"\x1b[C{paste}c") == [key("\x1b[C"), *pasted, key("c")]


def test_a_paste_waits_longer_and_is_of_a_bounded_length() -> None:
    assert typed("\x1b[200~12", "34", gap=REPORT_WAIT * 2) == ""
    assert typed("\x1b[200~12", "34", gap=PASTE_WAIT) == "34"
    (sent,) = read("\x1b[200~", *["1234" * 1024] * 40, "\x1b[20", "1~")
    assert sent.kind is SentKind.PASTED and MAX_KEPT - 100 < len(sent.text) < MAX_KEPT + 10


# Plain lines


def test_a_typed_line_has_no_sequence_in_it() -> None:
    assert {typed_text(f"{answer}2") for answer in ANSWERS} == {"2"}
    assert typed_text("\x1b[C") == typed_text("\x1b1") == ""
    assert typed_text("say 1;2 / \x1b[200~Привіт\x1b[201~!") == "say 1;2 / Привіт!"
