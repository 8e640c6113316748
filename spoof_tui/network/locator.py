"""The route to a table that may be anywhere: every address at which it can be is asked at once.

A table stays where it was, comes back with another address, or moves to another host. Answers are
judged by their cards alone: the newest host wins, or a candidate for host. Whether an answer can be
trusted is for the guest to find out, once it is connected.
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
"""Seconds between two questions to an address in the first moments of a search: a host that was
just named may not be listening yet."""

MAX_TRIES: Final = 3
"""Maximum number of unanswered questions to one address at the same time."""

MAX_ASKED: Final = 24
"""Maximum number of addresses that are asked: all seats of a table, where they are and where they
were."""

MAX_SEEN: Final = 256
"""Maximum number of beacons that are remembered, since anybody can forge them."""

SETTLE_DELAY: Final = 0.1
"""Seconds for which other answers are awaited after a host has answered, since a later host may be
among them."""

SETTLE_WORSE_DELAY: Final = 0.3
"""Seconds for which other answers are awaited after that of a candidate, or of an address that led
nowhere before."""

HEARD_FOR: Final = 3.0
"""Seconds for which a machine that has answered counts as heard."""

FIND_TIMEOUT: Final = 20.0
"""Seconds after which a search has failed; the next one begins at once."""

BESIDE_TIMEOUT: Final = 1.0
"""Seconds that a search beside an existing link takes, unless the table was slow to answer
before."""

MIN_BACKOFF: Final = 1.5
MAX_BACKOFF: Final = 60.0
"""Seconds for which an address that did not lead to the table comes last: `MIN_BACKOFF` the first
time, up to this."""

Ask = Callable[[Address, float], Awaitable[Reached]]
"""A function that returns the table that greets at an address within so many seconds; raises
`ProbeFailed`."""

_Asked = dict[asyncio.Task[Reached | None], Address]
"""The questions that wait for an answer, with the address of each."""


class Search:
    """The lobby's search for tables, shared by all parts of a program that need it.

    The lobby shows one row per table. Here every server of a table counts, because several programs
    may be candidates for host at once, including this one.
    """

    def __init__(self) -> None:
        self._users: set[object] = set()
        self._browser: Browser | None = None
        self._watching: asyncio.Task[None] | None = None
        self._found: tuple[FoundTable, ...] = ()
        self._seen: dict[Address, bytes] = {}
        """Addresses that beacons came from, with the first bytes of the table id, the latest
        last."""

    async def begin(self, user: object) -> None:
        """Search until the last of its users calls `end`."""
        self._users.add(user)
        if self._browser is None:
            self._browser = Browser(self._take)
            self._watching = asyncio.create_task(BeaconListener(self._see).run())
            await self._browser.start()

    async def end(self, user: object) -> None:
        """Note that `user` no longer needs the search, which ends with the last user."""
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
        """End the search, for everybody who uses it."""
        users, self._users = self._users, set()
        for user in users:
            await self.end(user)

    def addresses(self, table: bytes) -> list[Address]:
        """Addresses where the table with this id was found, or one that goes on from it."""
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
    """The route of one guest to its table, wherever that is."""

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
        """Start with `addresses`, the likeliest first, at which the table with the id `table` was
        found.

        `search` helps if none of them answers. With `is_kept` the table's addresses are saved on
        disk, and read from it.
        """
        self._guest = guest
        self._table = table
        self._first = tuple(addresses)
        self._search = search
        self._ask = ask
        self._is_kept = is_kept
        self._disk = disk or disks.DISK
        self._trip = RoundTrip()
        """The round trips of the last link to the table."""
        self._last: Address | None = None
        """The address where the table was last reached; None if it was not."""
        self._tried: Address | None = None
        """The address that was last connected to; None once that has led to the table, or failed
        to."""
        self._backoffs: dict[Address, tuple[float, int]] = {}
        """For each address that led nowhere, until when it comes last by the loop's clock, and how
        often it led nowhere."""
        self._noted: tuple[Whereabout, ...] = ()
        self._told: tuple[Address, ...] = ()
        """Addresses where seats could serve the table now or before, the latest first."""
        self._kept = known_addresses.of_table(table)[:MAX_ASKED] if is_kept else ()
        self._ready: Reached | None = None
        """A link on which the table has greeted, for the next connection; None if there is none
        yet."""
        self._finding = 0
        """Number of searches that are under way."""
        self._searches = False
        """Whether the lobby's search is used."""
        self._ending: set[asyncio.Task[None]] = set()
        self._heard: dict[Address, Moment] = {}
        """When a machine last answered at each address since the link was lost, whether or not it
        serves the table."""
        self.on_news: Callable[[], None] = lambda: None
        """Called when a machine answers for the first time since the link was lost."""
        self.on_claim: Callable[[FoundTable], None] = lambda answer: None
        """Called when somebody claims to serve a new table that goes on from this one (G8)."""
        self.takes_candidates = True
        """Whether candidates for host are accepted, and not only hosts."""
        self.own: Callable[[], Dial | None] = lambda: None
        """Returns how to connect to this program's own server; None while it does not serve the
        table."""

    def another(self) -> TableLocator:
        """Another route to the same table, with all addresses that are known now."""
        return TableLocator(self._guest, self._table, self.addresses, search=self._search)

    @property
    def addresses(self) -> tuple[Address, ...]:
        """All addresses where the table may be, the likeliest first."""
        found = self._search.addresses(self._table) if self._search else ()
        known = (*filter(None, [self._last]), *self._first, *found, *self._told, *self._kept)
        return tuple(dict.fromkeys(known))[:MAX_ASKED]

    @property
    def heard(self) -> frozenset[bytes]:
        """Public keys of the other seats, except the host's, whose machines answered a moment
        ago."""
        table, at = self._guest.table, now()
        apart = {self._guest.key, table.host if table else b""}
        others = (place for place in self._guest.places if place.key not in apart)
        heard = {each for each, then in self._heard.items() if at.since(then) <= HEARD_FOR}
        return frozenset(p.key for p in others if heard.intersection(_addresses([p], b"")))

    @property
    def here(self) -> tuple[Address, ...]:
        """All addresses where the table may be, that of the current link first if it is known."""
        return tuple(dict.fromkeys((*filter(None, [self._tried or self._last]), *self.addresses)))

    def tick(self) -> None:
        """Note where the seats could serve the table, as its host last told; end the lobby's search
        while the link is up.

        Earlier seats are kept, because a host that is cut off lists nobody.
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
        """Use this link for the next connection if it suits, otherwise hang up; with None, search
        the next time."""
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
        """Save the table's addresses on disk if they have changed; a failure is not an error."""
        known = self.addresses
        if self._is_kept and known != self._kept:
            self._kept = known
            # Nobody waits for it: an event loop never waits for a disk.
            self._disk.run(partial(known_addresses.keep_of_table, self._table, known, self._told))

    async def close(self) -> None:
        """Stop searching, and hang up on a link that waits to be used."""
        self.use(None)
        if self._search:
            await self._search.end(self)
        await asyncio.gather(*self._ending, return_exceptions=True)

    async def find(
        self, within: float = FIND_TIMEOUT, *, is_old_welcome: bool = False
    ) -> FoundTable:
        """The best answer for the table, as `reach` finds it, without keeping the link; raises
        `OSError`."""
        reached = await self.reach(within, is_old_welcome=is_old_welcome)
        reached.hang_up()
        return reached.answer

    async def reach(self, within: float = FIND_TIMEOUT, *, is_old_welcome: bool = False) -> Reached:
        """The link with the best answer for the table; raises `OSError` if there is none within so
        many seconds.

        A host of an earlier epoch than the guest knows cannot be followed. With `is_old_welcome` it
        is accepted all the same, to be told of the later epoch.
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
        """Ask every address where a missing seat could be, one time each: such a seat may serve a
        new table, which `on_claim` then reports."""
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
        """Ask all addresses again and again, and return the best answer once no better one is
        likely."""
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
        """Begin to use the lobby's search if the time `when` has passed, by the loop's clock."""
        if self._search and not self._searches and loop_time() > when:
            self._searches = True
            await self._search.begin(self)

    def _better(self, best: Reached | None, later: Reached) -> Reached:
        """The better of the two answers; hangs up on the other."""
        if best is None:
            return later
        old, new = best.answer, later.answer
        if old.address != new.address and self._merit(new) <= self._merit(old):
            best, later = later, best
        best.hang_up()
        return later

    def _ask_all(self, asked: _Asked, most: int, without: Container[Address] = ()) -> None:
        """Ask every address that has fewer than `most` unanswered questions, except those in
        `without`; the first question to each may take longer."""
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
        """The sort key of an answer; the better one is greater."""
        card, rested = answer.card, self.is_rested(answer)
        assert card
        return card.epoch >= self._guest.epoch, rested, card.state is not State.MOVING, card.epoch

    def is_rested(self, answer: FoundTable) -> bool:
        """Whether the address of this answer may be tried: it has not failed a moment ago.

        The table's own host, as its key shows, always counts as rested, since on a lossy link
        several attempts may fail.
        """
        table, card = self._guest.table, answer.card
        if table and card and answer.key == table.host and card.epoch >= self._guest.epoch:
            return True
        until, _times = self._backoffs.get(answer.address, (-inf, 0))
        return until <= loop_time()

    def _back_off(self) -> None:
        """Note that the last address has led nowhere: it comes last for a while, each time for
        longer."""
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
    """The links on which a table greeted first, before the time `until` by the loop's clock; empty
    if none did."""
    pause = max(0.0, until - loop_time())
    if not asked:
        await asyncio.sleep(pause)
        return []
    done, _ = await asyncio.wait(asked, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
    for task in done:
        del asked[task]
    return [reached for task in done if (reached := task.result())]
