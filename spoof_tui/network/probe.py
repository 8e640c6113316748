"""Asks an address whether a table is there: connects, and reads the greeting.

`probe` only wants to know, and hangs up; to sit down, `reach` keeps the very link that was greeted,
which takes one handshake instead of two.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, Final

from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed
from protocol.limits import MAX_FRAME
from protocol.timeouts import RoundTrip
from protocol.wire.messages import Card, Farewell, Goodbye, Greeting, OtherVersion, read_from_host
from spoof_tui import system
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Connect, Link, Owner, dial
from spoof_tui.text.i18n import _

PROBE_TIMEOUT: Final = 1.0
"""Seconds that a table may take to greet, if nothing is known of the way to it."""

SLOW_TIMEOUT: Final = 15.0
"""Seconds that a table may take to greet on a slow network: four round trips, and a lost packet. A
machine that does not accept a connection at all is given up earlier; see
`links.CONNECT_TIMEOUT`."""

GREETING_TRIPS: Final = 4
"""Round trips from a question to the greeting: ARP, TCP, TLS, the greeting. The last cannot come
with the end of the handshake: Python's TLS says nothing before its end."""

_GREETING_TIMEOUT: Final = 5.0
"""Seconds that a greeting may take once there is a connection, or as long as two round trips."""

ATTEMPT_DELAY: Final = 0.1
"""Maximum head start, in seconds, of one address of a table over the next."""

AGAIN_DELAY: Final = 2.0
"""Seconds between concurrent attempts at the same address: longer than a table takes to greet on
most networks, and shorter than TCP takes to resend a lost packet on a slow one."""

_MAX_UNREAD: Final = 2 * MAX_FRAME
"""Bytes that a table may send before it is answered: it greets, and perhaps says goodbye."""


class Failure(Enum):
    """Why no table was found at an address."""

    REFUSED = auto()
    """The computer is there, but nothing listens on the port."""
    SILENT = auto()
    """Nothing came in time."""
    UNREACHABLE = auto()
    """There is no route, or nobody has that name."""
    NO_TABLE = auto()
    """Something listens, but it does not send a greeting."""
    BUSY = auto()
    """The table has no room for another connection."""


class ProbeFailed(Exception):
    """No table greeted; the text is a sentence for the player."""

    def __init__(self, address: Address, reason: Failure) -> None:
        super().__init__(_sentence(reason).format(address=address.text))
        self.reason = reason
        """Why no table was found."""


def _sentence(reason: Failure) -> str:
    return {
        Failure.REFUSED: _("No table is open at {address}."),
        Failure.SILENT: _("There is no answer from {address}."),
        Failure.UNREACHABLE: _("This computer cannot reach {address}."),
        Failure.NO_TABLE: _("Something else answers at {address}, not a table of this game."),
        Failure.BUSY: _("The table at {address} has no room for another connection."),
    }[reason]


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that answers at an address."""

    address: Address
    card: Card | None
    """The table; None if it uses another version of the protocol."""
    protocol: int
    """Version of the protocol that it uses."""
    program: str
    """Version of its host's program."""
    key: bytes | None = field(default=None, compare=False)
    """Public key of the program that serves the table there; None if unknown."""
    round_trip: float = field(default=0.0, compare=False)
    """Seconds that one answer took; 0 if unknown."""

    @property
    def identity(self) -> bytes | Address:
        """What stays the same about a table: a listed one may answer at another address."""
        return self.card.table if self.card else self.address


@dataclass(frozen=True, slots=True)
class Reached:
    """A table that has greeted and waits for a hello: it must be used, or hung up on."""

    answer: FoundTable
    _link: Link
    _newcomer: _Newcomer

    def pass_to(self, owner: Owner) -> None:
        """Hand the link and the greeting to `owner`; raises `OSError` if the link is gone."""
        self._link.pass_to(owner, self._newcomer.unread)

    def hang_up(self) -> None:
        """Hang up; nothing was said, so nothing is lost."""
        self._link.abort()


class _Newcomer:
    """The owner of a link until the table has greeted; nothing is sent before."""

    def __init__(self) -> None:
        self.link: Link | None = None
        self.unread = b""
        """Everything that came."""
        self._frames = FrameReader()
        self._outcome: bytes | Exception | None = None
        self._is_over = asyncio.Event()

    async def greeting(self) -> tuple[Link, bytes]:
        """The link and the first payload; raises `Malformed`, and `OSError` if none comes."""
        await self._is_over.wait()
        assert self.link and self._outcome
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self.link, self._outcome

    def opened(self, link: Link) -> None:
        self.link = link

    def received(self, link: Link, data: bytes) -> None:
        self.unread += data
        if self._outcome is None:
            try:
                self._settle(next(iter(self._frames.feed(data)), None))
            except Malformed as error:
                self._settle(error)
        if len(self.unread) > _MAX_UNREAD:
            link.abort()

    def drained(self, link: Link) -> None:
        """Nothing is sent."""

    def lost(self, link: Link) -> None:
        if self._outcome is None:
            self._settle(ConnectionResetError("the other end has hung up"))

    def _settle(self, outcome: bytes | Exception | None) -> None:
        if outcome is not None:
            self._outcome = outcome
            self._is_over.set()


