"""Attacks on the door for browsers; each test is named after one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from protocol.crypto.keys import SigningKey
from spoof_tui.door import web_door
from spoof_tui.door.interface import Interface, TerminalSize
from spoof_tui.door.session import BYTES_BURST, BYTES_RATE, PICTURE_BUFFER
from spoof_tui.door.web_door import WRONG
from tests.spoof_tui.door.doors import ECHO, Knocking, knocking
from tests.spoof_tui.door.pages import ANN, BO, HELLO, Caller, closed, socket_to, web_door_of

FLOOD = "import os, tty; tty.setraw(0)\nwhile True: os.write(1, b'x' * 4096)"
"""A program that never stops painting."""


ABORTED = 1006
"""What a client says of a connection that ended without a close."""

QUICK = 0.3
"""Seconds that a test waits for an attacker."""

BRIEF = 2.0
"""The same where an honest visitor, too, has to be that quick on a busy machine."""


pytestmark = pytest.mark.usefixtures("state")


@contextlib.asynccontextmanager
async def a_door(program: str = ECHO) -> AsyncIterator[tuple[Knocking, int]]:
    async with knocking(program) as door, web_door_of(door.door) as port:
        yield door, port


async def sit(port: int, said: object = HELLO, browser: SigningKey = ANN, **options: Any) -> Caller:
    return await Caller.introduce(await socket_to(port, **options), said=said, browser=browser)


async def is_empty(door: Knocking) -> None:
    """Wait until nobody's program runs."""
    async with asyncio.timeout(20):
        while len(door.door.visitors):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_somebody_sends_a_frame_again() -> None:
    async with a_door() as (door, port):
        ann = await sit(port)
        await ann.sees(b"ready")
        frame = await ann.press(b"a")
        await ann.sees(b"readya")
        await ann.socket.send(frame)
        await ann.is_closed()
        await is_empty(door)
        assert b"aa" not in ann.shown


async def test_somebody_swaps_two_frames() -> None:
    async with a_door() as (door, port):
        ann = await sit(port)
        await ann.sees(b"ready")
        first, second = ann.channel.seal(b"ka"), ann.channel.seal(b"kb")
        await ann.socket.send(second)
        with contextlib.suppress(ConnectionClosed):
            await ann.socket.send(first)
        await ann.is_closed()
        await is_empty(door)
        assert ann.shown == b"ready"


async def test_somebody_sends_back_what_the_door_said() -> None:
    async with a_door() as (door, port):
        ann = await sit(port)
        frame = await ann.socket.recv()
        await ann.socket.send(frame)
        await ann.is_closed()
        await is_empty(door)


@pytest.mark.parametrize("said", [{}, {**HELLO, "columns": "wide"}, {**HELLO, "rows": None}])
async def test_somebody_who_has_the_code_says_hello_in_a_wrong_way(said: object) -> None:
    async with a_door() as (door, port):
        mallory = await sit(port, said)
        assert await mallory.is_closed() == WRONG
        assert len(door.door.visitors) == 0


async def test_somebody_brings_variables_that_nobody_may_set() -> None:
    program = "import os; print(sorted(os.environ), os.environ.get('LANG'), end='ready')"
    async with a_door(program=program) as (_door, port):
        said = {**HELLO, "language": "../../x", "zone": "/etc/passwd", "PYTHONPATH": "/tmp"}
        mallory = await sit(port, said)
        await mallory.sees(b"ready")
    assert b"C.UTF-8" in mallory.shown and b"'TZ'" not in mallory.shown


async def test_a_flood_of_keys_is_the_flooders_own_trouble() -> None:
    async with a_door() as (door, port):
        mallory, ann = await sit(port), await sit(port, browser=BO)
        await ann.sees(b"ready")

        async def pour() -> None:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await mallory.press(b"x" * 4000)

        flood = asyncio.create_task(pour())
        for letter in (b"a", b"b", b"c"):
            await ann.press(letter)
            await ann.sees(letter)
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)
        mallory.socket.transport.abort()
        await ann.socket.close()
        await is_empty(door)


async def test_a_flood_of_sizes_is_taken_at_the_rate_of_one_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken: list[TerminalSize] = []
    monkeypatch.setattr(Interface, "resize", lambda self, size: taken.append(size))
    size = b"s" + json.dumps(HELLO).encode().ljust(4000)
    time = asyncio.get_running_loop().time
    async with a_door() as (door, port):
        mallory = await sit(port)
        since = time()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(QUICK):
                while True:
                    await mallory.socket.send(mallory.channel.seal(size))
        may_be_taken = BYTES_BURST + BYTES_RATE * (time() - since) + len(size)
        assert 1 < len(taken) * len(size) < may_be_taken
        mallory.socket.transport.abort()
        await door.door.close()


