"""A stranger on the network who wants the table to stop: `python -m tests.attacks.siege PORT`.

Does everything at once until it is killed: holds the port open in silence, sends half frames,
impossible lengths, deep nesting and random bytes, inside of TLS and without, plays recorded traffic
again, and connects as often as it can. A line is printed for every second. After the port may
follow from how many addresses that comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import os
import random
import ssl
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.encoding.framing import frame
from protocol.table.head import EMPTY
from protocol.wire.messages import Greeting, Ping, read_from_host, sign_hello, write

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

Trick = Callable[[int], Awaitable[None]]
"""The attacks on a port, by name."""

HELD: Final = 400
"""Connections that are held open at once."""

PATIENCE: Final = 8.0
"""Seconds that a connection is held, if the table lets it."""


_sources = itertools.cycle(["127.0.0.1"])


def source() -> tuple[str, int]:
    """The address from which the next connection comes."""
    return next(_sources), 0


def come_from(count: int) -> None:
    """Come from so many addresses, one after the other; Linux has them all on loopback."""
    global _sources
    _sources = itertools.cycle(
        ["127.0.0.1"] if count == 1 else [f"127.1.{n // 250}.{n % 250 + 1}" for n in range(count)]
    )


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@contextlib.asynccontextmanager
async def plain(port: int) -> AsyncIterator[Streams]:
    """A connection that says nothing unless told to, and is cut in the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=source())
    with contextlib.closing(writer.transport):
        yield reader, writer
        writer.transport.abort()


@contextlib.asynccontextmanager
async def secret(port: int) -> AsyncIterator[Streams]:
    """A connection with TLS inside, that is cut in the end."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=_context(), local_addr=source()
    )
    with contextlib.closing(writer.transport):
        yield reader, writer
        writer.transport.abort()


async def greeted(streams: Streams) -> Greeting:
    """The greeting of the table."""
    head = await streams[0].readexactly(4)
    message = read_from_host(await streams[0].readexactly(int.from_bytes(head, "big")))
    if not isinstance(message, Greeting):
        raise EOFError  # the table has no room for this
    return message


async def silence(port: int) -> None:
    """Hold the port open and say nothing."""
    async with plain(port) as (reader, _):
        await reader.read()


async def silence_in_tls(port: int) -> None:
    """Hold the port open after the handshake and say nothing."""
    async with secret(port) as (reader, _):
        await reader.read()


async def half_a_frame(port: int) -> None:
    """Begin a hello and never end it."""
    async with secret(port) as (reader, writer):
        writer.write((150).to_bytes(4, "big") + b"\x97\xa5hello")
        await reader.read()


async def impossible_length(port: int) -> None:
    """Announce a frame of 4 GB."""
    async with secret(port) as (reader, writer):
        writer.write(b"\xff\xff\xff\xff" + bytes(60_000))
        await reader.read()


async def deep_nesting(port: int) -> None:
    """Send arrays in arrays, 5,000 deep."""
    async with secret(port) as (reader, writer):
        writer.write(frame(b"\x91" * 5_000 + b"\xc0"))
        await reader.read()


async def noise(port: int) -> None:
    """Send random bytes instead of a handshake."""
    async with plain(port) as (reader, writer):
        writer.write(random.randbytes(20_000))
        await reader.read()


async def noise_in_tls(port: int) -> None:
    """Send random bytes instead of a hello."""
    async with secret(port) as (reader, writer):
        writer.write(random.randbytes(20_000))
        await reader.read()


async def throwaway_key(port: int) -> None:
    """Come with a fresh key, and talk and talk."""
    async with secret(port) as (reader, writer):
        greeting = await greeted((reader, writer))
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        key, channel = SigningKey(random.randbytes(32)), hashlib.sha256(shown).digest()
        writer.write(write(sign_hello(key, "siege", greeting, channel, EMPTY)))
        writer.write(write(Ping(0)) * 5_000)
        await reader.read()


async def stale_hello(port: int) -> None:
    """Repeat a hello that was good on another connection."""
    async with secret(port) as first:
        greeting = await greeted(first)
    key = SigningKey(bytes(32))
    async with secret(port) as (reader, writer):
        writer.write(write(sign_hello(key, "siege", greeting, bytes(32), EMPTY)))
        await reader.read()


async def knock(port: int) -> None:
    """Connect and hang up at once."""
    async with plain(port):
        pass


TRICKS: Final[tuple[Trick, ...]] = (
    silence,
    silence_in_tls,
    half_a_frame,
    impossible_length,
    deep_nesting,
    noise,
    noise_in_tls,
    throwaway_key,
    stale_hello,
    *[knock] * 5,
)


class Siege:
    """Everything at once."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._tasks: set[asyncio.Task[None]] = set()
        self.tried: Counter[str] = Counter()

    async def run(self) -> None:
        """Go on until cancelled; print every second how much was tried."""
        loop = asyncio.get_running_loop()
        next_line = loop.time()
        while True:
            if len(self._tasks) < HELD:
                self._begin(random.choice(TRICKS))
            if loop.time() >= next_line:
                next_line = loop.time() + 1
                print(self.tried.total(), flush=True)
            await asyncio.sleep(0 if len(self._tasks) < HELD else 0.005)

    def _begin(self, trick: Trick) -> None:
        self.tried[trick.__name__] += 1
        task = asyncio.create_task(self._try(trick))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _try(self, trick: Trick) -> None:
        with contextlib.suppress(OSError, EOFError, TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await trick(self._port)


def main() -> None:
    """Besiege the port that is named."""
    # In reality the stranger never shares a machine's processors with the players' programs.
    os.nice(5)
    with contextlib.suppress(KeyboardInterrupt):
        come_from(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
        asyncio.run(Siege(int(sys.argv[1])).run())


if __name__ == "__main__":
    main()
