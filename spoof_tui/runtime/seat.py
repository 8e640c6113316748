"""One program at one table that may move: all the parts that it is made of, and how they are
connected.

A player, a visitor, and a host with or without a seat are each a `Seat`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.failover.election import Election
from protocol.failover.failover import Failover
from protocol.failover.inputs import Called, HandOver, Hurry, Retire
from protocol.guest.effects import HandedOver, Pledged
from protocol.guest.guest import Guest
from protocol.table.electorate import can_move, could_move, voters_of
from protocol.table.log import Entry
from protocol.table.statements import TableContinued
from protocol.timeouts import JUMP, LEASE, UNSTEADY_DELAY, Moment
from protocol.views import LinkState
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address, own_addresses
from spoof_tui.network.diagnosis.own_network import OwnNetwork
from spoof_tui.network.links import Owner
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.table_server import ReservedPort
from spoof_tui.runtime.failover_driver import FailoverDriver
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.runtime.inquiry import Inquiries
from spoof_tui.runtime.notices import (
    ContinuedAt,
    HostGone,
    Moved,
    Notice,
    SeatState,
    ViewChanged,
)
from spoof_tui.runtime.serving import Serving
from spoof_tui.runtime.session import DiskReport, Session
from spoof_tui.storage.journal import SeatStore

LOOK_INTERVAL: Final = 1.0
"""Seconds between two checks of who is heard, while the table's host is not."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Who takes part in a table, and how."""

    key: SigningKey
    name: ForeignText | None
    """The player's name; None to watch only, or to host without a seat."""
    store: SeatStore | None = None
    """Where everything is saved that must outlive the program; None to save nothing."""
    sits: bool = True
    """Whether to ask for a seat at once."""
    may_stand: bool = True
    """Whether to serve the table when its host is gone."""
    opening: Entry | None = None
    """The first entry of a new table, if it is known before the table is reached (G8); None
    otherwise."""


