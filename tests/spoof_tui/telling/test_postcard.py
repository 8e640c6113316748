"""The postcard: four lines about a game, for whoever was not there."""

from __future__ import annotations

import pytest

from spoof_tui.telling.names import seat_names
from spoof_tui.telling.postcard import postcard
from tests.helpers.moments import finished, named
from tests.spoof_tui.ui.table.scenes import at


@pytest.mark.parametrize("players", [2, 4, 9])
def test_a_postcard_names_table_winner_and_everybody_and_says_you_to_nobody(players: int) -> None:
    view = finished(players)
    names = seat_names(view)
    lines = postcard(view, names)
    assert 2 <= len(lines) <= 4 and lines[0].startswith("SPOOF · Night train · ")
    assert view.winner is not None and lines[1].startswith(f"★ {names[view.winner]}")
    assert all(name in lines[1] for name in names)
    assert "you" not in " ".join(lines).lower().split()


def test_everybody_at_a_table_sends_the_same_postcard() -> None:
    views = [named(client.view) for client in at("over", 3).clients]
    assert len({postcard(view, seat_names(view)) for view in views}) == 1


def test_a_school_is_told_by_who_pays() -> None:
    view = finished(4, "hollywood")
    assert "pay" in postcard(view, seat_names(view))[1]
