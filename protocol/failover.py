"""Who hosts a table next, sans-IO: one program's part in it, with or without a seat.

Every seat holds the whole log, so any seat's program can go on as host. What keeps two hosts from
both playing on (election, lease and log) is in `protocol/FAILOVER.md`, and is enforced elsewhere:
by the fold, `protocol.guest.voter` and `protocol.host.lease`. This machine only decides *when* to
ask for support and when to give way. It may be wrong about who is here; then play goes on later.

    FOLLOWING ──(its turn)──> STANDING ──(elected)──> HOSTING
        ^                        │                       │
        └──(a better one, or nobody came)──<──(heard of a later epoch)

A host that hears of a later epoch steps down even if nobody was chosen in that epoch: a seat that
has promised to follow none before it can only come back to a later one. A host without a majority
checks whether the others have moved on. One that leaves hands its role to another seat first, with
the support of its own seat if that is on the disk in time, and stays to vote until somebody has the
role: two seats are a majority only together.

Tell it what happens; call `tick` after that and at `next_deadline`; carry out what `tick` returns,
in that order, before the next call.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import floor, inf, isfinite
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.guest.guest import Guest
from protocol.host.effects import HostEffect, Stranded, Superseded
from protocol.host.host import Host
from protocol.limits import MAX_EPOCH_STEP
from protocol.rules.options import MIN_PLAYERS
from protocol.table.electorate import can_move, voters_of
from protocol.table.fold import Table
from protocol.table.statements import Backing
from protocol.table.transitions.seating import sign_support
from protocol.timeouts import PING_INTERVAL, STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY, Moment
from protocol.views import LinkState
from protocol.wire.messages import Card, State

LAST_HOPE: Final = 15.0
"""Seconds of silence after which a seat stands for host although too few seats were here."""

URGENT_DELAY: Final = 0.3
"""Seconds that a host waits before it stands to be chosen again: a later one may be there
already."""

CALL_INTERVAL: Final = 0.5
"""Seconds between the turns of seats that hold more of the log than a candidate."""

MAX_CALLED: Final = 2
"""Maximum turns that such a seat waits for others: they may hold no more than it does, or be
gone."""

_RETURN_TRIPS: Final = 6
"""Round trips from the loss of a link to the host's next ping: four to its greeting, one to its
welcome, and the way of the news."""

_FIND_TRIPS: Final = 8
"""Round trips until a candidate is found: four, times two, since another seat may be twice as far
away as the host that they were measured to."""

_STAND_TRIPS: Final = 14
"""Round trips until a candidate has support: three more, also doubled."""

_ROUNDING: Final = 0.001
"""Seconds after a whole second by which sums of times, too, have reached it."""

LOOK_TIMEOUT: Final = 1.0
"""Seconds that one look for another host takes, if the network is not slow."""


class ElectionTimer:
    """One seat's view of the host's silence and of its own turn to stand.

    If all seats stood once the host is silent, none would get a majority. So they stand in seat
    order, strangers last, one every `STAND_INTERVAL`; a seat that is away, or whose program cannot
    serve a table, is passed over.
    """

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self.trip = guest.trip
        """How long answers take between these machines, as far as this seat knows."""
        self._host = guest.table.host if guest.table else None
        self.handed: tuple[bytes, float] | None = None
        """The seat that the host handed its role to, and when."""
        self._called_at: float | None = None
        self._gone_at: float | None = None
        """When the host was first missed; None while it is here."""
        self._bore = 0.0
        """Seconds of silence after which the link to the host was left or lost."""
        self._is_linked = False
        self._failed_at = -inf
        self._able: frozenset[bytes] | None = None
        """Seats that could serve the table, as the last host told."""

    def hand_over(self, seat: bytes, at: Moment) -> None:
        """Note that the host hands its role to this seat and goes."""
        self.handed, self._failed_at = (seat, at.monotonic), -inf

    def call(self, at: Moment) -> None:
        """Note that a candidate holds less of the log: this seat stands soon, and that one stops.

        Others may hold more, too, and are called at the same moment: one of them is enough.
        """
        self._called_at = at.monotonic

    def stood(self) -> None:
        """Note that this seat stands."""
        self._called_at = None

    def failed(self, at: Moment) -> None:
        """Note that nobody chose it, or that it could not serve the table: its next turn is a round
        later."""
        self._failed_at = at.monotonic

    def settle(self) -> None:
        """Stop waiting for the program that was to host."""
        self.handed = None

    def note(self, at: Moment) -> None:
        """Take in what the guest has learned; to be called after everything it hears."""
        guest, link = self._guest, self._guest.link
        host, self._host = self._host, guest.table.host if guest.table else None
        if host not in (None, self._host):
            self.settle()
        if guest.trip.mean:
            # Within one program an answer takes no time and says nothing about the others.
            self.trip = guest.trip
        if link is LinkState.UP:
            # A candidate, this seat included, only tells of those who have come to it: each would
            # take itself for the first.
            self._able, self._called_at = self._told, None
        is_linked = link in (LinkState.UP, LinkState.UNSTEADY)
        if is_linked or self._is_linked:
            self._bore = min(self.silence(at), self.trip.gone_delay)
        self._is_linked = is_linked
        if link in (LinkState.DOWN, LinkState.MOVING):
            self._gone_at = at.monotonic if self._gone_at is None else self._gone_at
        else:
            self._gone_at = None
            if self._since_handed(at) > SUPPORT_DELAY:
                # The table has a host that is heard, although a role was handed over long ago.
                self.handed = None

    def next_second(self, at: Moment) -> float:
        """When there has been no host for one more whole second; infinity while there is one."""
        if self._gone_at is None:
            return inf
        without = self.time_without_host(at)
        return at.monotonic + floor(without) + 1 - without + _ROUNDING

    def silence(self, at: Moment) -> float:
        """Seconds since a host, present or future, was last heard."""
        return min(self._guest.voter.silence(at), self._since_handed(at))

    def time_without_host(self, at: Moment) -> float:
        """Seconds that the table has had no host; 0 while it has one."""
        if self._gone_at is None:
            return 0.0
        silence = self.silence(at)
        # A host that handed its role to a seat which did not take it was not silent: it is gone.
        return silence if isfinite(silence) else at.monotonic - self._gone_at

    def due(self, at: Moment, *, is_renewal: bool) -> float:
        """When this seat's next turn to stand is, if nothing changes; infinity for never.

        With `is_renewal` an epoch later than the log's has been heard of. Without a seat, only the
        host of the log stands, to be chosen again.
        """
        table, own = self._guest.table, self._guest.key
        if table is None or self._guest.link is not LinkState.DOWN:
            return inf
        if table.host != own and (table.seat(own) is None or len(table.seats) < MIN_PLAYERS):
            return inf
        interval = self.trip.limit(STAND_INTERVAL, _FIND_TRIPS)
        if self._called_at is not None:
            pause = self.trip.limit(CALL_INTERVAL, _FIND_TRIPS)
            return self._called_at + min(self.rank(table), MAX_CALLED) * pause
        if self.handed and self.handed[0] == own:
            named = self.handed[1] + (URGENT_DELAY if is_renewal else 0.0)
            return max(named, self._failed_at + interval)
        # Coming back over a slow network takes longer, and costs no election. All left a silent
        # host at about the same time: the turns are counted from there.
        patience = max(self.trip.limit(SUPPORT_DELAY, _RETURN_TRIPS), self._bore)
        turn = self.rank(table) * interval
        wait = max(patience + turn, self._hope_delay(table))
        return max(at.monotonic - self.silence(at) + wait, self._failed_at + turn + interval)

    @property
    def stand_for(self) -> float:
        """Seconds that this seat stands before it lets the next one try."""
        return self.trip.limit(STAND_FOR, _STAND_TRIPS)

    @property
    def look_for(self) -> float:
        """Seconds that it looks for another candidate or host."""
        return self.trip.limit(LOOK_TIMEOUT, _FIND_TRIPS)

    def rank(self, table: Table) -> int:
        """How many seats stand for host before this one, as far as is known."""
        own = self._guest.key
        if table.host == own:
            # The others take it for gone, and only it knows better.
            return 0
        could = (self._told if self._able is None else self._able) | {own}
        heirs = [key for key in table.heirs if key in could]
        return heirs.index(own) if own in heirs else len(heirs)

    @property
    def _told(self) -> frozenset[bytes]:
        return frozenset(place.key for place in self._guest.places)

    def _hope_delay(self, table: Table) -> float:
        """Seconds of silence after which enough seats may be here: it is useless to stand alone.

        In the end two are enough: even if they are too few to choose a host, a candidate can offer
        them a new table (G8).
        """
        own = self._guest.key
        others = voters_of(table) - ({table.host} if self.handed is None else set())
        if can_move(table, (others - table.away) | {own}, own):
            return 0.0
        return LAST_HOPE if len(others | {own}) >= MIN_PLAYERS else inf

    def _since_handed(self, at: Moment) -> float:
        return inf if self.handed is None else at.monotonic - self.handed[1]


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

LAST_HAND_OVER_TIMEOUT: Final = 0.6
"""The same when the program is told to end."""

_OTHERS_STEP: Final = 2
"""How many epochs above a later one a program without a seat stands: a seat that promised its
support in the later epoch may itself stand in the next, and gives way to every candidate above."""


class Role(Enum):
    """The role of a program at its table."""

    FOLLOWING = "following"
    """Somebody else serves the table, or nobody does."""
    STANDING = "standing"
    """This program serves the table, or is about to, and asks the seats for their support."""
    HOSTING = "hosting"
    """This program is the host."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Serve the table as a candidate for host; then call `serves` or `cannot_serve`."""

    epoch: int
    silent: float
    """Seconds since the host was last heard."""
    pledges: tuple[Backing, ...]
    """Support that was given in advance."""


