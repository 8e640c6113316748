"""The tables of the history's file. Another layout gets another number, and is rebuilt."""

from __future__ import annotations

from typing import Final

FILE: Final = "history.sqlite"
"""The history's file in the state folder. It exists once the history has been looked at."""

VERSION: Final = 1
"""Stored in the file; one with another number is rebuilt from the records."""

TABLES: Final = ("sums", "facts", "players", "games")
"""In an order in which they can be dropped."""

SCHEMA: Final = (
    """CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        stem TEXT NOT NULL UNIQUE,
        finished INTEGER NOT NULL,
        event TEXT NOT NULL,
        rules TEXT NOT NULL,
        preset TEXT NOT NULL,
        number INTEGER NOT NULL,
        rounds INTEGER NOT NULL,
        seats INTEGER NOT NULL,
        place INTEGER,
        people TEXT NOT NULL
    )""",
    "CREATE INDEX games_by_time ON games (finished)",
    """CREATE TABLE players (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        is_me INTEGER NOT NULL,
        place INTEGER NOT NULL,
        coins INTEGER NOT NULL,
        fines INTEGER NOT NULL,
        owed INTEGER,
        chips INTEGER,
        rounds_paid INTEGER,
        took INTEGER NOT NULL,
        gave INTEGER NOT NULL,
        PRIMARY KEY (game, seat)
    ) WITHOUT ROWID""",
    """CREATE TABLE facts (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        preset TEXT NOT NULL,
        kind INTEGER NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (game, kind, first, second)
    ) WITHOUT ROWID""",
    # The sums over all games are kept ready, so that statistics of many years open at once.
    """CREATE TABLE sums (
        preset TEXT NOT NULL,
        kind INTEGER NOT NULL,
        first INTEGER NOT NULL,
        second INTEGER NOT NULL,
        n INTEGER NOT NULL,
        PRIMARY KEY (preset, kind, first, second)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER facts_added AFTER INSERT ON facts BEGIN
        INSERT INTO sums VALUES (new.preset, new.kind, new.first, new.second, new.n)
        ON CONFLICT DO UPDATE SET n = n + new.n;
    END""",
    """CREATE TRIGGER facts_gone AFTER DELETE ON facts BEGIN
        UPDATE sums SET n = n - old.n
        WHERE preset = old.preset AND kind = old.kind AND first = old.first
        AND second = old.second;
    END""",
)
