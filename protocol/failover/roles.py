"""The roles of a program at its table: what each does when its time has come, and when that is.

    Following ──(its turn)──> Preparing ──(served)──> Standing ──(elected)──> Hosting
        ^                         │                      │                      │
        ├──(cannot be served)──<──┘                      │                      │
        └──(a better one, a later epoch, or nobody came)─┴──────────<───────────┤
        ^                                                                       │
        └──(somebody has it)──< Leaving <──< HandingOver <──(told to)───────────┘

A role is a value. Its `tick` returns the next role and what is to be done, its `deadlines` say when
to call that at the latest. What outlives a role is in `Election`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from protocol.encoding.replacing import replace
from protocol.errors import Illegal
from protocol.failover.effects import (
    CannotHandOver,
    FailoverEffect,
    Left,
    Look,
    Pledge,
    Serve,
    StepDown,
    Tell,
)
from protocol.failover.election import Election
from protocol.failover.inputs import Found, HandOver, Prepared
from protocol.guest.effects import HandedOver, Pledged
from protocol.host.effects import Stranded, Superseded
from protocol.rules.options import MIN_PLAYERS
from protocol.table.transitions.seating import sign_support
from protocol.timeouts import PING_INTERVAL, Moment
from protocol.wire.messages import State

if TYPE_CHECKING:
    from protocol.host.host import Host

LOOK_PAUSE: Final = 0.1
"""Seconds between two searches of a candidate."""

ALONE_DELAY: Final = 3.0
"""Seconds without a majority after which a host looks for a later one."""

MAX_ALONE_DELAY: Final = 15.0
"""What `ALONE_DELAY` may grow to for a host that nobody plays with, perhaps all night."""

RENEW_INTERVAL: Final = 30.0
"""Seconds between two renewals of a host for a seat that cannot come back otherwise."""

PLEDGE_TIMEOUT: Final = 0.3
"""Seconds that the disk may take for a promise; after that the vote goes its usual way."""

HAND_OVER_TIMEOUT: Final = 8.0
"""Seconds that a host's seat stays to vote for its successor."""


@dataclass(frozen=True, slots=True)
class Following:
    """Somebody else serves the table, or nobody does."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Stand if it is this program's turn."""
        if at.monotonic < own.due(at):
            return self, []
        return Preparing(), [own.stand(at)]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """Its turn."""
        yield own.due(at)


@dataclass(frozen=True, slots=True)
class Preparing:
    """This program is about to serve the table as a candidate."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Nothing: the answer is waited for."""
        return self, []

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """None."""
        yield from ()

    def prepared(self, own: Election, what: Prepared, at: Moment) -> Role:
        """Ask the seats for their support, or let others try."""
        if what.host is None:
            own.failed_at = at.monotonic
            return Following()
        own.heard_of(what.host.card.epoch)
        return Standing(what.host, at.monotonic + own.stand_for)


@dataclass(frozen=True, slots=True)
class Standing:
    """This program serves the table as a candidate, and asks the seats for their support."""

    host: Host
    until: float
    """When the next one may try if nobody has come, in seconds; infinity for never."""
    look_at: float | None = -inf
    """When to look for others, in seconds; None during a look."""
    gives_way: bool = False
    """Whether somebody with a better claim stands, or hosts the table."""
    is_outrun: bool = False
    """Whether a seat has told of a later epoch."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Be the host if elected; give way to others, or look for them."""
        if not self.host.is_standing:
            own.handed = None
            return Hosting(self.host), [Serve()]
        # Those who have come need a place where they are asked whether to go on elsewhere (G8).
        is_alone = len(self.host.connections.seats_here) < MIN_PLAYERS
        if self.is_outrun or self.gives_way or (is_alone and at.monotonic >= self.until):
            own.handed = None
            if not self.is_outrun:
                # Nobody was heard to follow a later epoch: let others try.
                own.failed_at = at.monotonic
            return Following(), [StepDown(was_host=False)]
        if self.look_at is None or at.monotonic < self.look_at:
            return self, []
        return replace(self, look_at=None), [Look(own.look_for, own.plays)]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """The next look, and the end of its time."""
        if self.look_at is not None:
            yield self.look_at
        if at.monotonic < self.until:
            yield self.until

    def found(self, own: Election, what: Found, at: Moment) -> Role:
        """Give way to a host, and to a candidate of a later epoch or an earlier seat.

        A host from before the log's last move has to follow like all others.
        """
        role, card, host = replace(self, look_at=at.monotonic + LOOK_PAUSE), what.card, self.host
        if card is None or card.epoch < host.table.epoch:
            return role
        order = [seat.key for seat in host.table.seats]
        earlier = order[: order.index(host.key)] if host.key in order else []
        is_first = card.epoch == host.card.epoch and what.key in earlier
        if card.state is State.MOVING and card.epoch <= host.card.epoch and not is_first:
            return role
        return replace(role, gives_way=True)


