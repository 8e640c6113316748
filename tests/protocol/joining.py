"""Locked tables, and those who come to them."""

from __future__ import annotations

import random

from protocol.crypto.keys import SigningKey
from protocol.guest.guest import Guest
from protocol.limits import (
    GUESS_INTERVAL,
)
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable

ADDRESS = "192.0.2.1"


entropy = random.Random(5).randbytes


def locked_table() -> MemoryTable:
    return MemoryTable(0, locked=True)


def newcomer(
    table: MemoryTable,
    code: str | None = None,
    address: str = ADDRESS,
    key: SigningKey | None = None,
) -> GuestSide:
    """A guest who has connected and, if a code is given, typed it."""
    client = GuestSide(Guest(key or SigningKey(table.entropy())), address=address)
    table.clients.append(client)
    if code is not None:
        client.guest.use_code(code, table.random.randbytes)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    return client
