"""The stage: what it shows, and how little of it is drawn again."""

from dataclasses import dataclass
from typing import ClassVar

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.canvas.widget import Stage

GOLD = Style.parse("#ffaf00")


@dataclass(frozen=True)
class Word:
    """A picture that counts how often it is drawn."""

    text: str
    drawn: ClassVar[list[str]] = []

    def draw(self, sheet: Sheet) -> None:
        self.drawn.append(self.text)
        sheet.put(0, 0, self.text, GOLD)


class Scenery(App[None]):
    """A stage with one word per row."""

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
        return [row.text.rstrip() for row in stage.render_lines(stage.size.region)]

    def say(self, *words: str) -> list[Region]:
        """Show other words; returns what is repainted for them."""
        Word.drawn.clear()
        self.words, refreshed = list(words), list[Region]()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.stage, "refresh", lambda *regions: refreshed.extend(regions))
            self.stage.redraw()
        return refreshed


@dataclass(frozen=True)
class Keys:
    """A picture of a key with its words."""

    def draw(self, sheet: Sheet) -> None:
        sheet.put(2, 0, "c call", palette.pressing(palette.KEY, "c"))
        sheet.put(9, 0, "back", palette.QUIET)


class Labelled(Scenery):
    """A stage with these keys, and a part that is a key as a whole."""

    def parts(self, width: int, height: int) -> list[Part]:
        return [Part(Place(0, 0, 12, 1), Keys(), "x"), Part(Place(4, 1, 3, 1), Keys())]


async def test_a_click_presses_the_key_of_a_piece_or_else_of_the_part_under_it() -> None:
    app = Labelled()
    async with app.run_test(size=(16, 2)):
        above, below = [[app.stage.key_at(x, y) for x in range(16)] for y in range(2)]
        assert above == [*["x"] * 2, *["c"] * 6, *["x"] * 4, *[""] * 4]
        assert below == [*[""] * 6, "c", *[""] * 9]
        assert app.stage.key_at(0, 2) == app.stage.key_at(16, 0) == ""


async def test_only_what_changed_is_drawn_and_painted_again() -> None:
    app = Scenery("one", "two")
    async with app.run_test(size=(10, 3)) as pilot:
        before = app.stage.render_lines(Region(0, 0, 10, 3))
        assert [strip.text.rstrip() for strip in before] == app.rows == ["one", "two", ""]
        assert app.say("one", "tao") == [Region(0, 1, 10, 1)] and Word.drawn == ["tao"]
        after = app.stage.render_lines(Region(0, 0, 10, 3))
        assert [old is new for old, new in zip(before, after, strict=True)] == [True, False, True]
        assert app.say("one", "tao") == [] and Word.drawn == []
        assert app.say("one") == [Region(0, 1, 10, 1)] and app.rows == ["one", "", ""]
        assert app.say("one", "two", "six", "ten") == [Region(0, y, 10, 1) for y in (1, 2)]
        assert [strip.text for strip in app.stage.render_lines(Region(1, 1, 2, 1))] == ["wo"]
        Word.drawn.clear()
        app.stage.notify_style_update()
        app.stage.refresh()
        await pilot.pause()
        assert Word.drawn == ["one", "two", "six", "ten"]


async def test_a_stage_of_another_size_or_ground_is_drawn_anew() -> None:
    app = Scenery("one", "two", "three")
    async with app.run_test(size=(10, 2)) as pilot:
        await pilot.resize_terminal(4, 3)
        while app.stage.size.height < 3:
            await pilot.pause()
        assert app.rows == ["one", "two", "thre"] and grounds(app) == {"#1c1c1c"}
        app.stage.styles.background = "#121212"
        app.stage.notify_style_update()
        assert grounds(app) == {"#121212"}


def grounds(app: Scenery) -> set[str]:
    styles = [segment.style for segment in app.stage.render_lines(app.stage.size.region)[0]]
    return {style.bgcolor.name for style in styles if style and style.bgcolor}


async def test_a_stage_shows_no_colour_where_none_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Scenery("one")
    async with app.run_test(size=(10, 1)):
        [style, *_] = [
            segment.style for segment in app.stage.render_lines(app.stage.size.region)[0]
        ]
        assert style and style.color and style.color.triplet
        assert len(set(style.color.triplet)) == 1
