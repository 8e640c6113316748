"""Tables that lose their host, for the tests of both sides."""

from __future__ import annotations

from protocol.rules.words import Bid
from protocol.timing import SUPPORT_DELAY
from tests.helpers.tables import Chair, MemoryTable


def playing(players: int = 3) -> MemoryTable:
    """A table in the middle of a round."""
    table = MemoryTable(players)
    table.ready()
    table.choose(*[1] * players)
    table.say(Bid(2))
    return table


def gather(table: MemoryTable, *clients: Chair) -> None:
    """These connect to whoever stands."""
    for client in clients:
        table.connect(client)


def moved(players: int = 3) -> MemoryTable:
    """A table that has moved to its first player's program."""
    table = playing(players)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients)
    return table


def silent(table: MemoryTable, *clients: Chair) -> None:
    """These do not answer any more, though their connections stand."""
    for client in clients:
        link = client.link
        assert link is not None
        connection = table.host.connections.get(link)
        assert connection is not None
        connection.address, connection.echoed = "192.0.2.9", table.now(0)
