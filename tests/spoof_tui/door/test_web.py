"""The leaf for browsers: what opens a frame, who is turned away, and what reaches a visitor."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Sequence

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException

from spoof_tui.door.web_leaf import (
    MAX_HALF_OPEN_OF_PLACE,
    WRONG,
    Channel,
    Unsealed,
    WebLeaf,
    door_key,
    page,
)
from spoof_tui.ui.acts.table_keys import buttons

WORD = "ABCD-EFGH-JKLM"
HELLO = {
    "id": "ab" * 32,
    "name": "Ann",
    "code": "",
    "columns": 45,
    "rows": 20,
    "language": "C.UTF-8",
    "zone": "UTC",
}


class Echo:
    """A door that lets everybody in, and shows the keys that they press."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def enter(self, visitor: object) -> int | None:
        self.names.append(visitor.name)  # type: ignore[attr-defined]
        return None

    def leave(self, number: int) -> None: ...

    def start(self, *given: object) -> None: ...


@contextlib.asynccontextmanager
async def a_leaf() -> AsyncIterator[tuple[int, Echo]]:
    door = Echo()
    leaf = WebLeaf(door, WORD, b"the page")  # type: ignore[arg-type]
    port = await leaf.open(0)
    try:
        yield port, door
    finally:
        await leaf.close()


def _socket(port: int, origin: str | None = None) -> connect:
    own = origin or f"http://127.0.0.1:{port}"
    return connect(f"ws://127.0.0.1:{port}/door", origin=own, proxy=None)  # type: ignore[arg-type]


async def _introduce(socket: ClientConnection, word: str = WORD) -> tuple[Channel, bytes]:
    """Say hello; the channel, and what was sent."""
    drawn, own = await socket.recv(), os.urandom(32)
    assert isinstance(drawn, bytes)
    channel = Channel(door_key(word), drawn, own, is_door=False)
    hello = own + channel.seal(json.dumps(HELLO).encode())
    await socket.send(hello)
    return channel, hello


async def _closed(socket: ClientConnection) -> int | None:
    with pytest.raises(ConnectionClosed):
        while True:
            await asyncio.wait_for(socket.recv(), 5)
    return socket.close_code


def _pair() -> tuple[Channel, Channel]:
    key, one, other = door_key(WORD), b"1" * 32, b"2" * 32
    return tuple(Channel(key, one, other, is_door=each) for each in (True, False))  # type: ignore[return-value]


def test_a_frame_opens_once_and_in_its_order() -> None:
    door, client = _pair()
    first, second = client.seal(b"one"), client.seal(b"two")
    with pytest.raises(Unsealed):
        door.open(second)
    assert door.open(first) == b"one"
    with pytest.raises(Unsealed):
        door.open(first)
    assert door.open(second) == b"two"


def test_a_frame_that_is_sent_back_does_not_open() -> None:
    _door, client = _pair()
    frame = client.seal(b"one")
    with pytest.raises(Unsealed):
        client.open(frame)
    assert b"one" not in frame


def test_the_page_is_one_file_that_asks_nobody_else_for_anything() -> None:
    text = page(list(buttons())).decode()
    assert len(text.encode()) < 500_000
    assert '<link rel="stylesheet' not in text and 'src="http' not in text
    assert "{given}" not in text and "{page.js}" not in text


def test_the_buttons_are_those_of_the_game() -> None:
    sent: Sequence[str] = [each["sends"] for each in buttons()]
    assert sent[:4] == ["0", "1", "2", "3"]
    assert {"c", "l", " ", "w", "t", "\r"} <= set(sent)


async def test_who_knows_the_word_comes_in() -> None:
    async with a_leaf() as (port, door), _socket(port) as socket:
        channel, _ = await _introduce(socket)
        said = await asyncio.wait_for(socket.recv(), 5)
        assert isinstance(said, bytes)
        assert channel.open(said).startswith(b"e")
        assert door.names == ["Ann"]


async def test_a_wrong_word_opens_nothing() -> None:
    async with a_leaf() as (port, door), _socket(port) as socket:
        await _introduce(socket, "ABCD-EFGH-JKLN")
        assert await _closed(socket) == WRONG
        assert door.names == []


async def test_a_hello_of_another_connection_opens_nothing() -> None:
    async with a_leaf() as (port, door):
        async with _socket(port) as socket:
            _, hello = await _introduce(socket)
        async with _socket(port) as socket:
            await socket.recv()
            await socket.send(hello)
            assert await _closed(socket) == WRONG
        assert len(door.names) <= 1


async def test_a_page_from_elsewhere_is_turned_away() -> None:
    async with a_leaf() as (port, _):
        with pytest.raises(InvalidStatus):
            await _socket(port, "http://elsewhere.example")


async def test_200_half_open_connections_keep_nobody_out() -> None:
    async with a_leaf() as (port, door):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
        # After a flood, there is room for some in each second.
        async with asyncio.timeout(10):
            while not door.names:
                with contextlib.suppress(OSError, WebSocketException):
                    async with _socket(port) as socket:
                        await _introduce(socket)
                        await socket.recv()
        ended = [reader.at_eof() for reader, _ in idle]
        assert ended.count(False) <= MAX_HALF_OPEN_OF_PLACE
        assert door.names == ["Ann"]
        for _, writer in idle:
            writer.close()
