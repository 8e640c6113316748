"""What a table is: its phase, its seats, the talk, and everything else that its log has said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.foreign import ForeignText
from protocol.game import Game
from protocol.log import Head
from protocol.rules import GuessingRules
from protocol.slate import Slate
from protocol.statements import Gesture, Measure, TableOpened

KEPT_TALK: Final = 100
"""Lines of talk that a table remembers; the log holds them all."""


Matter = tuple[Measure, bytes]
"""A measure, and the key that it concerns."""


class Phase(Enum):
    """What the table is doing."""

    GATHERING = "gathering"
    """No game runs: people sit, leave and get ready."""
    LOT = "lot"
    """A game has started and its lot is being drawn (G1)."""
    CHOOSING = "choosing"
    """Fists go in (R2)."""
    SPEAKING = "speaking"
    """Words are said (R4)."""
    WITNESSING = "witnessing"
    """The ending word is said, and the others confirm that they saw it."""
    OPENING = "opening"
    """The fists open (R11)."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that somebody holds: a key, not a connection."""

    key: bytes
    """Public key, 32 bytes."""
    name: ForeignText
    """What its owner wants to be called."""
    share_seal: bytes | None = None
    """Sealed share of the next lot; None while not ready."""
    away: bool = False
    """Whether the host has lost the connection (G3)."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of talk or a gesture."""

    author: bytes
    """Public key."""
    said: ForeignText | Gesture
    position: int
    """Position of its entry."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything that a log says. It holds no secret: hands are in it only once they are open."""

    opened: TableOpened
    head: Head
    """The log that was folded."""
    id: bytes
    """Hash of the first entry."""
    time: int
    """Milliseconds since 1970 of the last entry."""
    epoch: int = 0
    """Counts the hosts of this table."""
    phase: Phase = Phase.GATHERING
    seats: tuple[Seat, ...] = ()
    """In the order of sitting down, which is the order round the table."""
    names: Mapping[bytes, ForeignText] = field(default_factory=dict)
    """Name of everybody who ever sat here, by key."""
    admitted: frozenset[bytes] = frozenset()
    """Keys that proved the join code."""
    votes: Mapping[Matter, frozenset[bytes]] = field(default_factory=dict)
    """Who votes for what, by the voters' keys; never empty, and never carried yet (G5)."""
    muted: frozenset[bytes] = frozenset()
    """Keys that may not talk (G5)."""
    barred: frozenset[bytes] = frozenset()
    """Keys that may not sit (G5)."""
    leaving: tuple[bytes, ...] = ()
    """Keys of the seats that are taken away when this round is over, in that order (G5)."""
    game: Game | None = None
    """The running game, or the last one."""
    turn: int = 1
    """Log length that the author of a move must have seen: where the present turn began."""
    era: int = 1
    """Log length at the last start or end of a game."""
    sequences: Mapping[bytes, int] = field(default_factory=dict)
    """The last sequence number of each author."""
    talk: tuple[Talk, ...] = ()
    """The last lines of talk, oldest first."""
    slate: Slate = field(default_factory=Slate)
    """Fines and drinks of the evening, in the guessing game (H13)."""

    @property
    def has_slate(self) -> bool:
        """Whether fines and drinks are kept here."""
        return isinstance(self.opened.rules, GuessingRules)

    @property
    def chairman(self) -> bytes | None:
        """Key of the chairman's seat: the elected one's, else the host's, else the first (H2)."""
        keys = [seat.key for seat in self.seats]
        for key in (self.slate.chairman, self.opened.host, *keys):
            if key in keys:
                return key
        return None

    def seat(self, key: bytes) -> Seat | None:
        """The seat of `key`, if it holds one."""
        return next((seat for seat in self.seats if seat.key == key), None)

    @property
    def ready_seats(self) -> tuple[Seat, ...]:
        """Who plays if a game starts now, in order."""
        return tuple(seat for seat in self.seats if seat.share_seal is not None)

    def playing(self, key: bytes) -> int | None:
        """The index of `key` in the running game; None when it does not play, or no more."""
        if self.game is None or self.phase is Phase.GATHERING:
            return None
        index = self.game.seat_of(key)
        return None if index in self.game.removed else index

    @property
    def refused(self) -> frozenset[bytes]:
        """Keys that are let in no more: barred ones, once their seat is taken away (G5)."""
        return self.barred - {seat.key for seat in self.seats}

    @property
    def is_between_rounds(self) -> bool:
        """Whether a seat can be taken away now: before the first fist of a round is in (G5)."""
        if self.phase is Phase.CHOOSING:
            return self.game is None or not self.game.seals
        return self.phase in (Phase.GATHERING, Phase.LOT)

    def without_seat(self, key: bytes) -> Table:
        """The table with the seat of `key` free, and its votes and those about it gone.

        Votes to refuse the key stay: it could come back.
        """
        votes = {
            matter: voters - {key}
            for matter, voters in self.votes.items()
            if voters - {key} and (matter[1] != key or matter[0] is Measure.BAR)
        }
        return replace(
            self,
            seats=tuple(seat for seat in self.seats if seat.key != key),
            leaving=tuple(each for each in self.leaving if each != key),
            votes=votes,
        )


@dataclass(frozen=True, slots=True)
class Move:
    """The table before a statement, with who makes it and when."""

    table: Table
    author: bytes
    length: int
    """Log length after the statement's entry."""
    time: int

    def seat(self) -> Seat:
        """The author's seat."""
        seat = self.table.seat(self.author)
        if seat is None:
            raise Illegal(Reason.NO_SEAT)
        return seat

    def playing(self) -> tuple[Game, int]:
        """The running game and the author's index in it."""
        game, index = self.table.game, self.table.playing(self.author)
        if game is None:
            raise Illegal(Reason.NO_GAME)
        if index is None:
            raise Illegal(Reason.NOT_PLAYING)
        return game, index

    def seats_with(self, changed: Seat) -> Table:
        """The table with one seat exchanged."""
        seats = tuple(changed if s.key == changed.key else s for s in self.table.seats)
        return replace(self.table, seats=seats)

    def with_game(self, game: Game, phase: Phase) -> Table:
        """The table with the game moved on, and a new turn; at its end a new era, too."""
        era = self.length if phase is Phase.GATHERING else self.table.era
        return replace(self.table, game=game, phase=phase, turn=self.length, era=era)