def greeting_timeout(trip: RoundTrip, least: float = PROBE_TIMEOUT) -> float:
    """Seconds within which a table with these round trips greets."""
    return trip.limit(least, GREETING_TRIPS)


async def probe(
    addresses: Sequence[Address], within: float = PROBE_TIMEOUT, connect: Connect = dial
) -> FoundTable:
    """Find out who greets first at one of several addresses of a table: see `reach_any`."""
    reached = await reach_any(addresses, within, connect)
    reached.hang_up()
    return reached.answer


async def reach(
    address: Address, within: float = PROBE_TIMEOUT, connect: Connect = dial
) -> Reached:
    """The table that greets at `address` within this many seconds; raises `ProbeFailed`."""
    try:
        async with asyncio.timeout(within):
            return await _reach(address, connect)
    except TimeoutError:
        raise ProbeFailed(address, Failure.SILENT) from None
    except ConnectionRefusedError:
        raise ProbeFailed(address, Failure.REFUSED) from None
    except (Malformed, ConnectionError, ssl.SSLError):
        raise ProbeFailed(address, Failure.NO_TABLE) from None
    except OSError as error:
        raise ProbeFailed(address, Failure.UNREACHABLE) from error


async def reach_any(
    addresses: Sequence[Address],
    within: float = PROBE_TIMEOUT,
    connect: Connect = dial,
    *,
    tries: int = 1,
) -> Reached:
    """The table that greets first at one of its addresses, which are given likeliest first.

    Each has a short head start over the next, and the race ends after `within`. With more `tries` a
    silent address is tried again beside the earlier attempts, because on a lossy link all packets
    of one may be lost. Raises the `ProbeFailed` of the first address.
    """
    clock = asyncio.get_running_loop().time
    begun = clock()
    # Even the last of many has half of the time left when its turn comes.
    head_start = min(ATTEMPT_DELAY, within / 2 / max(len(addresses), 1))
    starts = [
        (begun + turn * AGAIN_DELAY + place * head_start, address)
        for turn in range(tries)
        for place, address in enumerate(addresses)
    ]
    asked: dict[asyncio.Task[Reached], Address] = {}
    failed: dict[Address, ProbeFailed] = {}
    try:
        while starts or asked:
            while starts and (not asked or starts[0][0] <= clock()):
                _, address = starts.pop(0)
                rest = begun + within - clock()
                asked[asyncio.create_task(reach(address, rest, connect))] = address
            patience = max(0.0, starts[0][0] - clock()) if starts else None
            done, _waiting = await asyncio.wait(
                asked, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                address = asked.pop(task)
                try:
                    return task.result()
                except ProbeFailed as error:
                    failed[address] = error
                    if error.reason not in (Failure.SILENT, Failure.UNREACHABLE):
                        starts = [start for start in starts if start[1] != address]
        raise failed[addresses[0]]
    finally:
        await hang_up_on(asked)


async def hang_up_on(asked: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel attempts to reach tables, and hang up on those that have just succeeded."""
    for late in await system.end(*asked):
        if isinstance(late, Reached):
            late.hang_up()


async def _reach(address: Address, connect: Connect) -> Reached:
    newcomer = _Newcomer()
    try:
        await connect(newcomer, address)
        trip = RoundTrip(newcomer.link.round_trip if newcomer.link else 0.0)
        async with asyncio.timeout(trip.limit(_GREETING_TIMEOUT, GREETING_TRIPS)):
            link, payload = await newcomer.greeting()
        answer = replace(_answer(address, payload, link.host_key), round_trip=link.round_trip)
        return Reached(answer, link, newcomer)
    except BaseException:
        if newcomer.link:
            newcomer.link.abort()
        raise


def _answer(address: Address, payload: bytes, key: bytes | None) -> FoundTable:
    try:
        message = read_from_host(payload)
    except OtherVersion as other:
        return FoundTable(address, None, other.protocol, other.program, key)
    if message == Goodbye(Farewell.TOO_MANY):
        raise ProbeFailed(address, Failure.BUSY)
    if not isinstance(message, Greeting):
        raise Malformed(f"a host greets first, it does not say {message.KIND}")
    return FoundTable(address, message.card, message.protocol, message.program, key)
