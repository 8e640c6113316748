"""The route to a table that may be anywhere: every address at which it can be is asked at once.

A table stays where it was, comes back with another address, or moves to another host. Answers are
judged by their cards alone: the newest host, or a candidate for host. Whether they can be trusted
is for the guest to find out, once it is connected.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Container, Iterable, Iterator
from functools import partial
from math import inf
from typing import Final

from protocol.guest.guest import Guest
from protocol.timeouts import Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import State, Whereabout
from spoof_tui import system
from spoof_tui.clock import loop_time, now
from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind, BeaconListener
from spoof_tui.network.discovery import Browser
from spoof_tui.network.links import Dial, Owner, Route
from spoof_tui.network.probe import (
    SLOW_TIMEOUT,
    Failure,
    FoundTable,
    ProbeFailed,
    Reached,
    greeting_timeout,
    hang_up_on,
    reach,
)
from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import Disk

ASK_INTERVAL: Final = 0.4
"""Seconds between two questions to the same address; the earlier ones may still be answered."""

ASK_EARLY_INTERVAL: Final = 0.1
"""Seconds between two questions to an address that has just refused: a host that was just named may
not be listening yet."""

MAX_TRIES: Final = 3
"""Unanswered questions to one address at the same time."""

MAX_ASKED: Final = 24
"""Addresses that are asked: all seats of a table, where they are and where they were."""

MAX_SEEN: Final = 256
"""Beacons that are remembered: anybody can forge them."""

SETTLE_DELAY: Final = 0.1
"""Seconds that the others get after a host has answered: a later host may be among them."""

SETTLE_WORSE_DELAY: Final = 0.3
"""Seconds that the others get after an answer of a mere candidate, or of an address that led
nowhere before."""

HEARD_FOR: Final = 3.0
"""Seconds for which a machine that has answered counts as heard."""

FIND_TIMEOUT: Final = 20.0
"""Seconds after which a search counts as failed; the next one begins at once."""

BESIDE_TIMEOUT: Final = 1.0
"""Seconds that a search beside an existing link takes, if the way was never slow."""

MIN_BACKOFF: Final = 1.5
MAX_BACKOFF: Final = 60.0
"""Seconds for which an address that did not lead to the table comes last: the first time,
and at most."""

Ask = Callable[[Address, float], Awaitable[Reached]]
"""Asks who greets at an address within this many seconds; raises `ProbeFailed`."""

_Asked = dict[asyncio.Task[Reached | None], Address]
"""The pending questions, by where they were sent."""


class Search:
    """The lobby's search for tables, shared by every part of a program that needs it.

    The lobby shows one row per table. Here every server of a table counts, because several may be
    candidates for host at once, including this program.
    """

    def __init__(self) -> None:
        self._users: set[object] = set()
        self._browser: Browser | None = None
        self._watching: asyncio.Task[None] | None = None
        self._found: tuple[FoundTable, ...] = ()
        self._seen: dict[Address, bytes] = {}
        """Where beacons come from, and for which table, the latest last."""

    async def begin(self, user: object) -> None:
        """Search until nobody needs it any more."""
        self._users.add(user)
        if self._browser is None:
            self._browser = Browser(self._take)
            self._watching = asyncio.create_task(BeaconListener(self._see).run())
            await self._browser.start()

    async def end(self, user: object) -> None:
        """`user` no longer needs it."""
        self._users.discard(user)
        if self._users:
            return
        browser, self._browser, self._found = self._browser, None, ()
        watching, self._watching, self._seen = self._watching, None, {}
        await system.end(watching)
        if browser:
            # A failed search does no harm.
            with contextlib.suppress(Exception):
                await browser.close()

    async def close(self) -> None:
        """Nobody needs it any more."""
        users, self._users = self._users, set()
        for user in users:
            await self.end(user)

    def addresses(self, table: bytes) -> list[Address]:
        """Where the table with this id was found, or one that goes on from it."""
        cards = ((each.address, each.card) for each in self._found if each.card)
        found = [where for where, card in cards if table in (card.table, *card.continues)]
        seen = [each for each, here in self._seen.items() if here == table[:TABLE_BYTES]]
        return list(dict.fromkeys((*found, *reversed(seen))))

    def _take(self, tables: tuple[FoundTable, ...]) -> None:
        self._found = tables

    def _see(self, address: Address, beacon: Beacon) -> None:
        self._seen.pop(address, None)
        if beacon.kind is BeaconKind.HERE:
            self._seen[address] = beacon.table
        while len(self._seen) > MAX_SEEN:
            del self._seen[next(iter(self._seen))]


class TableLocator(Route):
    """One guest's route to its table."""

    def __init__(
        self,
        guest: Guest,
        table: bytes,
        addresses: Iterable[Address],
        *,
        search: Search | None = None,
        is_kept: bool = False,
        ask: Ask = reach,
        disk: Disk | None = None,
    ) -> None:
        """Start with `addresses`, the likeliest first, at which the table `table` was found.

        `search` helps if none of them answers. With `is_kept` the table's addresses are stored on
        the disk, and read from it.
        """
        self._guest = guest
        self._table = table
        self._first = tuple(addresses)
        self._search = search
        self._ask = ask
        self._is_kept = is_kept
        self._disk = disk or disks.DISK
        self._trip = RoundTrip()
        """How long the table that it leads to takes to answer."""
        self._last: Address | None = None
        """Where the table was last reached."""
        self._tried: Address | None = None
        """Where it was last tried; None once that has led to the table, or has failed to."""
        self._backoffs: dict[Address, tuple[float, int]] = {}
        """Until when each address that led nowhere comes last, and how often it did."""
        self._noted: tuple[Whereabout, ...] = ()
        self._told: tuple[Address, ...] = ()
        """Where seats could serve the table, or could once, the latest first."""
        self._kept = known_addresses.of_table(table)[:MAX_ASKED] if is_kept else ()
        self._ready: Reached | None = None
        """The table, once it has greeted and waits for a guest."""
        self._finding = 0
        """Searches that are under way."""
        self._searches = False
        """Whether the lobby's search is in use."""
        self._ending: set[asyncio.Task[None]] = set()
        self._heard: dict[Address, Moment] = {}
        """When a machine last answered there since the link was lost, even if nobody serves it."""
        self.on_news: Callable[[], None] = lambda: None
        """Called when somebody answers."""
        self.on_claim: Callable[[FoundTable], None] = lambda answer: None
        """Called when somebody claims to serve a new table that goes on from this one (G8)."""
        self.takes_candidates = True
        """Whether it also leads to mere candidates for host."""
        self.own: Callable[[], Dial | None] = lambda: None
        """The way to this program's own server, while it serves the table."""

    def another(self) -> TableLocator:
        """Another route to the same table, with every address at which it may be now."""
        return TableLocator(self._guest, self._table, self.addresses, search=self._search)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Everywhere that the table may be, the likeliest first."""
        found = self._search.addresses(self._table) if self._search else ()
        known = (*filter(None, [self._last]), *self._first, *found, *self._told, *self._kept)
        return tuple(dict.fromkeys(known))[:MAX_ASKED]

    @property
    def heard(self) -> frozenset[bytes]:
        """Keys of the other seats, except the host's, whose machines answered a moment ago."""
        table, at = self._guest.table, now()
        apart = {self._guest.key, table.host if table else b""}
        others = (place for place in self._guest.places if place.key not in apart)
        heard = {each for each, then in self._heard.items() if at.since(then) <= HEARD_FOR}
        return frozenset(p.key for p in others if heard.intersection(_addresses([p], b"")))

    @property
    def here(self) -> tuple[Address, ...]:
        """Where the current link leads, if that is known, and everywhere else."""
        return tuple(dict.fromkeys((*filter(None, [self._tried or self._last]), *self.addresses)))

    def tick(self) -> None:
        """Note where the seats could serve the table, as its host says.

        Earlier seats are kept: a host that is cut off lists nobody.
        """
        if not self._finding and self._guest.link is LinkState.UP:
            self._end_search()
        places = self._guest.places
        if places is self._noted:
            return
        self._noted = places
        told = dict.fromkeys(_addresses(places, self._guest.key))
        self._told = tuple(dict.fromkeys((*told, *self._told)))[:MAX_ASKED]
        self._keep()

    async def __call__(self, owner: Owner) -> None:
        if own := self.own():
            await own(owner)
            return
        self._back_off()
        reached, self._ready = self._ready, None
        if reached is None:
            reached = await self.reach(is_old_welcome=True)
        self._tried = reached.answer.address
        self._trip = RoundTrip(reached.answer.round_trip)
        reached.pass_to(owner)

    def patience(self, trip: RoundTrip) -> float:
        return trip.gone_delay

    async def answers(self) -> bool:
        if self.own():
            return False
        try:
            self.use(await self.reach(greeting_timeout(self._trip, BESIDE_TIMEOUT)))
        except OSError:
            return False
        return True

    def use(self, reached: Reached | None) -> None:
        """Use this link the next time, if it may lead to the table; with None, search."""
        before, self._ready = self._ready, None
        if before:
            before.hang_up()
        if reached and self._suits(reached.answer, is_old_welcome=True):
            self._ready = reached
        elif reached:
            reached.hang_up()

    def arrived(self) -> None:
        if self.own():
            return
        if self._tried:
            self._last = self._tried
            self._backoffs.pop(self._tried, None)
        self._tried = None
        self._heard.clear()
        self.use(None)
        self._end_search()
        self._keep()

    def _end_search(self) -> None:
        if self._search and self._searches:
            self._searches = False
            task = asyncio.get_running_loop().create_task(self._search.end(self))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    def _keep(self) -> None:
        """Write to the disk where the table may be; a failure is not an error."""
        known = self.addresses
        if self._is_kept and known != self._kept:
            self._kept = known
            # Nobody waits for it: an event loop never waits for a disk.
            self._disk.run(partial(known_addresses.keep_of_table, self._table, known, self._told))

    async def close(self) -> None:
        """Stop looking."""
        self.use(None)
        if self._search:
            await self._search.end(self)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def find(
        self, within: float = FIND_TIMEOUT, *, is_old_welcome: bool = False
    ) -> FoundTable:
        """The best answer for the table: as `reach`, for a caller that only wants to know."""
        reached = await self.reach(within, is_old_welcome=is_old_welcome)
        reached.hang_up()
        return reached.answer

    async def reach(self, within: float = FIND_TIMEOUT, *, is_old_welcome: bool = False) -> Reached:
        """The best answer for the table; raises `OSError` if there is none in this many seconds.

        A host of an earlier epoch than the guest knows cannot be followed. With `is_old_welcome`
        such a host is accepted all the same, to be told of the later epoch.
        """
        asked: _Asked = {}
        self._finding += 1
        try:
            async with asyncio.timeout(within):
                return await self._best_of(asked, is_old_welcome)
        finally:
            self._finding -= 1
            await hang_up_on(asked)

    async def ask_missing(self) -> None:
        """Ask once where a seat could be that is not here: it may serve a new table."""
        present = set(_addresses(self._guest.places, b"")) | set(self.here[:1])
        asked: _Asked = {}
        try:
            self._ask_all(asked, 1, without=present)
            until = loop_time() + SLOW_TIMEOUT
            while asked and loop_time() < until:
                for reached in await _next_reached(asked, until):
                    self._suits(reached.answer, is_old_welcome=False)
                    reached.hang_up()
        finally:
            await hang_up_on(asked)

    async def _best_of(self, asked: _Asked, is_old_welcome: bool) -> Reached:
        """Ask all addresses again and again, and take the best answer once no better
        one is likely."""
        best: Reached | None = None
        begun = next_round = first_heard = loop_time()
        try:
            while True:
                if loop_time() >= next_round:
                    await self._search_from(begun + ASK_INTERVAL)
                    is_early = loop_time() < begun + ASK_INTERVAL
                    self._ask_all(asked, 1 if is_early else MAX_TRIES)
                    next_round = loop_time() + (ASK_EARLY_INTERVAL if is_early else ASK_INTERVAL)
                until = next_round
                if best:
                    is_good = all(self._merit(best.answer)[:3])
                    settled = first_heard + (SETTLE_DELAY if is_good else SETTLE_WORSE_DELAY)
                    if loop_time() >= settled or not asked:
                        found, best = best, None
                        return found
                    until = min(until, settled)
                for reached in await _next_reached(asked, until):
                    if self._suits(reached.answer, is_old_welcome):
                        first_heard = first_heard if best else loop_time()
                        best = self._better(best, reached)
                    else:
                        reached.hang_up()
        finally:
            if best:
                best.hang_up()

    async def _search_from(self, when: float) -> None:
        """Have the lobby's search help, from this time on."""
        if self._search and not self._searches and loop_time() > when:
            self._searches = True
            await self._search.begin(self)

    def _better(self, best: Reached | None, later: Reached) -> Reached:
        """The better one; the other is hung up on."""
        if best is None:
            return later
        old, new = best.answer, later.answer
        if old.address != new.address and self._merit(new) <= self._merit(old):
            best, later = later, best
        best.hang_up()
        return later

    def _ask_all(self, asked: _Asked, most: int, without: Container[Address] = ()) -> None:
        """Put a question to every other address, up to `most`; the first to each may take a
        while."""
        under_way, usual = list(asked.values()), greeting_timeout(self._trip)
        for address in self.addresses:
            tries = under_way.count(address)
            if tries < most and address not in without:
                # The system retries a lost connection too rarely: all but the first are soon
                # repeated.
                within = usual if tries else SLOW_TIMEOUT
                asked[asyncio.create_task(self._ask_one(address, within))] = address

    async def _ask_one(self, address: Address, within: float) -> Reached | None:
        try:
            reached = await self._ask(address, within)
        except ProbeFailed as error:
            if error.reason not in (Failure.SILENT, Failure.UNREACHABLE):
                self._hear(address)
            return None
        self._hear(address)
        return reached

    def _hear(self, address: Address) -> None:
        is_news = address not in self._heard
        self._heard[address] = now()
        if is_news:
            self.on_news()

    def _suits(self, answer: FoundTable, is_old_welcome: bool) -> bool:
        card = answer.card
        if card is not None and self._table in card.continues:
            self.on_claim(answer)
        if card is None or card.table != self._table or answer.key == self._guest.key:
            return False
        if not (is_old_welcome or card.epoch >= self._guest.epoch):
            return False
        offer, rested = self._guest.departure.offer, self.is_rested(answer)
        if offer and offer.host != self._guest.key and (answer.key == offer.host or not rested):
            return False  # its host has too few seats (G8): look for another one
        return card.state is not State.MOVING or self.takes_candidates

    def _merit(self, answer: FoundTable) -> tuple[bool, bool, bool, int]:
        """A sort key that ranks answers."""
        card, rested = answer.card, self.is_rested(answer)
        assert card
        return card.epoch >= self._guest.epoch, rested, card.state is not State.MOVING, card.epoch

    def is_rested(self, answer: FoundTable) -> bool:
        """Whether the address has not led nowhere a moment ago.

        The table's own host, as its key shows, is always worth another attempt: where packets are
        lost, several may lead nowhere.
        """
        table, card = self._guest.table, answer.card
        if table and card and answer.key == table.host and card.epoch >= self._guest.epoch:
            return True
        until, _times = self._backoffs.get(answer.address, (-inf, 0))
        return until <= loop_time()

    def _back_off(self) -> None:
        """The last address has led nowhere: it comes last for a while, longer every time."""
        address, self._tried = self._tried, None
        if address is None:
            return
        _until, times = self._backoffs.get(address, (-inf, 0))
        seconds = min(MIN_BACKOFF * 2**times, MAX_BACKOFF)
        self._backoffs[address] = loop_time() + seconds, times + 1


def _addresses(places: Iterable[Whereabout], own: bytes) -> Iterator[Address]:
    for place in places:
        with contextlib.suppress(ValueError):
            if place.key != own:
                yield Address(place.address, place.port)


async def _next_reached(asked: _Asked, until: float) -> list[Reached]:
    """The next to greet, before this time by the loop's clock."""
    pause = max(0.0, until - loop_time())
    if not asked:
        await asyncio.sleep(pause)
        return []
    done, _ = await asyncio.wait(asked, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        del asked[task]
    return [reached for task in done if (reached := task.result())]
