"""What Textual draws is compared with what is shown: few bytes, and the same picture."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from spoof_tui.ui.painting import NearestColors, Painter, ShownCells
from tests.helpers.painted import put

WIDTH, HEIGHT = 12, 4

LOOKS = ("0", "1", "38;5;196", "38;2;255;0;0;48;2;16;16;16", "4;34;107", "7", "1;2;48;5;234")

moves = st.tuples(st.integers(1, HEIGHT - 1), st.integers(1, WIDTH - 8)).map(
    "\x1b[{0[0]};{0[1]}H".format
)
drawings = st.lists(
    st.tuples(st.sampled_from(LOOKS), st.text("ab █漢", min_size=1, max_size=2)).map(
        "\x1b[{0[0]}m{0[1]}\x1b[0m".format
    ),
    max_size=3,
).map("".join)
"""Text of some looks, as Textual writes it."""

pictures = st.lists(st.tuples(moves, drawings).map("".join), min_size=1, max_size=4).map("\n".join)


class Halves(pyte.Screen):
    """A screen on which a wide character that loses one half becomes blank, as on terminals."""

    def draw(self, data: str) -> None:
        """Draw one character after the other."""
        for letter in data:
            row, first = self.buffer[self.cursor.y], self.cursor.x
            for at, half in ((first - 1, first), (first + cell_len(letter),) * 2):
                if not row[half].data:
                    row[at] = row[half]._replace(data=" ")
            super().draw(letter)


def screen(data: str) -> list[list[tuple[object, ...]]]:
    """The cells of a terminal that gets this, as far as they are seen, and the cursor."""
    shown = Halves(WIDTH, HEIGHT)
    pyte.Stream(shown).feed(data)
    cells = [[shown.buffer[y][x] for x in range(WIDTH)] for y in range(HEIGHT)]
    return [*([*map(_seen, row)] for row in cells), [(shown.cursor.y, shown.cursor.x)]]


def _seen(cell: pyte.screens.Char) -> tuple[object, ...]:
    if cell.data == "█" and not (cell.bold or cell.underscore or cell.reverse):
        return (" ", cell.fg, False)
    has_ink = cell.data != " " or cell.underscore or cell.reverse
    ink = (cell.fg, cell.bold, cell.underscore) if has_ink else ()
    return (cell.data, cell.bg, cell.reverse, *ink)


@example(["\x1b[1;1Ha漢ab\x1b[1;2Hc"], 99)
@example(["\x1b[1;1Ha漢ab\x1b[1;3Hc"], 99)
@example(["\x1b[1;1Ha\x1b[2;2H\x1b[31;48;5;234mb\x1b[0m\n\x1b[2;2H\x1b[1mc\x1b[0m"], 99)
@given(st.lists(pictures, min_size=1, max_size=4), st.integers(1, 20))
def test_the_picture_is_the_same_whatever_is_left_out_and_wherever_it_is_cut(
    drawn: list[str], size: int
) -> None:
    painter, data = Painter(), "".join(f"\x1b[?2026h{each}\x1b[1;1H\x1b[?2026l" for each in drawn)
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    assert screen("".join(map(painter.paint, parts))) == screen(data)
    last = f"{drawn[-1]}\x1b[1;1H"
    painter.paint(last)
    assert painter.paint(last) == "" or "\n" in last, "what is painted over may come again"


def test_what_is_no_picture_is_passed_on_as_it_is() -> None:
    painter = Painter()
    for data in ("\x1b[?1049h", "text before any move", "\x1b]2;title\x07", "\x07", "\x1b[6n"):
        assert painter.paint(data) == data
    painter.paint("\x1b[2;2Hab\x1b[1;1H")
    assert painter.paint("\x1b[?1049l\x1b]7764;sab\x07") == "\x1b[?1049l\x1b]7764;sab\x07"


def test_a_cursor_that_has_moved_is_all_that_is_written() -> None:
    painter = Painter()
    painter.paint("\x1b[2;2Hab\x1b[1;1H")
    assert painter.paint("\x1b[2;2Hab\x1b[1;1H") == ""
    assert painter.paint("\x1b[2;2Hab\x1b[3;1H") == "\x1b[3;1H"
    painter.forget()
    assert painter.paint("\x1b[2;2Hab\x1b[3;1H") == "\x1b[2;2Hab\x1b[3;1H"


# Cells


def painted(
    shown: ShownCells, text: str, x: int = 0, y: int = 3, look: str = ""
) -> list[tuple[int, str]]:
    put(shown, y, x, Strip([Segment(text, Style.parse(look))]))
    return [
        (start, "".join(letter for letter, _ in piece)) for _y, start, piece in shown.differing()
    ]


def test_a_cell_that_is_shown_is_not_painted_again() -> None:
    shown = ShownCells()
    assert [len(painted(shown, "a row")) for _ in range(2)] == [1, 0]
    assert painted(shown, "a cow!") == [(2, "cow!")]
    spans = painted(shown, "A cow! moo")
    assert spans == [(0, "A"), (6, " moo")], "a jump is dearer than four cells"
    assert painted(shown, "a cow!", 1) and painted(shown, "a cow!", 1, y=4)
    shown.forget()
    assert painted(shown, "a cow!", 1, y=4), "a resized terminal may have moved it"


def test_a_blank_has_a_ground_and_no_colour() -> None:
    shown, ground = ShownCells(), "on #1c1c1c"
    looks = (ground, f"bold red {ground}", f"underline {ground}", "on #121212")
    assert [len(painted(shown, " ", look=look)) for look in looks] == [1, 0, 1, 1]


def test_no_letter_of_two_cells_is_painted_in_half() -> None:
    shown = ShownCells()
    painted(shown, "a漢b")
    assert painted(shown, "a字b") == [(1, "字")]
    painted(shown, "x", 1)
    assert painted(shown, "a字b") == [(1, "字")]


def test_a_mark_on_a_letter_is_painted() -> None:
    shown = ShownCells()
    painted(shown, "cafe")
    assert painted(shown, "cafe\u0301") == [(3, "e\u0301")]
    painted(shown, "か")
    assert painted(shown, "か\u3099") == [(0, "か\u3099")]


@given(st.lists(st.tuples(st.integers(0, 3), st.text("ab", max_size=4)), max_size=6))
def test_what_is_left_out_was_there(writes: list[tuple[int, str]]) -> None:
    shown, screen, whole = ShownCells(), dict[int, str](), dict[int, str]()
    for x, text in writes:
        whole.update(enumerate(text, x))
        for start, changed in painted(shown, text, x):
            screen.update(enumerate(changed, start))
    assert {x: screen[x] for x in whole} == whole


@pytest.mark.parametrize(
    ("blend", "shown"),
    [
        ("#7d590a", 94), ("#356074", 60), ("#0b350b", 234), ("#121212", 233), ("#ffaf00", 214),
    ],
)  # fmt: skip
def test_a_blend_of_two_colours_keeps_its_hue_or_turns_grey(blend: str, shown: int) -> None:
    """What lies behind a dialog: dimmed amber is brown, not red."""
    blends = [Segment("x", Style(color=blend))]
    strip = Strip(NearestColors().apply(blends, Color(0, 0, 0)))
    assert strip.render(Console(color_system="256")) == f"\x1b[38;5;{shown}mx\x1b[0m"
