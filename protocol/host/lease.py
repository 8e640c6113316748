"""What the seats' answers to pings allow a host to do, and when a candidate may take over.

The rules are in `protocol/FAILOVER.md` ("The lease", and 10 under "Moving the host"), and so is the
argument that with them no table has two hosts ("Why no table forks").
"""

from __future__ import annotations

from collections.abc import Set
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.host.connections import Connections, GuestLink
from protocol.table.electorate import can_move, could_move, is_kept_by, voters_of, weighing_of
from protocol.table.fold import fold
from protocol.table.log import Intent, Log
from protocol.table.state import Phase, Table
from protocol.table.statements import Decide, HostMoved, Leave, Seen, Witness
from protocol.timeouts import LEASE, PING_INTERVAL, Moment
from protocol.wire.messages import Ping

_PINGS_KEPT: Final = 32
"""Number of pings whose time of sending is remembered; answers to older ones are ignored."""


class _Removal:
    """A seat that the host removed, and the voters who may not have heard of it."""

    def __init__(self, before: Table, gone: bytes) -> None:
        self.before: Final = before
        self.gone: Final = gone
        self.unaware = weighing_of(before) - {before.host}
        self._known_from = before.head.length + 1
        """Length of the log that shows a voter who holds it to be aware for good."""

    @property
    def is_open(self) -> bool:
        """Whether those who may not know of the removal are enough to choose another host."""
        return could_move(self.before, self.unaware)

    def knows(self, key: bytes, held: int) -> None:
        """Note that `key` has the first `held` entries on its disk."""
        if held >= self._known_from:
            self.unaware -= {key}

    def host_moved(self, table: Table) -> None:
        """Note that `table`, whose log has the removal, has moved to another host.

        From now on only those who hold this move count as aware. For if those who were unaware had
        already moved the table by a log without the removal, the host of that log can still cut the
        log of any seat that does not hold this move.
        """
        self.unaware = weighing_of(self.before) - {table.host}
        self._known_from = table.head.length


