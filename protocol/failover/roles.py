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
from protocol.table.electorate import sign_support
from protocol.timeouts import PING_INTERVAL, Moment
from protocol.wire.messages import State

if TYPE_CHECKING:
    from protocol.host.host import Host

LOOK_PAUSE: Final = 0.1
"""Seconds between two searches for other servers by a candidate."""

ALONE_DELAY: Final = 3.0
"""Seconds without a majority after which a host searches for a later host."""

MAX_ALONE_DELAY: Final = 15.0
"""Maximum seconds that `ALONE_DELAY` grows to for a host without a seat, which may be alone all
night."""

RENEW_INTERVAL: Final = 30.0
"""Minimum seconds between two times that a host has itself chosen again so that a stranded seat can
come back."""

PLEDGE_TIMEOUT: Final = 0.3
"""Seconds that the disk may take to save a promise of support; after that the role is handed over
without it."""

HAND_OVER_TIMEOUT: Final = 8.0
"""Maximum seconds that the old host's seat stays to vote for its successor."""


@dataclass(frozen=True, slots=True)
class Following:
    """This program does not serve the table: another one does, or nobody does."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Stand for host if it is this program's turn."""
        if at.monotonic < own.due(at):
            return self, []
        return Preparing(), [own.stand(at)]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """When this program's turn to stand comes, in monotonic seconds."""
        yield own.due(at)


@dataclass(frozen=True, slots=True)
class Preparing:
    """This program is about to serve the table as a candidate."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Change nothing: the role waits for the input `Prepared`."""
        return self, []

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """No deadline: only the input `Prepared` ends this role."""
        yield from ()

    def prepared(self, own: Election, what: Prepared, at: Moment) -> Role:
        """The role after the result of `Stand`: a candidate, or a follower if the table cannot be
        served."""
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
    """When the next program may try if nobody has come to this one, in monotonic seconds; infinity
    for never."""
    look_at: float | None = -inf
    """When to search for other servers, in monotonic seconds; None during a search."""
    gives_way: bool = False
    """Whether another program hosts the table, or stands with a better claim."""
    is_outrun: bool = False
    """Whether a seat has told of an epoch later than this candidate's."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Become host if elected; otherwise give way to another server of the table, or search for
        one."""
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
        """When to search next and when this candidate's time is over, in monotonic seconds."""
        if self.look_at is not None:
            yield self.look_at
        if at.monotonic < self.until:
            yield self.until

    def found(self, own: Election, what: Found, at: Moment) -> Role:
        """The role after a search: give way to a host, and to a candidate of a later epoch or an
        earlier seat.

        A host of an epoch before the log's last move does not count: it has to follow like all
        others.
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

    It steps down when it hears of a later epoch, even if nobody was elected in that: a seat that
    has promised its support there can only come back to a still later one. Without a majority it
    searches for a later host. It does so, too, if it has removed all other seats, since they may
    have moved the table before they heard of their removal.
    """

    host: Host
    is_outrun: bool = False
    """Whether this host has heard of a later epoch."""
    alone_since: float | None = None
    """When this host lost its majority or last searched for a later host, in monotonic seconds;
    None with a majority."""
    patience: float = ALONE_DELAY
    """Seconds without a majority until the next search."""
    is_looking: bool = False
    """Whether a search is under way."""
    has_met: bool = False
    """Whether the last search found a candidate of a later epoch; this host steps down if the next
    one does so, too."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Step down for a later epoch; search for a later host when most seats have been silent for
        a while.

        After a search it waits at least as long before the next one, because seats that have moved
        may be out of reach for a while.
        """
        if self.is_outrun:
            told = self.host.hand_over(self.host.key)
            # Its own seat may have promised to follow that epoch, and hears nothing of this host.
            own.hand_over(HandedOver(own.guest.key, None), at)
            return Following(), [Tell(tuple(told)), StepDown(was_host=True)]
        host = self.host
        if host.may_go_on(at) and not host.lease.is_deserted(host.table, at):
            return replace(self, alone_since=None, patience=ALONE_DELAY), []
        if self.alone_since is None:
            return replace(self, alone_since=at.monotonic), []
        if at.monotonic - self.alone_since <= self.patience:
            return self, []
        patience = self.patience if own.plays else min(2 * self.patience, MAX_ALONE_DELAY)
        role = replace(self, alone_since=at.monotonic, patience=patience, is_looking=True)
        return role, [] if self.is_looking else [Look(own.look_for, is_old_welcome=False)]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """When to look at the seats' leases next, in monotonic seconds: in `PING_INTERVAL`, as
        often as they are renewed."""
        yield at.monotonic + PING_INTERVAL

    def found(self, own: Election, what: Found, at: Moment) -> Role:
        """The role after a search: give way to a later host, or to a candidate that two searches in
        a row have found. A candidate found once may be about to find this host and come back to it.
        """
        role = replace(self, is_looking=False)
        if what.card is None or what.card.epoch <= self.host.card.epoch:
            return role
        if what.card.state is State.MOVING and not self.has_met:
            return replace(role, has_met=True)
        own.heard_of(what.card.epoch)
        return replace(role, has_met=False, is_outrun=True)

    def hand_over(self, own: Election, what: HandOver, at: Moment) -> Role:
        """The role that begins to hand over to the seat `what.heir`."""
        return HandingOver(self.host, what.heir).hand_over(own, what, at)


