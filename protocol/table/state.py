"""The state of a table: its phase, its seats, the talk, and everything else that its log has
said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from operator import attrgetter
from typing import Final

from protocol.encoding.replacing import replace
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.game import Game
from protocol.rules.house import Gloats, House
from protocol.rules.options import MIN_PLAYERS, GuessingRules
from protocol.rules.slate import Slate
from protocol.rules.stakes import Stakes
from protocol.table.head import Head
from protocol.table.statements import Gesture, Measure, TableContinued, TableOpened

KEPT_TALK: Final = 100
"""Lines of talk that a table remembers; the log holds all of them."""


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
    """A seat. It belongs to a key, not to a connection."""

    key: bytes
    """Public key, 32 bytes."""
    name: ForeignText
    """What its owner wants to be called."""
    since: int = 0
    """Log length when its owner sat down."""
    share_seal: bytes | None = None
    """Sealed share of the next lot; None while not ready."""
    ready_since: int | None = None
    """When it got ready, or the last pause since then ended, in milliseconds since 1970."""
    away_since: int | None = None
    """When the host lost the connection, in milliseconds since 1970; None while it has it."""

    @property
    def away(self) -> bool:
        """Whether the host has lost the connection (G3)."""
        return self.away_since is not None


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of talk or a gesture."""

    author: bytes
    """Public key."""
    said: ForeignText | Gesture
    position: int
    """Position of its entry."""


