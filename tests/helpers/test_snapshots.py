"""Copies of tables in memory."""

from protocol.rules.words import Bid
from tests.helpers.snapshots import Snapshot
from tests.helpers.tables import MemoryTable


def played(table: MemoryTable) -> list[bytes]:
    """The log of this table after a game that its own random numbers choose."""
    table.ready()
    table.play_on()
    return table.recorded


def test_copies_are_played_on_as_the_original_would_be() -> None:
    table = MemoryTable(3)
    snapshot = Snapshot(table)
    assert played(snapshot.copy()) == played(snapshot.copy()) == played(table)


def test_what_happens_in_a_copy_happens_nowhere_else() -> None:
    table = MemoryTable(3)
    table.ready()
    table.choose(1, 1, 1)
    snapshot = Snapshot(table)
    first, second = snapshot.copy(), snapshot.copy()
    first.say(Bid(2))
    first.cut(first.clients[0])
    first.add()
    assert len(second.recorded) == len(table.recorded) < len(first.recorded)
    assert [each.view for each in second.clients] == [each.view for each in table.clients]
    assert second.host.table == table.host.table != first.host.table


def test_a_host_knows_the_seats_of_its_own_copy() -> None:
    snapshot = Snapshot(MemoryTable(2))
    copy = snapshot.copy()
    guest = copy.add()
    assert copy.host.connections._has_seat(guest.guest.key)
    assert not snapshot.copy().host.connections._has_seat(guest.guest.key)
