"""Queries of the history; each takes a connection opened by `consult`."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from spoof_tui.history.facts import Fact, Facts, Kind

EVENING_GAP: Final = 6 * 3600 * 1000
"""Milliseconds without a game at a table after which another evening begins."""

_COLUMNS: Final = "id, stem, finished, event, rules, preset, number, rounds, seats, place, people"
"""The columns of a `ListedGame`, in order."""


class GameResult(StrEnum):
    """How a game went for me; the values are the words of the command line."""

    WON = "won"
    """Won, or left a school by a right guess."""
    LOST = "lost"
    """Lost, or paid for a school."""
    WATCHED = "watched"


class ListedGame(NamedTuple):
    """A line of the list; a tuple, because there are very many of them."""

    id: int
    stem: str
    """Name of its files without the suffix."""
    finished: int
    """Milliseconds since 1970."""
    event: str
    """The table's name."""
    rules: str
    preset: str
    number: int
    """The number of the game at its table, from 1."""
    rounds: int
    seats: int
    place: int | None
    """Mine; None if I only watched."""
    names: str
    """All players by place, one per line."""

    @property
    def people(self) -> tuple[str, ...]:
        """All players by place."""
        return tuple(self.names.split("\n"))

    @property
    def is_guessing(self) -> bool:
        """Whether it was a school of the guessing game."""
        return self.preset == "hollywood"

    @property
    def result(self) -> GameResult:
        """How it went for me."""
        if self.place is None:
            return GameResult.WATCHED
        if self.is_guessing:
            return GameResult.LOST if self.place == self.seats else GameResult.WON
        return GameResult.WON if self.place == 1 else GameResult.LOST


@dataclass(frozen=True, slots=True)
class Filter:
    """A selection of games: those that meet every condition."""

    preset: str | None = None
    people: str = ""
    """Part of the name of a player or of the table, in any case."""
    result: GameResult | None = None

    def fitting(self, games: Sequence[ListedGame]) -> Sequence[ListedGame]:
        """The games that meet every condition."""
        return games if self == Filter() else [game for game in games if self.fits(game)]

    def fits(self, game: ListedGame) -> bool:
        """Whether a game meets every condition."""
        if self.preset is not None and self.preset != game.preset:
            return False
        if self.result is not None and self.result is not game.result:
            return False
        wanted = self.people.strip().casefold()
        return not wanted or any(wanted in each.casefold() for each in (game.names, game.event))


def games(connection: sqlite3.Connection) -> list[ListedGame]:
    """All games whose record can be read, the latest first."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM games WHERE seats > 0 ORDER BY finished DESC, id DESC"
    )
    return [ListedGame._make(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody I played with."""

    name: str
    games: int
    """The games that we both played in."""
    ahead: int
    """The games in which this player came before me."""
    took: int
    """Coins that this player took from me."""
    gave: int
    """Coins that this player lost to me."""


def rivals(connection: sqlite3.Connection, preset: str | None = None) -> list[Rival]:
    """Everybody I played with, the one who beats me most first."""
    rows = connection.execute(
        "SELECT players.name, count(*), sum(players.place < games.place),"
        " sum(players.took), sum(players.gave)"
        " FROM players JOIN games ON games.id = players.game"
        " WHERE games.place IS NOT NULL AND NOT players.is_me AND (? IS NULL OR games.preset = ?)"
        " GROUP BY players.name",
        (preset, preset),
    )
    return sorted((Rival(*row) for row in rows), key=lambda each: (-_fear(each), each.name))


def _fear(rival: Rival) -> float:
    """How reliably somebody beats me; few games together say little."""
    return (rival.ahead + 1) / (rival.games + 2)


def sums(connection: sqlite3.Connection, preset: str | None = None) -> Facts:
    """The sums of all games' facts about me."""
    rows = connection.execute(
        "SELECT facts FROM games WHERE ? IS NULL OR preset = ?", (preset, preset)
    )
    sums: Counter[str] = Counter()
    for (facts,) in rows:
        for fact, n in json.loads(facts).items():
            sums[fact] += n
    return Counter({_fact(*map(int, fact.split())): n for fact, n in sums.items()})


def _fact(kind: int, first: int, second: int) -> Fact:
    return Fact(Kind(kind), first, second)


