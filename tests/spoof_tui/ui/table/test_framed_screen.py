"""A screen of one stage, driven by keys."""

from __future__ import annotations

from textual.app import App

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.table.framed import Lines
from spoof_tui.ui.table.framed_screen import FramedScreen


class Pressed(FramedScreen):
    """Shows the key that was pressed last."""

    key = "none"

    def parts(self, width: int, height: int) -> list[Part]:
        return [Part(Place(0, 0, width, 1), Lines((((self.key, palette.TEXT),),)))]

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
