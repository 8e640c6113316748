"""A page's side of its door, without a browser; and a door that has a page."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache
from typing import Any, Final, Self

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from protocol.crypto.keys import SigningKey
from spoof_tui.door.interface import Start, start_program
from spoof_tui.door.ssh_door import Door
from spoof_tui.door.web_door import WebDoor
from spoof_tui.door.web_handshake import KEY, PURPOSE, Channel, door_key

WORD: Final = "ABCD-EFGH-JKLM"
ANN: Final = SigningKey(b"a" * 32)
"""Ann's browser."""

BO: Final = SigningKey(b"b" * 32)

HELLO: Final = {
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
    return connect(
        f"ws://127.0.0.1:{port}/door", origin=own, proxy=None, ping_interval=None, **more
    )


key_of: Final = lru_cache(door_key)
"""The key of a word, which takes a while to make."""


def introduction(
    offer: bytes, word: str = WORD, said: object = HELLO, browser: SigningKey = ANN
) -> tuple[Channel, bytes]:
    """A page's answer to what a door said first, and the frames after that; bytes are sealed as
    they are."""
    own = X25519PrivateKey.generate()
    keys = offer + own.public_key().public_bytes_raw()
    shared = own.exchange(X25519PublicKey.from_public_bytes(offer))
    channel = Channel(shared + key_of(word), keys, is_door=False)
    proof = {"id": browser.public.hex(), "sign": browser.sign(PURPOSE, keys).hex()}
    whole = {**proof, **said} if isinstance(said, dict) else said
    text = whole if isinstance(whole, bytes) else json.dumps(whole).encode()
    return channel, keys[len(offer) :] + channel.seal(text)


def listening(word: str, offer: bytes, hello: bytes) -> Iterator[Channel]:
    """The page's frames, as somebody could try to open them who has heard both sides' first
    messages and has this word."""
    key, theirs = key_of(word), hello[:KEY]
    own = X25519PrivateKey.generate()
    for agreed in (offer, theirs):
        own_shared = own.exchange(X25519PublicKey.from_public_bytes(agreed))
        for guess in (b"", bytes(KEY), agreed, own_shared):
            for secret in (guess + key, key + guess, guess):
                yield Channel(secret, offer + theirs, is_door=True)


class Caller:
    """A page that has said hello."""

    def __init__(self, socket: ClientConnection, channel: Channel, hello: bytes) -> None:
        self.socket, self.channel, self.hello = socket, channel, hello
        self.shown = b""
        """Everything that was painted."""

    @classmethod
    async def introduce(
        cls,
        socket: ClientConnection,
        word: str = WORD,
        said: object = HELLO,
        browser: SigningKey = ANN,
    ) -> Self:
        """Say hello with the word of the door."""
        offer = await socket.recv()
        assert isinstance(offer, bytes)
        channel, hello = introduction(offer, word, said, browser)
        await socket.send(hello)
        return cls(socket, channel, hello)

    async def press(self, keys: bytes) -> bytes:
        """Press keys; returns the frame that was sent."""
        frame = self.channel.seal(b"k" + keys)
        await self.socket.send(frame)
        return frame

    async def told(self, limit: float = LIMIT) -> bytes:
        """The door's next message, within this many seconds."""
        frame = await asyncio.wait_for(self.socket.recv(), limit)
        assert isinstance(frame, bytes)
        told = self.channel.open(frame)
        if told == b"h":
            with contextlib.suppress(ConnectionClosed):
                await self.socket.send(self.channel.seal(b"h"))
        return told

    async def sees(self, wanted: bytes, limit: float = LIMIT) -> None:
        """Wait until this was painted."""
        async with asyncio.timeout(limit):
            while wanted not in self.shown:
                told = await self.told()
                self.shown += told[1:] if told[:1] == b"p" else b""

    async def stay(self) -> None:
        """Answer the door for as long as the connection lasts."""
        with contextlib.suppress(ConnectionClosed):
            while True:
                await self.told()

    async def is_sent_away(self) -> str:
        """Wait for the last words of the door."""
        async with asyncio.timeout(LIMIT):
            while (told := await self.told())[:1] != b"e":
                pass
        return told[1:].decode()

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
