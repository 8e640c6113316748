"""What stands above and below the pages."""

import pytest

from spoof_tui.history.queries import Filter, Result
from spoof_tui.ui.history.words import Page, keys, which_games


@pytest.mark.parametrize("page", list(Page))
@pytest.mark.parametrize("width", [20, 56, 76, 116])
def test_the_keys_fit_and_the_way_back_is_always_there(page: Page, width: int) -> None:
    text = keys(page, width).plain
    assert text.endswith("Esc back") and len(text) <= max(width, 22)


def test_where_there_is_room_every_key_is_told() -> None:
    assert "v verify" in keys(Page.GAMES, 116).plain


def test_it_says_which_games_are_meant() -> None:
    assert which_games(Filter(), None) == "all rules · everybody · won or lost · reading …"
    wanted = Filter("milan", " Eve", Result.LOST)
    assert which_games(wanted, 1) == "Milan · Eve · lost · 1 game"
