"""What is told of measures against players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spoof_tui.telling.measures import about_me
from tests.helpers.tables import MemoryTable


@pytest.mark.parametrize(
    ("hosts", "by"),
    [(True, "The others voted for that."), (False, "The host or a majority decided that.")],
)
def test_who_is_muted_is_told_who_may_have_decided_it(hosts: bool, by: str) -> None:
    before = MemoryTable(3).clients[1].view
    before = replace(before, host=before.seats[1 if hosts else 0].key)
    seats = (replace(seat, is_muted=seat.is_me) for seat in before.seats)
    muted = "You are muted at this table: you play on, your talk and gestures are off."
    assert about_me(before, replace(before, seats=tuple(seats))) == f"{muted} {by}"
    assert about_me(before, before) == ""
