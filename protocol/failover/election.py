"""When this program's seat stands for host, and what it knows of the host's silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor, inf, isfinite
from typing import TYPE_CHECKING, Final

from protocol.crypto.keys import SigningKey
from protocol.failover.effects import Stand
from protocol.guest.effects import GuestEffect, HandedOver
from protocol.limits import MAX_EPOCH_STEP
from protocol.rules.options import MIN_PLAYERS
from protocol.table.electorate import can_move, voters_of
from protocol.table.fold import Table
from protocol.table.statements import Backing
from protocol.timeouts import STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY, Moment, RoundTrip
from protocol.views import LinkState

if TYPE_CHECKING:
    from protocol.guest.guest import Guest

LAST_HOPE: Final = 15.0
"""Seconds of silence after which a seat stands for host even though too few seats seem to be here
to elect it."""

URGENT_DELAY: Final = 0.3
"""Seconds that a host waits before it stands to be chosen again, since a later host may exist
already."""

CALL_INTERVAL: Final = 0.5
"""Seconds between the turns of seats that hold more of the log than a candidate does."""

MAX_CALLED: Final = 2
"""Maximum number of turns that such a seat leaves to others, which may hold no more than it does,
or be gone."""

_RETURN_TRIPS: Final = 6
"""Round trips from the loss of a link to the host's next ping over a new one: four until it greets,
one until its welcome, and one until the ping arrives."""

_FIND_TRIPS: Final = 8
"""Round trips until a candidate is found: four, times two, since another seat may be twice as far
away as the host that they were measured to."""

_STAND_TRIPS: Final = 14
"""Round trips until a candidate has enough support: three more than `_FIND_TRIPS` counts, also
doubled."""

_ROUNDING: Final = 0.001
"""Seconds added to a whole second, so that sums of floating-point times have reached it, too."""

LOOK_TIMEOUT: Final = 1.0
"""Seconds that one search for another host takes on a network that is not slow."""

_OTHERS_STEP: Final = 2
"""How many epochs above the latest one heard of a program without a seat stands. A seat that
promised its support in the latest epoch may itself stand in the next one, and gives way to every
candidate above that."""


@dataclass(frozen=True, slots=True)
class Handed:
    """A host's role that is being handed over to a seat."""

    seat: bytes
    at: float
    """When this program heard of it, in monotonic seconds."""
    by: bytes
    """Public key of the host that goes."""
    pledges: tuple[Backing, ...]
    """The signed support of the old host's own seat for this program's seat, if any."""


