"""A table that was closed and is opened again."""

import asyncio

import pytest

from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from spoof_tui.network.addresses import Address
from spoof_tui.network.locator import TableLocator
from spoof_tui.runtime import reopening
from spoof_tui.runtime.hosting import HostedTable, Plan
from spoof_tui.runtime.reopening import Reopening
from tests.spoof_tui.runtime.local_table import new_key

LIMIT = 20.0
PLAN = Plan("Pier", "Olha", Rules.parse("milan"), public=False, locked=False)


async def test_who_was_there_hears_where_the_table_is_open_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reopening, "LOOK_DELAY", 0.0)
    heard = asyncio.Queue[Address]()
    table = await HostedTable.open(PLAN, new_key())
    where, identity = Address("127.0.0.1", table.port), table.server.host.table.id
    locator = TableLocator(Guest(new_key(), identity), identity, [where])
    waiting = Reopening(locator, heard.put_nowait)
    assert await asyncio.wait_for(heard.get(), LIMIT) == where
    await waiting.close()
    await table.close()


async def test_waiting_can_be_given_up_before_anything_is_found() -> None:
    heard = asyncio.Queue[Address]()
    locator = TableLocator(Guest(new_key(), bytes(32)), bytes(32), [])
    waiting = Reopening(locator, heard.put_nowait)
    await asyncio.sleep(0)
    await waiting.close()
    assert heard.empty()
