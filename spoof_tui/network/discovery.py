"""Finds the tables of a network: who is advertised or known is asked, and who answers is listed.

An advert is only a reason to ask: a killed host is advertised for an hour, and anybody can
advertise anything. What is listed has answered over TCP a moment ago.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Interface
from typing import TYPE_CHECKING, Any, Final

from protocol.limits import MAX_NAME
from protocol.messages import Card
from spoof_tui.network import advert
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.multicast import LOOK_EVERY, SERVICE, Multicast, Trouble, load
from spoof_tui.network.probe import (
    PROBE_WITHIN,
    Answer,
    Connect,
    Failure,
    ProbeFailed,
    open_tls,
    probe_any,
)
from spoof_tui.text import show

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo

THIS_MACHINE: Final = Address("127.0.0.1", DEFAULT_PORT)
"""Asked always: people in ssh sessions on one machine find each other without a network."""

MOST_LEADS: Final = 64
"""Adverts that are followed at once: a pub full of tables, and an end to a flood of forgeries."""

MOST_ADDRESSES: Final = 8
"""Addresses of one advert that are tried."""

AT_ONCE: Final = 4
"""Leads that are asked at the same time, of those that answer and of those that do not."""

ASK_AGAIN: Final = 2.0
"""Seconds from the answer of a table to the next question."""

ASK_TWICE: Final = 1.0
"""Seconds from the first missing answer of a listed table to the second chance."""

ASK_SILENT: Final = 3.0
"""Seconds between two questions to what does not answer."""

ASK_LEAST: Final = 0.25
"""Seconds between two questions, however often an advert changes."""

_PUT_AGAIN: Final = 0.5
"""Seconds after which the first question to the network is put again, in the other way."""

_RESOLVE_WITHIN: Final = 3000
"""Milliseconds in which an advert that came in part is completed."""


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that answers."""

    address: Address
    """Where it answered: of several addresses the first, for as long as that answers."""
    card: Card | None
    """The table; None if it speaks another version of the protocol."""
    protocol: int
    """Version of the protocol that it speaks."""
    program: str
    """Version of its host's program."""


@dataclass(slots=True, eq=False)
class _Lead:
    """Where a table may be, and what is known of it."""

    addresses: tuple[Address, ...]
    advert: bytes = b""
    """The TXT record that led here; its content is told apart, not believed."""
    table: bytes = b""
    """The first bytes of the table id, as advertised."""
    answer: Answer | None = None
    """The last answer; None while it is not listed."""
    since: int = 0
    """Place in the order in which leads began to answer."""
    misses: int = 0
    """Questions without an answer since the last one."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is a reason to ask before the time."""
    task: asyncio.Task[None] | None = None

    @property
    def in_order(self) -> list[Address]:
        """The addresses, the one that answered last before the others."""
        best = self.answer.address if self.answer else None
        return sorted(self.addresses, key=lambda address: address != best)

    @property
    def key(self) -> bytes | Address:
        """What is the same for two leads to one table, as far as can be known."""
        assert self.answer
        if self.answer.card:
            return self.answer.card.table
        return self.table or self.answer.address

    @property
    def pause(self) -> float:
        """Seconds to the next question."""
        if not self.answer:
            return ASK_SILENT
        return ASK_TWICE if self.misses else ASK_AGAIN

    def missed(self, reason: Failure) -> None:
        """There was no answer. A full table has answered, if only to say so."""
        if reason is Failure.BUSY:
            return
        self.misses += 1
        if reason is Failure.REFUSED or self.misses > 1:
            self.answer = None


