"""The canvas: what it shows, and how few bytes a change costs on a real terminal."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.canvas.widget import Canvas, Stage, line
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
    # What the start still paints on a busy machine comes before that.
    table.settle(0.6)
    mark = table.mark()
    table.settle(0.6)
    assert table.painted_since(mark) == b""


# Lines


def test_a_line_is_cropped_or_filled_to_its_width() -> None:
    assert line("seven", " ", "coins", width=8).text == "seven co"
    assert line("one", width=5).text == "one  "
    assert line("中中", width=3).text == "中 "


def test_a_line_keeps_the_style_of_its_pieces() -> None:
    assert list(line("a", ("b", GOLD))) == [Segment("a"), Segment("b", GOLD)]


def test_a_line_never_writes_a_control_character() -> None:
    assert line("a\x1b[2J\u202eb\n").text == "a [2J b "


# The canvas


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


# The stage


@dataclass(frozen=True)
class Word:
    """A picture that counts how often it is drawn."""

    text: str
    drawn: ClassVar[list[str]] = []

    def draw(self, sheet: Sheet) -> None:
        self.drawn.append(self.text)
        sheet.put(0, 0, self.text, GOLD)


class Scenery(App[None]):
    """A stage with a word a row."""

    CSS = "Stage { background: #1c1c1c; }"

    def __init__(self, *words: str) -> None:
        super().__init__()
        self.words = list(words)
        Word.drawn.clear()

    def compose(self) -> ComposeResult:
        yield Stage(self.parts)

    def parts(self, width: int, height: int) -> list[Part]:
        return [Part(Place(0, y, width, 1), Word(word)) for y, word in enumerate(self.words)]

    @property
    def stage(self) -> Stage:
        return self.query_one(Stage)

    @property
    def rows(self) -> list[str]:
        stage = self.stage
        return [stage.render_line(y).text.rstrip() for y in range(stage.size.height)]

    def say(self, *words: str) -> list[Region]:
        """Show other words; what is repainted for them."""
        self.words, refreshed = list(words), list[Region]()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.stage, "refresh", lambda *regions: refreshed.extend(regions))
            self.stage.redraw()
        return refreshed


@dataclass(frozen=True)
class Keys:
    """A picture of two keys, each with its words."""

    def draw(self, sheet: Sheet) -> None:
        pieces = [("c", palette.KEY), (" call  ", palette.QUIET), ("Esc", palette.KEY)]
        sheet.pieces(2, 0, [*pieces, (" back", palette.QUIET)])


class Labelled(Scenery):
    """A stage with these keys."""

    def parts(self, width: int, height: int) -> list[Part]:
        return [Part(Place(0, 0, width, 1), Keys())]


async def test_a_cell_belongs_to_the_key_before_it_and_two_blanks_to_none() -> None:
    app = Labelled()
    async with app.run_test(size=(24, 2)):
        labels = [app.stage.label_at(x, 0) for x in range(24)]
        assert labels == [*[""] * 2, *["c"] * 7, "", *["Esc"] * 9, *[""] * 5]
        assert app.stage.label_at(2, 1) == app.stage.label_at(2, 9) == ""


async def test_a_part_is_drawn_only_when_its_picture_changed() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)):
        assert app.rows == ["one", "two", ""]
        Word.drawn.clear()
        app.say("one", "too")
        assert (app.rows, Word.drawn) == (["one", "too", ""], ["too"])


async def test_only_cells_that_differ_are_repainted() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)):
        assert app.say("one", "tao") == [Region(1, 1, 1, 1)]
        assert app.say("one", "tao") == []


async def test_a_part_that_is_gone_leaves_blanks() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)):
        assert app.say("one") == [Region(0, 1, 3, 1)]
        assert app.rows == ["one", "", ""]


async def test_a_stage_of_another_size_is_drawn_anew() -> None:
    app = Scenery("one", "two", "three")
    async with app.run_test(size=(10, 2)) as pilot:
        await pilot.resize_terminal(4, 3)
        while app.stage.size.height < 3:
            await pilot.pause()
        assert app.rows == ["one", "two", "thre"]


async def test_a_row_that_did_not_change_is_the_same_strip() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)):
        before = app.stage.render_lines(Region(0, 0, 10, 3))
        app.say("one", "too")
        after = app.stage.render_lines(Region(0, 0, 10, 3))
        assert [old is new for old, new in zip(before, after, strict=True)] == [True, False, True]


async def test_a_part_of_the_stage_can_be_asked_for() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)):
        assert [strip.text for strip in app.stage.render_lines(Region(1, 1, 2, 1))] == ["wo"]


async def test_what_is_forgotten_is_drawn_again() -> None:
    app = Scenery("one")
    async with app.run_test(size=(10, 1)) as pilot:
        Word.drawn.clear()
        app.stage.forget()
        await pilot.pause()
        assert Word.drawn == ["one"]


async def test_the_ground_of_the_stage_is_under_every_cell() -> None:
    app = Scenery("one")
    async with app.run_test(size=(10, 1)) as pilot:
        assert grounds(app) == {"#1c1c1c"}
        app.stage.styles.background = "#121212"
        await pilot.pause()
        assert grounds(app) == {"#121212"}


def grounds(app: Scenery) -> set[str]:
    styles = [segment.style for segment in app.stage.render_line(0)]
    return {style.bgcolor.name for style in styles if style and style.bgcolor}


async def test_a_stage_shows_no_colour_where_none_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Scenery("one")
    async with app.run_test(size=(10, 1)):
        [style, *_] = [segment.style for segment in app.stage.render_line(0)]
        assert style and style.color and style.color.triplet
        assert len(set(style.color.triplet)) == 1
