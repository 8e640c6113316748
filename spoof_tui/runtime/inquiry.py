"""Asks a table that claims to go on from another one for the entry that proves it (G8).

A card is not signed, and anybody can answer with one. But the first entry of a new table is signed
by everybody who went along, and its hash is the id on the card. So a player is told of such a table
only once the entry has been received and proves the claim. The player takes the entry along, and
whoever answers later must have the same one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.guest.effects import CodeWanted, GuestEffect, Halt, Hangup, Transmit
from protocol.guest.guest import Guest
from protocol.table.fold import Phase, went_on
from protocol.table.log import Entry
from protocol.table.statements import TableContinued
from protocol.views import LinkState
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, dial
from spoof_tui.network.locator import TableLocator
from spoof_tui.network.probe import SLOW_TIMEOUT, FoundTable
from spoof_tui.runtime.notices import ContinuedAt

REPEAT_DELAY: Final = 60.0
"""Seconds until the same claim at the same address is checked again."""

RETRY_DELAY: Final = 3.0
"""Seconds until a claim that was not proven is checked again."""

MISSING_INTERVAL: Final = 5.0
"""Seconds between two searches for players who are missed: they may play on at a new table."""


class Inquiries:
    """Checks, for one seat, claims that the game went on at another table; belongs to one event
    loop."""

    def __init__(
        self,
        key: SigningKey,
        guest: Guest,
        locator: TableLocator,
        tell: Callable[[ContinuedAt], None],
    ) -> None:
        """`key` and `locator` are those of `guest`; `tell` is called with each table that its game
        went on at."""
        self._key = key
        self._guest = guest
        self._locator = locator
        self._tell = tell
        locator.on_claim = self.hear
        self._asking: dict[tuple[Address, bytes], asyncio.Task[None]] = {}
        self._known: dict[tuple[Address, bytes], float] = {}
        """Until when a claim is ignored, by the loop's clock."""

    async def run(self) -> None:
        """While the table waits for somebody who is away, search for the addresses where they may
        be, until cancelled. Without a link to the host this pauses, since the locator then searches
        itself."""
        while True:
            await asyncio.sleep(MISSING_INTERVAL)
            if self._guest.link is LinkState.UP and self._misses_somebody:
                await self._locator.ask_missing()

    @property
    def _misses_somebody(self) -> bool:
        table = self._guest.table
        if table is None:
            return False
        owing = table.away if table.phase is Phase.GATHERING else table.waiting_for
        return not table.away.isdisjoint(owing)

    def hear(self, answer: FoundTable) -> None:
        """Check a claim to serve a table that goes on from this seat's; the claim may be false."""
        at = asyncio.get_running_loop().time()
        self._known = {each: until for each, until in self._known.items() if until > at}
        where = (answer.address, answer.card.table if answer.card else b"")
        if where not in self._asking and where not in self._known:
            self._asking[where] = asyncio.create_task(self._ask(answer, where))

    async def close(self) -> None:
        """Stop asking."""
        await system.end(*self._asking.values())

    async def _ask(self, answer: FoundTable, where: tuple[Address, bytes]) -> None:
        try:
            entry = await _first_entry(self._key, *where)
        finally:
            del self._asking[where]
        pause = REPEAT_DELAY if entry else RETRY_DELAY
        self._known[where] = asyncio.get_running_loop().time() + pause
        table, said = self._guest.table, entry.statement if entry else None
        if table is None or answer.card is None or not isinstance(said, TableContinued):
            return
        # Where more are here than there, the game goes on here.
        is_main = len(said.seats) >= len(table.seats) - len(table.away)
        is_wanted = is_main or self._guest.link is not LinkState.UP
        if entry and is_wanted and went_on(said, list(self._guest.log), table):
            self._tell(ContinuedAt(answer.address, answer.card, entry))


async def _first_entry(key: SigningKey, address: Address, table: bytes) -> Entry | None:
    """The first entry of the table with this id, as the server at `address` shows it; None if it
    does not do so in time."""
    guest = Guest(key, table)
    is_shown = await shown(guest, address, lambda: guest.table is not None)
    return guest.log[0] if is_shown else None


async def shown(guest: Guest, address: Address, is_so: Callable[[], bool]) -> bool:
    """Whether the log that the server at `address` shows to `guest` makes `is_so` true within
    `SLOW_TIMEOUT` seconds."""
    visit = _Visit(guest, is_so)
    try:
        async with asyncio.timeout(SLOW_TIMEOUT):
            await dial(visit, address)
            await visit.over.wait()
    except OSError:
        return False
    finally:
        visit.leave()
    return is_so()


class _Visit:
    """A link that is closed as soon as it has shown what is asked for."""

    def __init__(self, guest: Guest, is_so: Callable[[], bool]) -> None:
        self.guest: Final = guest
        self._is_so = is_so
        self.over: Final = asyncio.Event()
        """Set once the answer is known, or cannot be had."""
        self._link: Link | None = None

    def opened(self, link: Link) -> None:
        self._link = link
        self._carry_out(link, self.guest.connected(link.channel, now(), link.host_key))

    def received(self, link: Link, data: bytes) -> None:
        self._carry_out(link, self.guest.received(data, now()))

    def drained(self, link: Link) -> None:
        """Do nothing: too little is sent to wait for this."""

    def lost(self, link: Link) -> None:
        self.over.set()

    def leave(self) -> None:
        """Say goodbye and hang up."""
        if self._link:
            self._carry_out(self._link, self.guest.farewell())
            self._link.close()

    def _carry_out(self, link: Link, effects: Iterable[GuestEffect]) -> None:
        for effect in effects:
            if isinstance(effect, Transmit):
                link.send(effect.data)
            elif isinstance(effect, CodeWanted | Hangup | Halt):
                self.over.set()
        if self._is_so():
            self.over.set()
