"""The seats as a list."""

from __future__ import annotations

import pytest

from protocol.views import FistState
from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.table.seat import SeatPicture
from spoof_tui.ui.table.seat_list import list_parts
from tests.spoof_tui.ui.table.scenes import lines, text


def drawn(seats: list[SeatPicture], width: int = 40, height: int = 5) -> str:
    return text(lines(list_parts(seats, Place(0, 0, width, height)), width, height))


@pytest.mark.parametrize("count", [2, 9])
def test_who_came_by_ssh_is_marked_in_the_list(count: int) -> None:
    seat = SeatPicture("Wolfeschlegelstein", FistState.IN, 3, by_ssh=True)
    assert drawn([seat] * count).count(" @") == count
