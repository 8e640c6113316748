"""Sharing at a table in memory changes nothing but the time it takes."""

from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.table.state import Table
from tests.helpers.tables import MemoryTable


def test_all_guests_have_the_table_that_each_would_have_by_itself() -> None:
    table = MemoryTable(3)
    table.ready()
    table.choose(1, 2, 3)
    alone: Table | None = None
    for blob in table.recorded:
        alone = fold(alone, Entry.read(blob, alone.host if alone else None))
    assert [client.guest.table for client in table.clients] == [alone] * 3


def test_guests_of_one_table_share_it_and_those_of_another_do_not() -> None:
    one, other = MemoryTable(2), MemoryTable(2)
    one.ready()
    other.ready()
    first, second = (client.guest.table for client in one.clients)
    assert first is second
    assert other.clients[0].guest.table == first
    assert other.clients[0].guest.table is not first
