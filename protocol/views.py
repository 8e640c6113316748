"""A table as one participant may see it: what a screen draws and a bot decides by.

There is no hand in a view before its fist is open, the own one included.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import Call
from protocol.rules.house import Pronounced
from protocol.rules.options import GuessingRules, Rules, Stake
from protocol.rules.slate import Slate
from protocol.rules.stakes import Stakes, stake_of
from protocol.rules.words import Direction, Ending, Word
from protocol.table.state import Phase, Talk
from protocol.table.statements import Measure


class LinkState(Enum):
    """How the way to the host is."""

    DOWN = "down"
    """There is no connection."""
    MEETING = "meeting"
    """Connected; the log is not here yet."""
    MOVING = "moving"
    """Connected to a seat that stands for host, because the host is gone."""
    UP = "up"
    """The log is here up to what the host had at the welcome, and the host is heard."""
    UNSTEADY = "unsteady"
    """Nothing was heard for 3 s, or for longer than a slow network explains."""


class SeatStatus(Enum):
    """What is known of a seat's connection."""

    HERE = "here"
    UNSTEADY = "unsteady"
    """Not heard of for 3 s, or for longer than a slow network explains."""
    AWAY = "away"
    """The connection is lost; the seat is kept (G3)."""
    GONE = "gone"
    """The seat was given up, or taken away."""


class NewTableOffer(Protocol):
    """The question whether to carry the game on at a new table (G8): a `wire.new_table.Offer`."""

    @property
    def along(self) -> tuple[bytes, ...]:
        """Keys of the seats that are here."""

    @property
    def agreed(self) -> tuple[bytes, ...]:
        """Keys of those of them that have agreed."""

    @property
    def wait(self) -> int:
        """Seconds until one can agree; 0 now."""


class FistState(Enum):
    """What everybody can see of a fist."""

    NONE = "none"
    """Not playing this round."""
    NOT_IN = "not-in"
    IN = "in"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as everybody sees it."""

    key: bytes
    name: ForeignText
    coins: int
    """Coins owned; 0 when out or not in this game."""
    fist: FistState
    hand: int | None
    """The opened hand; None while the fist is shut."""
    presence: SeatStatus
    ready: bool
    """Ready for the next game."""
    plays: bool
    """In the running or, between games, in the last game."""
    is_me: bool
    speaks: bool
    """Speaks next."""
    is_crap: bool
    """First out of the previous game."""
    is_muted: bool
    """May not talk (G5)."""
    is_leaving: bool
    """Loses its seat when this round is over (G5)."""
    is_set_aside: bool
    """Is played on without at once until its owner is back (G3)."""
    counts: bool
    """Is one of those of whom more than half are a majority (G7)."""
    away_since: int | None
    """When the connection was lost, in milliseconds since 1970; None while it is here."""
    waits_since: int | None
    """Since when the table waits for its move, in milliseconds since 1970; None: it does not."""
    play_on_from: int | None
    """When the others may vote to play on without it, by the host's clock (G3); None: not yet."""
    time_up_from: int | None
    """When its turn clock runs out, by the host's clock (G4); None: there is none now."""
    did_not_gloat: bool = False
    """Won the last game, and did not gloat though that was expected (S4)."""
    through_door: bool = False
    """Whether its player came through a door: whoever runs the machine behind it could look."""


@dataclass(frozen=True, slots=True)
class Motion:
    """A measure that somebody votes for (G3, G5)."""

    measure: Measure
    seat: bytes
    """Public key of the seat concerned, which may be gone; `NO_ONE` of the whole table."""
    voters: frozenset[bytes]
    """Keys of the seats that are for it and count."""
    needed: int
    """How many carry it."""


