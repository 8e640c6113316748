"""Observes this machine and its network for a few seconds.

What a system does not tell without special rights is recorded as None, and leads to no finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import shutil
import socket
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Interface
from pathlib import Path
from typing import Any, Final, TypeVar

from protocol.timeouts import RoundTrip
from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network import addresses
from spoof_tui.network.addresses import (
    DEFAULT_PORT,
    Address,
    Interface,
    is_of_unknown_link,
    scoped_addresses,
    unscoped,
)
from spoof_tui.network.beacon import TABLE_BYTES, Beacon
from spoof_tui.network.diagnosis.asking import Asker
from spoof_tui.network.diagnosis.observations import (
    Adapter,
    Attempt,
    Firewall,
    FirewallKind,
    Observations,
    OwnTable,
)
from spoof_tui.network.probe import GREETING_TRIPS, Failure, ProbeFailed, greeting_timeout, probe

EXAMINATION_TIMEOUT: Final = 2.8
"""Maximum seconds that an examination takes."""

MAX_ATTEMPTS: Final = 8
"""Maximum number of addresses that are tried."""

NOBODYS: Final = tuple(Address(host, 80) for host in ("192.0.2.1", "198.51.100.1", "203.0.113.1"))
"""Addresses reserved for examples (RFC 5737), which nobody has: if one answers, something on the
network answers in place of everybody."""

_NOBODYS_ASKED: Final = 2

_PAGE: Final = frozenset({*range(200, 400), 511})
"""HTTP statuses that mean a page, a redirect to one, or a request to sign in (RFC 6585)."""

_MAX_STATUS_LINE: Final = 64

_QUESTION_TIMES: Final = (0.0, 0.25, 0.6)
"""Seconds after the start at which the questions are sent: some may be lost."""

_HEARING_TIME: Final = 1.0
"""Seconds for which tables on this network are listened for."""

_MEASURE_INTERVAL: Final = 0.1
"""Seconds between two questions to one machine."""

_CONNECT_PART: Final = 0.8
"""The part of an attempt's time within which the connection must be made."""

_TRIES: Final = 4
_TRY_DELAY: Final = 0.3
"""Seconds between the starts of the attempts to make one connection, of which there are
`_TRIES`."""

