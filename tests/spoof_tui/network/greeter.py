"""Servers that greet guests, or say anything else to them."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.host.effects import Send
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.rules.options import Rules
from protocol.table.statements import TableOpened
from protocol.timeouts import Moment
from protocol.version import PROTOCOL
from spoof_tui.network.addresses import Address
from spoof_tui.network.discovery import Browser
from spoof_tui.network.tls import server_context

_TURNS = 5
"""Turns of the event loop after which an accepted connection has reached its handler."""

Handler = Callable[[StreamReader, StreamWriter], Awaitable[None]]


def open_host(name: str = "The Golden Pier") -> Host:
    """A new table without players."""
    key = SigningKey(secrets.token_bytes(32))
    rules, salt = Rules.parse("milan"), secrets.token_bytes(32)
    opened = TableOpened(PROTOCOL, key.public, ForeignText(name), rules, 9, False, 60, 0, salt)
    return Host.open(
        key, HostPolicy(ForeignText("Olha")), opened, Moment(0, 0), secrets.token_bytes
    )[0]


@contextlib.asynccontextmanager
async def listening(
    handler: Handler,
    host: str | None = "127.0.0.1",
    port: int = 0,
    plain: bool = False,
    seed: bytes = bytes(32),
) -> AsyncIterator[Address]:
    """A server that does what `handler` does with every connection, and hangs up after it.

    There is TLS in it, with the certificate of the key made of `seed`, unless it is `plain`.
    """
    tasks: set[asyncio.Task[None]] = set()
    writers: list[StreamWriter] = []

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        try:
            await handler(reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            pass  # the peer, or this test, is done with it
        finally:
            writer.transport.abort()

    def accept(reader: StreamReader, writer: StreamWriter) -> None:
        writers.append(writer)
        task = asyncio.create_task(serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    context = None if plain else server_context(seed)[0]
    server = await asyncio.start_server(accept, host, port, ssl=context)
    try:
        yield Address(*server.sockets[0].getsockname()[:2])
    finally:
        server.close()
        for _ in range(_TURNS):
            await asyncio.sleep(0)  # what was accepted a moment ago is served from now on
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            # A task that was cancelled before it began has hung up on nobody.
            writer.transport.abort()
        await server.wait_closed()


def greeting(host: Host) -> Handler:
    """Greet guests as `host` does, and wait for the end."""

    async def greet(reader: StreamReader, writer: StreamWriter) -> None:
        link = id(writer)
        effects = host.connected(link, secrets.token_bytes(32), b"", Moment(0, 0), None)
        for effect in effects:
            if isinstance(effect, Send):
                writer.write(effect.data)
        await reader.read()
        host.lost(link, Moment(0, 0))

    return greet


def saying(data: bytes) -> Handler:
    """Say `data`, and wait for the end."""

    async def say(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(data)
        await reader.read()

    return say


@contextlib.asynccontextmanager
async def looking(browser: Browser) -> AsyncIterator[Browser]:
    """A browser that is open."""
    await browser.start()
    try:
        yield browser
    finally:
        await browser.close()