@dataclass(frozen=True, slots=True)
class Option:
    """An ending word and whether I may say it now."""

    word: Ending
    forbidden: Illegal | None
    """Why not; None when it is allowed."""


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that one participant may know of a table."""

    table_id: bytes
    table_name: ForeignText
    rules: Rules
    phase: Phase
    link: LinkState
    seat_count: int
    """Seats that the table has."""
    seats: tuple[SeatView, ...]
    """Round the table, clockwise: the players of the game, then those who wait for the next."""
    me: int | None
    """My index in `seats`; None while I only watch."""
    game_number: int
    round_number: int
    words: tuple[tuple[int, Word], ...]
    """Seat and word of this round, in order."""
    calls: tuple[Call, ...]
    """In the guessing game: the calls of this round and the attempts, in order (H5, H8)."""
    free: tuple[int, ...]
    """In the guessing game: the numbers that nobody has called (H6)."""
    standing: tuple[int, int] | None
    """Seat and number of the standing bid."""
    most: int
    """W, the coins of everybody in."""
    direction: Direction
    starter: int | None
    """Seat that opens this round."""
    speaker: int | None
    """Seat that speaks next."""
    last: PlayedRound | None
    """The last finished round of this game."""
    past: tuple[PlayedRound, ...]
    """All finished rounds of this game."""
    winner: int | None
    """Seat that won the game that is over."""
    own_fist_due: bool
    """Whether the table waits for my fist."""
    own_word: Word | None
    """The word that I have said in this turn, while the host has not answered it."""
    may_turn: bool
    """Whether my opening bid may turn the direction."""
    lowest_bid: int | None
    """The lowest bid that I may make now; None when I may not bid."""
    options: tuple[Option, ...]
    """The four ending words."""
    slate: Slate
    """Fines and drinks of the evening, in the guessing game (H13)."""
    chairman: bytes | None
    """Key of the chairman, in the guessing game (H2)."""
    may_order: bool
    """Whether the drinks of the last school are mine to order (H10)."""
    host: bytes
    """Public key of the host, who may decide measures (G5)."""
    epoch: int
    """Counts the hosts of this table, from 0."""
    paused: bool
    """Whether no game goes on (G5)."""
    shut: bool | None
    """Whether an open table takes nobody new; None where a join code is asked for."""
    vacated: bool
    """Whether my seat was freed while I was away, because I had never played here."""
    starts_from: int | None
    """When, in milliseconds since 1970, a game may begin without those who are not ready (G9);
    None while too few are ready."""
    grace: int
    """Seconds of waiting after which a vote may play on (G3)."""
    clock: int
    """Seconds of the turn clock; 0 without one (G4)."""
    time: int
    """When the last entry was made, by the host's clock, in milliseconds since 1970."""
    votes: tuple[Motion, ...]
    """What is voted on, the oldest first (G3, G5)."""
    barred: frozenset[bytes]
    """Keys that may not sit (G5)."""
    talk: tuple[Talk, ...]
    names: Mapping[bytes, ForeignText]
    """Everybody who ever sat here."""
    position: int
    """Length of the log that this shows."""
    new_table: NewTableOffer | None = None
    """The new table that is offered to those who are here (G8)."""
    went_along: bool = False
    """Whether my seat has gone along to a new table, and says nothing here (G8)."""
    lag: int = 0
    """Milliseconds, in halves of a second, that an answer takes on a slow network; 0 on others."""
    stakes: Stakes = field(default_factory=Stakes)
    """Chips and rounds of the evening, in the bidding game (S1, S2)."""
    pronounced: tuple[Pronounced, ...] = ()
    """What the house has said last, oldest first."""
    may_gloat: bool = False
    """Whether I have just won, and may gloat (S4)."""
    vetoed: tuple[bytes, int] | None = None
    """Who last wanted the Wobble banned, and the log length at Mr. Shearn's veto (S5)."""
    thought: tuple[int, ...] = ()
    """Milliseconds that each of `words`, or of `calls`, took; empty where that is not shown."""

    @property
    def is_guessing(self) -> bool:
        """Whether this is the guessing game."""
        return isinstance(self.rules, GuessingRules)

    @property
    def counts_rounds(self) -> bool:
        """Whether the first one out pays the round, which stands on the slate (S2)."""
        return stake_of(self.rules) is Stake.DRINKS

    @property
    def has_slate(self) -> bool:
        """Whether fines and drinks are kept here."""
        return self.rules.fines_gloating

    @property
    def my_attempts(self) -> int:
        """How many of my calls of this round hit a number that was taken (H8)."""
        return sum(call.taken for call in self.calls if call.seat == self.me)

    @property
    def my_turn(self) -> bool:
        """Whether the table waits for my word."""
        return self.me is not None and self.speaker == self.me and self.own_word is None

    @property
    def my_seat(self) -> SeatView | None:
        """My own seat."""
        return None if self.me is None else self.seats[self.me]