_LEAST: Final = 0.05
"""Minimum seconds that a table gets to greet, however late it is."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Request:
    """What to examine, and for how long."""

    target: Address | None = None
    """The address of a table that should answer; None to examine the network in general."""
    suspects: tuple[Address, ...] = ()
    """Addresses at which tables were advertised and did not answer."""
    hosting: OwnTable | None = None
    """What the table that this program hosts has noticed; None if there is none."""
    questions: int = 3
    """How many questions the target is asked to measure the link."""
    within: float = EXAMINATION_TIMEOUT
    """Seconds that the examination may take."""


async def examine(request: Request) -> Observations:
    """Observe the network; takes little more than `request.within`.

    It waits longer only for a table that answers slowly.
    """
    adapters = await asyncio.to_thread(_adapters)
    end = loop_time() + request.within
    interfaces = _interfaces(adapters)
    asker = Asker(interfaces)
    attempts = _Attempts(adapters, end, lambda: asker.trip)
    intercepting = asyncio.create_task(_is_intercepted(adapters, end))
    try:
        await asker.open()
        for address in scoped_addresses(request.target, interfaces) if request.target else ():
            attempts.begin(address)
        await _ask(asker, request)
        heard = (*asker.tables, *asker.alone, *request.suspects)
        # People tell each other addresses: of two for one table the shorter one is shown.
        for address in sorted(heard, key=lambda each: ":" in each.host):
            attempts.begin(address)
        tried = await attempts.finish(asker)
        is_intercepted = await intercepting
    finally:
        intercepting.cancel()
        await attempts.close()
        await asker.close()
    return Observations(
        adapters=adapters,
        target=request.target,
        attempts=_of_target(tried, request.target),
        has_asked=asker.has_asked,
        hears_itself=asker.hears_itself,
        answered=frozenset(asker.answered),
        others=asker.others,
        is_forbidden=asker.is_forbidden,
        detours=detours(adapters),
        is_intercepted=is_intercepted,
        shares_port=asker.shares_port,
        firewall=own_firewall(),
        machine=system.computer_name(),
        figures=asker.figures,
        hosting=request.hosting,
    )


def _adapters() -> tuple[Adapter, ...]:
    try:
        return own_adapters()
    except OSError:
        return ()


def _interfaces(adapters: Sequence[Adapter]) -> tuple[Interface, ...]:
    """The addresses to send questions from: those of containers and tunnels only if there are no
    others."""
    outer = [each for each in adapters if not each.is_virtual and each.interfaces]
    return tuple(one for each in outer or adapters for one in each.interfaces)


def _of_target(tried: Sequence[Attempt], target: Address | None) -> tuple[Attempt, ...]:
    """The attempts; if the target was tried at several adapters, only the best of those, as one for
    the target."""
    if target is None or not is_of_unknown_link(target.host):
        return tuple(tried)
    spelled = [each for each in tried if each.address.host.partition("%")[0] == target.host]
    spelled.sort(key=lambda each: (each.failure is not None, each.seconds is None))
    others = [each for each in tried if each not in spelled]
    return (*(replace(each, address=target) for each in spelled[:1]), *others)


async def _ask(asker: Asker, request: Request) -> None:
    """Send all questions to everybody and to the target, and listen for the answers."""
    begun = loop_time()
    measuring = asyncio.create_task(_measure(asker, request))
    try:
        for when in _QUESTION_TIMES:
            await asyncio.sleep(max(0.0, begun + when - loop_time()))
            asker.ask()
        await asyncio.sleep(max(0.0, begun + _HEARING_TIME - loop_time()))
        await measuring
    finally:
        measuring.cancel()


async def _measure(asker: Asker, request: Request) -> None:
    """Ask the target's machine `request.questions` times."""
    host = await _number_of(request.target)
    for _ in range(request.questions if host else 0):
        await asker.ask_directly(host)
        await asyncio.sleep(_MEASURE_INTERVAL)


async def _number_of(target: Address | None) -> str:
    if target is None or is_of_unknown_link(target.host):
        return ""
    try:
        async with asyncio.timeout(_HEARING_TIME):
            found = await asyncio.get_running_loop().getaddrinfo(target.host, DEFAULT_PORT)
    except (OSError, TimeoutError):
        return ""
    return str(found[0][4][0])


class _Attempts:
    """Attempts to connect to several addresses at the same time."""

    def __init__(self, adapters: Sequence[Adapter], end: float, trip: Callable[[], float]) -> None:
        self._adapters = adapters
        self._end = end
        self._trip = trip
        self._tasks: dict[Address, asyncio.Task[Attempt]] = {}

    def begin(self, address: Address) -> None:
        """Begin to try an address, unless it is being tried already, or `MAX_ATTEMPTS` others
        are."""
        if address not in self._tasks and len(self._tasks) < MAX_ATTEMPTS:
            self._tasks[address] = asyncio.create_task(_attempt(address, self._end, self._trip))

    async def finish(self, asker: Asker) -> tuple[Attempt, ...]:
        """The results of all attempts, with what `asker` heard from each address."""
        done = [await task for task in self._tasks.values()]
        heard = asker.alone | asker.tables
        return tuple(
            self._placed(each, heard.get(each.address), each.address in asker.tables)
            for each in done
        )

    def _placed(self, attempt: Attempt, beacon: Beacon | None, is_public: bool) -> Attempt:
        host = attempt.address.host
        near = is_near(host, self._adapters)
        answers = is_there(host) if near else None
        return replace(
            attempt,
            table=attempt.table or (beacon.table if beacon else b""),
            is_heard=beacon is not None,
            is_public=is_public,
            is_near=near,
            is_there=answers,
        )

    async def close(self) -> None:
        """Cancel the attempts that are not finished."""
        await system.end(*self._tasks.values())