@dataclass(frozen=True, slots=True)
class Hosting:
    """This program is the host.

    It steps down when it hears of a later epoch even if nobody was chosen in that: a seat that has
    promised to follow none before it can only come back to a later one. Without a majority it
    checks whether the others have moved on; so it does where it has removed them all, since they
    may have moved the table before they heard of that.
    """

    host: Host
    is_outrun: bool = False
    """Whether it has heard of a later epoch."""
    alone_since: float | None = None
    """When it lost its majority or last looked for a later host, in seconds; None with a
    majority."""
    patience: float = ALONE_DELAY
    """Seconds that it stays alone before it looks."""
    is_looking: bool = False
    """Whether that look is not over."""
    has_met: bool = False
    """Whether it has just found a candidate of a later epoch, and stays for now."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Step down for a later epoch; look for one when most seats have been silent for a while.

        It does not look again until the same time or longer has passed, because seats that have
        moved may be out of reach for a while.
        """
        if self.is_outrun:
            told = self.host.hand_over(self.host.key)
            # Its own seat may have promised to follow that epoch, and hears nothing of this host.
            own.hand_over(HandedOver(own.guest.key, None), at)
            return Following(), [Tell(tuple(told)), StepDown(was_host=True)]
        host = self.host
        if host.may_go_on(at) and not host.lease.is_deserted(host.key, at):
            return replace(self, alone_since=None, patience=ALONE_DELAY), []
        if self.alone_since is None:
            return replace(self, alone_since=at.monotonic), []
        if at.monotonic - self.alone_since <= self.patience:
            return self, []
        patience = self.patience if own.plays else min(2 * self.patience, MAX_ALONE_DELAY)
        role = replace(self, alone_since=at.monotonic, patience=patience, is_looking=True)
        return role, [] if self.is_looking else [Look(own.look_for, is_old_welcome=False)]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """A look at its leases, as often as they are renewed."""
        yield at.monotonic + PING_INTERVAL

    def found(self, own: Election, what: Found, at: Moment) -> Role:
        """Give way to a later host, or to a candidate that is still there at the next look: one
        that is about to find this host comes back to it."""
        role = replace(self, is_looking=False)
        if what.card is None or what.card.epoch <= self.host.card.epoch:
            return role
        if what.card.state is State.MOVING and not self.has_met:
            return replace(role, has_met=True)
        own.heard_of(what.card.epoch)
        return replace(role, has_met=False, is_outrun=True)

    def hand_over(self, own: Election, what: HandOver, at: Moment) -> Role:
        """Begin to hand the role over."""
        return HandingOver(self.host, what.heir).hand_over(own, what, at)


def outrun(
    role: Standing | Hosting, own: Election, what: Superseded | Stranded, at: Moment
) -> Role:
    """Give way to a later epoch that a seat has told of."""
    if isinstance(what, Stranded):
        # A single seat can ask for that without a reason.
        if at.monotonic - own.renewed_at < RENEW_INTERVAL:
            return role
        own.renewed_at = at.monotonic
    own.heard_of(what.epoch)
    return replace(role, is_outrun=True)


@dataclass(frozen=True, slots=True)
class HandingOver:
    """This program is the host, and about to hand its role to a seat.

    It does so with the support of its own seat, if that is on the disk in time.
    """

    host: Host
    heir: bytes
    leaves_by: float | None = None
    """When the program goes at the latest, in seconds; None if it stays."""
    until: float | None = None
    """How long that support is waited for, in seconds; None before it was asked for."""
    is_pledged: bool = False
    """Whether the promise of it is on disk."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Ask this program's seat for its support, then hand the role over."""
        if self.until is None:
            if pledge := own.pledge(self.heir):
                return replace(self, until=at.monotonic + PLEDGE_TIMEOUT), [Pledge(pledge)]
        elif not self.is_pledged and at.monotonic < self.until:
            return self, []
        table, support = self.host.table, None
        if self.is_pledged:
            epoch = table.epoch + 1
            support = sign_support(own.key, table.id, epoch, self.heir, table.head)
        try:
            # In one go: nothing may enter the log after the head that the support is for.
            told = [*self.host.hand_over(self.heir, support), *self.host.close(is_moving=True)]
        except Illegal as error:
            if self.leaves_by is not None:
                return Following(), [CannotHandOver(error), StepDown(was_host=True), Left()]
            if self.is_pledged:
                # This program's seat follows no epoch as early as the table's any more.
                own.heard_of(own.guest.epoch)
            return Hosting(self.host, is_outrun=self.is_pledged), [CannotHandOver(error)]
        role, left = Leaving(self.leaves_by).tick(own, at) if self.leaves_by else (Following(), [])
        return role, [Tell(tuple(told)), StepDown(was_host=True), *left]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """The end of the wait for that support."""
        if self.until is not None:
            yield self.until

    def pledged(self, own: Election, what: Pledged, at: Moment) -> Role:
        """The support may be signed."""
        return replace(self, is_pledged=True)

    def hand_over(self, own: Election, what: HandOver, at: Moment) -> Role:
        """Go afterwards, if told so; the heir stays the same."""
        if not what.leaves:
            return self
        own.can_serve = False
        return replace(self, leaves_by=at.monotonic + HAND_OVER_TIMEOUT)


@dataclass(frozen=True, slots=True)
class Leaving:
    """This program has handed its role over, and goes when somebody has it or time is up.

    Its seat may have to vote: two seats are a majority only together.
    """

    by: float
    """When it goes at the latest, in seconds."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Go once the next host was chosen."""
        table = own.guest.table
        has_vote = own.plays and table is not None and table.host == own.guest.key
        if has_vote and at.monotonic < min(self.by, own.ends_at):
            return self, []
        return Following(), [Left()]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """The last moment."""
        yield min(self.by, own.ends_at)


Role = Following | Preparing | Standing | Hosting | HandingOver | Leaving

Step = tuple[Role, list[FailoverEffect]]
