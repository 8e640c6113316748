"""The questions about a new table."""

import pytest

from protocol.rules.options import Rules
from spoof_tui.bots.levels import Level
from spoof_tui.plain.new_table import TableForm, clean_name


def fill(*answers: str) -> TableForm:
    form = TableForm("Olha")
    for answer in answers:
        assert not form.is_done and form.question
        form.answer(answer)
    assert form.is_done
    return form


def test_enter_alone_takes_what_is_usual() -> None:
    form = fill("", "", "", "")
    assert (form.name, form.rules, form.bots, form.locked) == (
        "Olha’s table", Rules.parse("milan"), 0, True,
    )  # fmt: skip


def test_everything_can_be_chosen() -> None:
    form = fill("Night train", "hollywood first_caller=toss", "2", "3", "3")
    assert (form.name, form.rules, form.locked, form.bots, form.level) == (
        "Night train", Rules.parse("hollywood first_caller=toss"), False, 3, Level.HARD,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("before", "wrong"),
    [((), "\x1b"), ((), "n" * 65), (("",), "poker"), (("", ""), "3"), (("", "", ""), "9"),
     (("", "", ""), "many"), (("", "", "", "2") [1:], "0x")],
)  # fmt: skip
def test_a_wrong_answer_is_a_sentence_and_the_question_stays(
    before: tuple[str, ...], wrong: str
) -> None:
    form = TableForm("Olha")
    for answer in before:
        form.answer(answer)
    question = form.question
    with pytest.raises(ValueError, match=r"\w+"):
        form.answer(wrong)
    assert form.question == question


def test_a_host_with_a_long_name_lends_it_to_the_table_as_it_is() -> None:
    assert TableForm("n" * 64).name == "n" * 64


def test_a_name_is_as_others_see_it() -> None:
    assert clean_name("  Ev\x1bil   twin ") == "Evil twin"
    assert clean_name("?") == "?"
