"""Whether a host may still act as one: leases, elections, and why both together are safe.

A table must never have two hosts that both go on with its game, for two logs of one game cannot
be put together again. There is no arbiter, and a machine can fall silent at any moment, asleep or
behind a broken link, and wake up in the belief that it is the host.

*Only a majority makes a host.* A table moves by an entry that holds the signed support of more
than half of its seats (`transitions.succession`). Two majorities share a seat, and a seat supports
one candidate in an epoch and follows no earlier epoch after that; its promise is on its disk before
its support is sent. So of one epoch there is one host, and of two hosts the later epoch wins.

*A host stops before another one can be chosen.* The old host may not hear of an election. So each
answer to its pings is a lease: the seat that answered follows nobody else for `LEASE`, counted from
when the ping was *sent*, which is earlier than the seat counts from; the seat itself waits
`SUPPORT_DELAY`, which is longer. While half of the seats or more are on lease, no majority is left
to elect anybody, and the host goes on; otherwise it takes nothing in a game and waits, without
giving up: when the seats answer again, what waited goes in. Both clocks of the machine are asked,
because one of them stands still on some machines while they sleep.

*The seats that count are those that know of themselves.* When somebody sits down or goes, a
candidate with an older log counts the seats as they were. So the seats before the change count
along with those after it, until most of the ones before have answered a ping that was sent behind
the change: from then on no majority is without somebody who knows it. Whoever gave its seat up, or
was removed by the host's word, is not waited for; a removal by vote excuses nobody, since those
who are silent could not vote. A single seat has nobody to be elected by, and is not waited for.

*No fist opens on a word that could be lost.* An entry that only a minority holds may be gone with
its host. That is harmless for most of them: what was lost is said again. But an opened hand cannot
be closed, and a round that is played again would be played with known hands. So the last witness of
an ending word, which lets the fists open, is held back until half of the seats have that word on
their disks: then no majority without it is left.
"""

from __future__ import annotations

from typing import Final

from protocol.host.connections import Connection, Connections
from protocol.rules.options import MIN_PLAYERS
from protocol.table.log import Intent
from protocol.table.state import Phase, Table
from protocol.table.statements import Witness
from protocol.timing import PING_INTERVAL, Moment
from protocol.wire.messages import Ping

_PINGS_KEPT: Final = 32
"""Pings whose time of sending is remembered: those that an answer can still tell anything of."""


class Lease:
    """What the seats' answers to the pings of one host let it do."""

    def __init__(self, connections: Connections, table: Table) -> None:
        self._connections = connections
        self._number = 0
        self._sent: dict[int, tuple[Moment, int]] = {}
        """When each of the last pings was sent, and behind how many entries, by its number."""
        self._electors = _keys(table)
        """The seats as most of those before them know them: that many could choose another host."""
        self._seated = 0
        """Length of the log at the last change of the seats."""

    @property
    def ping(self) -> Ping:
        """The last ping that was sent."""
        return Ping(self._number)

    def next_ping(self, at: Moment, length: int) -> Ping | None:
        """The next ping, if it is time for one, behind this many entries."""
        last = self._sent.get(self._number)
        if last and at.monotonic - last[0].monotonic < PING_INTERVAL:
            return None
        self._number += 1
        self._sent[self._number] = at, length
        self._sent.pop(self._number - _PINGS_KEPT, None)
        return self.ping

    def answered(self, connection: Connection, ping: Ping) -> None:
        """A guest has answered a ping, and told how much of the log is on its disk."""
        if sent := self._sent.get(ping.number):
            connection.answer_ping(*sent)
        connection.held = max(connection.held, min(ping.held, connection.sent))

    def reseated(self, length: int, excused: frozenset[bytes]) -> None:
        """The seats changed with the last of `length` entries; `excused` are not waited for."""
        self._seated = length
        self._electors -= excused

    def holds(self, table: Table, at: Moment) -> bool:
        """Whether no other host can have been chosen: a majority of the seats is needed for one."""
        heard = {v.key for _, v in self._connections.inside() if v.is_heard(at)}
        seats = _keys(table)
        if any(_is_most(group - heard, group) for group in (self._electors, seats)):
            return False
        knowing = {v.key for _, v in self._connections.inside() if v.reached >= self._seated}
        if not _is_most(self._electors - knowing, self._electors):
            self._electors = seats
        return True

    def is_kept(self, table: Table) -> bool:
        """Whether half of the seats have the ending word on their disks."""
        held = {v.key for _, v in self._connections.inside() if v.held >= table.turn}
        return 2 * len(_keys(table) & held) >= len(table.seats)

    def may_take(self, table: Table, intent: Intent, at: Moment) -> bool:
        """Whether what is said now cannot be lost to another host, as far as that matters."""
        if table.phase is Phase.GATHERING:
            return True
        return self.holds(table, at) and (self.is_kept(table) or not _opens_fists(table, intent))

    def may_open(self, table: Table, at: Moment) -> bool:
        """Whether the last witness, if it waited, may let the fists open now."""
        is_due = table.phase is Phase.WITNESSING and self.is_kept(table)
        return is_due and self.holds(table, at)

    def most_are_here(self, table: Table) -> bool:
        """Whether those who are connected could choose a host."""
        here = {connection.key for _, connection in self._connections.inside()}
        return 2 * len(_keys(table) & here) > len(table.seats)


def _opens_fists(table: Table, intent: Intent) -> bool:
    """Whether this is the last witness of an ending word."""
    game = table.game
    if game is None or table.phase is not Phase.WITNESSING:
        return False
    missing = {game.players[seat].key for seat in game.witnesses_missing}
    return isinstance(intent.statement, Witness) and missing == {intent.author}


def _keys(table: Table) -> frozenset[bytes]:
    return frozenset(seat.key for seat in table.seats)


def _is_most(part: frozenset[bytes], of: frozenset[bytes]) -> bool:
    """Whether this part of the seats could choose a host: one seat alone has nothing to save."""
    return len(of) >= MIN_PLAYERS and 2 * len(part) > len(of)
