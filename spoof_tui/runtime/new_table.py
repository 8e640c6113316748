"""From an old table to the new one that goes on from it, at whoever served the old one (G8)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from protocol.crypto.keys import SigningKey
from protocol.table.log import Entry
from protocol.table.statements import TableContinued
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.failover_seated import SeatedFailover
from spoof_tui.runtime.hosting import HostedTable


@dataclass(frozen=True, slots=True)
class NewTable:
    """A new table, seen from a seat that comes to it."""

    id: bytes
    addresses: tuple[Address, ...]
    """Where it may be: where the old one was."""
    hosted: HostedTable | None
    """The table itself, if this program is its host."""


async def gone_along(
    old: SeatedFailover, staying: asyncio.Task[None], entry: Entry, key: SigningKey
) -> NewTable:
    """Leave the old table, at which `staying` comes to its end, for the one that `entry` opens.

    The old table is served no longer before the new one is. Raises `OSError` if no port is free.
    """
    addresses, served = old.locator.here, old.failover.served
    await old.failover.leave()
    await asyncio.gather(staying, return_exceptions=True)
    continued = entry.statement
    assert isinstance(continued, TableContinued)
    hosted = None
    if served is not None and continued.opened.host == key.public:
        hosted = await HostedTable.carry_on(entry, key, served)
    return NewTable(entry.hash, addresses, hosted)
