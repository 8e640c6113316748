"""A sheet of cells: what lies on it after any drawing, and what differs between two."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, bound, fit, left_open, wrap
from tests.helpers.pages import on_a_page

STYLES = [
    None, Style(bold=True), Style(color="#ff0000", bold=True), Style(bgcolor="#1c1c1c"),
    Style(underline=True),
]  # fmt: skip
LETTERS = "ab c中文ї★─\u0301\x1b\u202e\u200d"

texts = st.text(st.sampled_from(LETTERS), max_size=12)
styles = st.sampled_from(STYLES)
puts = st.tuples(st.integers(-6, 12), st.integers(-1, 2), texts, styles)

Put = tuple[int, int, str, Style | None]
Cells = list[list[tuple[str, Style | None]]]
"""A letter and its style in every cell; where a wide letter goes on, an empty one."""


def put(cells: Cells, x: int, y: int, letters: Sequence[tuple[str, Style | None]]) -> int:
    """The model of drawing, letter by letter; returns the column after them."""
    base: int | None = None
    for letter, style in letters:
        size = cell_len(letter)
        if not size and not unicodedata.combining(letter[0]):
            continue
        if not size:
            if base is not None:
                before, own = cells[y][base]
                cells[y][base] = before + letter, own
            continue
        base = None
        if 0 <= y < len(cells) and x >= 0 and x + size <= len(cells[y]):
            for column in range(x, x + size):
                blank(cells[y], column)
            cells[y][x : x + size] = [(letter, style), *[("", style)] * (size - 1)]
            base = x
        x += size
    return x


def blank(row: list[tuple[str, Style | None]], column: int) -> None:
    """Blank the whole letter of this cell, in its style."""
    first = last = column
    while not row[first][0]:
        first -= 1
    while last + 1 < len(row) and not row[last + 1][0]:
        last += 1
    for each in range(first, last + 1):
        row[each] = (" ", row[each][1]) if last > first else row[each]


def cells_of(sheet: Sheet) -> Cells:
    return [list(zip(row.letters, row.styles, strict=True)) for row in sheet.rows]


def blanks(width: int, height: int) -> Cells:
    return [[(" ", None) for _ in range(width)] for _ in range(height)]


def sheet_of(some: Sequence[Put], width: int = 10, height: int = 2) -> Sheet:
    sheet = Sheet(width, height)
    for x, y, text, style in some:
        sheet.put(x, y, text, style)
    return sheet


@given(st.lists(puts, max_size=8))
@example([(0, 0, "中文", None), (1, 0, "a", None)])
@example([(-1, 0, "q\u0301abc\u0301", None), (8, 1, "abc\u0301", None)])
def test_what_is_put_lies_there_letter_by_letter_and_what_lies_outside_is_cut_off(
    some: list[Put],
) -> None:
    sheet, cells = Sheet(10, 2), blanks(10, 2)
    for x, y, text, style in some:
        seen = palette.TEXT if style is None else style
        assert sheet.put(x, y, text, style) == put(cells, x, y, [(each, seen) for each in text])
    assert cells_of(sheet) == cells
    for drawn, row in zip(sheet.rows, cells, strict=True):
        strip = drawn.strip()
        assert strip.text == "".join(letter for letter, _style in row)
        assert strip.cell_length == cell_len(strip.text) == 10
        assert all(each.isprintable() or unicodedata.combining(each) for each in strip.text)
        seen_there = [s.style for s in strip for letter in s.text if cell_len(letter)]
        wanted = [style for letter, style in row if letter]
        for letter, shown, own in zip((c for c, _s in row if c), seen_there, wanted, strict=True):
            assert shown == own or (letter == " " and not (shown and shown.bgcolor))


@given(
    st.lists(puts, max_size=4), st.lists(puts, max_size=4), st.integers(-7, 10), st.integers(-2, 2)
)
@example([(0, 0, "中文", None)], [(0, 0, "中文", None)], -1, 0)
@example([], [(0, 0, "中文", None)], 7, 0)
def test_wherever_a_sheet_is_laid_on_another_no_letter_is_cut_in_half(
    below: list[Put], above: list[Put], x: int, y: int
) -> None:
    sheet = sheet_of(below)
    sheet.lay(sheet_of(above, 6, 2), x, y)
    assert [cell_len("".join(row.letters)) for row in sheet.rows] == [10, 10]


# Text


@given(st.text(st.sampled_from("ab c中文ї★─"), max_size=12), st.integers(-2, 14))
def test_text_is_cut_and_wrapped_within_its_room(text: str, width: int) -> None:
    fitted = fit(text, width)
    assert cell_len(fitted) <= max(width, 0)
    assert fitted == text or fitted == "" or fitted.endswith("…")
    wrapped = wrap(text, width)
    assert wrapped and "".join(wrapped).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line) <= max(width, 2) for line in wrapped)
    assert width > 0 or wrapped == wrap(text, 1)


def test_a_browser_gets_whole_blocks_as_coloured_spaces_that_no_font_can_part() -> None:
    sheet = Sheet(5, 1)
    sheet.put(0, 0, "█▀█ a", Style(color="#ff0000", bgcolor="#1c1c1c"))
    [row] = sheet.rows
    assert row.strip().text == "█▀█ a"
    with on_a_page():
        strip = row.strip()
    assert strip.text == " ▀  a"
    grounds = [each.style and each.style.bgcolor and each.style.bgcolor.name for each in strip]
    assert grounds == ["#ff0000", "#1c1c1c", "#ff0000", "#1c1c1c"]


@given(st.sampled_from(["", "Looking", "Looking for it", " Looking for it"]), st.integers(1, 20))
def test_a_text_that_goes_on_ends_in_one_ellipsis_even_if_it_had_one(text: str, width: int) -> None:
    for said in (text, f"{text} …", f"{text}…"):
        opened = left_open(said, width)
        assert opened.count("…") == 1 and opened.endswith("…")
        assert said.startswith(opened.removesuffix("…").rstrip(" "))


def test_words_are_kept_whole_where_they_fit() -> None:
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]
    assert wrap(f"Ann 1, {bound('Ben 12')}", 9) == ["Ann 1,", "Ben 12"]
    assert wrap(bound("Ben 12"), 4) == ["Ben", "12"], "there is no room for both"
    assert wrap("a transcontinental b", 6) == ["a", "transc", "ontine", "ntal b"]
