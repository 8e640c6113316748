"""The canvas: what it shows, and how few bytes a change costs on a real terminal."""

import sys
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.strip import Strip

from spoof_tui.ui.canvas.widget import Canvas, changed_spans, line
from tests.helpers.pty import Terminal

GOLD = Style.parse("#ffaf00")

PROGRAM = """
import sys
from rich.style import Style
from textual.binding import Binding
from spoof_tui.ui.terminal import TerminalApp, run_app
from spoof_tui.ui.canvas.widget import Canvas, line

GOLD = Style.parse("bold #ffaf00")

class Table(TerminalApp):
    CSS = "Canvas { background: #1c1c1c; color: #d0d0d0; }"
    BINDINGS = [Binding(key, f"put('{key}')") for key in "nfs"]

    def compose(self):
        yield Canvas()

    def on_mount(self):
        self.put("0123456789", ".")

    def put(self, middle, end):
        bid = line("x" * 30, (middle, GOLD), "y" * 30, end)
        self.query_one(Canvas).show([line("READY"), bid, *[line("-" * 80)] * 20])

    def action_put(self, key):
        self.put("0123456789" if key == "f" else "ABCDEFGHIJ", "." if key == "n" else "!")

sys.exit(run_app(Table()))
"""


@pytest.fixture
def table() -> Iterator[Terminal]:
    with Terminal([sys.executable, "-c", PROGRAM], env={"COLORTERM": "truecolor"}) as terminal:
        terminal.wait("READY")
        terminal.settle()
        yield terminal


def cost(table: Terminal, key: str) -> int:
    mark = table.mark()
    table.send(key)
    table.settle()
    return len(table.painted_since(mark))


pty_only = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")


@pty_only
def test_ten_changed_cells_cost_less_than_a_hundred_bytes(table: Terminal) -> None:
    assert 10 < cost(table, "n") < 100
    assert table.lines()[1] == "x" * 30 + "ABCDEFGHIJ" + "y" * 30 + "."


@pty_only
def test_one_cell_at_the_far_end_costs_one_cell(table: Terminal) -> None:
    assert 1 < cost(table, "f") < 80


@pty_only
def test_two_far_changes_in_a_line_do_not_repaint_what_is_between(table: Terminal) -> None:
    mark = table.mark()
    assert cost(table, "s") < 140
    assert b"y" not in table.painted_since(mark)


@pty_only
def test_showing_the_same_lines_costs_nothing(table: Terminal) -> None:
    cost(table, "n")
    assert cost(table, "n") == 0


@pty_only
def test_an_idle_canvas_paints_nothing(table: Terminal) -> None:
    mark = table.mark()
    table.settle(0.6)
    assert table.painted_since(mark) == b""


# What differs


letters = st.text("ab 中é", min_size=1, max_size=30)


@given(letters, letters)
def test_outside_the_changed_spans_two_lines_are_the_same(old: str, new: str) -> None:
    before, after = line(old, width=40), line(new, width=40)
    patched = before
    for start, end in changed_spans(before, after):
        patched = Strip.join([patched.crop(0, start), after.crop(start, end), patched.crop(end)])
    assert patched.text == after.text


@given(letters)
def test_a_line_does_not_differ_from_itself(text: str) -> None:
    strip = line(text, width=40)
    assert list(changed_spans(strip, strip)) == []


def spans(old: str, new: str) -> list[tuple[int, int]]:
    return list(changed_spans(line(old), line(new)))


def test_only_the_cells_from_the_first_to_the_last_difference_change() -> None:
    assert spans("bid: 12 coins", "bid: 34 coins") == [(5, 7)]


def test_near_changes_are_one_span_and_far_ones_two() -> None:
    assert spans("a12345678b", "c12345678d") == [(0, 10)]
    assert spans("a123456789b", "c123456789d") == [(0, 1), (10, 11)]


def test_a_wide_letter_changes_as_a_whole() -> None:
    assert spans("x中y", "xaby") == [(1, 3)]
    assert spans("xa中", "x中a") == [(1, 4)]


def test_a_new_style_is_a_change() -> None:
    old, new = line("say ", "one"), line("say ", ("one", GOLD))
    assert list(changed_spans(old, new)) == [(4, 7)]


def test_a_changed_mark_repaints_its_letter() -> None:
    assert spans("aq\u0301a", "aq\u0300a") == [(1, 2)]


# Lines


def test_a_line_is_cropped_or_filled_to_its_width() -> None:
    assert line("seven", " ", "coins", width=8).text == "seven co"
    assert line("one", width=5).text == "one  "
    assert line("中中", width=3).text == "中 "


def test_a_line_keeps_the_style_of_its_pieces() -> None:
    assert list(line("a", ("b", GOLD))) == [Segment("a"), Segment("b", GOLD)]


def test_a_line_never_writes_a_control_character() -> None:
    assert line("a\x1b[2J\u202eb\n").text == "a [2J b "


# The widget


class Frame(App[None]):
    CSS = "Canvas { width: 10; height: 3; }"

    def __init__(self, canvas: Canvas) -> None:
        super().__init__()
        self.canvas = canvas

    def compose(self) -> ComposeResult:
        yield self.canvas


class Ruler(Canvas):
    def draw(self, width: int, height: int) -> Sequence[Strip]:
        return [line(f"{width}x{height}")]


def painted(canvas: Canvas) -> list[str]:
    return [canvas.render_line(y).text for y in range(canvas.size.height)]


async def test_missing_lines_are_blank_and_too_many_are_cropped() -> None:
    canvas = Canvas()
    async with Frame(canvas).run_test():
        canvas.show([line("one")])
        assert painted(canvas) == ["one       ", " " * 10, " " * 10]
        canvas.show([line(str(number) * 20) for number in range(5)])
        assert painted(canvas) == ["0" * 10, "1" * 10, "2" * 10]


async def test_lines_shown_before_the_canvas_has_a_size_are_painted_later() -> None:
    canvas = Canvas()
    canvas.show([line("early")])
    async with Frame(canvas).run_test():
        assert painted(canvas)[0] == "early     "


async def test_markup_is_text() -> None:
    canvas = Canvas()
    async with Frame(canvas).run_test():
        canvas.show([line("[b]bob[/]")])
        assert painted(canvas)[0] == "[b]bob[/] "


async def test_a_new_size_draws_anew() -> None:
    ruler = Ruler()
    async with Frame(ruler).run_test() as pilot:
        assert painted(ruler)[0] == "10x3      "
        ruler.styles.width = 6
        await pilot.pause()
        assert painted(ruler)[0] == "6x3   "


async def test_an_automatic_height_is_the_number_of_lines_drawn() -> None:
    ruler = Ruler()
    ruler.styles.height = "auto"
    async with Frame(ruler).run_test():
        assert ruler.size == (10, 1)