async def _attempt(
    address: Address, end: float, trip: Callable[[], float] = lambda: 0.0
) -> Attempt:
    """The result of connecting to an address, and then waiting for a greeting there.

    `trip` returns the seconds that a table took to answer a question; 0 before the first answer.
    """
    begun = loop_time()
    try:
        await _connect_within((end - begun) * _CONNECT_PART, trip, address)
    except TimeoutError:
        return Attempt(address, Failure.SILENT)
    except ConnectionRefusedError:
        return Attempt(address, Failure.REFUSED)
    except OSError:
        return Attempt(address, Failure.UNREACHABLE)
    seconds = loop_time() - begun
    # A table on a slow network is not one that hangs.
    within = greeting_timeout(RoundTrip(seconds), max(end - loop_time(), _LEAST))
    try:
        answer = await probe([address], within)
    except ProbeFailed as error:
        return Attempt(address, error.reason, seconds=seconds)
    table = answer.card.table[:TABLE_BYTES] if answer.card else b""
    # One of the two connections may have lost a packet, which the system resends after a second.
    seconds = min(seconds, answer.round_trip or seconds)
    return Attempt(address, None, answer.protocol, answer.program, seconds, table)


async def _is_intercepted(adapters: Sequence[Adapter], end: float) -> bool:
    """Whether an address that nobody has answers with a web page."""
    far = [each for each in NOBODYS if not is_near(each.host, adapters)]
    pages = [_has_page(each, end) for each in far[:_NOBODYS_ASKED]]
    return any(await asyncio.gather(*pages))


async def _has_page(nobodys: Address, end: float) -> bool:
    """Whether an address answers with a web page, or a redirect to one.

    A proxy that accepts every connection and then says nothing is not a sign-in page; nor is one
    that reports that nobody is there.
    """
    try:
        async with asyncio.timeout(max(end - loop_time(), 0)):
            tries = [_status(nobodys, number * _TRY_DELAY) for number in range(_TRIES)]
            return await _first_of(tries) in _PAGE
    except (OSError, TimeoutError):
        return False


async def _status(address: Address, delay: float) -> int:
    """The HTTP status with which an address answers a web request; 0 if it answers otherwise.
    Raises `OSError`."""
    await asyncio.sleep(delay)
    reader, writer = await asyncio.open_connection(address.host, address.port)
    try:
        writer.write(f"GET / HTTP/1.0\r\nHost: {address.host}\r\n\r\n".encode())
        said = (await reader.read(_MAX_STATUS_LINE)).split()
    finally:
        writer.transport.abort()
    is_web = len(said) > 1 and said[0].startswith(b"HTTP/") and said[1].isdigit()
    return int(said[1]) if is_web else 0


async def _connect_within(seconds: float, trip: Callable[[], float], address: Address) -> None:
    """Connect; raises `TimeoutError` after `seconds`, or later if answers to questions are slow,
    and `OSError`."""
    connecting = asyncio.create_task(_connect(address))
    try:
        await asyncio.wait({connecting}, timeout=seconds)
        await asyncio.wait({connecting}, timeout=max(0.0, GREETING_TRIPS * trip() - seconds))
        if not connecting.done():
            raise TimeoutError
        connecting.result()
    finally:
        await system.end(connecting)


async def _connect(address: Address) -> None:
    """Connect and close the connection; raises `OSError`.

    Several attempts run at the same time, so that a lost packet does not look like a firewall.
    """
    await _first_of([_try(address, number * _TRY_DELAY) for number in range(_TRIES)])


async def _first_of(tries: Sequence[Coroutine[Any, Any, _T]]) -> _T:
    """The result of whichever coroutine finishes first, or the error that it raises; the others are
    cancelled."""
    tasks = [asyncio.create_task(each) for each in tries]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return done.pop().result()
    finally:
        await system.end(*tasks)


async def _try(address: Address, delay: float) -> None:
    await asyncio.sleep(delay)
    _reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.transport.abort()


_ROOT: Final = Path("/")
_COMPLETE: Final = 0x2
_PERMANENT: Final = 0x4
"""Flags in `/proc/net/arp`: `_COMPLETE` for a neighbour that has answered, this for one that is
never asked."""

_MIN_HOSTS: Final = 4
"""Networks with fewer addresses are point-to-point, and have no neighbours."""