def outrun(
    role: Standing | Hosting, own: Election, what: Superseded | Stranded, at: Moment
) -> Role:
    """The role after a seat has told of a later epoch: about to give way, unless the claim is
    `Stranded` and the last time was less than `RENEW_INTERVAL` ago."""
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

    It hands over the signed support of its own seat as well, if that seat's promise is on disk in
    time.
    """

    host: Host
    heir: bytes
    leaves_by: float | None = None
    """When the program exits at the latest, in monotonic seconds; None if it stays."""
    until: float | None = None
    """Until when the own seat's promise is waited for, in monotonic seconds; None before it was
    asked for."""
    is_pledged: bool = False
    """Whether the own seat's promise of support is on disk."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Ask this program's seat for its support; hand the role over once the promise is on disk,
        or has taken too long."""
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
        """When the wait for the own seat's promise ends, in monotonic seconds; no deadline before
        it was asked for."""
        if self.until is not None:
            yield self.until

    def pledged(self, own: Election, what: Pledged, at: Moment) -> Role:
        """The role after the promise of this program's seat was saved: it may sign its support."""
        return replace(self, is_pledged=True)

    def hand_over(self, own: Election, what: HandOver, at: Moment) -> Role:
        """The role after another `HandOver`: note that the program is to exit afterwards, if `what`
        says so; the heir stays the same."""
        if not what.leaves:
            return self
        own.can_serve = False
        return replace(self, leaves_by=at.monotonic + HAND_OVER_TIMEOUT)


@dataclass(frozen=True, slots=True)
class Leaving:
    """This program has handed its role over, and exits when another seat is host or the time is up.

    It stays meanwhile because its own seat may have to vote: of two seats, both are needed for a
    majority.
    """

    by: float
    """When the program exits at the latest, in monotonic seconds."""

    def tick(self, own: Election, at: Moment) -> Step:
        """Exit once the next host is elected, the time is up, or this program has no vote to
        give."""
        table = own.guest.table
        has_vote = own.plays and table is not None and table.host == own.guest.key
        if has_vote and at.monotonic < min(self.by, own.ends_at):
            return self, []
        return Following(), [Left()]

    def deadlines(self, own: Election, at: Moment) -> Iterator[float]:
        """When the program exits at the latest, in monotonic seconds."""
        yield min(self.by, own.ends_at)


Role = Following | Preparing | Standing | Hosting | HandingOver | Leaving

Step = tuple[Role, list[FailoverEffect]]
