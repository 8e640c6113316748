"""What programs are told: safe to read anywhere, and silent about the hand."""

import copy
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import get_args

import pytest

from protocol.views import TableView
from spoof_tui.runtime.notices import ClientNotice, HeadlessNotice, SeatState


@pytest.mark.parametrize("kind", [*get_args(ClientNotice), *get_args(HeadlessNotice), SeatState])
def test_a_notice_cannot_be_changed_by_whoever_it_is_told_to(kind: type) -> None:
    assert is_dataclass(kind)
    notice = object.__new__(kind)
    with pytest.raises((FrozenInstanceError, TypeError)):
        setattr(notice, fields(kind)[0].name if fields(kind) else "anything", None)


def test_the_own_hand_is_in_no_repr_and_no_view() -> None:
    assert repr(SeatState(own_hand=3)) == repr(SeatState(own_hand=0)) == repr(SeatState())
    assert "own_hand" not in {each.name for each in fields(TableView)}


def test_states_that_differ_in_the_hand_alone_are_told_apart() -> None:
    state = SeatState(own_hand=3)
    assert state != SeatState(own_hand=2)
    assert copy.copy(state) == state
