"""A screen of one stage, driven by keys."""

from __future__ import annotations

import pytest
from textual.app import App

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.table.framed import Lines
from spoof_tui.ui.table.framed_screen import FramedScreen
from spoof_tui.ui.wording.acts import KeyAct
from tests.spoof_tui.ui.lobbies import Lobby


class Pressed(FramedScreen):
    """Shows the key that was pressed last."""

    key = "none"

    def acts(self) -> list[KeyAct]:
        return [KeyAct("x", "cross")]

    def parts(self, width: int, height: int) -> list[Part]:
        foot = Lines(((("x", palette.KEY), (" cross  ", palette.TEXT), ("?", palette.KEY)),))
        return [
            Part(Place(0, 0, width, 1), Lines((((self.key, palette.KEY),),))),
            Part(Place(0, height - 1, width, 1), foot),
        ]

    def press(self, key: str) -> None:
        self.key = key


class Framed(App[None]):
    def get_default_screen(self) -> Pressed:
        return Pressed()


async def test_a_key_in_any_layout_changes_what_is_on_the_stage() -> None:
    app = Framed()
    async with app.run_test(size=(20, 3)) as pilot:
        stage = app.screen.query_one(Stage)
        assert stage.render_line(0).text.strip() == "none"
        await pilot.press("й")
        assert stage.render_line(0).text.strip() == "q"


async def test_the_stage_fills_the_screen() -> None:
    app = Framed()
    async with app.run_test(size=(20, 3)):
        assert app.screen.query_one(Stage).size == (20, 3)


@pytest.mark.parametrize(("x", "key"), [(1, "x"), (5, "x"), (30, "none")])
async def test_a_click_on_a_key_or_its_words_presses_it(x: int, key: str) -> None:
    app = Framed()
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.click(offset=(x, 23))
        await pilot.pause()
        assert app.screen.query_one(Stage).render_line(0).text.strip() == key


async def test_a_click_above_the_panel_presses_nothing() -> None:
    app = Framed()
    async with app.run_test(size=(40, 24)) as pilot:
        await pilot.press("q")
        await pilot.click(offset=(1, 0))
        await pilot.pause()
        assert app.screen.query_one(Stage).render_line(0).text.strip() == "q"


async def test_help_tells_the_keys_of_the_screen() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Pressed())
        await pilot.press("question_mark")
        assert await app.sees(pilot, "cross")
        await pilot.press("question_mark")
        assert len(app.screen_stack) == 2
