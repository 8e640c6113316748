"""Virtual time: what waits takes none, and machines share nothing but wires."""

from __future__ import annotations

import asyncio

import pytest

from spoof_tui.storage import files, paths
from tests.helpers.virtual import computer, done_on, on, run_virtually


def test_a_crash_takes_a_program_and_what_was_not_synced() -> None:
    async def write() -> None:
        files.open_private_append(paths.state_folder() / "file").write(b"kept nowhere")
        await asyncio.Event().wait()

    async def story() -> None:
        other = computer()
        with on(other):
            writing = other.loop.create_task(write())
        await asyncio.sleep(1000)
        assert asyncio.get_running_loop().time() > 900
        assert other.disk.paths() == ["file"] and not other.disk.durable("file")[0][1]
        other.crash()
        assert writing.done()
        with on(other):
            assert not (paths.state_folder() / "file").exists() or not other.disk.paths()[1:]

    run_virtually(story())


def test_an_error_comes_from_the_machine_where_it_happened() -> None:
    async def fail() -> None:
        raise OSError("there")

    async def story() -> None:
        await done_on(computer(), fail())

    with pytest.raises(OSError, match="there"):
        run_virtually(story())


def test_what_never_ends_fails_soon() -> None:
    with pytest.raises(RuntimeError, match="nothing will ever happen"):
        run_virtually(asyncio.Event().wait())
