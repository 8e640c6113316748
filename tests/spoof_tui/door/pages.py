"""A page's side of its door, without a browser; and a door that has a page."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator
from typing import Any, Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from spoof_tui.door.interface import Start, start_program
from spoof_tui.door.ssh_door import Door
from spoof_tui.door.web_door import Channel, WebDoor, door_key

WORD: Final = "ABCD-EFGH-JKLM"
HELLO: Final = {
    "id": "ab" * 32,
    "name": "Ann",
    "code": "",
    "columns": 45,
    "rows": 20,
    "language": "C.UTF-8",
    "zone": "UTC",
}
LIMIT: Final = 10.0
"""Seconds after which something is not coming any more."""


@contextlib.asynccontextmanager
async def web_door_of(door: Door, start: Start = start_program) -> AsyncIterator[int]:
    """Open the entrance for browsers of a door, on this port."""
    web_door = WebDoor(door, WORD, b"the page", start)
    port = await web_door.open(0)
    try:
        yield port
    finally:
        await web_door.close()


def socket_to(port: int, origin: str | None = None, **more: Any) -> connect:
    """A connection as a page opens it, or one from elsewhere."""
    own: Any = origin or f"http://127.0.0.1:{port}"
    return connect(f"ws://127.0.0.1:{port}/door", origin=own, proxy=None, **more)


class Caller:
    """A page that has said hello."""

    def __init__(self, socket: ClientConnection, channel: Channel, hello: bytes) -> None:
        self.socket, self.channel, self.hello = socket, channel, hello
        self.shown = b""
        """Everything that was painted."""

    @classmethod
    async def introduce(
        cls, socket: ClientConnection, word: str = WORD, said: object = HELLO
    ) -> Self:
        """Say hello with the word of the door."""
        drawn, own = await socket.recv(), os.urandom(32)
        assert isinstance(drawn, bytes)
        channel = Channel(door_key(word), drawn, own, is_door=False)
        hello = own + channel.seal(json.dumps(said).encode())
        await socket.send(hello)
        return cls(socket, channel, hello)

    async def press(self, keys: bytes) -> bytes:
        """Press keys; returns the frame that was sent."""
        frame = self.channel.seal(b"k" + keys)
        await self.socket.send(frame)
        return frame

    async def told(self) -> bytes:
        """The door's next message."""
        frame = await asyncio.wait_for(self.socket.recv(), LIMIT)
        assert isinstance(frame, bytes)
        return self.channel.open(frame)

    async def sees(self, wanted: bytes) -> None:
        """Wait until this was painted."""
        async with asyncio.timeout(LIMIT):
            while wanted not in self.shown:
                told = await self.told()
                self.shown += told[1:] if told[:1] == b"p" else b""

    async def is_closed(self) -> int | None:
        """Wait for the end of the connection; returns its code."""
        return await closed(self.socket)


async def closed(socket: ClientConnection) -> int | None:
    """Wait for the end of a connection; returns its code."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(LIMIT):
            while True:
                await socket.recv()
    return socket.close_code
