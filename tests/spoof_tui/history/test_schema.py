"""The tables of the history: what is derived in them follows by itself."""

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest

from spoof_tui.history.schema import SCHEMA, TABLES


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        opened.execute("PRAGMA foreign_keys = ON")
        for statement in SCHEMA:
            opened.execute(statement)
        yield opened


def add(connection: sqlite3.Connection, game: int, n: int) -> None:
    row = (game, f"stem {game}", 0, "", "milan", "milan", 1, 1, 2, None, "")
    connection.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(row))})", row)
    connection.execute("INSERT INTO facts VALUES (?, 'milan', 2, -1, 0, ?)", (game, n))


def total(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(sum(n), 0) FROM sums").fetchone()[0])


def test_sums_follow_the_facts_of_games_that_come_and_go(connection: sqlite3.Connection) -> None:
    add(connection, 1, 3)
    add(connection, 2, 4)
    assert total(connection) == 7
    connection.execute("DELETE FROM games WHERE id = 1")
    assert total(connection) == 4


def test_every_table_can_be_dropped_in_the_order_that_is_given(
    connection: sqlite3.Connection,
) -> None:
    add(connection, 1, 1)
    for table in TABLES:
        connection.execute(f"DROP TABLE {table}")
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
