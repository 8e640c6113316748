"""A screen of one stage, and keys that change what is on it."""

from dataclasses import dataclass

import pytest

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.table.framed_screen import FramedScreen
from tests.spoof_tui.ui.lobbies import Lobby


@dataclass(frozen=True)
class Line:
    """A line of text."""

    text: str

    def draw(self, sheet: Sheet) -> None:
        sheet.put(0, 0, self.text, palette.TEXT)


class Keys(FramedScreen):
    """Shows which keys were pressed; Escape ends it."""

    pressed = ""

    def parts(self, width: int, height: int) -> list[Part]:
        return [Part(Place(0, 0, width, 1), Line(f"keys: {self.pressed}"))]

    def press(self, key: str) -> None:
        self.pressed += key
        if key == "escape":
            self.dismiss()


@pytest.mark.parametrize(
    ("pressed", "shown"), [("n", "keys: n"), ("т", "keys: n"), ("Т", "keys: N"), ("q", "keys: q")]
)
async def test_a_key_is_that_of_its_place_and_what_it_changes_is_drawn(
    pressed: str, shown: str
) -> None:
    app = Lobby()
    async with app.run_test(size=(40, 10)) as pilot:
        await app.push_screen(Keys())
        await pilot.press(pressed)
        assert await app.shows(pilot, lambda lines: lines[0].strip() == shown)


async def test_a_key_of_the_screen_does_nothing_below_it() -> None:
    app = Lobby()
    async with app.run_test(size=(40, 10)) as pilot:
        await app.push_screen(Keys())
        await pilot.press("p", "t")
        assert app.deeds.practised == 0
        assert len(app.screen_stack) == 2


async def test_a_key_that_ends_the_screen_draws_nothing_more() -> None:
    app = Lobby()
    async with app.run_test(size=(40, 10)) as pilot:
        screen = Keys()
        await app.push_screen(screen)
        await pilot.press("a", "escape")
        await pilot.pause()
        assert screen.pressed == "aescape"
        assert len(app.screen_stack) == 1
