"""Questions that go out by every way, over loopback: who answers, and what comes back."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from ipaddress import IPv4Interface

from spoof_tui.network.beacon import TABLE_BYTES, BeaconSender
from spoof_tui.network.diagnosis.asking import Asker
from spoof_tui.network.diagnosis.observations import Way

LOOPBACK = IPv4Interface("127.0.0.1/8")


@contextlib.asynccontextmanager
async def asking() -> AsyncIterator[Asker]:
    asker = Asker([LOOPBACK])
    await asker.open()
    try:
        yield asker
    finally:
        await asker.close()


@contextlib.asynccontextmanager
async def sending(table: bytes, port: int) -> AsyncIterator[None]:
    task = asyncio.create_task(BeaconSender(table, port).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(holds: Callable[[], bool], again: Callable[[], None]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            again()
            await asyncio.sleep(0.05)


async def test_own_questions_come_back_by_each_way() -> None:
    async with asking() as asker:
        await until(lambda: asker.returned >= {Way.GROUP, Way.EVERYBODY}, asker.ask)
        assert asker.sent == asker.returned
        assert not asker.is_forbidden and asker.shares_port


async def test_a_table_is_heard_and_answers_who_asks_it_alone() -> None:
    table = secrets.token_bytes(TABLE_BYTES)
    async with asking() as asker, sending(table, 4242):
        await until(lambda: table in {each.table for each in asker.tables.values()}, asker.ask)
        assert {each.port for each in asker.tables} >= {4242}
        await asker.ask_directly("127.0.0.1")
        await asker.ask_directly("host.invalid")
        assert asker.figures is not None and asker.figures.asked == 2


async def test_nobody_was_asked_alone_so_there_are_no_figures() -> None:
    async with asking() as asker:
        assert asker.figures is None
        assert asker.alone == {}


async def test_this_machine_is_not_somebody_who_looks_for_tables() -> None:
    async with asking() as asker, asking() as other:
        await until(lambda: bool(asker.returned), asker.ask)
        await until(lambda: bool(other.returned), other.ask)
        # Strangers may be at play on the links of this machine.
        known = asker.lookers.union(*asker.answered.values())
        assert not [host for host in known if host.startswith("127.")]