@dataclass(eq=False, slots=True)
class Election:
    """What one program knows of its table's host, whatever its own role is, and when its turn to
    stand for host is.

    If all seats stood as soon as the host is silent, none would get a majority. So they stand in
    seat order, one every `STAND_INTERVAL`, and a program without a seat last. A seat that is away,
    or whose program cannot serve a table, is passed over.
    """

    key: SigningKey
    guest: Guest
    """The guest of this program at the table, with the same key."""
    can_serve: bool = True
    """Whether this program could still serve the table."""
    plays: bool = True
    """Whether this program has a seat, and so a vote. Without a seat it only stands to be chosen
    again, for as long as that takes."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """Round-trip times between the machines of the table, as far as this program has measured
    them."""
    handed: Handed | None = None
    """The role being handed to another seat; None once that seat is host or is no longer waited
    for."""
    last_epoch: int = 0
    """The highest epoch that this program stood for or heard of."""
    called_at: float | None = None
    """When this seat was told that it holds more of the log than a candidate, in monotonic seconds;
    None if it was not."""
    failed_at: float = -inf
    """When this candidate last found no support or could not serve the table, in monotonic seconds;
    its next turn comes a whole round later."""
    renewed_at: float = -inf
    """When this host last gave way because of a single seat, in monotonic seconds."""
    ends_at: float = inf
    """When the program ends at the latest, in monotonic seconds; infinity if no end is set."""
    gone_at: float | None = None
    """When the host was first missed, in monotonic seconds; None while it is here."""
    bore: float | None = 0.0
    """How many seconds of silence had passed when the link to the host was left or lost; None while
    there is a link."""
    able: frozenset[bytes] | None = None
    """Public keys of the seats that could serve the table, as the last host told; None if no host
    did."""
    elsewhere: frozenset[bytes] = frozenset()
    """Public keys of the seats whose program does not end with the host's, as the hosts told."""

    def heard_of(self, epoch: int) -> None:
        """Note that an epoch is in use, so that this program stands only in later ones."""
        self.last_epoch = max(self.last_epoch, epoch)

    def hand_over(self, what: HandedOver, at: Moment) -> None:
        """Note that the host hands its role to a seat and goes."""
        table, is_own = self.guest.table, what.seat == self.guest.key
        if table is None:
            return
        pledges = (Backing(table.host, what.support),) if what.support and is_own else ()
        self.handed = Handed(what.seat, at.monotonic, table.host, pledges)
        self.failed_at = -inf

    def call(self, epoch: int, at: Moment) -> None:
        """Note that a candidate of `epoch` holds less of the log than this seat: this seat stands
        soon, and the candidate gives way to it.

        Other seats that hold more than the candidate are told so at the same moment; it is enough
        if one of them stands.
        """
        self.called_at = at.monotonic
        self.heard_of(epoch)

    def stand(self, at: Moment) -> Stand:
        """The effect by which this program stands for host now, in an epoch later than all that it
        has heard of; also clears `called_at`."""
        assert self.guest.table is not None
        step = 1 if self.plays else _OTHERS_STEP
        most = self.guest.table.epoch + MAX_EPOCH_STEP
        epoch = min(max(self.guest.epoch, self.last_epoch) + step, most)
        self.called_at = None
        pledges = self.handed.pledges if self.handed else ()
        return Stand(epoch, self.time_without_host(at), pledges)

    def pledge(self, heir: bytes) -> tuple[GuestEffect, ...]:
        """The effects that this program's seat carries out before it may sign its support for
        `heir`; empty if it may not support anybody."""
        guest, table = self.guest, self.guest.table
        if guest.departure.signed or table is None or guest.key not in voters_of(table):
            return ()
        return tuple(guest.voter.pledge(heir, table))

    def note(self, at: Moment) -> None:
        """Take in what the guest has learned; to be called after everything it hears."""
        guest, link, table = self.guest, self.guest.link, self.guest.table
        if self.handed and table and table.host != self.handed.by:
            self.handed = None
        if guest.trip.mean:
            # Within one program an answer takes no time and says nothing about the others.
            self.trip = guest.trip
        if link is LinkState.UP and table:
            # A candidate, this seat included, only tells of those who have come to it: each would
            # take itself for the first.
            self.able, self.called_at = self._told, None
            self.elsewhere |= guest.elsewhere | {table.host}
        if link in (LinkState.UP, LinkState.UNSTEADY):
            self.bore = None
        elif self.bore is None:
            self.bore = min(self.silence(at), self.trip.gone_delay)
        if link in (LinkState.DOWN, LinkState.MOVING):
            self.gone_at = at.monotonic if self.gone_at is None else self.gone_at
        else:
            self.gone_at = None
            if self._since_handed(at) > SUPPORT_DELAY:
                # The table has a host that is heard, although a role was handed over long ago.
                self.handed = None

    def next_second(self, at: Moment) -> float:
        """When the table will have been without a host for one more whole second, in monotonic
        seconds; infinity while it has one."""
        if self.gone_at is None:
            return inf
        without = self.time_without_host(at)
        return at.monotonic + floor(without) + 1 - without + _ROUNDING

    def silence(self, at: Moment) -> float:
        """Seconds since the table's host, or a seat that is about to be host, was last heard."""
        return min(self.guest.voter.silence(at), self._since_handed(at))

    def time_without_host(self, at: Moment) -> float:
        """Seconds that the table has had no host; 0 while it has one."""
        if self.gone_at is None:
            return 0.0
        silence = self.silence(at)
        # A host that handed its role to a seat which did not take it was not silent: it is gone.
        return silence if isfinite(silence) else at.monotonic - self.gone_at

    def due(self, at: Moment) -> float:
        """When this program's next turn to stand is, in monotonic seconds, if nothing changes;
        infinity for never.

        A program without a seat stands only if it was the last host in the log, to be chosen again.
        """
        guest, table, own = self.guest, self.guest.table, self.guest.key
        if table is None or guest.link is not LinkState.DOWN:
            return inf
        if not self.can_serve or guest.departure.signed:
            return inf
        if table.host != own and (table.seat(own) is None or len(table.seats) < MIN_PLAYERS):
            return inf
        interval = self.trip.limit(STAND_INTERVAL, _FIND_TRIPS)
        if self.called_at is not None:
            pause = self.trip.limit(CALL_INTERVAL, _FIND_TRIPS)
            return self.called_at + min(self.rank(table), MAX_CALLED) * pause
        if self.handed and self.handed.seat == own:
            named = self.handed.at + (URGENT_DELAY if self.last_epoch else 0.0)
            return max(named, self.failed_at + interval)
        # Coming back over a slow network takes longer, and costs no election. All left a silent
        # host at about the same time: the turns are counted from there.
        patience = max(self.trip.limit(SUPPORT_DELAY, _RETURN_TRIPS), self.bore or 0.0)
        turn = self.rank(table) * interval
        wait = patience + turn
        if not self.has_hope(table):
            # Two are enough to go on at a new table, if nobody else comes back (G8).
            if len(self.left(table)) < MIN_PLAYERS:
                return inf
            wait = max(wait, LAST_HOPE)
        first = at.monotonic - self.silence(at) + wait
        round_ = interval * max(1, len(self.heirs(table)))
        return max(_turn(first, interval, round_, at), self.failed_at + turn + interval)

    @property
    def stand_for(self) -> float:
        """Seconds that this program stands before the next one may try; infinity if it has no seat,
        because no other program can then stand."""
        if not self.plays:
            return inf
        return self.trip.limit(STAND_FOR, _STAND_TRIPS)

    @property
    def look_for(self) -> float:
        """Seconds that this program searches for another candidate or host."""
        return self.trip.limit(LOOK_TIMEOUT, _FIND_TRIPS)

    def heirs(self, table: Table) -> list[bytes]:
        """Public keys of the seats that can stand for host, in the order in which they stand: those
        that the last host named, and this program's own if it can serve."""
        could = self._told if self.able is None else self.able
        own = {self.guest.key} if self.can_serve else set()
        return [key for key in table.heirs if key in could | own]

    def rank(self, table: Table) -> int:
        """How many of `heirs` stand before this program; 0 if the log names it as host."""
        own, heirs = self.guest.key, self.heirs(table)
        if table.host == own:
            # The others take it for gone, and only it knows better.
            return 0
        return heirs.index(own) if own in heirs else len(heirs)

    @property
    def _told(self) -> frozenset[bytes]:
        return frozenset(place.key for place in self.guest.places)

    def left(self, table: Table) -> frozenset[bytes]:
        """Public keys of this seat, and of the voters whose programs are not known to have ended
        with the host's."""
        own = self.guest.key
        others = voters_of(table) - ({table.host} if self.handed is None else set())
        return others - self.gone_along(table) | {own}

    def gone_along(self, table: Table) -> frozenset[bytes]:
        """Public keys of the voters, besides the host, whose programs have ended with the
        host's."""
        own = self.guest.key
        # What runs in one program with this seat is here, too, and none has gone with the host's
        # if that is this one.
        if own not in self.elsewhere or own == table.host:
            return frozenset()
        return voters_of(table) - self.elsewhere - {own, table.host}

    def has_hope(self, table: Table) -> bool:
        """Whether the seats that may be here are enough to elect this one."""
        own = self.guest.key
        return can_move(table, self.left(table) - table.away | {own}, own)

    def _since_handed(self, at: Moment) -> float:
        return inf if self.handed is None else at.monotonic - self.handed.at


def _turn(first: float, interval: float, round_: float, at: Moment) -> float:
    """When the next turn that is not over begins, in monotonic seconds: a turn lasts `interval`
    seconds, and there is one every `round_` seconds from `first` on.

    All guests of a candidate lose it at the same moment. If everybody whose first turn has passed
    stood then, each would drive the others away, again and again.
    """
    late = at.monotonic - first
    if not interval <= late < inf:
        return first
    begun = first + floor(late / round_) * round_
    return begun if at.monotonic - begun < interval else begun + round_
