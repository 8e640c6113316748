"""Minds a table whose host has no seat at it: gives way to a later host, or is chosen anew.

A keeper goes on as a player at the table's new host. Here there is nobody who plays, so when the
table is somewhere else there is nothing left to do.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.guest import Guest, LinkState
from protocol.limits import MAX_EPOCH_STEP
from protocol.wire.messages import Card
from spoof_tui.clock import now
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.reserved_port import bound
from spoof_tui.runtime.failover import ALONE_DELAY, LOOK_INTERVAL, LOOK_ROUND, Standing
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.leadership import Leadership
from spoof_tui.runtime.session import Notice, Session

T = TypeVar("T")

MAX_ALONE_DELAY: Final = 15.0
"""Seconds, at most, without a majority between two looks for a later host: all night, perhaps."""

STEP: Final = 2
"""Epochs above a later one in which this program stands: a seat that has promised its support in
that one may stand in the next itself, and gives way to whoever is above."""

BELIEVE_TIMEOUT: Final = 3.0
"""Seconds in which a later host has to show the log that made it one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The players have taken this program for the host again."""


@dataclass(frozen=True, slots=True)
class Succeeded:
    """The table has a later host; this program serves it no more."""

    host: ForeignText
    """Who that is, by its card."""


WardenNotice = Standing | Chosen | Succeeded


class Warden:
    """A table that this program serves, and plays no part in; lives in one event loop."""

    def __init__(
        self,
        key: SigningKey,
        hosted: HostedTable,
        notify: Callable[[WardenNotice], None],
        *,
        search: Search | None = None,
    ) -> None:
        """Mind `hosted`, whose host is `key`. A later host is looked for by `search`, too."""
        self._key = key
        self._notify = notify
        self._search = search
        self.hosted = hosted
        """The table, as this program serves it now, or stands for it."""
        self._table = hosted.server.host.table.id
        self._leadership = Leadership()
        self._patience = ALONE_DELAY
        self._stopped = asyncio.Event()
        self._standing_in: int | None = None
        """The epoch that this program stands for; None while it is the host."""
        self._seats = Guest(key, self._table)
        """Knows where the seats could serve the table."""
        self._places = TableLocator(self._seats, self._table, (), is_kept=True)
        hosted.server.on_succession = self._leadership.hear

    async def run(self) -> None:
        """Mind the table until `stop`, or until it has a later host; then close it here."""
        is_succeeded = False
        try:
            while not self._stopped.is_set() and not is_succeeded:
                await self._unless_stopped(asyncio.sleep(LOOK_INTERVAL))
                self._note_places()
                is_succeeded = await self._mind()
        finally:
            # Who only stands for host cannot say that the table closes.
            is_moving = is_succeeded or self._standing_in is not None
            await self.hosted.close(is_moving=is_moving)
            await self._places.close()

    def stop(self) -> None:
        """Have `run` close the table and come to its end."""
        self._stopped.set()

    async def _mind(self) -> bool:
        """What is to be done now; whether the table has a later host."""
        if self._standing_in is None:
            return await self._mind_hosted()
        if not self.hosted.server.host.is_standing:
            await self._take_over()
            return False
        return await self._mind_standing(self._standing_in)

    async def _mind_hosted(self) -> bool:
        host, at = self.hosted.server.host, now()
        is_alone = self._leadership.is_alone(host, at, self._patience)
        has_majority = host.may_go_on(at)
        if has_majority:
            self._patience = ALONE_DELAY
        if self._leadership.later is not None:
            # With a majority there is no later host: one seat has promised too much.
            return await self._give_way(is_sure=has_majority)
        if is_alone:
            self._patience = min(2 * self._patience, MAX_ALONE_DELAY)
            return await self._is_succeeded()
        return False

    async def _mind_standing(self, epoch: int) -> bool:
        if self._leadership.later is not None and self._leadership.later >= epoch:
            return await self._give_way(is_sure=False)
        return await self._is_succeeded()

    async def _give_way(self, *, is_sure: bool) -> bool:
        """To a later host, if there is one; else stand for it anew. Whether there is one."""
        if not is_sure and await self._is_succeeded():
            return True
        if not self._stopped.is_set() and self._leadership.later is not None:
            await self._stand(self._leadership.later + STEP)
        return False

    def _note_places(self) -> None:
        self._seats.places = self.hosted.server.host.places
        self._places.tick()

    # A later host

    async def _is_succeeded(self) -> bool:
        """Whether the table has a later host; takes a moment."""
        card = await self._unless_stopped(self._find_later())
        if card is None:
            return False
        self._notify(Succeeded(card.host))
        return True

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
        log = list(self.hosted.server.host.log)
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
        # Who only stands for host may not be chosen, and is none yet.
        locator.takes_candidates = False
        return locator

    # Being chosen anew

    async def _stand(self, epoch: int) -> None:
        """Ask all seats for their support, where the table was, in an epoch that they can follow.

        Whoever is here looks for the table, comes back and gives it.
        """
        old, self._leadership.later = self.hosted, None
        server = old.server
        if self._standing_in is None:
            with contextlib.suppress(Illegal):
                server.carry_out(server.host.hand_over(self._key.public))
        epoch = min(epoch, server.host.table.epoch + MAX_EPOCH_STEP)
        await old.close(is_moving=True)
        self._standing_in = epoch
        sockets = await self._unless_stopped(_free(old.port))
        if not sockets:
            return
        plan = old.plan
        self.hosted = await HostedTable.stand(
            list(server.host.log), self._key, plan.host, epoch, sockets, plan.start_when, plan.games
        )
        self.hosted.server.on_succession = self._leadership.hear
        self._notify(Standing())

    async def _take_over(self) -> None:
        self._standing_in = None
        self._patience = ALONE_DELAY
        self._leadership.begin()
        await self.hosted.announce()
        self._notify(Chosen())

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


async def _free(port: int) -> list[socket.socket]:
    """Sockets that are bound to this port, as soon as nobody else has it."""
    while True:
        with contextlib.suppress(OSError):
            return bound(port, loopback_only=False)
        await asyncio.sleep(LOOK_INTERVAL)


def _epoch(guest: Guest) -> int:
    """The epoch that the guest's own log has come to."""
    return guest.table.epoch if guest.table else 0
