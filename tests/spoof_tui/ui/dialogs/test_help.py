"""The help of the lobby."""

import pytest

from spoof_tui.ui.dialogs.help import help_text
from spoof_tui.ui.dialogs.reading import Pages
from tests.spoof_tui.ui.lobbies import Lobby


@pytest.mark.parametrize("key", ["escape", "question_mark", "q", "enter"])
async def test_help_opens_and_any_key_that_leaves_closes_it(key: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        assert "Everybody owns three coins" in app.text
        await pilot.press(key)
        assert len(app.screen_stack) == 1
        assert app.is_running


async def test_the_help_can_be_read_to_its_end_in_any_terminal() -> None:
    for size in ((80, 24), (60, 20), (30, 10)):
        app = Lobby()
        async with app.run_test(size=size) as pilot:
            await pilot.press("question_mark")
            assert "Everybody owns" in app.text
            pages = app.screen.query_one(Pages)
            for _wait in range(50):
                await pilot.pause(0.01)
                if pages.virtual_size.height > 20:
                    break
            await pilot.press("end")
            assert await app.sees(pilot, "Ctrl")
            assert len(app.lines) <= size[1]


def test_all_words_and_keys_are_explained() -> None:
    words = ("call", "cliff", "spoof", "zero", "n p a", "e o")
    assert all(f"**{word}**" in help_text() for word in words)