class Browser:
    """The list of tables, kept fresh while it is open."""

    def __init__(
        self,
        on_change: Callable[[tuple[FoundTable, ...]], None],
        on_trouble: Trouble = lambda trouble: None,
        *,
        known: Iterable[Address] = (THIS_MACHINE,),
        connect: Connect = open_tls,
    ) -> None:
        """`on_change` gets the whole list whenever it differs from the last one.

        `on_trouble` is called when `trouble` changes; `known` addresses are asked always.
        """
        self._on_change = on_change
        self._connect = connect
        self._network = Multicast(on_trouble)
        self._leads: dict[str | Address, _Lead] = {}
        """By the name in the advert, or by the address that was given."""
        self._answering = asyncio.Semaphore(AT_ONCE)
        self._silent = asyncio.Semaphore(AT_ONCE)
        self._places = itertools.count(1)
        self._shown: tuple[FoundTable, ...] = ()
        self._questions: AsyncServiceBrowser | None = None
        self._resolving: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_open = False
        for address in known:
            self.add(address)

    @property
    def trouble(self) -> str | None:
        """Why tables may not be found, in words; None when all is well."""
        return self._network.trouble

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """The list as `on_change` got it last."""
        return self._shown

    def add(self, address: Address) -> None:
        """Ask this address too, from now on."""
        if address not in self._leads:
            self._leads[address] = lead = _Lead((address,))
            if self._is_open:
                lead.task = self._spawn(self._follow(lead))

    async def start(self) -> None:
        """Begin to look; returns at once."""
        self._is_open = True
        self._spawn(self._ask_network())
        for lead in self._leads.values():
            lead.task = self._spawn(self._follow(lead))

    async def close(self) -> None:
        """Stop looking. An error that ended a part of the search is raised here."""
        self._is_open = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
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
        # One that failed stays, so that `close` tells.
        if task.cancelled() or not task.exception():
            self._tasks.discard(task)

    # Asking tables

    async def _follow(self, lead: _Lead) -> None:
        """Ask one lead again and again."""
        while True:
            lead.wake.clear()
            async with self._answering if lead.answer else self._silent:
                await self._ask(lead)
            self._show()
            await asyncio.sleep(ASK_LEAST)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(lead.pause - ASK_LEAST):
                    await lead.wake.wait()

    async def _ask(self, lead: _Lead) -> None:
        try:
            answer = await probe_any(lead.in_order, PROBE_WITHIN, self._connect)
        except ProbeFailed as error:
            lead.missed(error.reason)
            return
        if not lead.answer:
            lead.since = next(self._places)
        lead.answer, lead.misses = answer, 0

    def _show(self) -> None:
        """Tell the list, if it changed: one row a table, at the address that came first."""
        answering = [lead for lead in self._leads.values() if lead.answer]
        rows: dict[bytes | Address, FoundTable] = {}
        for lead in sorted(answering, key=lambda lead: lead.since):
            rows.setdefault(lead.key, _row(lead))
        tables = tuple(sorted(rows.values(), key=_place))
        if tables != self._shown:
            self._shown = tables
            self._on_change(tables)

    # Asking the network

    async def _ask_network(self) -> None:
        """Put the question anew every few seconds: zeroconf asks four times, then it is silent."""
        await load()
        from zeroconf import DNSQuestionType

        # At first the answers come by unicast, which is quick but reaches only one process of a
        # machine; then by multicast, which some networks filter; and so on in turns.
        pauses = itertools.chain((_PUT_AGAIN,), itertools.repeat(LOOK_EVERY))
        for kind, pause in zip(itertools.cycle((None, DNSQuestionType.QM)), pauses, strict=False):
            async with self._network.attempt():
                if await self._network.refresh():
                    self._wake_all()
                await self._put_question(kind)
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

    def _wake_all(self) -> None:
        for lead in self._leads.values():
            lead.wake.set()

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """Zeroconf heard of a service, heard more of it, or heard its goodbye."""
        from zeroconf import Error, ServiceStateChange
        from zeroconf.asyncio import AsyncServiceInfo

        if state_change is ServiceStateChange.Removed:
            self._forget(name)
            return
        with contextlib.suppress(Error):  # a name that no service can have
            info = AsyncServiceInfo(service_type, name)
            if info.load_from_cache(zeroconf):
                self._take(info)
            elif not self._answers(name) and len(self._resolving) < MOST_LEADS:
                self._resolve(zeroconf, info)

    def _answers(self, name: str) -> bool:
        lead = self._leads.get(name)
        return lead is not None and lead.answer is not None

    def _resolve(self, zeroconf: Zeroconf, info: AsyncServiceInfo) -> None:
        """Ask for the records that are missing."""
        if info.name not in self._resolving:
            self._resolving.add(info.name)
            self._spawn(self._complete(zeroconf, info))

    async def _complete(self, zeroconf: Zeroconf, info: AsyncServiceInfo) -> None:
        from zeroconf import Error

        try:
            with contextlib.suppress(OSError, RuntimeError, Error):
                if await info.async_request(zeroconf, _RESOLVE_WITHIN):
                    self._take(info)
        finally:
            self._resolving.discard(info.name)

    def _take(self, info: AsyncServiceInfo) -> None:
        """Follow the lead of an advert, and ask at once if it says anything new."""
        addresses = _addresses(info, self._network.interfaces)
        if not addresses:
            return
        lead = self._leads.get(info.name)
        if lead is None:
            if len(self._leads) >= MOST_LEADS:
                return
            self._leads[info.name] = lead = _Lead(addresses)
            lead.task = self._spawn(self._follow(lead))
        elif (lead.addresses, lead.advert) != (addresses, info.text):
            lead.wake.set()
        lead.addresses, lead.advert = addresses, info.text or b""
        lead.table = advert.read(info.properties).table

    def _forget(self, name: str) -> None:
        """The advert is withdrawn."""
        lead = self._leads.pop(name, None)
        if lead:
            assert lead.task
            lead.task.cancel()
            self._show()


def _row(lead: _Lead) -> FoundTable:
    answer = lead.answer
    assert answer
    return FoundTable(answer.address, answer.card, answer.protocol, answer.program)


def _place(table: FoundTable) -> tuple[bool, str, bytes, Address]:
    """By name, then by id; what speaks another version comes last."""
    card = table.card
    name, identity = (show(card.name, MAX_NAME).casefold(), card.table) if card else ("", b"")
    return card is None, name, identity, table.address


def _addresses(
    info: AsyncServiceInfo, interfaces: tuple[IPv4Interface, ...]
) -> tuple[Address, ...]:
    """The addresses of an advert that can be asked, those on an own network first."""
    from zeroconf import IPVersion

    hosts = map(IPv4Address, info.parsed_addresses(IPVersion.V4Only))
    usable = [host for host in hosts if not (host.is_unspecified or host.is_multicast)]
    usable.sort(key=lambda host: (_distance(host, interfaces), host))
    return tuple(Address(str(host), info.port) for host in usable[:MOST_ADDRESSES] if info.port)


def _distance(host: IPv4Address, interfaces: tuple[IPv4Interface, ...]) -> int:
    """0 for a host on the network of the best own interface, and so on."""
    near = (place for place, interface in enumerate(interfaces) if host in interface.network)
    return next(near, len(interfaces))
