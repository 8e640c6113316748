"""What screens may ask of the app."""

from __future__ import annotations

from spoof_tui.ui.actions import Actions, actions
from tests.spoof_tui.ui.lobbies import Lobby


async def test_the_app_does_what_screens_ask_of_it() -> None:
    app = Lobby()
    async with app.run_test():
        asked: Actions = app
        assert actions(app) is asked


async def test_a_screen_finds_what_it_may_ask() -> None:
    app = Lobby()
    async with app.run_test():
        actions(app.screen.app).practise()
        assert app.deeds.practised == 1