class Seat:
    """A program at a table; belongs to one event loop.

    guest ── what the log says, and what this key has said        (protocol, sans-IO)
    session ── the guest's link to whoever hosts the table
    locator ── where that is, now
    serving ── the table itself, while this program hosts it or stands for host
    driver ── carries out what the failover machine decides about that
    inquiries ── whether the game went on at another table (G8)
    """

    def __init__(
        self,
        who: Participant,
        table: bytes,
        notify: Callable[[Notice], None],
        *,
        addresses: Iterable[Address] = (),
        hosted: HostedTable | None = None,
        search: Search | None = None,
    ) -> None:
        """Sit at the table with the id `table`, found at `addresses`, or `hosted` by this
        program."""
        self.who: Final = who
        self.staying: asyncio.Task[None] | None = None
        """The task that runs this seat; None before it has begun."""
        self._notify = notify
        plays = who.name is not None or hosted is None
        is_shared = hosted is None or hosted.plan.public
        can_serve = who.may_stand and is_shared and (who.name is not None or hosted is not None)
        ports = _reserved() if can_serve else []
        kept = (who.store or SeatStore()).read()
        opening = None if kept.entries else who.opening
        self.guest: Final = Guest(
            who.key,
            table,
            [opening] if opening else kept.entries,
            kept.secrets,
            kept.promised,
            ports[-1].port if ports and plays else 0,
            kept.departed,
        )
        self.failover: Final = Failover(
            Election(who.key, self.guest, can_serve=bool(ports), plays=plays),
            hosted.server.host if hosted else None,
        )
        self.locator: Final = TableLocator(
            self.guest,
            table,
            addresses,
            search=search,
            is_kept=who.store is not None or not plays,
        )
        # A candidate need not be elected, and a participant without a vote cannot help it.
        self.locator.takes_candidates = plays
        self.locator.own = lambda: self.served.server.connect if self.served else None
        self.session: Final = Session(
            self.guest,
            self.locator,
            self._heard,
            name=who.name,
            store=who.store,
            sits=who.sits,
            opening=opening,
        )
        self._state = SeatState()
        self._own_network = OwnNetwork(lambda: self._driver.wake())
        self._unheard_since: int | None = None
        self._took_at = now()
        """When the host could last accept something in a game, as far as this program has
        checked."""
        self._host = self.guest.table.host if self.guest.table else None
        self._silent = 0
        self._new_table: tuple[bytes, ...] = ()
        """Ids of the table that was found to go on from this one, and of those before it, the
        latest first (G8)."""
        self._inquiries = Inquiries(who.key, self.guest, self.locator, self._went_on)
        self._disk_report = DiskReport(notify)
        self._driving: asyncio.Task[None] | None = None
        journal = hosted.journal if hosted else who.store or SeatStore()
        self._serving = Serving(
            who.key,
            who.name,
            self.guest,
            journal,
            ports,
            lambda what: self._driver.succeeds(what),
            lambda: self._driver.wake(),
        )
        self._driver = FailoverDriver(
            self.failover,
            who.key,
            table,
            self.guest,
            self.session,
            self.locator,
            self._serving,
            notify,
            self._tell_state,
            self._look_round,
            plays=plays,
        )
        self.session.on_trouble = self.locator.on_news = self._driver.wake
        if hosted:
            self._serving.begin(hosted)
        self._tell_state()

    @property
    def served(self) -> HostedTable | None:
        """The table, while this program serves it as host or candidate; None otherwise."""
        return self._serving.table

    @property
    def hosted(self) -> HostedTable | None:
        """The table, while this program is its host; None otherwise."""
        return self.served if self.failover.is_host else None

    async def run(self) -> None:
        """Stay at the table until the session is over; a table hosted here keeps running after
        that."""
        self.staying = asyncio.current_task()
        self._driving = asyncio.create_task(self._driver.run())
        inquiring = asyncio.create_task(self._inquiries.run())
        try:
            await self.session.run()
        finally:
            await system.end(self._driving, inquiring)
            try:
                self._driver.stop_looking()
                await self._serving.end(is_host=self.failover.is_host)
            finally:
                await self._own_network.close()
                await self._inquiries.close()
                await self.locator.close()

    def hand_over(self, seat: bytes) -> None:
        """Hand the host's role to a connected seat, and stay as a player."""
        self.failover.take(HandOver(seat), now())
        self._driver.wake()

    async def leave(self, heir: bytes) -> None:
        """Hand the host's role to the seat `heir`, and wait until that seat is elected; does
        nothing if this program is not the host."""
        if not self.hosted:
            return
        self.failover.take(HandOver(heir, leaves=True), now())
        self._driver.wake()
        driving = self._driving
        if driving is None or driving.done():
            # The session is over, but the table is still hosted here.
            driving = asyncio.create_task(self._driver.run())
        leaving = asyncio.create_task(self._driver.left.wait())
        await asyncio.wait({leaving, driving}, return_when=asyncio.FIRST_COMPLETED)
        await system.end(leaving, None if driving is self._driving else driving)

    def hurry(self) -> None:
        """Make `leave` finish within a second, whether it is running or is called later."""
        self.failover.take(Hurry(), now())
        self._driver.wake()

    async def close(self) -> None:
        """Leave on purpose, and close the table if this program hosts it."""
        is_host = self.failover.is_host
        self.failover.take(Retire(), now())
        if is_host:
            # First, so that the others hear that the table closes, not that people leave. A mere
            # candidate cannot say that.
            await self._serving.close()
        self._driver.left.set()
        self.session.close()

    async def move_away(self) -> None:
        """End this program's part and keep the seat, with which another program of this player goes
        on; a table hosted here goes to another host."""
        is_host = self.failover.is_host
        self.failover.take(Retire(), now())
        if is_host:
            await self._driver.part()
        self.session.close(keeps_seat=True)

    async def stop_serving(self) -> None:
        """Stop serving the table and never stand for it again, because somebody else goes on with
        it."""
        self.failover.take(Retire(), now())
        await self._driver.part()

    async def connect(self, owner: Owner) -> None:
        """Connect a participant of this program to the table; raises `OSError`."""
        if self.served:
            await self.served.server.connect(owner)
        else:
            (await self.locator.reach()).pass_to(owner)

    # What it reports

    def _heard(self, notice: Notice) -> None:
        if not isinstance(notice, ViewChanged) or self.failover.is_concerned():
            self._driver.wake()
        match notice:
            case Pledged() | Called():
                self.failover.take(notice, now())
                return
            case HandedOver():
                self.failover.take(notice, now())
        self._tell_state()
        self._notify(notice)

    def _look_round(self, at: Moment) -> float:
        """Report what has changed; returns when to be called again even if nothing happens, in
        monotonic seconds."""
        self._own_network.ask(matters=self._is_cut_off and not self._is_near)
        self._tell_state()
        self._tell_of_host(at)
        self._tell_of_disk()
        next_second = self.failover.election.next_second(at)
        # Who was heard a moment ago need not be any more.
        is_apart = self.guest.link is not LinkState.UP
        return min(next_second, at.monotonic + LOOK_INTERVAL) if is_apart else next_second

    def _tell_state(self) -> None:
        """Report the `SeatState` if it has changed."""
        self._note_silence(now())
        guest, hosted, own = self.guest, self.hosted, self.guest.key
        is_up = guest.link is LinkState.UP
        lost, election = None if is_up else guest.table, self.failover.election
        heard = self._heard_others() if lost else frozenset()
        heirs = election.heirs(lost) if lost else ()
        host = self._candidate or own
        state = SeatState(
            is_host=hosted is not None,
            tried=() if is_up else self._tried(),
            heirs=frozenset([place.key for place in guest.places if place.port]),
            heir=next((key for key in heirs if key in heard | {own}), None),
            heard=heard,
            can_move=lost is not None and can_move(lost, heard | {own}, host),
            could_move=lost is not None and can_move(lost, election.left(lost), host),
            gone_along=election.gone_along(lost) if lost else frozenset(),
            unheard_since=self._unheard_since,
            has_network=self._own_network.is_there,
            is_shut=hosted.is_shut if hosted else None,
            strangers=hosted.strangers if hosted else (),
            start_when=hosted.plan.start_when if hosted else 0,
            own_hand=guest.own_hand,
        )
        if state != self._state:
            self._state = state
            self._notify(state)

    def _tried(self) -> tuple[Address, ...]:
        """The addresses at which others may serve the table. A candidate announces itself, too, and
        is listed for a moment after it has given up, so this machine's own addresses are left out.
        """
        try:
            own = own_addresses()
        except OSError:
            own = ()
        found = ((each, each.host.partition("%")[0]) for each in self.locator.addresses)
        return tuple(each for each, bare in found if bare not in own)

    def _heard_others(self) -> frozenset[bytes]:
        """Public keys of the other seats whose machines answer, or that have come to the candidate
        at the other end of the link, which this program may be."""
        guest, heard, at = self.guest, self.locator.heard, now()
        if self.served:
            heard |= self.served.server.host.connections.seats_heard(at)
        elif (candidate := self._candidate) and guest.hears_other_end(at):
            heard |= (guest.elsewhere | {candidate}) - set(guest.unsteady)
        return heard - {guest.key}

    @property
    def _candidate(self) -> bytes | None:
        """Public key of the program at the other end of the link, if it stands for host; None
        otherwise."""
        return self.session.other_end if self.guest.link is LinkState.MOVING else None

    @property
    def _is_cut_off(self) -> bool:
        """Whether, as far as this program knows, the table cannot go on because its host or most
        seats are not heard."""
        return self.guest.link is not LinkState.UP or self._unheard_since is not None

    @property
    def _is_near(self) -> bool:
        """Whether the table is reached without a network, so that a missing network does not
        matter."""
        where = self.locator.here
        return not where or where[0].is_loopback

    def _note_silence(self, at: Moment) -> None:
        """Note since when the host, here or at the other end, can accept nothing in a game because
        it has not heard most of the table. A guest knows from `Presence` whom its host does not
        hear."""
        guest, hosted, table = self.guest, self.hosted, self.guest.table
        is_unheard = False
        if hosted:
            is_unheard = not hosted.server.host.may_go_on(at)
        elif table is not None and guest.link is LinkState.UP:
            # Of those who have lost their seats nothing is told, so they count as silent.
            here = {seat.key for seat in table.seats} - table.away - {*guest.unsteady}
            is_unheard = could_move(table, voters_of(table) - here)
        if not is_unheard:
            self._unheard_since, self._took_at = None, at
            return
        # A program that stood still has heard nobody for longer, and so has one whose clock was
        # set back.
        since = at.wall - round(max(LEASE, at.since(self._took_at)) * 1000)
        if self._unheard_since is None or since < self._unheard_since - JUMP * 1000:
            self._unheard_since = since

    def _tell_of_host(self, at: Moment) -> None:
        table = self.guest.table
        if table is None:
            return
        host, self._host = self._host, table.host
        if host not in (None, table.host):
            self._notify(Moved(table.host == self.guest.key))
        before, self._silent = self._silent, int(self.failover.election.time_without_host(at))
        if self._silent >= UNSTEADY_DELAY and self._silent != before:
            self._notify(HostGone(self._silent))

    def _tell_of_disk(self) -> None:
        host = self.hosted.server.trouble if self.hosted else None
        seat = self.session.trouble
        # When a host has just stepped down, it is not known yet whether that is over.
        if host or seat or self.hosted or self.guest.link is LinkState.UP:
            self._disk_report.look(host, seat)

    def _went_on(self, found: ContinuedAt) -> None:
        """Report that the game went on at a new table; of tables that go on from each other, only
        the last one is kept."""
        known, said = self._new_table, found.entry.statement
        if isinstance(said, TableContinued) and found.entry.hash not in known:
            self._new_table = (found.entry.hash, *said.origins)
            self._notify(found)


def _reserved() -> list[ReservedPort]:
    try:
        return [ReservedPort()]
    except OSError:
        return []
