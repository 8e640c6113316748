"""Asks an address whether a table is there: connects, and reads the greeting.

`probe` hangs up after that. To sit down, `reach` keeps the link on which the table has greeted,
which saves a second handshake.
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
"""Seconds that a table may take to greet if nothing is known about the network in between."""

SLOW_TIMEOUT: Final = 15.0
"""Seconds that a table may take to greet on a slow network: four round trips, and a lost packet. A
machine that does not even accept a connection is given up earlier; see `links.CONNECT_TIMEOUT`."""

GREETING_TRIPS: Final = 4
"""Round trips until the greeting: ARP, TCP, TLS, and the greeting itself. The last two cannot be
one, because Python's TLS sends nothing before the end of the handshake."""

_GREETING_TIMEOUT: Final = 5.0
"""Seconds that a greeting may take once there is a connection; longer on a slow link."""

ATTEMPT_DELAY: Final = 0.1
"""Maximum seconds by which one address of a table is tried before the next."""

AGAIN_DELAY: Final = 2.0
"""Seconds between attempts at the same address that run side by side: longer than a table takes to
greet on most networks, and shorter than TCP takes to resend a lost packet on a slow one."""

_MAX_UNREAD: Final = 2 * MAX_FRAME
"""Maximum bytes that a table may send before it is answered: it greets, and perhaps says
goodbye."""


class Failure(Enum):
    """Why no table was found at an address."""

    REFUSED = auto()
    """The machine is there, but nothing listens on the port."""
    SILENT = auto()
    """Nothing came in time."""
    UNREACHABLE = auto()
    """There is no route to the address, or its name is unknown."""
    NO_TABLE = auto()
    """Something listens, but it does not send a greeting."""
    BUSY = auto()
    """The table has no room for another connection."""


class ProbeFailed(Exception):
    """No table answered at an address; the message is a sentence for the player."""

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
    """The answer of a table at an address."""

    address: Address
    card: Card | None
    """The card of the table; None if it uses another version of the protocol."""
    protocol: int
    """Version of the protocol that it uses."""
    program: str
    """Version of its host's program."""
    key: bytes | None = field(default=None, compare=False)
    """Public key of the program that serves the table there; None if it is not known."""
    round_trip: float = field(default=0.0, compare=False)
    """Seconds that one round trip took; 0 if that is not known."""

    @property
    def identity(self) -> bytes | Address:
        """The table id, which stays the same at any address; the address if the id is not known."""
        return self.card.table if self.card else self.address


@dataclass(frozen=True, slots=True)
class Reached:
    """A link on which a table has greeted and waits for a hello: it must be passed on, or hung up
    on."""

    answer: FoundTable
    _link: Link
    _newcomer: _Newcomer

    def pass_to(self, owner: Owner) -> None:
        """Hand the link and the greeting to `owner`; raises `OSError` if the link has ended."""
        self._link.pass_to(owner, self._newcomer.unread)

    def hang_up(self) -> None:
        """Close the link, on which nothing was sent."""
        self._link.abort()


class _Newcomer:
    """The owner of a link until the table has greeted; sends nothing."""

    def __init__(self) -> None:
        self.link: Link | None = None
        self.unread = b""
        """All bytes that came."""
        self._frames = FrameReader()
        self._outcome: bytes | Exception | None = None
        self._is_over = asyncio.Event()

    async def greeting(self) -> tuple[Link, bytes]:
        """The link, and the payload of the first frame; raises `Malformed`, or `OSError` if none
        comes."""
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
        """Do nothing, because nothing is sent."""

    def lost(self, link: Link) -> None:
        if self._outcome is None:
            self._settle(ConnectionResetError("the other end has hung up"))

    def _settle(self, outcome: bytes | Exception | None) -> None:
        if outcome is not None:
            self._outcome = outcome
            self._is_over.set()


def greeting_timeout(trip: RoundTrip, least: float = PROBE_TIMEOUT) -> float:
    """Seconds within which a table with these round trips greets; at least `least`."""
    return trip.limit(least, GREETING_TRIPS)


async def probe(
    addresses: Sequence[Address], within: float = PROBE_TIMEOUT, connect: Connect = dial
) -> FoundTable:
    """The answer of the table that greets first at one of these addresses: see `reach_any`. Raises
    `ProbeFailed`."""
    reached = await reach_any(addresses, within, connect)
    reached.hang_up()
    return reached.answer


async def reach(
    address: Address, within: float = PROBE_TIMEOUT, connect: Connect = dial
) -> Reached:
    """The link to the table that greets at `address` within so many seconds; raises
    `ProbeFailed`."""
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
    """The link to the table that greets first at one of its addresses, which are given likeliest
    first.

    Each address is tried a moment before the next, and all attempts end after `within` seconds.
    With more `tries` a silent address is tried again beside the earlier attempts, because on a
    lossy link all packets of one may be lost. Raises the `ProbeFailed` of the first address.
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