async def test_a_message_that_is_too_long_ends_its_connection() -> None:
    async with a_door() as (door, port):
        ann = await sit(port)
        await ann.sees(b"ready")
        await ann.press(b"x" * web_door.MAX_MESSAGE)
        await ann.is_closed()
        await is_empty(door)


async def test_who_never_reads_takes_a_little_memory_and_is_gone_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_door, "STALL", QUICK)
    painted: list[int] = []
    was = web_door._Visit._paint

    def paint(self: web_door._Visit, data: bytes) -> None:
        was(self, data)
        waits = self._socket.transport.get_write_buffer_size()
        painted.append(len(self._picture) + waits)

    monkeypatch.setattr(web_door._Visit, "_paint", paint)
    async with a_door(program=FLOOD) as (door, port):
        mallory = await sit(port, max_queue=1)
        mallory.socket.transport.pause_reading()
        async with asyncio.timeout(10):
            while not painted:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await is_empty(door)
        mallory.socket.transport.abort()
    assert max(painted) < 4 * PICTURE_BUFFER


async def test_a_browser_that_comes_again_takes_its_place_back() -> None:
    async with a_door() as (door, port):
        ann = await sit(port)
        await ann.sees(b"ready")
        again = await sit(port)
        await again.sees(b"ready")
        assert "in another window" in await ann.is_sent_away()
        assert len(door.door.visitors) == 1


@pytest.mark.parametrize("is_inside", [False, True])
@pytest.mark.parametrize(
    "send",
    [
        lambda socket: socket.ping(),
        lambda socket: socket.pong(),
        lambda socket: socket.send([b"", b"", b"x"]),
        lambda socket: socket.send("words"),
    ],
    ids=["ping", "pong", "pieces", "text"],
)
async def test_somebody_sends_what_is_work_for_nothing(
    send: Callable[[ClientConnection], Awaitable[object]], is_inside: bool
) -> None:
    async with a_door() as (_door, port):
        mallory = await sit(port) if is_inside else None
        if mallory:
            await mallory.sees(b"ready")
        socket = mallory.socket if mallory else await socket_to(port)
        with contextlib.suppress(ConnectionClosed):
            await send(socket)
        assert await closed(socket) == ABORTED


@pytest.mark.parametrize(
    "host", ["[", "[x", "a]", "127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}"], ids=repr
)
async def test_a_host_that_is_none_is_answered_in_a_line(
    host: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_door() as (_door, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET / HTTP/1.1\r\nHost: {host.format(port=port)}\r\n\r\n".encode())
        assert b" 400 " in await reader.readline()
        writer.close()
    assert not caplog.records


async def test_a_name_that_others_lead_here_is_no_address() -> None:
    async with a_door() as (_door, port):
        for host in (f"evil.example:{port}", "evil.example"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            assert b" 421 " in await reader.readline()
            writer.close()


async def test_a_page_from_elsewhere_opens_a_socket() -> None:
    async with a_door() as (_door, port):
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}"):
            with pytest.raises(InvalidStatus):
                await socket_to(port, origin)


async def test_garbage_in_place_of_a_request_ends_that_connection_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(web_door, "HELLO_TIMEOUT", BRIEF)
    async with a_door() as (_door, port):
        for garbage in (
            b"SSH-2.0-x\r\n" + os.urandom(9000),
            b"GET /\r\n\r\n",
            b"\x16\x03\x01" * 99,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(garbage)
            with contextlib.suppress(OSError):
                async with asyncio.timeout(20):
                    while await reader.read(4096):
                        pass
            writer.close()
        ann = await sit(port)
        await ann.sees(b"ready")


async def test_floods_of_pages_leave_room_for_who_plays() -> None:
    async with a_door() as (_door, port):
        ann = await sit(port)
        await ann.sees(b"ready")

        async def fetch() -> None:
            with contextlib.suppress(OSError, InvalidHandshake):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
                await reader.read()
                writer.close()

        await asyncio.gather(*(fetch() for _ in range(400)), ann.press(b"a"))
        await ann.sees(b"readya")


async def test_somebody_holds_a_connection_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_door, "HELLO_TIMEOUT", QUICK)
    async with a_door() as (_door, port):
        assert await closed(await socket_to(port)) == 1000
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        async with asyncio.timeout(10):
            assert await reader.read() == b""
        writer.close()