@dataclass(frozen=True)
class Table:
    """Everything that a log says. It holds no secret: a hand is in it only once it is open."""

    opened: TableOpened
    host: bytes
    """Public key of the present host, which signs the entries of this epoch."""
    head: Head
    """The head of the log that was folded."""
    id: bytes
    """Hash of the first entry."""
    time: int
    """Milliseconds since 1970 of the last entry."""
    epoch: int = 0
    """Counts the hosts of this table."""
    continues: TableContinued | None = None
    """The table that this one goes on from, if any (G8)."""
    phase: Phase = Phase.GATHERING
    seats: tuple[Seat, ...] = ()
    """In the order of sitting down, which is the order round the table."""
    names: Mapping[bytes, ForeignText] = field(default_factory=dict)
    """Names of all who ever sat here, by key."""
    doors: frozenset[bytes] = frozenset()
    """Those of these keys that came through a door and play on somebody else's machine."""
    admitted: frozenset[bytes] = frozenset()
    """Keys that proved the join code."""
    votes: Mapping[Matter, frozenset[bytes]] = field(default_factory=dict)
    """Voters of each measure, by key; never empty, and never enough to carry it (G5)."""
    muted: frozenset[bytes] = frozenset()
    """Keys that may not talk (G5)."""
    barred: frozenset[bytes] = frozenset()
    """Keys that may not sit (G5)."""
    set_aside: frozenset[bytes] = frozenset()
    """Keys of the seats that the table plays on without, at once, until they are back (G3, G7)."""
    former: frozenset[bytes] | None = None
    """The electors as they were before the earliest change that too few have confirmed; see
    `electorate`."""
    is_former_fresh: bool = False
    """Whether the former electors date from before the first game."""
    changed: int = 1
    """Log length after the last entry that changed the electors or added to `missed`."""
    seen: frozenset[bytes] = frozenset()
    """Electors, present or former, that have confirmed that entry since."""
    leaving: tuple[bytes, ...] = ()
    """Keys of the seats that are taken away when this round is over, in that order (G5)."""
    paused: bool = False
    """Whether the table is paused: no fist, no word, no start (G5)."""
    shut: bool = False
    """Whether an open table refuses newcomers."""
    dealt: frozenset[bytes] = frozenset()
    """Keys that were ever dealt into a game here: such a player's seat is kept (G3)."""
    played: frozenset[bytes] = frozenset()
    """Keys that ever opened a fist here, or came along from an old table; all others are
    strangers."""
    vacated: frozenset[bytes] = frozenset()
    """Keys whose seats were freed while they were away, and that have not sat down since."""
    waiting_since: Mapping[bytes, int] = field(default_factory=dict)
    """For each of `waiting_for`, when the wait began, in milliseconds since 1970 (G3). It begins
    again with a turn, when the seat goes away, when a pause ends, and with another host."""
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
    """Fines and drinks of the evening, in the guessing game (H13) or where gloating is fined."""
    stakes: Stakes = field(default_factory=Stakes)
    """Chips and rounds of the evening, in the bidding game (S1, S2)."""
    house: House = field(default_factory=House)
    """What the house has pronounced."""
    gloats: Gloats = field(default_factory=Gloats)
    """Who may gloat, and who did not (S4)."""
    vetoed: tuple[bytes, int] | None = None
    """Who last wanted the Wobble banned, and the log length at Mr. Shearn's veto (S5)."""
    thought: tuple[int, ...] = ()
    """Milliseconds that the table waited for each word or call of this round, or the last one."""

    @property
    def is_guessing(self) -> bool:
        """Whether this is the guessing game."""
        return isinstance(self.opened.rules, GuessingRules)

    @property
    def has_slate(self) -> bool:
        """Whether fines and drinks are kept here."""
        return self.opened.rules.fines_gloating

    @cached_property
    def chairman(self) -> bytes | None:
        """Key of the chairman's seat: the elected one's, else the host's, else the first (H2)."""
        keys = [seat.key for seat in self.seats]
        for key in (self.slate.chairman, self.host, *keys):
            if key in keys:
                return key
        return None

    def seat(self, key: bytes) -> Seat | None:
        """The seat of `key`, if it holds one."""
        return self._seats_by_key.get(key)

    @cached_property
    def _seats_by_key(self) -> Mapping[bytes, Seat]:
        return {seat.key: seat for seat in self.seats}

    @property
    def heirs(self) -> tuple[bytes, ...]:
        """Keys of the seats that are here, in the order in which they would host the table.

        That is the order of the seats, strangers last, so that people who merely sit cannot stop
        the game.
        """
        here = [seat.key for seat in self.seats if not seat.away and seat.key != self.host]
        return tuple(sorted(here, key=lambda key: key not in self.played))

    @cached_property
    def electors(self) -> frozenset[bytes]:
        """Keys of the electors: more than half of them are a majority (G7).

        While a game runs, those dealt into it; between games those who have opened a fist here or,
        before anybody has, those ever dealt in, or else all seats. Always without those set aside,
        unless that would leave nobody.
        """
        seats = frozenset(self._seats_by_key)
        if self.game is None or self.phase is Phase.GATHERING:
            seats = seats & self.played or seats & self.dealt or seats
        else:
            removed, players = self.game.removed, enumerate(self.game.players)
            dealt = {player.key for seat, player in players if seat not in removed}
            # A player who was out, left and sat down again counts from the next game on.
            late = {seat.key for seat in self.seats if seat.since > self.era}
            seats = seats & dealt - late or seats
        return seats - self.set_aside or seats

    @property
    def is_fresh(self) -> bool:
        """Whether no game was ever dealt here, so that nobody who sits has shown anything yet."""
        return not self.dealt

    @cached_property
    def away(self) -> frozenset[bytes]:
        """Keys of the seats to which the host has lost the connection (G3)."""
        return frozenset([seat.key for seat in self.seats if seat.away_since is not None])

    @cached_property
    def missed(self) -> frozenset[bytes]:
        """Electors who are away and owe the running game nothing.

        They are set aside once more than half of the electors have confirmed that.
        """
        away = self.away
        return (self.electors & away) - self.in_play if away else away

    @property
    def over(self) -> Reason:
        """Why nobody may say a word any more once all is said in a round (R5, H5)."""
        running = self.game.round if self.game else None
        return running.WHY_NOT[0] if running else Reason.ROUND_IS_OVER

    def knows(self, key: bytes) -> bool:
        """Whether this key sat here or at an old table, proved the code, or opened the table."""
        is_opener = key == self.opened.host
        return is_opener or key in self.admitted or key in self.names or key in self.behind

    @property
    def behind(self) -> tuple[bytes, ...]:
        """Keys that sat at the old table, if this one goes on from any, and did not go along."""
        return self.continues.behind if self.continues else ()

    @property
    def ready_seats(self) -> tuple[Seat, ...]:
        """The seats that play if a game starts now, in order."""
        return tuple(seat for seat in self.seats if seat.share_seal is not None)

    @property
    def ready_keys(self) -> tuple[bytes, ...]:
        """Keys of the seats that play if a game starts now."""
        return tuple(seat.key for seat in self.ready_seats)

    @property
    def starts_from(self) -> int | None:
        """When seats that are not ready are no longer waited for, in milliseconds since 1970 (G9).

        None while fewer are ready than a game takes.
        """
        since = [seat.ready_since for seat in self.seats if seat.ready_since is not None]
        return min(since) + self.opened.grace * 1000 if len(since) >= MIN_PLAYERS else None

    def playing(self, key: bytes) -> int | None:
        """Index of `key` in the running game; None if it does not play, or no longer does."""
        if self.game is None or self.phase is Phase.GATHERING:
            return None
        index = self.game.seats.get(key)
        return None if index in self.game.removed else index

    @property
    def refused(self) -> frozenset[bytes]:
        """Keys that are no longer let in: barred ones, once their seat is taken away (G5)."""
        return self.barred - {seat.key for seat in self.seats}

    @property
    def is_between_rounds(self) -> bool:
        """Whether a seat can be taken away now: before the first fist of a round is in (G5)."""
        if self.phase is Phase.CHOOSING:
            return self.game is None or not (self.game.seals or self.game.hands)
        return self.phase in (Phase.GATHERING, Phase.LOT)

    @cached_property
    def in_play(self) -> frozenset[bytes]:
        """Keys of the players who own coins in the running game."""
        game = self.game
        if game is None or self.phase is Phase.GATHERING:
            return frozenset()
        pairs = zip(game.players, game.coins, strict=True)
        return frozenset(player.key for player, coins in pairs if coins)

    @cached_property
    def waiting_for(self) -> tuple[bytes, ...]:
        """Keys of the seats whose move the game waits for now, in the order of the players."""
        game = self.game
        if game is None or self.phase is Phase.GATHERING:
            return ()
        return tuple([game.players[seat].key for seat in _OWING[self.phase](game)])

    def play_on_from(self, key: bytes) -> int | None:
        """When the others may vote to go on without `key`, in milliseconds since 1970 (G3).

        None if they may not, however long they wait: a player who is here may choose as slowly as
        they like. A move that needs no choice is made by a program at once, unless something
        prevents it.
        """
        since = self.waiting_since.get(key)
        if since is None or self.paused or key not in self._seats_by_key:
            return None
        if self.phase in CHOICES and key not in self.away:
            return None
        return since + self.opened.grace * 1000

    def time_up_from(self, key: bytes) -> int | None:
        """When the turn clock of `key` runs out, in milliseconds since 1970; None: never (G4)."""
        since = self.waiting_since.get(key)
        if since is None or self.paused or not self.opened.clock or self.phase not in CHOICES:
            return None
        return since + self.opened.clock * 1000

    def vacant_from(self, key: bytes) -> int | None:
        """When the seat of a stranger may be freed, in milliseconds since 1970; None: never.

        That is one whose owner was never dealt in and has been away for the grace time.
        """
        seat = self.seat(key)
        if seat is None or seat.away_since is None or key == self.host or key in self.dealt:
            return None
        return seat.away_since + self.opened.grace * 1000

    def vacant(self, time: int) -> tuple[bytes, ...]:
        """Keys of the seats that may be freed by then, in the order of sitting down."""
        ends = [(self.vacant_from(seat.key), seat.key) for seat in self.seats if seat.away]
        return tuple([key for end, key in ends if end is not None and end <= time])

    def out_of_time(self, time: int) -> tuple[bytes, ...]:
        """Keys of the seats whose turn clock has run out by then (G4)."""
        ends = [(self.time_up_from(key), key) for key in self.waiting_for]
        return tuple([key for end, key in ends if end is not None and end <= time])

    def without_seat(self, key: bytes) -> Table:
        """The table with the seat of `key` free, and without its votes and those about it.

        Votes to bar the key stay: it could come back.
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
            set_aside=self.set_aside - {key},
            votes=votes,
        )

    def without_play_on(self, *keys: bytes) -> Table:
        """The table without the votes to play on without these keys (G3)."""
        gone = [(Measure.PLAY_ON, key) for key in keys if (Measure.PLAY_ON, key) in self.votes]
        if not gone:
            return self
        votes = {matter: voters for matter, voters in self.votes.items() if matter not in gone}
        return replace(self, votes=votes)


CHOICES: Final = (Phase.CHOOSING, Phase.SPEAKING)
"""Phases that wait for what a person chooses; in the others programs answer by themselves."""

_OWING: Final[Mapping[Phase, Callable[[Game], Iterable[int]]]] = {
    Phase.LOT: attrgetter("shares_missing"),
    Phase.CHOOSING: attrgetter("fists_missing"),
    Phase.SPEAKING: attrgetter("speakers"),
    Phase.WITNESSING: attrgetter("witnesses_missing"),
    Phase.OPENING: attrgetter("fists_shut"),
}
"""The seats that a game waits for."""


@dataclass(frozen=True, slots=True)
class Move:
    """The table before a statement, with its author and its time."""

    table: Table
    author: bytes
    length: int
    """Log length after the statement's entry."""
    time: int
    """Milliseconds since 1970."""
    timed: bool = True
    """Whether the time is known, so that a statement can come too soon."""

    def seat(self) -> Seat:
        """The author's seat."""
        seat = self.table.seat(self.author)
        if seat is None:
            raise Illegal(Reason.NO_SEAT)
        return seat

    def playing(self) -> tuple[Game, int]:
        """The running game, and the author's index in it."""
        game, index = self.table.game, self.table.playing(self.author)
        if game is None:
            raise Illegal(Reason.NO_GAME)
        if index is None:
            raise Illegal(Reason.NOT_PLAYING)
        return game, index

    def seats_with(self, changed: Seat) -> Table:
        """The table with one seat replaced."""
        seats = tuple(changed if s.key == changed.key else s for s in self.table.seats)
        return replace(self.table, seats=seats)

    def with_game(self, game: Game, phase: Phase, thought: tuple[int, ...] | None = None) -> Table:
        """The table with the game moved on, and a new turn; at the end of the game a new era,
        too."""
        table = self.table
        era = self.length if phase is Phase.GATHERING else table.era
        if table.votes:
            table = table.without_play_on(*table.waiting_for)
        thought = table.thought if thought is None else thought
        return replace(table, game=game, phase=phase, turn=self.length, era=era, thought=thought)

    def within_turn(self, game: Game) -> Table:
        """The table with the game moved on by one of several players who are due in this turn."""
        table = replace(self.table, game=game)
        if not table.votes:
            return table
        still = table.waiting_for
        return table.without_play_on(*(key for key in self.table.waiting_for if key not in still))

    def is_before(self, time: int) -> bool:
        """Whether it is too soon for something that may be stated from `time` on, in
        milliseconds."""
        return self.timed and self.time < time

    def check_due(self, time: int | None, never: Reason) -> None:
        """Raise `Illegal` before this time, or if it `never` comes."""
        if time is None:
            raise Illegal(never)
        if self.is_before(time):
            raise Illegal(Reason.TOO_SOON)


