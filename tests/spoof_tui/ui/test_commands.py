"""The command palette: it lists what the screen can do, and does it."""

from textual.pilot import Pilot
from textual.widgets import Input

from tests.spoof_tui.ui.lobbies import Lobby, until


async def looked_for(app: Lobby, pilot: Pilot[int], words: str) -> None:
    """What the palette finds first for these words is done."""
    await pilot.press("ctrl+p", *words)
    await app.sees(pilot, words)
    assert await until(pilot, lambda: app.screen.query("CommandList").first().display)
    await pilot.press("enter")
    await pilot.pause()


async def test_the_palette_lists_the_acts_of_the_screen_with_their_keys() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press("ctrl+p")
        assert await app.sees(pilot, "Search for a command", "open a table", "play now", "help")
        assert "Screenshot" not in app.text
        await pilot.press("escape")
        assert len(app.screen_stack) == 1


async def test_an_act_is_done_by_its_name() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await looked_for(app, pilot, "play now")
        assert app.deeds.practised == 1


async def test_what_no_act_is_called_is_not_found() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p", *"zzz")
        assert await app.sees(pilot, "No matches found")


async def test_the_cursor_of_the_palette_does_not_blink() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        assert not app.screen.query_one(Input).cursor_blink


async def test_the_palette_opens_over_a_lesson_a_rulebook_and_a_table() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 40)) as pilot:
        for key, words in (("l", "leave the lesson"), ("h", "another rulebook")):
            await pilot.press(key, "ctrl+p")
            assert await app.sees(pilot, words)
            await pilot.press("escape", "escape")
            assert len(app.screen_stack) == 1
