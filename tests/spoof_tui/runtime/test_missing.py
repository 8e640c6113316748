"""What a player misses while there is no link."""

from __future__ import annotations

import pytest

from spoof_tui.runtime.session import AWAY_DELAY, Absence
from tests.helpers.tables import MemoryTable


@pytest.mark.parametrize(("seconds", "is_told"), [(AWAY_DELAY, False), (AWAY_DELAY + 1, True)])
@pytest.mark.parametrize("cut", [0, 1], ids=["", "of which the log has lost some"])
def test_what_came_during_a_long_absence_is_told_once(
    seconds: float, is_told: bool, cut: int
) -> None:
    table = MemoryTable(2)
    guest = table.clients[0].guest
    absence = Absence(guest)
    absence.end(0.0)
    before = len(guest.log)
    absence.begin(10.0)
    table.ready()
    if cut:
        absence.cut(cut)
        before = cut
    missed = absence.end(10.0 + seconds)
    assert missed == (tuple(guest.log[before:]) if is_told else ()) and len(guest.log) > before
    assert absence.end(100.0) == ()
