"""Many games between the same players: who sits where, who won how often, and how sure that is."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.notation import record_of
from protocol.rules.game import Game, Player
from protocol.rules.options import GuessingRules, Rules
from spoof_tui.bots.arena import Mind, PlayedGame, play_game

_DICE_BITS: Final = 64


@dataclass(frozen=True, slots=True)
class Seating:
    """Where everybody sits in one game."""

    seats: tuple[int, ...]
    """The entry on each seat: its index in the list of all players."""
    opener: int
    """Seat that opens."""


def seating(entries: int, seed: int, number: int) -> Seating:
    """The seating of game `number`, from 0: the opening goes round, then seats are dealt anew."""
    deal, opener = divmod(number, entries)
    seats = list(range(entries))
    random.Random(f"seats {seed} {deal}").shuffle(seats)
    return Seating(tuple(seats), opener)


def dice(seed: int, number: int) -> random.Random:
    """The dice of game `number`: the same for the same seed, whoever plays it and when."""
    return random.Random(f"dice {seed} {number}")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one game."""

    number: int
    """Counts the games from 0."""
    entry: int | None
    """Who won (R13) or pays (H12), by index in the list of all players; None: undecided."""
    rounds: int
    record: str
    """The game in the Three Coins notation; empty where nobody wants it."""


def play_one(
    minds: Sequence[Mind],
    rules: Rules,
    seed: int,
    number: int,
    *,
    names: Sequence[str] = (),
    date: str = "",
) -> Result:
    """Play game `number`; with `names`, in the order of `minds`, it is recorded on that `date`."""
    placed = seating(len(minds), seed, number)
    seated = [minds[entry] for entry in placed.seats]
    toss = dice(seed, number)
    game = play_game(seated, rules, placed.opener, number=number + 1, toss=toss)
    entry = None if game.last_in is None else placed.seats[game.last_in]
    called = [names[each] for each in placed.seats] if names else []
    record = _record(game, rules, called, number, date) if called else ""
    return Result(number, entry, len(game.rounds), record)


def _record(played: PlayedGame, rules: Rules, names: Sequence[str], number: int, date: str) -> str:
    players = tuple(Player(bytes([seat]), ForeignText(n), b"") for seat, n in enumerate(names))
    game = Game(b"", number + 1, rules, players, 0, past=played.rounds)
    return record_of(game, event=f"Arena, game {number + 1}", date=date)


@dataclass(frozen=True, slots=True)
class Row:
    """One player, or several alike, in the table of a tournament."""

    player: str
    seats: int
    """How many of the entries it is."""
    count: int
    """Games that it won; in the guessing game games that it paid for."""
    rate: float
    """Part of the decided games that one of its entries won, or paid for."""
    error: float
    """Standard error of the rate."""


@dataclass
class Tally:
    """The results so far."""

    players: Sequence[str]
    """All entries; equal ones are counted together."""
    rules: Rules
    won: Counter[int | None] = field(default_factory=Counter)
    rounds: int = 0

    def add(self, result: Result) -> None:
        """Count one more game."""
        self.won[result.entry] += 1
        self.rounds += result.rounds

    @property
    def games(self) -> int:
        """All games that are counted."""
        return self.won.total()

    @property
    def undecided(self) -> int:
        """Games that were broken off, because they did not end."""
        return self.won[None]

    @property
    def fair(self) -> float:
        """What one entry of equals would win, or pay for."""
        return 1.0 / len(self.players)

    @property
    def counts_bills(self) -> bool:
        """Whether the last one in pays (H12), and does not win."""
        return isinstance(self.rules, GuessingRules)

    @property
    def rows(self) -> list[Row]:
        """The best player first."""
        rows = [self._row(player) for player in dict.fromkeys(self.players)]
        return sorted(rows, key=lambda row: row.rate, reverse=not self.counts_bills)

    def _row(self, player: str) -> Row:
        entries = [index for index, name in enumerate(self.players) if name == player]
        count = sum(self.won[entry] for entry in entries)
        part, error = share_of(count, self.games - self.undecided)
        return Row(player, len(entries), count, part / len(entries), error / len(entries))

    def as_json(self) -> Mapping[str, object]:
        """What `spoof arena --json` prints, without the seed."""
        counted = "paid" if self.counts_bills else "won"
        return {
            "rules": self.rules.text,
            "games": self.games,
            "undecided": self.undecided,
            "rounds": self.rounds,
            "fair": self.fair,
            "players": [
                {
                    "player": row.player,
                    "seats": row.seats,
                    counted: row.count,
                    "rate": row.rate,
                    "error": row.error,
                }
                for row in self.rows
            ],
        }


def share_of(count: int, games: int) -> tuple[float, float]:
    """The part that `count` is of all games, and its standard error; of no games, nothing.

    The error takes two games more for counted and two for not (Agresti and Coull), so that a
    part of all or none is not taken for certain.
    """
    if not games:
        return 0.0, 0.0
    steady = (count + 2) / (games + 4)
    return count / games, math.sqrt(steady * (1.0 - steady) / (games + 4))


def numbered(players: Sequence[str]) -> list[str]:
    """A name of its own for every entry: the second `random` is `random-2`."""
    seen: Counter[str] = Counter()
    names = []
    for player in players:
        seen[player] += 1
        names.append(player if seen[player] == 1 else f"{player}-{seen[player]}")
    return names
