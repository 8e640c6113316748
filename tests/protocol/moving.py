"""Tables that lose their host, for the tests of both sides."""

from __future__ import annotations

from protocol.rules.words import Bid
from protocol.timeouts import LEASE, SUPPORT_DELAY
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable


def playing(players: int = 3) -> MemoryTable:
    """A table in the middle of a round."""
    table = MemoryTable(players)
    table.ready()
    table.choose(*[1] * players)
    table.say(Bid(2))
    return table


def after_a_game(players: int) -> MemoryTable:
    """A table between games, at which everybody has opened a fist."""
    table = MemoryTable(players)
    table.ready()
    table.play_on()
    return table


def gather(table: MemoryTable, *clients: GuestSide) -> None:
    """These connect to the candidate."""
    for client in clients:
        table.connect(client)


def moved(players: int = 3) -> MemoryTable:
    """A table that has moved to its first player's program."""
    table = playing(players)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients)
    return table


def silent(table: MemoryTable, *clients: GuestSide) -> None:
    """These do not answer any more, though their connections stand."""
    for client in clients:
        link = client.link
        assert link is not None
        connection = table.host.connections.get(link)
        assert connection is not None
        connection.address, connection.echoed = "192.0.2.9", table.now(0)


GRACE = 60
"""Seconds that these tables wait for somebody."""


def stuck(players: int = 5, gone: int = 3, waited: float = GRACE + LEASE + 1) -> MemoryTable:
    """A table in a round, whose last players went this long ago, all at once."""
    table = playing(players)
    table.lose_at_once(*table.clients[players - gone :])
    table.pass_time(waited)
    return table
