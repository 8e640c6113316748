"""New tables that go on from an old one (G8)."""

from __future__ import annotations

from protocol.table.continuation import draft, sign, signed, unsigned
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import TableContinued
from tests.protocol.stories import Story, public, signing_key

SALT = b"n" * 32
HOST = 0
"""The participant of the old table who hosts the new one."""


def old_table(players: int = 5, rules: str = "milan") -> Story:
    """A game that waits for the fists of its first round."""
    return Story(players, rules).start(*range(players)).toss(*range(players))


def drafted(table: Table, *along: int, host: int = HOST) -> TableContinued:
    """The new table of these participants, which nobody has signed."""
    return draft(table, frozenset(map(public, along)), public(host), SALT)


def signed_by(it: TableContinued, *along: int) -> TableContinued:
    """The same table, signed by these over exactly that."""
    plain = unsigned(it)
    return signed(plain, {public(who): sign(signing_key(who), plain) for who in along})


def opening(continued: TableContinued, host: int = HOST) -> Entry:
    """The entry that opens a new table."""
    return Entry.sign(signing_key(host), 0, EMPTY, 1_700_000_900_000, continued)