def own_adapters(root: Path = _ROOT) -> tuple[Adapter, ...]:
    """The adapters of this machine except loopback. Raises `OSError`; the first call is slow."""
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters(include_unconfigured=True):
        interfaces = addresses.interfaces_of(adapter)
        is_loopback = interfaces and all(each.ip.is_loopback for each in interfaces)
        if is_loopback or adapter.name in ("lo", "lo0"):
            continue
        name = str(adapter.nice_name)
        is_virtual, has_carrier = addresses.is_virtual(adapter), _has_carrier(name, root)
        found.append(Adapter(name, tuple(interfaces), is_virtual, has_carrier))
    return tuple(found)


def _has_carrier(name: str, root: Path) -> bool | None:
    """Whether an adapter is plugged in and turned on, according to Linux; None if that is not
    known."""
    folder = root / "sys" / "class" / "net" / name
    if not folder.is_dir():
        return None
    try:
        return (folder / "carrier").read_text().strip() == "1"
    except OSError:
        return False  # it is turned off


def adapter_towards(host: str, adapters: Sequence[Adapter]) -> Adapter | None:
    """The adapter through which this machine reaches an address; None if it does not. Sends
    nothing."""
    source = _source_towards(host)
    near = (each for each in adapters for one in each.interfaces if unscoped(one) == source)
    return next(near, None)


def _source_towards(host: str) -> str:
    bare, _percent, zone = host.partition("%")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            if family is socket.AF_INET6:
                trial.connect((bare, DEFAULT_PORT, 0, system.zone_index(zone) if zone else 0))
            else:
                trial.connect((bare, DEFAULT_PORT))
            return str(trial.getsockname()[0]).partition("%")[0]
    except (OSError, OverflowError):
        return ""


def detours(adapters: Sequence[Adapter]) -> tuple[tuple[str, str], ...]:
    """This machine's networks that it reaches through the adapter of another network: the network,
    and the name of that adapter ("?" if there is none)."""
    found = []
    for adapter in adapters:
        if adapter.is_virtual or adapter.has_carrier is False:
            continue
        for interface in adapter.networks:
            if interface.network.num_addresses < _MIN_HOSTS:
                continue
            other = adapter_towards(_neighbour_in(interface), adapters)
            networks = [each.network for each in other.networks] if other else []
            if interface.network not in networks:
                found.append((str(interface.network), other.name if other else "?"))
    return tuple(found)


def _neighbour_in(interface: IPv4Interface) -> str:
    """An address in the network of this interface that another machine may have."""
    first = interface.network.network_address + 1
    return str(first + 1 if first == interface.ip else first)


def is_near(host: str, adapters: Sequence[Adapter]) -> bool:
    """Whether `host` is an address on a network of this machine."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return number.is_link_local or any(
        number in one.network for each in adapters for one in each.interfaces
    )


def is_there(host: str, root: Path = _ROOT) -> bool | None:
    """Whether the machine at an address of the local network has just answered an ARP request; None
    if that is not known.

    Call this after something was sent there.
    """
    try:
        lines = (root / "proc" / "net" / "arp").read_text().splitlines()[1:]
    except OSError:
        return None
    known = {words[0]: int(words[2], 16) for line in lines if len(words := line.split()) >= 3}
    flags = known.get(host, _PERMANENT)
    return None if flags & _PERMANENT else bool(flags & _COMPLETE)


def own_firewall(
    root: Path = _ROOT,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
) -> Firewall | None:
    """The firewall of this machine, as far as it is seen without an administrator's rights; None if
    none is."""
    if platform == "win32":
        return Firewall(FirewallKind.WINDOWS)
    if platform == "darwin":
        return Firewall(FirewallKind.MACOS)
    with contextlib.suppress(OSError):
        ufw = (root / "etc" / "ufw" / "ufw.conf").read_text(errors="replace")
        if "ENABLED=yes" in ufw.replace(" ", ""):
            return Firewall(FirewallKind.UFW, is_on=True)
    if (root / "sys/fs/cgroup/system.slice/firewalld.service").exists():
        return Firewall(FirewallKind.FIREWALLD, is_on=True)
    tools = {"nft": FirewallKind.NFTABLES, "iptables": FirewallKind.IPTABLES}
    found = (kind for tool, kind in tools.items() if which(tool) or which(f"/usr/sbin/{tool}"))
    kind = next(found, None)
    return Firewall(kind) if kind else None