_SAID: Final = (Phase.SPEAKING, Phase.WITNESSING, Phase.OPENING)
"""Phases in which all fists are in."""


def dealt_in(table: Table) -> Table:
    """A new table whose first entry goes on with a game (G8): each player has put in a chip."""
    if table.game is None:
        return table
    return replace(table, stakes=table.stakes.begun(table.game))


def after(before: Table, table: Table, position: int) -> Table:
    """`table`, with what its change since `before` adds to the evening."""
    game = table.game
    if game is None or (game is before.game and table.phase is before.phase):
        return table
    is_new = before.game is None or before.game.number != game.number
    if is_new:
        table = replace(table, stakes=table.stakes.begun(game))
    known = 0 if is_new or before.game is None else len(before.game.past)
    for rounds in range(known + 1, len(game.past) + 1):
        table = replace(
            table,
            stakes=table.stakes.counted(game, rounds),
            house=table.house.after_round(game, rounds, position),
        )
    if table.phase is not before.phase:
        table = _opened(before, table, game, position)
    if table.phase is Phase.GATHERING and (is_new or before.phase is not Phase.GATHERING):
        stakes, house = table.stakes.over(game), table.house.after_game(game, position)
        return replace(table, stakes=stakes, house=house)
    return table


def _opened(before: Table, table: Table, game: Game, position: int) -> Table:
    """The table with what the house says when the lot is drawn, and when all fists are in."""
    if before.phase is Phase.LOT and table.phase is Phase.CHOOSING:
        return replace(table, house=table.house.after_lot(game, position))
    if before.phase is Phase.CHOOSING and table.phase in _SAID:
        return replace(table, house=table.house.after_fists(game, position))
    return table
