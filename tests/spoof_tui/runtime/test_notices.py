"""Notices about a player's own hand: nothing that might be written down contains it."""

from dataclasses import fields

from protocol.views import TableView
from spoof_tui.runtime.notices import SeatState


def test_the_own_hand_is_in_no_repr_and_no_view_and_makes_another_state_all_the_same() -> None:
    assert repr(SeatState(own_hand=3)) == repr(SeatState(own_hand=0)) == repr(SeatState())
    assert "own_hand" not in {each.name for each in fields(TableView)}
    assert SeatState(own_hand=3) != SeatState(own_hand=2)
