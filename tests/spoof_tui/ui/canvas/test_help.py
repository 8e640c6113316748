"""The help of the lobby."""

import pytest

from spoof_tui.ui.canvas.help import draw_help
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


@pytest.mark.parametrize(("width", "height"), [(76, 24), (60, 20), (76, 50)])
def test_all_words_and_keys_are_explained(width: int, height: int) -> None:
    lines = [strip.text for strip in draw_help(width, height)]
    text = "\n".join(lines)
    assert all(word in text for word in ("call ", "cliff ", "spoof ", "zero ", "n p a", "e o"))
    assert len(lines) <= height
    assert {len(line) for line in lines} == {width}
