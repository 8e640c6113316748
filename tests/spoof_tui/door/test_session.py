"""What a visitor gets, and what they may ask for."""

from __future__ import annotations

import asyncio

import asyncssh
import pytest

from tests.spoof_tui.door.doors import SIZES, knocking, read_until, terminal
from tests.spoof_tui.runtime.local_table import until

FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 4096)"


async def test_every_new_size_is_that_of_the_program() -> None:
    async with knocking(SIZES) as door, await door.connect() as client:
        process = await terminal(client, "80 24")
        for columns, rows in ((45, 20), (100, 30)):
            process.change_terminal_size(columns, rows)
            await read_until(process.stdout, f"{columns} {rows}")


async def test_a_connection_has_one_terminal() -> None:
    async with knocking() as door, await door.connect() as client:
        first = await terminal(client)
        with pytest.raises(asyncssh.ChannelOpenError):
            await client.create_process(term_type="xterm")
        first.stdin.write("z")
        await read_until(first.stdout, "z")


async def test_a_terminal_that_is_asked_for_twice_takes_one_place() -> None:
    async with knocking() as door, await door.connect() as client:
        process = await terminal(client)
        for _ in range(5):
            process.channel._send_request(b"shell")
        process.stdin.write("z")
        await read_until(process.stdout, "z")
        assert len(door.door.visitors) == 1
        client.abort()
        await until(lambda: len(door.door.visitors) == 0)


async def test_a_newer_window_of_one_person_takes_the_place_of_the_older() -> None:
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with knocking() as door, await door.connect(client_keys=[key]) as first:
        older = await terminal(first)
        async with await door.connect(client_keys=[key]) as second:
            newer = await terminal(second)
            newer.stdin.write("z")
            await read_until(newer.stdout, "z")
            assert "in another window" in str((await older.wait()).stderr)
            assert len(door.door.visitors) == 1


async def test_a_client_that_reads_nothing_fills_no_memory() -> None:
    async with knocking(FLOOD) as door, await door.connect() as client:
        await client.create_session(
            asyncssh.SSHClientSession, term_type="xterm", encoding=None, window=1 << 31
        )
        transport = client.get_extra_info("socket")
        assert transport is not None
        client._transport.pause_reading()  # type: ignore[union-attr]
        (standing,) = door.door.standing
        await until(lambda: standing.is_clogged)
        wire = standing._wire
        assert wire is not None
        held = wire.get_write_buffer_size()
        async with await door.connect("Ann") as other:
            process = await other.create_process(term_type="xterm")
            async with asyncio.timeout(30):
                assert await process.stdout.read(10)
        assert wire.get_write_buffer_size() == held < 200_000
        client.abort()
