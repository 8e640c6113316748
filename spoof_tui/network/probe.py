"""Ask an address whether a table is there: connect, read the greeting, hang up."""

from __future__ import annotations

import asyncio
import ssl
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed
from protocol.wire.messages import Card, Farewell, Goodbye, Greeting, OtherVersion, read_from_host
from spoof_tui.network import tls
from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _

PROBE_TIMEOUT: Final = 1.0
"""Seconds that a table may take to greet."""

TYPED_TIMEOUT: Final = 5.0
"""The same for a table whose address somebody has typed, and which is asked once only: a lost
packet costs a second, the next one two."""

HEAD_START: Final = 0.1
"""Seconds, at most, that one address of a table is ahead of the next."""

_READ: Final = 4096
"""Bytes to read at once: a greeting has a few hundred."""

Connect = Callable[[Address], Awaitable[tuple[StreamReader, StreamWriter]]]
"""Opens a connection with TLS inside; raises `OSError`."""


class Failure(Enum):
    """Why no table was found at an address."""

    REFUSED = auto()
    """The computer is there, and nothing listens on the port."""
    SILENT = auto()
    """Nothing came in time."""
    UNREACHABLE = auto()
    """No way leads there, or nobody has that name."""
    NO_TABLE = auto()
    """Something listens, and what it says is no greeting."""
    BUSY = auto()
    """A table that has no room for another connection."""


class ProbeFailed(Exception):
    """No table greeted; the text is a sentence for the player."""

    def __init__(self, address: Address, reason: Failure) -> None:
        super().__init__(_sentence(reason).format(address=address.text))
        self.address = address
        """Where it was looked for."""
        self.reason = reason
        """Why it was not found."""


def _sentence(reason: Failure) -> str:
    return {
        Failure.REFUSED: _("No table is open at {address}."),
        Failure.SILENT: _("There is no answer from {address}."),
        Failure.UNREACHABLE: _("There is no way from here to {address}."),
        Failure.NO_TABLE: _("What answers at {address} is not a table of this game."),
        Failure.BUSY: _("The table at {address} has no room for another connection."),
    }[reason]


@dataclass(frozen=True, slots=True)
class Answer:
    """What greeted at an address."""

    address: Address
    card: Card | None
    """The table; None if it speaks another version of the protocol."""
    protocol: int
    """Version of the protocol that is spoken there."""
    program: str
    """Version of the program that runs there."""
    certificate: bytes | None = field(default=None, compare=False, repr=False)
    """What was shown there, in DER; None without TLS."""

    @property
    def key(self) -> bytes | None:
        """Public key of who serves the table there; None if that is not known."""
        try:
            return tls.peer(self.certificate)[1]
        except ConnectionError:
            return None


async def open_tls(address: Address) -> tuple[StreamReader, StreamWriter]:
    """A connection to whoever listens there, whatever its certificate."""
    context = tls.client_context()
    # No name is asked for: it would be readable by everybody on the way.
    return await asyncio.open_connection(
        address.host, address.port, ssl=context, server_hostname=""
    )


async def probe(
    address: Address, within: float = PROBE_TIMEOUT, connect: Connect = open_tls
) -> Answer:
    """Who greets at `address` within so many seconds; raises `ProbeFailed`."""
    try:
        async with asyncio.timeout(within):
            return await _ask(address, connect)
    except TimeoutError:
        raise ProbeFailed(address, Failure.SILENT) from None
    except ConnectionRefusedError:
        raise ProbeFailed(address, Failure.REFUSED) from None
    except (Malformed, EOFError, ConnectionError, ssl.SSLError):
        raise ProbeFailed(address, Failure.NO_TABLE) from None
    except OSError as error:
        raise ProbeFailed(address, Failure.UNREACHABLE) from error


async def probe_any(
    addresses: Sequence[Address], within: float = PROBE_TIMEOUT, connect: Connect = open_tls
) -> Answer:
    """Who greets first at one of several addresses of a table, the likeliest of which is first.

    Each has a short head start before the next, and the race is over when `within` is. Raises the
    `ProbeFailed` of the first.
    """
    clock = asyncio.get_running_loop().time
    end = clock() + within
    # The last of many has half of the time left when its turn comes.
    head_start = min(HEAD_START, within / 2 / max(len(addresses), 1))
    left = list(reversed(addresses))
    asked: dict[asyncio.Task[Answer], Address] = {}
    failed: dict[Address, ProbeFailed] = {}
    try:
        while left or asked:
            if left:
                address = left.pop()
                asked[asyncio.create_task(probe(address, end - clock(), connect))] = address
            patience = head_start if left else None
            done, _waiting = await asyncio.wait(
                asked, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                address = asked.pop(task)
                try:
                    return task.result()
                except ProbeFailed as error:
                    failed[address] = error
        raise failed[addresses[0]]
    finally:
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)


async def _ask(address: Address, connect: Connect) -> Answer:
    reader, writer = await connect(address)
    try:
        payload = await _first_frame(reader)
    finally:
        # Nothing was sent, so nothing is lost by hanging up at once.
        writer.transport.abort()
    encrypted = writer.get_extra_info("ssl_object")
    certificate = encrypted.getpeercert(binary_form=True) if encrypted else None
    try:
        message = read_from_host(payload)
    except OtherVersion as other:
        return Answer(address, None, other.protocol, other.program, certificate)
    if message == Goodbye(Farewell.TOO_MANY):
        raise ProbeFailed(address, Failure.BUSY)
    if not isinstance(message, Greeting):
        raise Malformed(f"a host greets first, it does not say {message.KIND}")
    return Answer(address, message.card, message.protocol, message.program, certificate)


async def _first_frame(reader: StreamReader) -> bytes:
    frames = FrameReader()
    while data := await reader.read(_READ):
        for payload in frames.feed(data):
            return payload
    raise EOFError
