"""Reads a game record to step through: the rounds of one game at a time, recomputed by the rules.

The input is bytes, without any access to files. Of the record only words and hands are trusted; the
rules engine recomputes what each round did, and faults of the record are kept with the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.notation.checking import GameBegun, GameOver, Judged, judged
from protocol.notation.faults import Fault
from protocol.notation.reading import pieces
from protocol.notation.records import CheckedRound, GameEnd, GameHead, Header, Piece, first_header
from protocol.rules.game import PlayedRound
from protocol.rules.options import Rules
from spoof_tui.text.system_errors import reason_of

MAX_TOLD: Final = 50
"""The most faults kept of one round, or of the headers."""


@dataclass(frozen=True, slots=True)
class RecordedRound(CheckedRound):
    """A round of a record, with the faults that the record has there."""

    faults: tuple[Fault, ...] = ()

    @property
    def played(self) -> PlayedRound | None:
        """The round as a finished one; None if it cannot be counted."""
        if self.said is None or self.outcome is None:
            return None
        return PlayedRound(self.said, self.hands, self.outcome)

    @property
    def words(self) -> int:
        """The number of words said."""
        return len(self.said.words) if self.said else 0


_PIECES: Final = 1000
"""How many pieces of a file are read at a time when nobody waits for the screen."""


@dataclass(frozen=True, slots=True)
class Title:
    """The headers of a game, as far as they can be read."""

    headers: tuple[Header, ...] = ()
    rules: Rules | None = None
    names: tuple[ForeignText, ...] = ()
    """The players' names, clockwise; empty if it is not clear who sits where."""
    tags: tuple[str, ...] = ()
    coins: tuple[int, ...] = ()
    """Coins of every seat before round 1."""
    faults: tuple[Fault, ...] = ()

    def value(self, name: str) -> str:
        """The value of the header called `name`; empty without it."""
        header = first_header(self.headers, name)
        return header.value if header else ""

    @property
    def is_clear(self) -> bool:
        """Whether rules and players are known, so that the game can be drawn."""
        return self.rules is not None and len(self.names) == len(self.coins) > 0


@dataclass(slots=True)
class RecordedGame:
    """A game of a record, as far as it has been read."""

    title: Title = field(default_factory=Title)
    rounds: list[RecordedRound] = field(default_factory=list)
    has_begun: bool = False
    """Whether its headers have been read."""
    is_whole: bool = False
    """Whether its end has been read."""
    winner: int | None = None
    """The seat of the only player left, once the end has been read; None before, or if there is
    none."""
    faults: tuple[Fault, ...] = ()
    """Faults of the record at the end of the game."""
    loose: list[Fault] = field(default_factory=list)
    """Faults that belong to the part that is read next."""

    def take(self, found: Judged, headers: tuple[Header, ...]) -> None:
        """Add the next result of the check; `headers` are those of the game."""
        if isinstance(found, Fault):
            if len(self.loose) < MAX_TOLD:
                self.loose.append(found)
            return
        faults, self.loose = tuple(self.loose), []
        if isinstance(found, GameBegun):
            self.title, self.has_begun = _title(found, headers, faults), True
        elif isinstance(found, GameOver):
            self.is_whole, self.faults = True, faults
            tags = self.title.tags
            self.winner = tags.index(found.winner) if found.winner in tags else None
        else:
            self.rounds.append(_recorded(self.coins, found, faults))

    @property
    def counted(self) -> list[PlayedRound]:
        """The rounds before the first that cannot be counted."""
        played = [each.played for each in self.rounds]
        end = played.index(None) if None in played else len(played)
        return [each for each in played[:end] if each]

    @property
    def coins(self) -> tuple[int, ...]:
        """Coins of every seat after the last round that has been read."""
        return self.rounds[-1].coins if self.rounds else self.title.coins


class Recording:
    """The games of a file, read piece by piece; only one is held at a time."""

    def __init__(self, open_file: Callable[[], Iterator[bytes]]) -> None:
        self._open_file = open_file
        self.game = 0
        """Index of the current game in the file."""
        self.record = RecordedGame()
        self._rewind(0)

    def _rewind(self, game: int) -> None:
        self.game, self.record = game, RecordedGame()
        self._headers: tuple[Header, ...] = ()
        """The headers of the last game that was begun."""
        self._pieces = self._with_headers(pieces(self._open_file()))
        self._found: Iterator[Judged] = judged(self._pieces)
        self._skip = game
        """Games still to be skipped."""
        self._ahead: Judged | None = None
        """The first piece found of the next game."""
        self.trouble = ""
        """Why the file could not be read to its end."""

    def _with_headers(self, found: Iterator[Piece]) -> Iterator[Piece]:
        """Pass the pieces on, and remember the headers among them."""
        for piece in found:
            if isinstance(piece, GameHead):
                self._headers = piece.headers
            yield piece

    def grow(self, amount: int) -> None:
        """Read up to `amount` more pieces of the current game; an error ends it and sets
        `trouble`."""
        try:
            self._grow(amount)
        except OSError as error:
            # What has been read stays, and nothing more comes.
            self.trouble = reason_of(error)
            self._end()

    def _grow(self, amount: int) -> None:
        while self._skip and amount:
            piece = next(self._pieces, None)
            self._skip = 0 if piece is None else self._skip - isinstance(piece, GameEnd)
            amount -= 1
        while amount and not self._skip and not self.record.is_whole:
            found = self._ahead or next(self._found, None)
            self._ahead = None
            if found is None:
                # Only a file that has been shortened ends before its game.
                self._end()
                return
            self.record.take(found, self._headers)
            amount -= 1
        if self.record.is_whole and self._ahead is None:
            self._ahead = next(self._found, None)

    def _end(self) -> None:
        self._skip = 0
        self.record.has_begun = self.record.is_whole = True

    @property
    def has_next(self) -> bool:
        """Whether another game follows; valid once the current one is read to its end."""
        return self._ahead is not None

    def next(self) -> None:
        """Go on to the next game, which must exist (`has_next`)."""
        self.game, self.record = self.game + 1, RecordedGame()

    def games(self) -> Iterator[RecordedGame]:
        """The current game and those after it, each read to its end."""
        while True:
            while not self.record.is_whole:
                self.grow(_PIECES)
            yield self.record
            if not self.has_next:
                return
            self.next()

    def previous(self) -> None:
        """Go back to the previous game by reading the file again from the start."""
        self._rewind(self.game - 1)


def _title(begun: GameBegun, headers: tuple[Header, ...], faults: tuple[Fault, ...]) -> Title:
    try:
        rules = Rules.parse(begun.rules) if begun.rules else None
    except Malformed:
        rules = None
    seats = first_header(headers, "Seats")
    written = seats.value.split() if seats and begun.seats else []
    names = [ForeignText(_name(seat)) for seat in written]
    return Title(headers, rules, tuple(names), begun.seats, begun.coins, faults)


def _name(seat: str) -> str:
    tag, _, name = seat.partition(":")
    return name.replace("_", " ").strip() or tag


def _recorded(
    coins: tuple[int, ...], checked: CheckedRound, faults: tuple[Fault, ...]
) -> RecordedRound:
    """A round as the check has recomputed it; `coins` are those before it, if the check has
    none."""
    known = {each.name: getattr(checked, each.name) for each in fields(checked)}
    return RecordedRound(**known | {"coins": checked.coins or coins}, faults=faults)
