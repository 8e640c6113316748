"""What stands above and below the pages."""

import pytest

from spoof_tui.history.queries import Filter, Result
from spoof_tui.ui.history.words import Page, keys, shelf, which_evening, which_games, which_rules


@pytest.mark.parametrize("page", list(Page))
@pytest.mark.parametrize("width", [20, 56, 76, 116])
def test_the_keys_fit_and_the_way_back_is_always_there(page: Page, width: int) -> None:
    text = keys(page, width).plain
    assert text.endswith("Esc back") and len(text) <= max(width, 22)


def test_where_there_is_room_every_key_is_told() -> None:
    assert "v verify" in keys(Page.GAMES, 116).plain


def test_all_pages_are_on_the_shelf() -> None:
    assert shelf(Page.GAMES).plain.split("    ") == ["Games", "Statistics", "The evening"]
    assert shelf(Page.GAMES).spans != shelf(Page.EVENING).spans


def test_it_says_which_games_are_meant() -> None:
    assert which_games(Filter(), None) == "all rules · everybody · won or lost · reading …"
    wanted = Filter("milan", " Eve", Result.LOST)
    assert which_games(wanted, 1) == "Milan · Eve · lost · 1 game"


def test_it_says_which_evening_and_which_rules() -> None:
    assert which_evening(0) == "The last evening"
    assert which_evening(2) == "2 evenings before the last"
    assert (which_rules(None), which_rules("hollywood")) == ("all rules", "Hollywood")
