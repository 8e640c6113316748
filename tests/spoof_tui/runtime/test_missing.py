"""What a player misses while there is no link."""

from spoof_tui.runtime.missing import AWAY_DELAY, Absence
from tests.helpers.tables import MemoryTable


def test_what_came_during_a_long_absence_is_told_once() -> None:
    table = MemoryTable(2)
    guest = table.clients[0].guest
    absence = Absence(guest)
    absence.end(0.0)
    before = len(guest.log)
    absence.begin(10.0)
    table.ready()
    missed = absence.end(10.0 + AWAY_DELAY + 1)
    assert missed == tuple(guest.log[before:]) != ()
    assert absence.end(100.0) == ()


def test_a_short_absence_is_not_worth_telling() -> None:
    table = MemoryTable(2)
    absence = Absence(table.clients[0].guest)
    absence.end(0.0)
    absence.begin(10.0)
    table.ready()
    assert absence.end(10.0 + AWAY_DELAY) == ()


def test_what_the_log_has_lost_will_be_missed() -> None:
    table = MemoryTable(2)
    guest = table.clients[0].guest
    absence = Absence(guest)
    absence.end(0.0)
    absence.begin(10.0)
    absence.cut(1)
    assert absence.end(10.0 + AWAY_DELAY + 1) == tuple(guest.log[1:])
