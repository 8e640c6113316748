"""Remarks in the corner of the screen."""

import pytest

from spoof_tui.ui.notices import tell
from tests.spoof_tui.ui.lobbies import Lobby


@pytest.mark.parametrize("sentence", ["[red]x[/]", "[@click=app.exit]y[/]", "bob[/]"])
async def test_a_remark_is_text_and_nothing_else(sentence: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        tell(app, sentence)
        assert await app.sees(pilot, sentence)
        tell(app, "")
        assert await app.misses(pilot, sentence)


async def test_a_remark_takes_the_place_of_the_one_before() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        tell(app, "The first.")
        assert await app.sees(pilot, "The first.")
        tell(app, "The second.")
        assert await app.sees(pilot, "The second.")
        assert await app.misses(pilot, "The first.")
