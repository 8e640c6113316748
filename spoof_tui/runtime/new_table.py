"""From an old table to the new one that goes on from it, hosted by the program that served the old
one (G8)."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from protocol.crypto.keys import SigningKey
from protocol.table.log import Entry
from protocol.table.statements import TableContinued
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.runtime.notices import CannotOpen, ContinuedAt

if TYPE_CHECKING:
    from spoof_tui.runtime.seat import Seat


@dataclass(frozen=True, slots=True)
class Continuation:
    """A new table, as known to a seat that goes along to it."""

    opening: Entry
    """The first entry of the new table."""
    addresses: tuple[Address, ...]
    """Where the new table may be: the addresses of the old one."""
    hosted: HostedTable | None = None
    """The table itself, if this program hosts it; None otherwise."""


async def gone_along(old: Seat, entry: Entry) -> Continuation:
    """Leave the old table for the new one that `entry` opens.

    The old table is served until the new one is. Raises `OSError` if no port is free.
    """
    addresses, served, key = old.locator.here, old.served, old.who.key
    continued = entry.statement
    assert isinstance(continued, TableContinued) and old.staying
    is_host = served is not None and continued.opened.host == key.public
    port = await served.give_port() if served and is_host else []
    try:
        await old.stop_serving()
        await asyncio.gather(old.staying, return_exceptions=True)
    except BaseException:
        for each in port:
            each.close()
        raise
    hosted = await HostedTable.carry_on(entry, key, served, port) if served and is_host else None
    return Continuation(entry, addresses, hosted)


class Moves:
    """How a player gets from one table to the next; runs in the background loop."""

    def __init__(
        self,
        seat: Callable[[], Seat | None],
        tell: Callable[[CannotOpen], None],
        arrive: Callable[[SigningKey, Continuation], Awaitable[None]],
    ) -> None:
        """`seat` returns the player's present seat; `arrive` sits down at a new table."""
        self._seat, self._tell, self._arrive = seat, tell, arrive
        self._moving: asyncio.Task[None] | None = None
        self._found: ContinuedAt | None = None

    def go_along(self, entry: Entry) -> None:
        """Begin to go to the new table that was founded at the current one."""
        self._begin(self._go_along(entry))

    def found(self, continued: ContinuedAt) -> bool:
        """Note that the game goes on elsewhere without this player; return whether it is followed
        at once.

        That is so if the player has signed that very table, but was not told of its founding in
        time.
        """
        self._found = continued
        seat = self._seat()
        said = continued.entry.statement
        assert isinstance(said, TableContinued)
        if seat is None or not seat.guest.departure.has_signed(said):
            return False
        self.follow()
        return True

    def follow(self) -> None:
        """Begin to go to the table where the game went on without this player, if one was found."""
        found, self._found = self._found, None
        if found is not None:
            self._begin(self._go_to(found))

    async def wait(self) -> None:
        """Wait until a move that was begun is over; returns at once if there is none."""
        if self._moving:
            await asyncio.gather(self._moving, return_exceptions=True)

    async def connect(self, owner: Owner) -> None:
        """Connect a bot of this program to the current table, after a move if one is under way;
        raises `OSError`."""
        await self.wait()
        seat = self._seat()
        if seat is None:
            raise OSError(errno.ENOTCONN, os.strerror(errno.ENOTCONN))
        await seat.connect(owner)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._moving = asyncio.get_running_loop().create_task(work)

    async def _go_along(self, entry: Entry) -> None:
        seat = self._seat()
        assert seat
        try:
            new = await gone_along(seat, entry)
        except OSError as error:
            self._tell(CannotOpen(error))
        else:
            await self._arrive(seat.who.key, new)

    async def _go_to(self, found: ContinuedAt) -> None:
        seat = self._seat()
        assert seat and seat.staying
        await seat.stop_serving()
        seat.session.close()
        await asyncio.gather(seat.staying, return_exceptions=True)
        await self._arrive(seat.who.key, Continuation(found.entry, (found.address,)))
