"""The palette of every app: the acts of its screen, and a few of its own."""

from spoof_tui.ui.acting import ActingApp
from spoof_tui.ui.app import SpoofApp
from spoof_tui.ui.replay.screen import ReplayApp
from tests.spoof_tui.ui.lobbies import Lobby


def test_the_lobby_and_a_replay_have_the_same_palette() -> None:
    for app in (SpoofApp, ReplayApp):
        assert issubclass(app, ActingApp)
        assert app.ENABLE_COMMAND_PALETTE


async def test_the_palette_offers_a_theme_and_an_end_beside_the_acts() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)):
        commands = [command.title for command in app.get_system_commands(app.screen)]
        assert commands == ["Theme", "Quit"]


async def test_a_palette_does_not_open_over_a_palette() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p", "ctrl+p")
        assert len(app.screen_stack) == 2
