"""Queries of the history; each takes a connection that `consult` opened."""

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
"""Milliseconds between two games at a table after which the later one begins another evening."""

_COLUMNS: Final = "id, stem, finished, event, rules, preset, number, rounds, seats, place, people"
"""The columns of the database that make up a `ListedGame`, in order."""


class GameResult(StrEnum):
    """The result of a game for me; the values are the words of the command line."""

    WON = "won"
    """I won or, in the guessing game, left by a right guess."""
    LOST = "lost"
    """I did not win or, in the guessing game, was the last and paid."""
    WATCHED = "watched"


class ListedGame(NamedTuple):
    """A game in the list of games; a tuple, because there may be very many."""

    id: int
    stem: str
    """Name of the game's files without the suffix."""
    finished: int
    """When it ended, in milliseconds since 1970."""
    event: str
    """The table's name."""
    rules: str
    preset: str
    number: int
    """The number of the game at its table, from 1."""
    rounds: int
    seats: int
    place: int | None
    """My place, from 1; None if I only watched."""
    names: str
    """The names of all players in the order of their places, one per line."""

    @property
    def people(self) -> tuple[str, ...]:
        """The names of all players, in the order of their places."""
        return tuple(self.names.split("\n"))

    @property
    def is_guessing(self) -> bool:
        """Whether it was the guessing game."""
        return self.preset == "hollywood"

    @property
    def result(self) -> GameResult:
        """The result of the game for me."""
        if self.place is None:
            return GameResult.WATCHED
        if self.is_guessing:
            return GameResult.LOST if self.place == self.seats else GameResult.WON
        return GameResult.WON if self.place == 1 else GameResult.LOST


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions that select games; each is off by default, and a game must meet all of them."""

    preset: str | None = None
    people: str = ""
    """Part of the name of a player or of the table, ignoring case."""
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
    """A player whom I have played with, over all games."""

    name: str
    games: int
    """Number of games in which we both played."""
    ahead: int
    """Number of these in which the player's place was better than mine."""
    took: int
    """Coins that this player took from me."""
    gave: int
    """Coins that this player lost to me."""


def rivals(connection: sqlite3.Connection, preset: str | None = None) -> list[Rival]:
    """All players I have played with, the one who beats me most reliably first; in one preset, or
    in all."""
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
    """An estimate, 0 to 1, of how often a rival beats me; with few games it stays near one half."""
    return (rival.ahead + 1) / (rival.games + 2)


def sums(connection: sqlite3.Connection, preset: str | None = None) -> Facts:
    """How often each fact about me occurred in all games, of one preset or of all."""
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
    """The results of one player over an evening."""

    name: str
    is_me: bool
    games: int
    won: int
    """Number of games won; in the guessing game, of games left by a right guess."""
    places: tuple[int, ...]
    """The player's places, in the order of the games."""
    coins: int
    """Coins left at the end of the games, added up."""
    fines: int
    chips: int | None
    """Chips won or lost in pots; None if nobody played for chips."""
    rounds_paid: int | None
    """Rounds of drinks paid for; None if drinks were not played for."""


@dataclass(frozen=True, slots=True)
class Evening:
    """The games of one table without a gap of more than `EVENING_GAP`."""

    event: str
    """The table's name."""
    games: tuple[ListedGame, ...]
    """The games, the first one first."""
    table: tuple[GameTally, ...] = ()
    """The results of everybody who played, the best first; empty until `tabled` fills it in."""


def evenings(listed: Sequence[ListedGame]) -> list[Evening]:
    """The games grouped into evenings, the latest first; `listed` has the latest game first."""
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
    """The query for an evening with its results: 0 is the latest, 1 the one before, and so on.

    The query returns None if there is no such evening.
    """

    def ask(connection: sqlite3.Connection) -> Evening | None:
        found = evenings(games(connection))
        return tabled(connection, found[place]) if 0 <= place < len(found) else None

    return ask


def tabled(connection: sqlite3.Connection, evening: Evening) -> Evening:
    """The evening with the results of its players filled in."""
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
"""For every month in which I played: the month ("2026-11"), games, and games won."""


def months(connection: sqlite3.Connection, preset: str | None = None) -> Months:
    """My games and wins by month, the first one first; of one preset, or of all."""
    rows = connection.execute(
        "SELECT strftime('%Y-%m', finished / 1000, 'unixepoch', 'localtime') AS month, count(*),"
        " sum(CASE preset WHEN 'hollywood' THEN place < seats ELSE place = 1 END) FROM games"
        " WHERE place IS NOT NULL AND (? IS NULL OR preset = ?) GROUP BY month ORDER BY month",
        (preset, preset),
    )
    return tuple(rows)
