"""Whether a host may still act as one: leases, elections, and why both together are safe.

A table must never have two hosts that both go on with its game, for two logs of one game cannot
be put together again. There is no arbiter, and a machine can fall silent at any moment, asleep or
behind a broken link, and wake up in the belief that it is the host.

*Only a majority makes a host.* A table moves by an entry that holds the signed support of more
than half of its electors (`transitions.seating`). Two majorities share one, and a seat supports
one candidate in an epoch and follows no earlier epoch after that; its promise is on its disk before
its support is sent. So of one epoch there is one host, and of two hosts the later epoch wins.

*A host stops before another one can be chosen.* The old host may not hear of an election. So each
answer to its pings is a lease: the seat that answered follows nobody else for `LEASE`, counted from
when the ping was *sent*, which is earlier than the seat counts from; the seat itself waits
`SUPPORT_DELAY`, which is a seventh longer: clocks whose speeds differ by a per mille, as those of
good machines do, are far within that. While half of the electors or more are on lease, no majority
is left to elect anybody, and the host goes on; otherwise it takes nothing in a game and waits,
without giving up: when the seats answer again, what waited goes in. Both clocks of the machine are
asked, because one of them stands still on some machines while they sleep.

A slow network changes neither time. Where an answer takes long, less of each lease is left when it
comes, so the host pings more often; where it takes longer than a lease, the host waits. How long a
silence is put down to the network (`protocol.timing.RoundTrip`) decides only what is shown, when a
link is given up, and when a seat stands: later than it may, never sooner.

*The electors that count are those that know of themselves.* A candidate with an older log counts
them as they were. So does the table, along with those of now, until its log says that half of the
former ones know better (`protocol.table.electorate`). A single elector cannot take the table away,
and is not waited for.

*Who removes a seat vouches for that one only.* By the host's word it loses its weight at once, for
it is said to be gone for good. Perhaps it is not, and the two are only cut off from each other. It
must not move the table then with others who have not heard of the removal either, and whom nobody
has called gone: while such others are silent, the host counts as if it had removed nobody. Nor is a
candidate chosen on its log then, though the table would let those who know of the removal choose
it: this one may be the log of a few. The log tells who was removed, also after a restart.

*No fist opens on a word that could be lost.* An entry that only a minority holds may be gone with
its host. That is harmless for most of them: what was lost is said again. But an opened hand cannot
be closed, and a round that is played anew would be played with known hands. So the last witness of
an ending word, which lets the fists open, is held back until half of the electors, and of former
ones, have that word on their disks: then no majority without it is left. Whoever is a witness says
just that, so that nobody stops the game by a program that never tells what it keeps.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.host.connections import Connection, Connections
from protocol.table.electorate import can_move, could_move, is_kept_by, voters_of
from protocol.table.fold import fold
from protocol.table.log import Intent, Log
from protocol.table.state import Phase, Table
from protocol.table.statements import Decide, HostMoved, Leave, Seen, Witness
from protocol.timing import LEASE, PING_INTERVAL, Moment
from protocol.wire.messages import Ping

_PINGS_KEPT: Final = 32
"""Pings whose time of sending is remembered: those that an answer can still tell anything of."""


class _Removal:
    """A seat that the host removed, and who may not know that."""

    def __init__(self, before: Table, gone: bytes) -> None:
        self.before: Final = before
        self.gone: Final = gone
        self.unaware: Final = set(voters_of(before) - {before.host})


class Lease:
    """What the seats' answers to the pings of one host let it do."""

    def __init__(self, connections: Connections, log: Log) -> None:
        """Of a host that goes on with this `log`, or wants to."""
        self._connections = connections
        self._number = 0
        self._sent: dict[int, Moment] = {}
        """When each of the last pings was sent, by its number."""
        self._removals: list[_Removal] = []
        """Seats that were removed, as long as somebody may not have heard of it."""
        self._knows_log = True
        self._log = log
        self._find_removals()

    @property
    def ping(self) -> Ping:
        """The last ping that was sent."""
        return Ping(self._number)

    def next_ping(self, at: Moment) -> Ping | None:
        """The next ping, if it is time for one."""
        last = self._sent.get(self._number)
        if last and at.monotonic - last.monotonic < self._interval:
            return None
        self._number += 1
        self._sent[self._number] = at
        self._sent.pop(self._number - _PINGS_KEPT, None)
        return self.ping

    @property
    def _interval(self) -> float:
        """Seconds between two pings: a lease that is old when it comes has to be renewed sooner."""
        trips = (each.trip.mean for _, each in self._connections.inside())
        return PING_INTERVAL if max(trips, default=0.0) < LEASE / 3 else PING_INTERVAL / 2

    def answered(self, connection: Connection, ping: Ping, at: Moment) -> None:
        """A guest has answered a ping, and told how much of the log is on its disk."""
        if sent := self._sent.get(ping.number):
            connection.answer_ping(sent, at)
        connection.held = max(connection.held, min(ping.held, connection.sent))
        connection.apart = frozenset(ping.apart)

    def holds(self, table: Table, at: Moment) -> bool:
        """Whether no other host can have been chosen by those who are not heard."""
        heard = {each.key for _, each in self._connections.inside() if each.is_heard(at)}
        return not (could_move(table, voters_of(table) - heard) or self.is_doubted(heard))

    def removed(self, key: bytes, before: Table, table: Table) -> None:
        """The word of this host was about a seat: that may be gone from the table."""
        if before.seat(key) and not table.seat(key):
            self._removals.append(_Removal(before, key))

    def log_grows(self) -> None:
        """A candidate takes over what earlier hosts said."""
        self._knows_log = False

    def check_supporters(self, supporters: Set[bytes]) -> None:
        """Raise `Illegal` if the others may have moved the table by a log without a removal."""
        if self.is_doubted(supporters):
            raise Illegal(Reason.NOT_SUPPORTED)

    def _find_removals(self) -> None:
        """Find in the log whom its last host removed, and who may not know that.

        Who knows has said a word by which the log is on the disk, or has left.
        """
        self._removals, self._knows_log = [], True
        if not any(isinstance(entry.statement, Decide) for entry in self._log):
            return
        before: Table | None = None
        for entry in self._log:
            after, intent = fold(before, entry), entry.intent
            if isinstance(entry.statement, HostMoved):
                self._removals = []
            elif isinstance(entry.statement, Decide) and before:
                self.removed(entry.statement.seat, before, after)
            elif intent and isinstance(intent.statement, Leave | Seen | Witness):
                self._knows(intent.author, intent.seen.length)
            before = after

    def _knows(self, key: bytes, held: int) -> None:
        """This one holds so much of the log on its disk."""
        for removal in self._removals:
            if held > removal.before.head.length:
                removal.unaware.discard(key)

    def is_doubted(self, heard: Set[bytes | None]) -> bool:
        """Whether seats that were removed may have moved the table with others, but not `heard`."""
        if not self._knows_log:
            self._find_removals()
        if not self._removals:
            return False
        gone = {each.gone for each in self._removals}
        for _, each in self._connections.inside():
            self._knows(each.key or b"", each.held)
        self._removals = [each for each in self._removals if each.unaware - gone]
        return any(
            could_move(each.before, each.unaware - heard) and each.unaware - heard - gone
            for each in self._removals
        )

    def is_kept(self, table: Table, witness: Set[bytes] = frozenset()) -> bool:
        """Whether no host can be chosen that has not got the ending word.

        Whoever is, or was, its `witness` has it on the disk, and need not say so twice.
        """
        told = {v.key for _, v in self._connections.inside() if v.key and v.held >= table.turn}
        return is_kept_by(table, told | _witnesses(table) | witness)

    def may_take(self, table: Table, intent: Intent, at: Moment) -> bool:
        """Whether what is said now cannot be lost to another host, as far as that matters."""
        if table.phase is Phase.GATHERING:
            return True
        is_kept = not _opens_fists(table, intent) or self.is_kept(table, {intent.author})
        return is_kept and self.holds(table, at)

    def may_open(self, table: Table, at: Moment) -> bool:
        """Whether the last witness, if it waited, may let the fists open now."""
        is_due = table.phase is Phase.WITNESSING and self.is_kept(table)
        return is_due and self.holds(table, at)

    def is_stuck(self, table: Table, host: bytes, supporters: Set[bytes] | None) -> bool:
        """Whether those who are connected are too few to go on here, or to choose this `host`.

        It only stands for that if it has `supporters`, perhaps none yet.
        """
        if supporters is not None:
            return not self.most_are_here(table, host, supporters)
        here = {each.key for _, each in self._connections.inside() if each.key}
        return could_move(table, voters_of(table) - here) or self.is_doubted(here)

    def most_are_here(self, table: Table, host: bytes, supporters: Set[bytes]) -> bool:
        """Whether those who are connected could choose this host, with its `supporters`."""
        here = {each.key for _, each in self._connections.inside() if each.key} | supporters
        return can_move(table, voters_of(table) & here, host) and not self.is_doubted(here)


def _witnesses(table: Table) -> set[bytes]:
    game = table.game
    return {game.players[seat].key for seat in game.witnesses} if game else set()


def _opens_fists(table: Table, intent: Intent) -> bool:
    """Whether this is the last witness of an ending word."""
    game = table.game
    if game is None or table.phase is not Phase.WITNESSING:
        return False
    missing = {game.players[seat].key for seat in game.witnesses_missing}
    return isinstance(intent.statement, Witness) and missing == {intent.author}
