"""The whole screen is covered by one key."""

from spoof_tui.ui.covering import CoverableApp
from spoof_tui.ui.dialogs.cover import CoverScreen
from spoof_tui.ui.themes import dress
from tests.spoof_tui.ui.lobbies import until


async def test_one_key_covers_and_uncovers_the_screen() -> None:
    app = CoverableApp()
    dress(app, None)
    async with app.run_test() as pilot:
        await pilot.press("ctrl+l")
        assert await until(pilot, lambda: isinstance(app.screen, CoverScreen))
        await pilot.press("ctrl+l")
        assert await until(pilot, lambda: not isinstance(app.screen, CoverScreen))