@dataclass(frozen=True, slots=True)
class Serve:
    """The others have chosen this program: announce the table."""


@dataclass(frozen=True, slots=True)
class StepDown:
    """Stop serving the table, and have this program's seat look for it like all others."""

    was_host: bool


@dataclass(frozen=True, slots=True)
class Look:
    """Look for others who serve the table for this many seconds, then call `found`."""

    within: float
    is_old_welcome: bool
    """Whether a host of an earlier epoch counts: it will be chosen again once it hears of the
    promise."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Have this program's server carry this out at once."""

    effects: tuple[HostEffect, ...]


@dataclass(frozen=True, slots=True)
class Pledge:
    """Have this program's seat carry this out; call `pledged` when it reaches `Pledged`."""

    effects: tuple[GuestEffect, ...]


@dataclass(frozen=True, slots=True)
class CannotHandOver:
    """The role cannot be given to this seat."""

    error: Illegal


@dataclass(frozen=True, slots=True)
class Left:
    """The program may go: somebody has the role, or time is up."""


FailoverEffect = Stand | Serve | StepDown | Look | Tell | Pledge | CannotHandOver | Left


@dataclass(slots=True)
class _HandOver:
    """A role that is about to be handed over."""

    heir: bytes
    until: float = inf
    """When it is handed over without the support of this program's seat; infinity until that was
    asked for."""
    is_pledged: bool = False


