"""The round in one column in the middle of the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.ui.canvas.big_letters import huge
from spoof_tui.ui.canvas.cells import Sheet, length
from spoof_tui.ui.table.centre import MAX_HEIGHT, MIN_HEIGHT, MIN_WIDTH, Centre, Track


def drawn(centre: Centre, width: int = MIN_WIDTH, height: int = MIN_HEIGHT) -> list[str]:
    sheet = Sheet(width, height)
    centre.draw(sheet)
    return [row.text.strip() for row in sheet.lines()]


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


def test_more_coins_than_cells_are_a_scale_with_its_end_in_digits() -> None:
    scale = track(31, 20, 0)
    assert scale.startswith("├") and scale.endswith("┤ 31") and "◇" in scale


def test_where_there_is_room_digits_are_huge_and_the_label_is_a_sentence() -> None:
    rows = drawn(Centre(number=9, above="bid", sentence="Ann says: 9"), 40, MAX_HEIGHT)
    assert "Ann says: 9" in rows and huge("9")[0].strip() in rows


def test_words_without_a_number_are_broken_into_even_lines() -> None:
    rows = drawn(Centre(above="Waiting for players", below="2 of 4 seats, 1 ready"))
    assert rows[:5] == ["Waiting for", "players", "", "2 of 4 seats,", "1 ready"]
