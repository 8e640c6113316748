"""The door for browsers: what starts a frame, who is turned away, and what reaches a visitor."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from websockets.exceptions import ConnectionClosed, WebSocketException

from spoof_tui.door import interface, web_door
from spoof_tui.door.ssh_door import Door
from spoof_tui.door.web_door import MAX_HALF_OPEN_OF_PLACE, WRONG, page
from tests.spoof_tui.door.doors import DEAF, knocking
from tests.spoof_tui.door.pages import BO, HELLO, WORD, Caller, closed, socket_to, web_door_of
from tests.spoof_tui.runtime.local_table import until


@contextlib.asynccontextmanager
async def a_web_door() -> AsyncIterator[tuple[int, Door]]:
    async with knocking() as door, web_door_of(door.door) as port:
        yield port, door.door


def test_the_page_is_one_file_that_asks_nobody_else_for_anything() -> None:
    text = page().decode()
    assert len(text.encode()) < 500_000
    assert '<link rel="stylesheet' not in text and 'src="http' not in text
    assert "{given}" not in text and "{page.js}" not in text
    assert "Your name" in text and "Ваше ім’я" in text


async def test_a_hello_of_another_connection_opens_nothing() -> None:
    async with a_web_door() as (port, door):
        async with socket_to(port) as first, socket_to(port) as second:
            hello = (await Caller.introduce(first)).hello
            await second.recv()
            await second.send(hello)
            assert await closed(second) == WRONG
        assert len(door.visitors) <= 1


async def test_a_page_that_answers_no_more_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_door, "BEAT", 0.1)
    monkeypatch.setattr(web_door, "LOST_DELAY", 1.0)
    async with a_web_door() as (port, door), socket_to(port) as first, socket_to(port) as second:
        staying = await Caller.introduce(first)
        frozen = await Caller.introduce(second, said={**HELLO, "name": "Bo"}, browser=BO)
        for each in (staying, frozen):
            await each.sees(b"ready")
        stays = asyncio.create_task(staying.stay())
        await until(lambda: len(door.visitors) == 1)
        assert [each.name for each in door.visitors] == ["Ann"]
        await staying.socket.close()
        await stays


async def test_a_page_is_not_lost_while_its_keys_wait_for_its_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_door, "BEAT", 0.05)
    monkeypatch.setattr(web_door, "LOST_DELAY", 1.0)
    monkeypatch.setattr(interface, "KEYS_RATE", 64)
    async with knocking(DEAF) as door, web_door_of(door.door) as port, socket_to(port) as socket:
        ann = await Caller.introduce(socket)
        await ann.sees(b"ready")
        # Most of the last ones have to wait for a minute.
        for _ in range(3):
            await ann.press(b"a" * 4000)
        for _ in range(40):
            await ann.told()
        assert [each.name for each in door.door.visitors] == ["Ann"]


@pytest.mark.parametrize("is_final", [False, True])
async def test_only_who_closes_a_door_says_so(is_final: bool) -> None:
    async with knocking() as door:
        web = web_door.WebDoor(door.door, WORD, b"the page")
        async with socket_to(await web.open(0)) as socket:
            ann = await Caller.introduce(socket)
            await ann.sees(b"ready")
            await web.close(is_final=is_final)
            told = []
            with contextlib.suppress(ConnectionClosed):
                while True:
                    told.append(await ann.told())
    assert (b"c" in told) is is_final


async def test_200_half_open_connections_keep_nobody_out() -> None:
    async with a_web_door() as (port, _door):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
        # After a flood, there is room for a few in each second.
        async with asyncio.timeout(10):
            shown = b""
            while not shown:
                with contextlib.suppress(OSError, WebSocketException):
                    async with socket_to(port) as socket:
                        ann = await Caller.introduce(socket)
                        await ann.sees(b"ready")
                        shown = ann.shown
        ended = [reader.at_eof() for reader, _ in idle]
        assert ended.count(False) <= MAX_HALF_OPEN_OF_PLACE
        for _, writer in idle:
            writer.close()