class Failover:
    """The role of one program at one table."""

    def __init__(
        self,
        key: SigningKey,
        guest: Guest,
        host: Host | None = None,
        *,
        can_serve: bool = True,
        plays: bool = True,
    ) -> None:
        """Be the `host`, or follow. `guest` is this program's own, with this `key`.

        A program that does not play has no seat, and so no vote. It only stands to be chosen again,
        for as long as that takes.
        """
        self.role = Role.HOSTING if host else Role.FOLLOWING
        self.election: Final = ElectionTimer(guest)
        self.patience = ALONE_DELAY
        """Seconds that a host stays alone before it looks for a later one."""
        self._key = key
        self._guest = guest
        self._host = host
        self._can_serve = can_serve
        self._plays = plays
        self._last_epoch = 0
        """The highest epoch that this program stood for or heard of."""
        self._later: int | None = None
        """A later epoch, to which this host or candidate has to give way."""
        self._stands_until = 0.0
        self._gives_way = False
        """Whether somebody with a better claim stands, or hosts the table."""
        self._waits = False
        """Whether this host has just found a candidate and stays for now."""
        self._look_at = -inf
        """When to look next; infinity during a look."""
        self._alone_since: float | None = None
        self._renewed_at = -inf
        self._pledges: tuple[Backing, ...] = ()
        self._hands_over: _HandOver | None = None
        self._is_retired = False
        """Whether it no longer takes the role, even if chosen."""
        self._leaves_by = inf
        """When it goes at the latest; infinity while it stays."""
        self._must_leave_by = inf
        self._known: tuple[object, ...] = ()

    # What happens

    def superseded(self, what: Superseded | Stranded, at: Moment) -> None:
        """This program's host has heard of a later epoch."""
        if isinstance(what, Stranded):
            # A single seat can ask for that without a reason.
            if at.monotonic - self._renewed_at < RENEW_INTERVAL:
                return
            self._renewed_at = at.monotonic
        self._give_way_to(what.epoch)

    def handed_over(self, seat: bytes, support: bytes | None, at: Moment) -> None:
        """The host hands its role to a seat, perhaps with the support of its own seat."""
        self.election.hand_over(seat, at)
        table, is_own = self._guest.table, seat == self._guest.key
        self._pledges = (Backing(table.host, support),) if table and support and is_own else ()

    def called(self, epoch: int, at: Moment) -> None:
        """A candidate of this epoch holds less of the log than this program's seat.

        Nobody else can go on, and the others are here: this one stands, and they give way.
        """
        self.election.call(at)
        self._last_epoch = max(self._last_epoch, epoch)

    def found(self, key: bytes | None, card: Card | None, at: Moment) -> None:
        """A look is over: key and card of the best server of the table that was found, if any."""
        self._look_at = at.monotonic + LOOK_PAUSE
        if card is None or self._host is None:
            return
        own = self._host.card.epoch
        if self.role is Role.STANDING:
            self._gives_way |= self._has_to_give_way(key, card, own)
        elif card.epoch > own and not self._may_yet_come(card):
            self._give_way_to(card.epoch)

    def serves(self, host: Host, at: Moment) -> None:
        """The table is being served, as `Stand` asked."""
        self._host, self._last_epoch = host, max(self._last_epoch, host.card.epoch)
        self._stands_until = at.monotonic + self.election.stand_for if self._plays else inf

    def cannot_serve(self, at: Moment) -> None:
        """The table cannot be served: another program has the port where the others would look for
        this one."""
        self.role = Role.FOLLOWING
        self.election.failed(at)

    def hand_over(self, heir: bytes) -> None:
        """Hand the host's role to this seat, and stay; ignored while it is on its way to
        another."""
        if self.role is Role.HOSTING and not self._hands_over:
            self._hands_over = _HandOver(heir)

    def pledged(self) -> None:
        """The promise of this program's seat is on disk."""
        if self._hands_over:
            self._hands_over.is_pledged = True

    def leave(self, heir: bytes, at: Moment) -> None:
        """Hand the host's role to this seat, and go as soon as it has it: see `Left`."""
        self.hand_over(heir)
        self.retire()
        self._leaves_by = min(at.monotonic + HAND_OVER_TIMEOUT, self._must_leave_by)

    def hurry(self, at: Moment) -> None:
        """Limit the time that leaving may take, now or later."""
        self._must_leave_by = at.monotonic + LAST_HAND_OVER_TIMEOUT
        if self._leaves_by < inf:
            self._leaves_by = min(self._leaves_by, self._must_leave_by)

    def retire(self) -> None:
        """Stop standing: a host that goes once its role is handed over does not take it back."""
        self._is_retired = True

    def resign(self) -> None:
        """Stop hosting and standing: the server is closed already, or about to be."""
        self.retire()
        self.role, self._host, self._hands_over = Role.FOLLOWING, None, None

    def is_concerned(self) -> bool:
        """Whether the guest has learnt anything since the last call that matters for who hosts.

        If not, `tick` has nothing new to decide: a word of a game makes nobody host.
        """
        guest, table, before = self._guest, self._guest.table, self._known
        gone, of_host = guest.departure.signed, table and (table.host, table.epoch)
        self._known = guest.link, guest.places, gone, of_host
        return self.election.handed is not None or self._known != before

    # What follows

    def tick(self, at: Moment) -> list[FailoverEffect]:
        """What is due by now."""
        self.election.note(at)
        effects: list[FailoverEffect] = []
        if self._hands_over:
            effects += self._give_role(self._hands_over, at)
        if self._leaves_by < inf and self._may_leave(at):
            self._leaves_by = inf
            return [*effects, *self._step_down(at), Left()]
        if effects or self._is_retired:
            return effects
        if self.role is Role.FOLLOWING:
            return self._stand(at) if self._due(at) <= at.monotonic else []
        if self._host is None:
            return []
        return (self._mind if self.role is Role.HOSTING else self._campaign)(self._host, at)

    def next_deadline(self, at: Moment) -> float:
        """When to call `tick` next if nothing happens before; infinity for never."""
        times = [self._leaves_by]
        if self._hands_over:
            times.append(self._hands_over.until)
        if self._is_retired or (self.role is not Role.FOLLOWING and self._host is None):
            return min(times)
        if self.role is Role.FOLLOWING:
            times.append(self._due(at))
        elif self.role is Role.STANDING:
            times.append(self._look_at)
            if at.monotonic < self._stands_until:
                times.append(self._stands_until)
        else:
            # A host looks at its leases as often as they are renewed.
            times.append(at.monotonic + PING_INTERVAL)
        return min(times)

    def _due(self, at: Moment) -> float:
        if not self._can_serve or self._guest.departure.signed:
            return inf
        return self.election.due(at, is_renewal=self._last_epoch > 0)

    def _stand(self, at: Moment) -> list[FailoverEffect]:
        table = self._guest.table
        most = table.epoch + MAX_EPOCH_STEP if table else 0
        step = 1 if self._plays else _OTHERS_STEP
        epoch = min(max(self._guest.epoch, self._last_epoch) + step, most)
        self.election.stood()
        self.role, self._later, self._gives_way, self._look_at = Role.STANDING, None, False, -inf
        return [Stand(epoch, self.election.time_without_host(at), self._pledges)]

    def _campaign(self, host: Host, at: Moment) -> list[FailoverEffect]:
        if not host.is_standing:
            self.election.settle()
            self.role, self._later, self._look_at = Role.HOSTING, None, -inf
            self._alone_since, self.patience = None, ALONE_DELAY
            return [Serve()]
        if self._later is not None or self._is_over(host, at):
            return self._step_down(at)
        return self._look(at)

    def _is_over(self, host: Host, at: Moment) -> bool:
        """Whether the next one may try now: nobody has come, or a better candidate is here.

        Those who have come need a place where they are asked whether to go on elsewhere (G8).
        """
        is_alone = len(host.connections.seats_here) < MIN_PLAYERS
        return self._gives_way or (is_alone and at.monotonic >= self._stands_until)

    def _mind(self, host: Host, at: Moment) -> list[FailoverEffect]:
        if self._later is not None:
            # A player who promised to follow no epoch this early can only come back to a later one.
            return [Tell(tuple(host.hand_over(host.key))), *self._step_down(at)]
        return self._look(at) if self._is_alone(host, at) else []

    def _is_alone(self, host: Host, at: Moment) -> bool:
        """Whether most seats have been silent for a while: they may have another host.

        It is not true again until the same time or longer has passed, because seats that have
        moved may be out of reach for a while.
        """
        if host.may_go_on(at):
            self._alone_since, self.patience = None, ALONE_DELAY
        elif self._alone_since is None:
            self._alone_since = at.monotonic
        elif at.monotonic - self._alone_since > self.patience:
            self._alone_since = at.monotonic
            if not self._plays:
                self.patience = min(2 * self.patience, MAX_ALONE_DELAY)
            return True
        return False

    def _look(self, at: Moment) -> list[FailoverEffect]:
        if at.monotonic < self._look_at:
            return []
        self._look_at = inf
        is_old_welcome = self._plays and self.role is Role.STANDING
        return [Look(self.election.look_for, is_old_welcome)]

    def _step_down(self, at: Moment) -> list[FailoverEffect]:
        if self.role is Role.FOLLOWING:
            return []
        was_host, later = self.role is Role.HOSTING, self._later
        self._last_epoch, self._later = max(self._last_epoch, later or 0), None
        self.role, self._host, self._hands_over = Role.FOLLOWING, None, None
        if not was_host:
            self.election.settle()
            if later is None:
                # Nobody was heard to follow a later epoch: let others try.
                self.election.failed(at)
        return [StepDown(was_host)]

    def _give_role(self, role: _HandOver, at: Moment) -> list[FailoverEffect]:
        guest, host = self._guest, self._host
        assert host is not None
        if role.until == inf:
            pledge = [] if guest.departure.signed else self._pledge(role.heir)
            role.until = at.monotonic + (PLEDGE_TIMEOUT if pledge else 0.0)
            if pledge:
                return [Pledge(tuple(pledge))]
        if not role.is_pledged and at.monotonic < role.until:
            return []
        self._hands_over = None
        table, support = host.table, None
        if role.is_pledged:
            epoch = table.epoch + 1
            support = sign_support(self._key, table.id, epoch, role.heir, table.head)
        try:
            # In one go: nothing may enter the log after the head that the support is for.
            told = [*host.hand_over(role.heir, support), *host.close(is_moving=True)]
        except Illegal as error:
            if role.is_pledged:
                # This program's seat follows no epoch as early as the table's any more.
                self._give_way_to(guest.epoch)
            self._leaves_by = at.monotonic if self._leaves_by < inf else inf
            return [CannotHandOver(error)]
        return [Tell(tuple(told)), *self._step_down(at)]

    def _pledge(self, heir: bytes) -> list[GuestEffect]:
        table = self._guest.table
        has_vote = table is not None and self._guest.key in voters_of(table)
        return self._guest.voter.pledge(heir, table) if has_vote else []

    def _may_leave(self, at: Moment) -> bool:
        """Whether the next host can be chosen without this program, or time is up."""
        table = self._guest.table
        is_needed = self._plays and table is not None and table.host == self._guest.key
        return at.monotonic >= self._leaves_by or not (self._hands_over or is_needed)

    def _give_way_to(self, epoch: int) -> None:
        self._later = max(epoch, self._later or 0)

    def _may_yet_come(self, card: Card) -> bool:
        """Whether a candidate is about to find this host and come back to it.

        A candidate that is still there at the next look has not found it.
        """
        self._waits = card.state is State.MOVING and not self._waits
        return self._waits

    def _has_to_give_way(self, key: bytes | None, card: Card, epoch: int) -> bool:
        """Whether a candidate of `epoch` gives way to a host, or to a candidate with a better
        claim."""
        if card.state is not State.MOVING or card.epoch > epoch:
            return True
        table = self._guest.table
        if table is None or card.epoch < epoch:
            return False
        order = [seat.key for seat in table.seats]
        own = self._guest.key
        return own in order and key in order[: order.index(own)]
