"""A host without a seat: gives way to a later host, or is chosen again.

A player's program goes on as a seat at the table's next host. Here nobody plays, so when the table
is somewhere else there is nothing left to do.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.errors import Illegal
from protocol.guest.guest import Guest
from protocol.host.host import HostPolicy
from protocol.limits import MAX_EPOCH_STEP, MAX_NAME
from protocol.table.log import Entry
from protocol.views import LinkState
from protocol.wire.messages import Card
from spoof_tui.clock import now
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.server import bound
from spoof_tui.runtime import failover as machine
from spoof_tui.runtime.election import LOOK_ROUND
from spoof_tui.runtime.failover import Failover, Role
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.notices import CarriedOn, Chosen, HeadlessNotice, Notice, Standing, Succeeded
from spoof_tui.runtime.saving import DiskReport
from spoof_tui.runtime.session import Session
from spoof_tui.text.safe_text import own_text

T = TypeVar("T")

MAX_ALONE_DELAY: Final = 15.0
"""Seconds, at most, without a majority between two looks for a later host: all night, perhaps."""

STEP: Final = 2
"""Epochs above a later one in which this program stands: a seat that has promised its support in
that one may stand in the next itself, and gives way to every candidate above it."""

BELIEVE_TIMEOUT: Final = 3.0
"""Seconds in which a later host has to show the log that made it one."""


class HeadlessFailover:
    """A table that this program serves, and plays no part in; lives in one event loop."""

    def __init__(
        self,
        key: SigningKey,
        hosted: HostedTable,
        notify: Callable[[HeadlessNotice], None],
        *,
        search: Search | None = None,
    ) -> None:
        """Mind `hosted`, whose host is `key`. A later host is looked for by `search`, too."""
        self.hosted = hosted
        """The table, as this program serves it now, or served it last."""
        self.failover = Failover(self, hosted, max_patience=MAX_ALONE_DELAY)
        self._key = key
        self._notify = notify
        self._disk_report = DiskReport(notify)
        self._search = search
        self._table = hosted.server.host.table.id
        self._stopped = asyncio.Event()
        self._hands_over = False
        self.heir: bytes | None = None
        """The seat to which the table was given in the end."""
        self._successor: Card | None = None
        self._seats = Guest(key, self._table)
        """Knows where the seats could serve the table."""
        self._places = TableLocator(self._seats, self._table, (), is_kept=True)

    async def run(self) -> None:
        """Mind the table until `stop`, or until it has a later host; then close it here."""
        try:
            while not self._stopped.is_set():
                await self._unless_stopped(asyncio.sleep(machine.LOOK_INTERVAL))
                self._note_places()
                self._disk_report.look(self.hosted.server.trouble)
                if founded := self.hosted.server.host.new_table.founded:
                    await self._carry_on(founded)
                await self.failover.mind()
        finally:
            await self._part()
            await self.failover.end()
            await self._places.close()

    def stop(self, *, hands_over: bool = False) -> None:
        """Have `run` close the table, or give it to a seat that can serve it, and end."""
        self._hands_over = hands_over
        self._stopped.set()

    async def _part(self) -> None:
        hosted = self.failover.hosted if self._hands_over else None
        self.heir = hosted.successor(now()) if hosted else None
        if self.heir is not None:
            with contextlib.suppress(Illegal):
                await self.failover.hand_over(self.heir)
        await self.failover.close()

    async def _carry_on(self, entry: Entry) -> None:
        """Serve the new table that the players have found here (G8); raises `OSError`."""
        port = await self.hosted.give_port()
        try:
            await self.failover.leave()
            await self.failover.end()
            await self._places.close()
        except BaseException:
            for each in port:
                each.close()
            raise
        self.hosted = await HostedTable.carry_on(entry, self._key, self.hosted, port)
        self.failover = Failover(self, self.hosted, max_patience=MAX_ALONE_DELAY)
        self._table, self._successor = entry.hash, None
        self._seats = Guest(self._key, self._table)
        self._places = TableLocator(self._seats, self._table, (), is_kept=True)
        self._notify(CarriedOn())

    def _note_places(self) -> None:
        self._seats.places = self.hosted.server.host.places
        self._places.tick()

    # What the state machine asks

    async def next_epoch(self) -> int | None:
        # With a majority there is no later host: one seat has promised too much.
        if not self.failover.had_majority and self._successor is None:
            self._successor = await self._unless_stopped(self._find_later())
        if self._successor:
            self._notify(Succeeded(self._successor.host))
            self._stopped.set()
        if self._stopped.is_set():
            return None
        own = self.hosted.server.host.table.epoch
        return min(self.failover.last_epoch + STEP, own + MAX_EPOCH_STEP)

    async def serve(self, epoch: int) -> HostedTable:
        plan = self.hosted.plan
        sockets = bound(self.hosted.port, loopback_only=False)
        policy = HostPolicy(own_text(plan.host, MAX_NAME), plan.start_when, plan.games)
        # What the old server has not written was told to nobody, and is dropped with it.
        log = self.hosted.server.recorded
        self.hosted = await HostedTable.stand(log, self._key, policy, epoch, sockets)
        return self.hosted

    async def look(self) -> int | None:
        self._successor = await self._find_later()
        return self._successor.epoch if self._successor else None

    def turned(self, role: Role, before: Role) -> None:
        if role is not Role.FOLLOWING:
            self._notify(Standing() if role is Role.STANDING else Chosen())

    # A later host

    async def _find_later(self) -> Card | None:
        """The card of a later host, which has shown that it is one."""
        locator = self._locator(Guest(self._key, self._table, promise=self._next_epoch))
        try:
            await locator.find(LOOK_ROUND)
        except OSError:
            return None
        finally:
            await locator.close()
        return await self._believed()

    async def _believed(self) -> Card | None:
        """Watch the later host until its log says so: anybody can answer with such a card."""
        log = self.hosted.server.recorded
        guest = Guest(self._key, self._table, log, promise=self._next_epoch)
        locator, shown = self._locator(guest), asyncio.Event()

        def heard(_notice: Notice) -> None:
            if guest.link is LinkState.UP and _epoch(guest) >= self._next_epoch:
                shown.set()

        session = Session(guest, locator, heard, name=None)
        staying = asyncio.create_task(session.run())
        try:
            async with asyncio.timeout(BELIEVE_TIMEOUT):
                await shown.wait()
        except TimeoutError:
            return None
        finally:
            session.close()
            await asyncio.gather(staying, return_exceptions=True)
            await locator.close()
        return guest.card

    @property
    def _next_epoch(self) -> int:
        """The first epoch of a later host."""
        return self.hosted.server.host.table.epoch + 1

    def _locator(self, guest: Guest) -> TableLocator:
        locator = TableLocator(guest, self._table, self._places.addresses, search=self._search)
        # A mere candidate may not be chosen, and is no host yet.
        locator.takes_candidates = False
        return locator

    async def _unless_stopped(self, work: Coroutine[Any, Any, T]) -> T | None:
        """What `work` comes to; None if this is to stop before."""
        working = asyncio.create_task(work)
        stopping = asyncio.create_task(self._stopped.wait())
        try:
            await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            for task in (working, stopping):
                task.cancel()
            await asyncio.gather(working, stopping, return_exceptions=True)


def _epoch(guest: Guest) -> int:
    """The epoch that the guest's own log has come to."""
    return guest.table.epoch if guest.table else 0