class Lease:
    """The leases that the seats of one table have given its host, or a candidate: a seat that has
    answered a ping follows nobody else for `LEASE` seconds."""

    def __init__(self, connections: Connections, log: Log) -> None:
        """For a host that goes on with this `log`, or a candidate that wants to."""
        self._connections = connections
        self._number = 0
        self._sent: dict[int, Moment] = {}
        """When each of the last `_PINGS_KEPT` pings was sent, by its number."""
        self._removals: list[_Removal] = []
        """Removals that a voter may not have heard of yet."""
        self._has_removed = False
        """Whether the table's last host has removed any seat."""
        self._knows_log = True
        self._log = log
        self._find_removals()

    @property
    def ping(self) -> Ping:
        """The last ping that was sent."""
        return Ping(self._number)

    def begin(self) -> None:
        """Begin anew when a candidate is elected: a seat that answered it before its `HostMoved`
        was still free to follow another host."""
        self._sent.clear()
        self._knows_log = False
        for connection in self._connections.values():
            connection.echoed, connection.held = None, 0

    def next_ping(self, at: Moment) -> Ping | None:
        """The next ping, noted as sent at `at`; None if it is too early for one."""
        last = self._sent.get(self._number)
        if last and at.monotonic - last.monotonic < self._interval:
            return None
        self._number += 1
        self._sent[self._number] = at
        self._sent.pop(self._number - _PINGS_KEPT, None)
        return self.ping

    @property
    def _interval(self) -> float:
        """Seconds between two pings; half as many where round trips are long, because each answer
        then renews the lease for less time."""
        trips = (each.trip.mean for _, each in self._connections.inside())
        return PING_INTERVAL if max(trips, default=0.0) < LEASE / 3 else PING_INTERVAL / 2

    def answered(self, connection: GuestLink, ping: Ping, at: Moment) -> None:
        """Note a guest's answer to a ping, which also says how much of the log is on its disk."""
        if sent := self._sent.get(ping.number):
            connection.answer_ping(sent, at)
        connection.held = max(connection.held, min(ping.held, connection.sent))

    def heard(self, at: Moment) -> set[bytes]:
        """Public keys that can follow no other host, because their lease still runs."""
        return {v.key for _, v in self._connections.inside() if v.key and v.is_heard(at)}

    def holds(self, table: Table, at: Moment) -> bool:
        """Whether the seats whose leases have run out are too few to have elected another host."""
        heard = self.heard(at)
        return not (could_move(table, voters_of(table) - heard) or self.is_doubted(table, heard))

    def is_deserted(self, table: Table, at: Moment) -> bool:
        """Whether the host of `table` has removed a seat and hears no other seat now, though
        perhaps watchers: those it removed may have moved the table together."""
        return self._has_removed and self.heard(at) & voters_of(table) <= {table.host}

    def removed(self, key: bytes, before: Table, table: Table) -> None:
        """Note that this host decided about `key`, whose seat may be gone from `table`; `before` is
        the table before the decision."""
        if before.seat(key) and not table.seat(key):
            self._has_removed = True
            self._removals.append(_Removal(before, key))

    def log_grows(self) -> None:
        """Note that a candidate adds entries of earlier hosts, which may contain removals."""
        self._knows_log = False

    def check_supporters(self, table: Table, supporters: Set[bytes]) -> None:
        """Raise `Illegal` if the seats that do not support this candidate may have moved the table,
        because their logs lack a removal that is in this one."""
        if self.is_doubted(table, supporters):
            raise Illegal(Reason.NOT_SUPPORTED)

    def _find_removals(self) -> None:
        """Find in the log which seats were removed, and which voters may not know that.

        A voter knows of a removal if it has since left, or said something that shows the entry to
        be on its disk. If the table moves while too many do not, all of them have to hold that move
        instead.
        """
        self._removals, self._has_removed, self._knows_log = [], False, True
        if not any(isinstance(entry.statement, Decide) for entry in self._log):
            return
        before: Table | None = None
        for entry in self._log:
            after, intent = fold(before, entry), entry.intent
            if isinstance(entry.statement, HostMoved):
                self._removals = [each for each in self._removals if each.is_open]
                self._has_removed = False
                for each in self._removals:
                    each.host_moved(after)
            elif isinstance(entry.statement, Decide) and before:
                self.removed(entry.statement.seat, before, after)
            elif intent and isinstance(intent.statement, Leave | Seen | Witness):
                self._knows(intent.author, intent.seen.length)
            before = after

    def _knows(self, key: bytes, held: int) -> None:
        """Note that `key` has the first `held` entries on its disk."""
        for removal in self._removals:
            removal.knows(key, held)

    def is_doubted(self, table: Table, heard: Set[bytes | None]) -> bool:
        """Whether seats that do not know of a removal, none of them `heard`, may have moved the
        table together with the seat that was removed."""
        if not self._knows_log:
            self._find_removals()
        if not self._removals:
            return False
        gone = {each.gone for each in self._removals if not table.seat(each.gone)}
        for _, each in self._connections.inside():
            self._knows(each.key or b"", each.held)
        self._removals = [each for each in self._removals if each.unaware - gone]
        return any(
            could_move(each.before, each.unaware - heard) and each.unaware - heard - gone
            for each in self._removals
        )

    def is_kept(self, table: Table, witness: Set[bytes] = frozenset()) -> bool:
        """Whether every host that can be elected would hold the ending word of this round.

        The seats with that word on disk are those that say so in a ping, the witnesses in the log,
        and `witness`.
        """
        told = {v.key for _, v in self._connections.inside() if v.key and v.held >= table.turn}
        return is_kept_by(table, told | _witnesses(table) | witness)

    def may_take(self, table: Table, intent: Intent, at: Moment) -> bool:
        """Whether a host may append this intent to the log now."""
        if table.phase is Phase.GATHERING:
            return True
        is_kept = not _opens_fists(table, intent) or self.is_kept(table, {intent.author})
        return is_kept and self.holds(table, at)

    def may_open(self, table: Table, at: Moment) -> bool:
        """Whether the last witness, which was held back, may be appended to the log now."""
        is_due = table.phase is Phase.WITNESSING and self.is_kept(table)
        return is_due and self.holds(table, at)

    def is_stuck(self, table: Table, host: bytes, supporters: Set[bytes] | None) -> bool:
        """Whether too few seats are connected to go on here, or to elect `host`.

        `supporters` are those of a candidate, perhaps none yet; None if this program is the host.
        """
        if supporters is not None:
            return not self.most_are_here(table, host, supporters)
        here = {each.key for _, each in self._connections.inside() if each.key}
        return could_move(table, voters_of(table) - here) or self.is_doubted(table, here)

    def most_are_here(self, table: Table, host: bytes, supporters: Set[bytes]) -> bool:
        """Whether those who are connected, together with `supporters`, are enough to elect
        `host`."""
        here = {each.key for _, each in self._connections.inside() if each.key} | supporters
        return can_move(table, voters_of(table) & here, host) and not self.is_doubted(table, here)


def _witnesses(table: Table) -> set[bytes]:
    game = table.game
    return {game.players[seat].key for seat in game.witnesses} if game else set()


def _opens_fists(table: Table, intent: Intent) -> bool:
    """Whether this intent is the last witness of the ending word that the table waits for."""
    game = table.game
    if game is None or table.phase is not Phase.WITNESSING:
        return False
    missing = {game.players[seat].key for seat in game.witnesses_missing}
    return isinstance(intent.statement, Witness) and missing == {intent.author}
