"""Forms: typing, choosing, and how they are drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spoof_tui.ui.canvas.form import (
    MAX_LETTERS,
    ChoiceRow,
    CodeRow,
    Form,
    Row,
    TextRow,
    draw_form,
)


def form(*, wrong: str = "", bright: int = 0) -> Form:
    rows: list[Row] = [
        TextRow("Name", "Maria", help="As others see it.", note="Sung, if you like."),
        ChoiceRow("Colour", ["red", "green"], gap=True, keys="12", changed=True),
        ChoiceRow("Size", ["small", "large"], spread=True),
    ]
    return Form("A thing", rows, [("Enter", "make"), ("Esc", "cancel")], bright, wrong=wrong)


def lines(form: Form, width: int = 50, height: int = 20) -> list[str]:
    return [strip.text for strip in draw_form(form, width, height).lines]


def test_a_form_shows_all_its_rows_in_a_frame() -> None:
    assert lines(form()) == [
        "╭─ A thing ──────────────────────────────────────╮",
        "│                                                │",
        "│▶ Name      Maria                               │",
        "│    Sung, if you like.                          │",
        "│                                                │",
        "│  Colour    red ★                               │",
        "│  Size    ● small   ○ large                     │",
        "│                                                │",
        "│  As others see it.                             │",
        "│                                                │",
        "╰────────────────────── Enter make ─ Esc cancel ─╯",
    ]


def test_the_bright_choice_has_arrows_and_what_is_wrong_replaces_the_help() -> None:
    drawn = "\n".join(lines(form(bright=1, wrong="Green it is not.")))
    assert "▶ Colour  ← red ★ →" in drawn
    assert "Green it is not." in drawn


def test_in_a_low_terminal_gaps_go_first_and_then_what_is_far_from_the_bright_row() -> None:
    assert len(lines(form(), height=9)) == 9
    assert len(lines(form(), height=8)) == 8
    low = "\n".join(lines(form(bright=2), height=6))
    assert "Size" in low and "Name" not in low and "↑" in low
    assert "↓" in "\n".join(lines(form(), height=6))


@pytest.mark.parametrize("width", [12, 20, 40, 74])
@pytest.mark.parametrize("height", [5, 8, 24])
def test_a_form_never_leaves_its_frame(width: int, height: int) -> None:
    drawn = lines(form(bright=1), width, height)
    assert {cell_len(line) for line in drawn} == {width}
    assert len(drawn) <= height


def test_a_line_knows_its_row() -> None:
    rows = draw_form(form(), 50, 20).rows
    assert rows == {2: 0, 3: 0, 5: 1, 6: 2}


def test_the_focus_goes_round_the_ends() -> None:
    thing = form()
    thing.move(-1)
    assert thing.row.label == "Size"
    thing.move(1)
    assert thing.row.label == "Name"


def test_a_long_text_is_moved_so_that_its_cursor_is_seen() -> None:
    row = TextRow("Name", "abcdefghij" * 5)
    drawn = "\n".join(lines(Form("", [row], []), 30))
    assert "hij" in drawn
    row.step(-50)
    drawn = "\n".join(lines(Form("", [row], []), 30))
    assert "abc" in drawn and "hij" in drawn
    assert drawn.count("a") < 5


def test_a_choice_goes_round_its_ends_and_takes_its_digits() -> None:
    row = ChoiceRow("", ["a", "b", "c"], keys="12")
    row.step(-1)
    assert row.index == 2
    assert row.press("1") and row.index == 0
    assert not row.press("3") and not row.press("") and not row.press("12")


def test_typing_happens_at_the_cursor() -> None:
    row = TextRow("", "beer")
    row.step(-2)
    row.type("xy")
    row.erase()
    row.delete()
    assert (row.text, row.cursor) == ("bexr", 3)
    row.clear()
    row.erase()
    row.delete()
    assert (row.text, row.cursor) == ("", 0)


@given(st.lists(st.text(max_size=90), max_size=6), st.integers(-300, 300))
def test_whatever_is_typed_is_bounded_and_can_be_drawn(typed: list[str], by: int) -> None:
    row = TextRow("Name")
    for piece in typed:
        row.type(piece)
        row.step(by)
    assert len(row.text) <= MAX_LETTERS
    assert 0 <= row.cursor <= len(row.text)
    assert row.text.isprintable()
    drawn = lines(Form("", [row], []), 40)
    assert {cell_len(line) for line in drawn} == {40}


# A code


def code_form(text: str = "", wrong: str = "", refused: bool = False) -> Form:
    row = CodeRow("Code", 5, text=text, help="Ask for it.", refused=refused)
    return Form("The code", [row], [("Enter", "sit down")], wrong=wrong)


def test_the_letters_of_a_code_stand_large_in_their_places() -> None:
    drawn = lines(code_form("K7"), width=54)
    assert "█ █     ▀▀█" in drawn[2]
    assert "▀ ▀       ▀     ▂▂▂" in drawn[4]
    assert len(drawn) == 9


def test_in_a_low_terminal_the_letters_are_small() -> None:
    drawn = "\n".join(lines(code_form("K7"), width=54, height=5))
    assert "K   7   ▂" in drawn and "█" not in drawn


def test_letters_go_to_the_next_place_as_long_as_there_is_one() -> None:
    row = CodeRow("Code", 5)
    row.type("K7M")
    row.type("4QX")
    assert row.text == "K7M4Q"
    row.erase()
    assert row.text == "K7M4"
    row.clear()
    assert row.text == ""


def test_after_a_refused_code_the_next_letter_begins_a_new_one() -> None:
    row = CodeRow("Code", 5, text="AAAAA", refused=True)
    row.type("K")
    assert (row.text, row.refused) == ("K", False)


def test_a_refused_code_can_be_mended_at_its_end() -> None:
    row = CodeRow("Code", 5, text="K7M4A", refused=True)
    row.erase()
    row.type("Q")
    assert row.text == "K7M4Q"
