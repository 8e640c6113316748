"""A player's seat whose table outlives its host: finds it again, or serves it when nobody does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.guest import Guest
from protocol.host.host import HostPolicy, Superseded
from protocol.table.log import Entry
from protocol.table.opening import TableContinued
from protocol.table.statements import Backing
from protocol.table.transitions.succession import sign_support
from protocol.timing import UNSTEADY_DELAY, Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import Card, State
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address, is_public
from spoof_tui.network.links import Owner, Route
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.neighbours import Neighbours
from spoof_tui.network.pointing import Pointer
from spoof_tui.network.probe import Answer
from spoof_tui.network.server import ReservedPort
from spoof_tui.runtime import failover as machine
from spoof_tui.runtime.election import ElectionTimer
from spoof_tui.runtime.failover import Failover, Role
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.inquiry import Inquiries
from spoof_tui.runtime.notices import (
    Ahead,
    ContinuedAt,
    FailoverNotice,
    HandedTo,
    HostGone,
    Moved,
    SeatState,
    Standing,
)
from spoof_tui.runtime.saving import DiskReport
from spoof_tui.runtime.session import Session
from spoof_tui.storage.seat_store import NoSeatStore, SeatStore


@dataclass(frozen=True, slots=True)
class Participant:
    """Who comes to a table."""

    key: SigningKey
    name: ForeignText | None
    """What to be called; without a name one can only watch."""
    store: SeatStore | None = None
    """Where what must outlive the program is kept."""
    sits: bool = True
    """Whether to ask for a seat at once."""
    may_stand: bool = True
    """Whether to serve the table when its host is gone."""
    opening: Entry | None = None
    """The first entry of a new table, which is known before it is reached (G8)."""


class SeatedFailover:
    """A seat at a table that may move; lives in one event loop."""

    def __init__(
        self,
        who: Participant,
        table: bytes,
        notify: Callable[[FailoverNotice], None],
        *,
        addresses: Iterable[Address] = (),
        hosted: HostedTable | None = None,
        search: Search | None = None,
    ) -> None:
        """Sit at the table with this id, found at `addresses`, or `hosted` by this program."""
        self._who = who
        self._notify = notify
        self._reserved_ports = _reserve(hosted) if who.may_stand and who.name is not None else []
        self._first_port = hosted.port if hosted else 0
        port = self._reserved_ports[-1].port if self._reserved_ports else 0
        store = who.store or NoSeatStore()
        kept = store.entries()
        opening = None if kept else who.opening
        self.guest: Final = Guest(
            who.key,
            table,
            [opening] if opening else kept,
            store.secrets(),
            store.promised(),
            port,
            store.departed(),
        )
        self._timer = ElectionTimer(self.guest)
        self.failover: Final = Failover(self, hosted, stand_for=lambda: self._timer.stand_for)
        self.locator: Final = TableLocator(
            self.guest, table, addresses, search=search, is_kept=who.store is not None
        )
        self.session: Final = Session(
            self.guest,
            _OwnOrLocated(self.failover, self.locator),
            self._heard,
            name=who.name,
            store=who.store,
            sits=who.sits,
            opening=opening,
        )
        self._state = SeatState()
        self._new_table: tuple[bytes, ...] = ()
        """The table that was found to go on from this one, and those before it (G8)."""
        self._pledges: tuple[Backing, ...] = ()
        """Support that was given to this seat in advance."""
        self._inquiries = Inquiries(who.key, self.guest, self._went_on)
        self._neighbours = Neighbours(self.guest)
        self._pointing: asyncio.Task[None] | None = None
        self._waits = False
        """Whether this host has just found somebody who stands, and stays for now."""
        self._report = _HostReport(self.guest, self._timer, notify)
        self._disk_report = DiskReport(notify)
        self._tell_state()

    @property
    def hosted(self) -> HostedTable | None:
        """The table, while this program is its host."""
        return self.failover.hosted

    async def run(self) -> None:
        """Stay at the table until the session is over."""
        minding = asyncio.create_task(self._mind())
        try:
            await self.session.run()
        finally:
            minding.cancel()
            await asyncio.gather(minding, return_exceptions=True)
            try:
                await self.failover.end()
            finally:
                for reserved in self._reserved_ports:
                    reserved.close()
                if self._pointing:
                    self._pointing.cancel()
                    await asyncio.gather(self._pointing, return_exceptions=True)
                await self._inquiries.close()
                await self._neighbours.close()
                await self.locator.close()

    async def close(self) -> None:
        """Go away on purpose, and close the table if this program hosts it."""
        # First, so that the others hear that it closes and not that people go away.
        await self.failover.close()
        self.session.close()

    async def move_away(self) -> None:
        """Go, and keep the seat: another program of this player goes on with it, host or not."""
        await self.failover.move_away()
        self.session.close(keeps_seat=True)

    async def hand_over(self, seat: bytes) -> None:
        """Give the host's role to a seat that is here; raises `Illegal`.

        The support of this seat goes with it, because two seats choose a host only together and
        this one may be gone before it is asked.
        """
        is_pledged = await self.session.pledging.promise(seat)
        try:
            await self.failover.hand_over(seat, self._support(seat) if is_pledged else None)
        except Illegal:
            if is_pledged and self.hosted:
                # This seat follows no epoch as early as the table's now.
                self.hosted.server.on_succession(Superseded(self.guest.epoch))
            raise

    def _support(self, heir: bytes) -> bytes | None:
        """The signed support of this seat for `heir`, behind the log as the own server has it."""
        if self.hosted is None:
            return None
        table = self.hosted.server.host.table
        return sign_support(self._who.key, table.id, table.epoch + 1, heir, table.head)

    async def connect(self, owner: Owner) -> None:
        """Connect somebody of this program to the table; raises `OSError`."""
        served = self.failover.served
        if served:
            await served.server.connect(owner)
        else:
            (await self.locator.reach()).pass_to(owner)

    def _tell_state(self) -> None:
        """Tell what screens show and no view holds, if it is another than last time."""
        places = self.guest.places
        apart = self.hosted.cut_off if self.hosted else frozenset()
        state = SeatState(
            is_host=self.hosted is not None,
            tried=() if self.guest.link is LinkState.UP else self.locator.addresses,
            heirs=frozenset(place.key for place in places if place.port) - apart,
            heard=self._heard_others(),
            is_shut=self.hosted.is_shut if self.hosted else None,
            strangers=self.hosted.strangers if self.hosted else (),
            own_hand=self.guest.own_hand,
        )
        if state != self._state:
            self._state = state
            self._notify(state)

    def _heard_others(self) -> frozenset[bytes]:
        """Who could take the table over with this program, or has come to it for that."""
        if self.guest.link is LinkState.UP:
            return frozenset()
        served = self.failover.served
        come = served.server.host.connections.seats_here if served else frozenset()
        return (self.locator.heard | come) - {self.guest.key}

    async def _mind(self) -> None:
        while True:
            await asyncio.sleep(machine.LOOK_INTERVAL)
            self._tell_state()
            self._neighbours.look()
            self._point()
            self._report.look(now())
            self._tell_of_disk()
            self._look_into_new_tables()
            await self.failover.mind()

    def _tell_of_disk(self) -> None:
        host = self.hosted.server.trouble if self.hosted else None
        seat = self.session.trouble
        # Of a host that has just stepped down it is not known yet whether that is over.
        if host or seat or self.hosted or self.guest.link is LinkState.UP:
            self._disk_report.look(host, seat)

    def _point(self) -> None:
        """Tell others of the table that is not on this machine."""
        if self._pointing is None and self._elsewhere():
            self._pointing = asyncio.create_task(Pointer(self._elsewhere).run())

    def _elsewhere(self) -> Address | None:
        where = next(iter(self.locator.here), None)
        is_followed = self.guest.link is LinkState.UP and self.failover.served is None
        return where if where and is_followed and is_public(where.host) else None

    def _look_into_new_tables(self) -> None:
        claims, self.locator.claims = self.locator.claims, {}
        self._inquiries.look_into(claims.values())

    def _went_on(self, found: ContinuedAt) -> None:
        """The game went there; of tables that go on from each other to the last one."""
        known, said = self._new_table, found.entry.statement
        if isinstance(said, TableContinued) and found.entry.hash not in known:
            self._new_table = (found.entry.hash, *said.origins)
            self._notify(found)

    def _heard(self, notice: FailoverNotice) -> None:
        if isinstance(notice, HandedTo):
            self._timer.hand_over(notice.seat, now())
            self._pledges = self._pledged(notice)
        if isinstance(notice, Ahead):
            # Nobody else can go on, and the others are there: this one stands, and they give way.
            self._timer.call(now())
            self.failover.last_epoch = max(self.failover.last_epoch, notice.epoch)
            return
        self._tell_state()
        self._notify(notice)

    def _pledged(self, notice: HandedTo) -> tuple[Backing, ...]:
        """The support that the host has left for this seat."""
        table, is_own = self.guest.table, notice.seat == self.guest.key
        if table is None or notice.support is None or not is_own:
            return ()
        return (Backing(table.host, notice.support),)

    # What the state machine asks

    async def next_epoch(self) -> int | None:
        last = self.failover.last_epoch
        if self.guest.departure.is_gone:
            return None
        if not self._reserved_ports or not self._timer.is_due(now(), is_renewal=last > 0):
            return None
        return max(self.guest.epoch, last) + 1

    async def serve(self, epoch: int) -> HostedTable:
        self._timer.stood()
        try:
            sockets = [each for reserved in self._reserved_ports for each in reserved.take()]
        except OSError:
            self._timer.failed(now())
            raise
        policy, log = HostPolicy(self._who.name or ForeignText("")), list(self.guest.log)
        silent = self._report.silence(now())
        return await HostedTable.stand(
            log, self._who.key, policy, epoch, sockets, silent, self._pledges
        )

    async def look(self) -> int | None:
        is_standing = self.failover.role is Role.STANDING
        # A host of an earlier epoch is chosen again once it hears of this seat's promise.
        answer = await self.locator.find(self._timer.look_for, is_old_welcome=is_standing)
        served = self.failover.served
        if answer.card is None or served is None:
            return None
        own = served.server.host.card.epoch
        if is_standing:
            return answer.card.epoch if self._gives_way(answer, answer.card, own) else None
        if answer.card.epoch <= own or self._may_yet_come(answer.card):
            return None
        return answer.card.epoch

    def _may_yet_come(self, card: Card) -> bool:
        """Whether somebody stands who is about to find this host and come back to it.

        Somebody who still stands at the next look does not find it.
        """
        self._waits = card.state is State.MOVING and not self._waits
        return self._waits

    def _gives_way(self, answer: Answer, card: Card, epoch: int) -> bool:
        """Whether a candidate of `epoch` gives way to a host, or to one with more right."""
        if card.state is not State.MOVING or card.epoch > epoch:
            return True
        if self.guest.table is None or card.epoch < epoch:
            return False
        order = [seat.key for seat in self.guest.table.seats]
        return answer.key in order[: order.index(self.guest.key)]

    def turned(self, role: Role, before: Role) -> None:
        self._tell_state()
        if role is Role.STANDING:
            self._notify(Standing())
        elif before is Role.STANDING:
            self._timer.settle()
            if self.failover.stood_in_vain:
                self._timer.failed(now())
        if role is Role.FOLLOWING:
            self._reserve_again(was_host=before is Role.HOSTING)
        if Role.STANDING in (role, before) and role is not Role.HOSTING:
            # A host that steps down has said goodbye to its own seat, too.
            self.session.redial()

    def _reserve_again(self, *, was_host: bool) -> None:
        kept = {reserved.port for reserved in self._reserved_ports}
        if was_host and kept and self._first_port not in {0, *kept}:
            # There the others look for it first.
            with contextlib.suppress(OSError):
                self._reserved_ports.insert(0, ReservedPort(self._first_port))
        for reserved in self._reserved_ports:
            reserved.keep()


class _OwnOrLocated(Route):
    """The way of a seat to its table: to the own server, or wherever the table is."""

    def __init__(self, failover: Failover, locator: TableLocator) -> None:
        self._failover = failover
        self._locator = locator

    async def __call__(self, owner: Owner) -> None:
        own = self._failover.served
        if own:
            await own.server.connect(owner)
        else:
            await self._locator(owner)

    def patience(self, trip: RoundTrip) -> float:
        return self._locator.patience(trip)

    async def answers(self) -> bool:
        return self._failover.served is None and await self._locator.answers()

    def arrived(self) -> None:
        if self._failover.served is None:
            self._locator.arrived()

    def tick(self) -> None:
        self._locator.tick()


class _HostReport:
    """Tells a player where the host is."""

    def __init__(
        self, guest: Guest, timer: ElectionTimer, notify: Callable[[FailoverNotice], None]
    ) -> None:
        self._guest = guest
        self._timer = timer
        self._notify = notify
        self._host = guest.table.host if guest.table else None
        self._silent = 0
        self._gone_at: float | None = None
        """When the host was missed first; None while it is there."""

    def look(self, at: Moment) -> None:
        """Tell what is another than at the last look."""
        table = self._guest.table
        if table is None:
            return
        host, self._host = self._host, table.host
        if host not in (None, table.host):
            self._timer.settle()
            self._notify(Moved(table.host == self._guest.key))
        silent = 0
        if self._guest.link in (LinkState.DOWN, LinkState.MOVING):
            silent = int(self.silence(at))
        else:
            self._gone_at = None
            self._timer.refresh(at)
        if silent >= UNSTEADY_DELAY and silent != self._silent:
            self._notify(HostGone(silent))
        self._silent = silent

    def silence(self, at: Moment) -> float:
        """For how many seconds there was no host."""
        if self._gone_at is None:
            self._gone_at = at.monotonic
        silence = self._timer.silence(at)
        # Who has given its role away to somebody who did not take it was not silent: it is gone.
        return silence if isfinite(silence) else at.monotonic - self._gone_at


def _reserve(hosted: HostedTable | None) -> list[ReservedPort]:
    if hosted and not hosted.plan.public:
        return []
    try:
        return [ReservedPort()]
    except OSError:
        return []