@dataclass(frozen=True, slots=True)
class GameTally:
    """One player's results of an evening."""

    name: str
    is_me: bool
    games: int
    won: int
    """First places; in schools, right guesses by which the player left."""
    places: tuple[int, ...]
    """In the order of the games."""
    coins: int
    """Coins left at the end of the games."""
    fines: int
    chips: int | None
    """Chips won or lost in pots; None if nobody played for chips."""
    rounds_paid: int | None
    """Rounds of drinks paid for; None if nobody did."""


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of one table in one sitting."""

    event: str
    """The table's name."""
    games: tuple[ListedGame, ...]
    """The first one first."""
    table: tuple[GameTally, ...] = ()
    """Everybody who played, the best first."""


def evenings(listed: Sequence[ListedGame]) -> list[Evening]:
    """The games, given the latest first, by evenings, the latest first."""
    found: list[list[ListedGame]] = []
    running: dict[str, list[ListedGame]] = {}
    for game in listed:
        evening = running.get(game.event)
        if evening is None or evening[-1].finished - game.finished > EVENING_GAP:
            running[game.event] = evening = []
            found.append(evening)
        evening.append(game)
    return [Evening(each[0].event, tuple(reversed(each))) for each in found]


def evening(place: int = 0) -> Callable[[sqlite3.Connection], Evening | None]:
    """The query for an evening with its table: 0 is the latest, 1 the one before."""

    def ask(connection: sqlite3.Connection) -> Evening | None:
        found = evenings(games(connection))
        return tabled(connection, found[place]) if 0 <= place < len(found) else None

    return ask


def tabled(connection: sqlite3.Connection, evening: Evening) -> Evening:
    """The evening with its table of results."""
    marks = ", ".join("?" * len(evening.games))
    order = {game.id: game for game in evening.games}
    rows = connection.execute(
        "SELECT game, name, is_me, place, coins, fines, owed, chips, rounds_paid FROM players"
        f" WHERE game IN ({marks})",
        [*order],
    )
    by_name: dict[str, list[tuple[ListedGame, _Line]]] = {}
    for game, name, *line in rows:
        by_name.setdefault(name, []).append((order[game], _Line(*line)))
    table = [_tally(name, lines) for name, lines in by_name.items()]
    table.sort(key=lambda each: (-each.won, sum(each.places) / each.games, each.name))
    return Evening(evening.event, evening.games, tuple(table))


@dataclass(frozen=True, slots=True)
class _Line:
    is_me: int
    place: int
    coins: int
    fines: int
    owed: int | None
    chips: int | None
    rounds_paid: int | None


def _tally(name: str, lines: list[tuple[ListedGame, _Line]]) -> GameTally:
    lines.sort(key=lambda each: each[0].finished)
    mine = [line for _game, line in lines]
    owed = [line.owed for line in mine if line.owed is not None]
    return GameTally(
        name,
        any(line.is_me for line in mine),
        len(mine),
        sum(_has_won(game, line.place) for game, line in lines),
        tuple(line.place for line in mine),
        sum(line.coins for line in mine),
        # A slate adds up over the evening: if one was read, its last count is the total.
        owed[-1] if owed else sum(line.fines for line in mine),
        _sum(line.chips for line in mine),
        _sum(line.rounds_paid for line in mine),
    )


def _has_won(game: ListedGame, place: int) -> bool:
    return place < game.seats if game.is_guessing else place == 1


def _sum(found: Iterator[int | None]) -> int | None:
    known = [each for each in found if each is not None]
    return sum(known) if known else None


Months = tuple[tuple[str, int, int], ...]
"""For every month in which I played: "2026-11", games, and games won."""


def months(connection: sqlite3.Connection, preset: str | None = None) -> Months:
    """My games and wins, month by month."""
    rows = connection.execute(
        "SELECT strftime('%Y-%m', finished / 1000, 'unixepoch', 'localtime') AS month, count(*),"
        " sum(CASE preset WHEN 'hollywood' THEN place < seats ELSE place = 1 END) FROM games"
        " WHERE place IS NOT NULL AND (? IS NULL OR preset = ?) GROUP BY month ORDER BY month",
        (preset, preset),
    )
    return tuple(rows)
