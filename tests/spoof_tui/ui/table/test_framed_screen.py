"""A screen of one stage, driven by keys."""

from __future__ import annotations

from textual.app import App

from spoof_tui.acts.act import KeyAct
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.dialogs.labels import key_pieces
from spoof_tui.ui.table.frame import Lines, StageScreen


class Pressed(StageScreen):
    """Shows the key that was pressed last."""

    key = "none"

    def acts(self) -> list[KeyAct]:
        return [KeyAct("x", "cross")]

    def parts(self, width: int, height: int) -> list[Part]:
        foot = Lines(((*key_pieces("x", "cross"), ("  ", palette.TEXT), *key_pieces("?")),))
        return [
            Part(Place(0, 0, width, 1), Lines((((self.key, palette.KEY),),))),
            Part(Place(0, height - 1, width, 1), foot),
        ]

    def press(self, key: str) -> None:
        self.key = key


class Framed(App[None]):
    def get_default_screen(self) -> Pressed:
        return Pressed()


async def test_keys_in_any_layout_and_clicks_on_the_line_of_keys_are_pressed() -> None:
    app = Framed()
    async with app.run_test(size=(40, 24)) as pilot:
        stage = app.screen.query_one(Stage)
        told = [stage.render_lines(stage.size.region)[0].text.strip()]
        for x, y in ((1, 23), (30, 23), (1, 0), (5, 23)):
            await pilot.press("й")
            told.append(stage.render_lines(stage.size.region)[0].text.strip())
            await pilot.click(offset=(x, y))
            await pilot.pause()
            told.append(stage.render_lines(stage.size.region)[0].text.strip())
        assert stage.size == (40, 24)
        assert told == ["none", "q", "x", "q", "q", "q", "q", "q", "x"]
