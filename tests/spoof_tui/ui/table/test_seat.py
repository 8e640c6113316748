"""One seat on the felt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.views import FistState
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.seat import NAME, SeatPicture, coins, seat_size
from spoof_tui.ui.wording.doors import MARK

ANN = SeatPicture("Deft Ferret", FistState.IN, 3)


def drawn(seat: SeatPicture, size: Size = Size.SMALL) -> Sheet:
    sheet = Sheet(*seat_size(size))
    seat.draw(sheet)
    return sheet


def rows(seat: SeatPicture, size: Size = Size.SMALL) -> list[str]:
    return [row.text for row in drawn(seat, size).lines()]


@pytest.mark.parametrize("size", Size)
def test_a_name_never_moves(size: Size) -> None:
    for seat in (ANN, replace(ANN, speaks=True), replace(ANN, speaks=True, is_me=True)):
        assert rows(seat, size)[0].index("Deft") == NAME


@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("name", ["Deft", "Wolfeschlegelstein"])
def test_a_player_who_came_by_ssh_is_marked_however_long_the_name_is(size: Size, name: str) -> None:
    for seat in (replace(ANN, name=name), replace(ANN, name=name, speaks=True, is_me=True)):
        assert MARK not in rows(seat, size)[0]
        assert rows(replace(seat, by_ssh=True), size)[0].rstrip().endswith(f" {MARK}")


def test_many_coins_are_a_number() -> None:
    assert (coins(3, 4), coins(7, 4), coins(7, 2)) == ("●●●", "●×7", "7●")
