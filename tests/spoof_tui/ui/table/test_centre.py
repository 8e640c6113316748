"""The round in one column in the middle of the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.ui.canvas.cells import length
from spoof_tui.ui.table.centre import MIN_WIDTH, Track


def track(coins: int, mark: int | None, filled: int, width: int = 27) -> str:
    return "".join(text for text, _ in Track(coins, mark, filled).pieces(width, is_wide=False))


@pytest.mark.parametrize(
    ("filled", "signs"), [(0, "○○○◇○○"), (2, "●●○◇○○"), (4, "●●●◆○○"), (6, "●●●◆●●")]
)
def test_coins_fill_the_track_up_to_the_mark_and_beyond(filled: int, signs: str) -> None:
    assert track(6, 4, filled) == signs


@given(st.integers(1, 99), st.data())
def test_a_track_never_takes_more_than_its_room(coins: int, data: st.DataObject) -> None:
    mark = data.draw(st.none() | st.integers(1, coins))
    filled = data.draw(st.integers(0, coins))
    width = data.draw(st.integers(MIN_WIDTH, 60))
    for is_wide in (False, True):
        assert length(Track(coins, mark, filled).pieces(width, is_wide=is_wide)) <= width
