"""Finds the tables of a network: each one that is advertised or known is asked, and listed if it
answers.

Adverts, beacons and earlier addresses are only reasons to ask: a killed host is advertised for an
hour, and anybody can forge anything. A listed table has answered over TCP a moment ago, and only a
missing answer takes it off the list.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import math
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, Final

from protocol.host.rate_limit import Bucket
from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.adverts import addresses_in, table_of
from spoof_tui.network.beacon import CROWD_RATE, Beacon, BeaconKind, BeaconListener
from spoof_tui.network.endpoints import (
    MAX_ENDPOINTS,
    Endpoint,
    FoundBy,
    Probes,
    give_way,
    has_room,
    place_of,
)
from spoof_tui.network.links import Connect, dial
from spoof_tui.network.mdns import LOOK_INTERVAL, SERVICE, MdnsEndpoint, Trouble, load
from spoof_tui.network.probe import ATTEMPT_DELAY, FoundTable, ProbeFailed

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

THIS_MACHINE: Final = Address("127.0.0.1", DEFAULT_PORT)
"""The address that is always asked, so that people in ssh sessions on one machine find each other
without a network."""

MAX_RESOLVED: Final = 64
"""Maximum number of adverts that are resolved at the same time; others get their turn when they are
heard again."""

MAX_STRANGERS: Final = 128
"""Beacons from new addresses that are followed per second when the list of endpoints is full, since
finding one to replace costs more than ignoring them."""

MIN_ASK_INTERVAL: Final = 0.25
"""Minimum seconds between two questions to one endpoint, however often its advert changes."""

_SECOND_QUESTION_DELAY: Final = 0.5
"""Seconds after which the first mDNS question is repeated by multicast."""

_RESOLVE_TIMEOUT: Final = 3000
"""Milliseconds in which the missing records of an advert are waited for."""


class Browser:
    """The list of tables on the network, kept up to date from `start` to `close`."""

    def __init__(
        self,
        on_change: Callable[[tuple[FoundTable, ...]], None],
        on_trouble: Trouble = lambda trouble: None,
        *,
        known: Iterable[Address] | None = None,
        connect: Connect = dial,
    ) -> None:
        """`on_change` gets the whole list whenever it has changed.

        `on_trouble` is called when `trouble` changes. The `known` addresses are always asked; None
        for those of this machine and of the last tables.
        """
        self._on_change = on_change
        self._listener = BeaconListener(self._seen)
        self._network = MdnsEndpoint(on_trouble, lambda: self._listener.broadcast.is_denied)
        self._endpoints: dict[str | Address, Endpoint] = {}
        """The endpoints by name in the advert, or by the address that was given or heard."""
        self._strangers = Bucket(MAX_ENDPOINTS, 1 / MAX_STRANGERS)
        self._probes = Probes(connect)
        self._places = itertools.count(1)
        self.tables: tuple[FoundTable, ...] = ()
        """The list that was last passed to `on_change`."""
        self._answering: dict[Address, list[Endpoint]] | None = None
        """The endpoints that answer, by address; None if they have to be worked out anew."""
        self._questions: AsyncServiceBrowser | None = None
        self._resolving: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open = False
        for address in _last_known() if known is None else known:
            self.add(address)

    @property
    def trouble(self) -> str | None:
        """A sentence that says why tables may not be found; None if all is well."""
        return self._network.trouble

    @property
    def unanswered(self) -> tuple[Address, ...]:
        """Addresses of tables that send beacons but do not answer."""
        now = loop_time()
        silent = [each for each in self._of(FoundBy.BEACON) if each.misses and not each.answer]
        return tuple(each.addresses[0] for each in silent if each.is_heard(now))

    @property
    def is_waiting(self) -> bool:
        """Whether a table that sends beacons has not answered yet."""
        now = loop_time()
        return any(each.is_heard(now) and not each.answer for each in self._of(FoundBy.BEACON))

    def add(self, address: Address) -> None:
        """Ask this address, too, from now on."""
        endpoint = self._endpoints.get(address)
        if endpoint:
            endpoint.origin = FoundBy.GIVEN
        else:
            self._begin(address, Endpoint((address,), FoundBy.GIVEN))

    async def start(self) -> None:
        """Begin to search; returns at once."""
        self._is_open = True
        self._spawn(self._listener.run())
        self._spawn(self._ask_network())
        for name, endpoint in self._endpoints.items():
            endpoint.task = self._spawn(self._follow(name, endpoint))

    async def close(self) -> None:
        """Stop searching; raises the error that has ended a part of the search, if any."""
        self._is_open = False
        results = await system.end(*self._tasks)
        await self._stop_asking()
        await self._network.close()
        for result in results:
            if isinstance(result, Exception):
                raise result

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        # A failed task is kept, so that `close` raises its error.
        if task.cancelled() or not task.exception():
            self._tasks.discard(task)

    # Endpoints

    def _begin(self, name: str | Address, endpoint: Endpoint) -> None:
        self._endpoints[name] = endpoint
        if self._is_open:
            endpoint.task = self._spawn(self._follow(name, endpoint))

    def _drop(self, name: str | Address) -> None:
        endpoint = self._endpoints.pop(name, None)
        self._answering = None
        if endpoint and endpoint.task:
            endpoint.task.cancel()

    def _of(self, origin: FoundBy) -> list[Endpoint]:
        return [endpoint for endpoint in self._endpoints.values() if endpoint.origin is origin]

    # Asking tables

    async def _follow(self, name: str | Address, endpoint: Endpoint) -> None:
        """Ask one endpoint again and again, until nothing suggests any more that a table is
        there."""
        if ":" in endpoint.addresses[0].host:
            # People tell each other addresses: of two for one table the shorter one is listed.
            await asyncio.sleep(ATTEMPT_DELAY)
        while not endpoint.is_over(loop_time()):
            endpoint.wake.clear()
            before = endpoint.answer
            await self._ask(endpoint)
            # The same card again changes nothing, and there may be hundreds.
            if before != endpoint.answer or (before and not before.card):
                self._show()
            await self._rest(endpoint)
        del self._endpoints[name]
        self._answering = None

    async def _ask(self, endpoint: Endpoint) -> None:
        was = endpoint.key if endpoint.answer else None
        try:
            answer = self._known_of(endpoint) or await self._probes.ask(endpoint)
        except ProbeFailed as error:
            endpoint.missed(error.reason, loop_time())
            if was and endpoint.misses:
                self._doubt(was)
        else:
            if not endpoint.answer:
                endpoint.since = next(self._places)
            is_news = endpoint.answer is None or endpoint.answer.card != answer.card
            endpoint.answered(answer)
            if is_news:
                self._compare(endpoint)
            beacon = self._endpoints.get(answer.address, endpoint)
            endpoint.heard = max(endpoint.heard, beacon.heard)
        endpoint.asked = loop_time()

    def _known_of(self, endpoint: Endpoint) -> FoundTable | None:
        """The last answer of another endpoint at an address of this one, if this one is new; None
        otherwise."""
        if not endpoint.is_new:
            return None
        here = (each for where in endpoint.addresses for each in self._by_address().get(where, ()))
        return next((each.answer for each in here if each is not endpoint), None)

    def _compare(self, news: Endpoint) -> None:
        """Have the other endpoints of a table asked soon if the answer of this one differs from
        theirs."""
        if news.answer is None:
            return
        for endpoint in self._endpoints.values():
            answer = endpoint.answer
            if answer and endpoint.key == news.key and answer.card != news.answer.card:
                endpoint.wake.set()

    def _doubt(self, table: bytes | Address) -> None:
        """Have the other endpoints of a table asked at once, because one has not answered and they
        may be gone, too."""
        for endpoint in self._endpoints.values():
            if endpoint.answer and endpoint.key == table and not endpoint.misses:
                endpoint.doubt()

    async def _rest(self, endpoint: Endpoint) -> None:
        """Wait until the endpoint is due to be asked again, which its beacons may put off."""
        await asyncio.sleep(MIN_ASK_INTERVAL)
        endpoint.crowd = sum(map(len, self._by_address().values()))
        while not endpoint.wake.is_set() and (pause := endpoint.due - loop_time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await endpoint.wake.wait()

    def _by_address(self) -> dict[Address, list[Endpoint]]:
        """The endpoints that answer, by address."""
        if self._answering is None:
            self._answering = {}
            for endpoint in self._endpoints.values():
                if endpoint.answer:
                    self._answering.setdefault(endpoint.answer.address, []).append(endpoint)
        return self._answering

    def _show(self) -> None:
        """Publish the list if it has changed: one row per table, with the address that answered
        first."""
        self._answering = None
        answering = [endpoint for endpoint in self._endpoints.values() if endpoint.answer]
        rows: dict[bytes | Address, Endpoint] = {}
        for endpoint in sorted(answering, key=lambda endpoint: endpoint.since):
            endpoint.is_row = rows.setdefault(endpoint.key, endpoint) is endpoint
        found = {key: row.answer for key, row in rows.items() if row.answer}
        tables = tuple(sorted(found.values(), key=place_of))
        if self._is_open and tables != self.tables:
            self.tables = tables
            self._on_change(tables)

    # Hearing beacons

    def _seen(self, address: Address, beacon: Beacon) -> None:
        """Handle a beacon, which may be forged."""
        here = self._by_address().get(address, [])
        if beacon.kind is BeaconKind.GONE:
            # Nothing more: it may be forged, and a table that is gone refuses connections anyway.
            for each in here:
                each.wake.set()
            return
        endpoint = self._endpoint_at(address)
        if endpoint is None:
            return
        if not endpoint.is_heard(loop_time()) or endpoint.table != beacon.table:
            endpoint.wake.set()
        endpoint.table = beacon.table
        for heard in (endpoint, *here):
            heard.heard = loop_time()

    def _endpoint_at(self, address: Address) -> Endpoint | None:
        """The endpoint for a beacon from this address, added if need be; None if there are too
        many."""
        endpoint = self._endpoints.get(address)
        if endpoint or not self._strangers.take(loop_time()):
            return endpoint
        others = self._of(FoundBy.BEACON)
        if not has_room(others, address.host):
            last = give_way(others, address.host)
            if last is None:
                return None
            self._drop(last.addresses[0])
        endpoint = Endpoint((address,), FoundBy.BEACON)
        self._begin(address, endpoint)
        return endpoint

    # Asking the network

    async def _ask_network(self) -> None:
        """Repeat the mDNS question every few seconds, because zeroconf asks four times and is then
        silent."""
        await load()
        from zeroconf import DNSQuestionType

        # At first the answers come by unicast, which is fast but reaches only one process of a
        # machine; then by multicast, which some networks filter; and so on in turn.
        pauses = itertools.chain((_SECOND_QUESTION_DELAY,), itertools.repeat(LOOK_INTERVAL))
        kinds, due = itertools.cycle((None, DNSQuestionType.QM)), -math.inf
        for pause in pauses:
            async with self._network.attempt():
                is_other = await self._network.refresh()
                if is_other:
                    for endpoint in self._endpoints.values():
                        endpoint.wake.set()
                if is_other or loop_time() >= due:
                    # Each time all adverts are heard again: in a crowd, ask less often.
                    due = loop_time() + len(self.tables) / CROWD_RATE
                    await self._put_question(next(kinds))
            await asyncio.sleep(pause)

    async def _put_question(self, kind: Any) -> None:
        from zeroconf.asyncio import AsyncServiceBrowser

        await self._stop_asking()
        if self._network.zeroconf:
            self._questions = AsyncServiceBrowser(
                self._network.zeroconf, SERVICE, [self._heard], question_type=kind
            )

    async def _stop_asking(self) -> None:
        if self._questions:
            await self._questions.async_cancel()
            self._questions = None

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """Handle a service that zeroconf has found, updated or lost."""
        from zeroconf import Error, ServiceStateChange
        from zeroconf.asyncio import AsyncServiceInfo

        if state_change is ServiceStateChange.Removed:
            self._forget(name)
            return
        if state_change is ServiceStateChange.Added and self._answers(name):
            return  # repeated in answer to a repeated question
        with contextlib.suppress(Error):  # a name that no service can have
            info = AsyncServiceInfo(service_type, name)
            if info.load_from_cache(zeroconf):
                self._take(info)
                return
            is_new = name not in self._resolving and not self._answers(name)
            if is_new and len(self._resolving) < MAX_RESOLVED:
                self._resolving.add(name)
                self._spawn(self._resolve(zeroconf, info))

    def _answers(self, name: str) -> bool:
        endpoint = self._endpoints.get(name)
        return endpoint is not None and endpoint.answer is not None

    async def _resolve(self, zeroconf: Zeroconf, info: AsyncServiceInfo) -> None:
        """Ask for the missing records of an advert."""
        from zeroconf import Error

        try:
            with contextlib.suppress(OSError, RuntimeError, Error):
                if await info.async_request(zeroconf, _RESOLVE_TIMEOUT):
                    self._take(info)
        finally:
            self._resolving.discard(info.name)

    def _take(self, info: AsyncServiceInfo) -> None:
        """Follow an advert, and have its endpoint asked at once if anything in it is new."""
        addresses = addresses_in(info, self._network.interfaces)
        if not addresses:
            return
        endpoint = self._endpoints.get(info.name)
        if endpoint is None:
            if len(self._of(FoundBy.ADVERT)) >= MAX_ENDPOINTS:
                return
            endpoint = Endpoint(addresses, FoundBy.ADVERT)
            self._begin(info.name, endpoint)
        elif (endpoint.addresses, endpoint.advert) != (addresses, info.text):
            endpoint.wake.set()
        endpoint.addresses, endpoint.advert = addresses, info.text or b""
        endpoint.table = table_of(info.properties)

    def _forget(self, name: str) -> None:
        """Drop the endpoint of an advert that was withdrawn."""
        if name in self._endpoints:
            self._drop(name)
            self._show()


def _last_known() -> tuple[Address, ...]:
    return (THIS_MACHINE, *reversed((*known_addresses.addresses(), *known_addresses.seats())))
