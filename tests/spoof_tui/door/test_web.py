"""The leaf for browsers: what starts a frame, who is turned away, and what reaches a visitor."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from websockets.exceptions import InvalidStatus, WebSocketException

from spoof_tui.door.web_leaf import (
    MAX_HALF_OPEN_OF_PLACE,
    WRONG,
    Channel,
    Unsealed,
    door_key,
    page,
)
from spoof_tui.ui.acts.table_keys import rows
from tests.spoof_tui.door.pages import WORD, Caller, closed, leaf_of, socket_to


class Full:
    """A door that notes its visitors, and has no room for anybody."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def enter(self, visitor: object) -> int | None:
        self.names.append(visitor.name)  # type: ignore[attr-defined]
        return None

    def leave(self, number: int) -> None: ...

    def start(self, *given: object) -> None: ...


@contextlib.asynccontextmanager
async def a_leaf() -> AsyncIterator[tuple[int, Full]]:
    door = Full()
    async with leaf_of(door) as port:  # type: ignore[arg-type]
        yield port, door


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
    text = page(rows).decode()
    assert len(text.encode()) < 500_000
    assert '<link rel="stylesheet' not in text and 'src="http' not in text
    assert "{given}" not in text and "{page.js}" not in text
    assert "Your name" in text and "Ваше ім’я" in text


def test_the_buttons_are_those_of_the_game() -> None:
    sent = [each["sends"] for row in rows() for each in row]
    assert sent[:4] == ["0", "1", "2", "3"]
    assert {"c", "l", " ", "r", "w", "t", "y", "\r"} <= set(sent)


async def test_who_knows_the_word_comes_in() -> None:
    async with a_leaf() as (port, door), socket_to(port) as socket:
        ann = await Caller.introduce(socket)
        assert (await ann.told()).startswith(b"e")
        assert door.names == ["Ann"]


async def test_a_wrong_word_opens_nothing() -> None:
    async with a_leaf() as (port, door), socket_to(port) as socket:
        await Caller.introduce(socket, "ABCD-EFGH-JKLN")
        assert await closed(socket) == WRONG
        assert door.names == []


async def test_a_hello_of_another_connection_opens_nothing() -> None:
    async with a_leaf() as (port, door):
        async with socket_to(port) as socket:
            hello = (await Caller.introduce(socket)).hello
        async with socket_to(port) as socket:
            await socket.recv()
            await socket.send(hello)
            assert await closed(socket) == WRONG
        assert len(door.names) <= 1


async def test_a_page_from_elsewhere_is_turned_away() -> None:
    async with a_leaf() as (port, _):
        with pytest.raises(InvalidStatus):
            await socket_to(port, "http://elsewhere.example")


async def test_200_half_open_connections_keep_nobody_out() -> None:
    async with a_leaf() as (port, door):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
        # After a flood, there is room for a few in each second.
        async with asyncio.timeout(10):
            while not door.names:
                with contextlib.suppress(OSError, WebSocketException):
                    async with socket_to(port) as socket:
                        await Caller.introduce(socket)
                        await socket.recv()
        ended = [reader.at_eof() for reader, _ in idle]
        assert ended.count(False) <= MAX_HALF_OPEN_OF_PLACE
        assert door.names == ["Ann"]
        for _, writer in idle:
            writer.close()
