"""The state of a table: its phase, seats and talk, and everything else that follows from its
log."""

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
"""Number of lines of talk that a table remembers; the log contains all of them."""


Matter = tuple[Measure, bytes]
"""A measure, and the public key that it concerns (`NO_ONE` for the whole table)."""


def needed(seats: int) -> int:
    """How many votes out of `seats` carry a measure: more than half."""
    return seats // 2 + 1


class Phase(Enum):
    """What a table is doing."""

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
    """A seat, which belongs to a key and not to a connection."""

    key: bytes
    """Public key, 32 bytes."""
    name: ForeignText
    """The name that its owner chose."""
    since: int = 0
    """Log length when its owner sat down."""
    share_seal: bytes | None = None
    """Seal of its share of the next lot; None while it is not ready."""
    ready_since: int | None = None
    """When it became ready, or the last pause after that ended, in milliseconds since 1970; None
    while it is not ready."""
    away_since: int | None = None
    """When the host lost the connection, in milliseconds since 1970; None while it is connected."""

    @property
    def away(self) -> bool:
        """Whether the host has lost the connection (G3)."""
        return self.away_since is not None


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of talk or a gesture."""

    author: bytes
    """Public key of its author."""
    said: ForeignText | Gesture
    position: int
    """Position of its log entry."""


@dataclass(frozen=True)
class Table:
    """Everything that follows from a log. It contains no secret: no hand before its fist is
    open."""

    opened: TableOpened
    host: bytes
    """Public key of the present host, which signs the entries of this epoch."""
    head: Head
    """The head of the log that this is the state of."""
    id: bytes
    """Hash of the first entry, which identifies the table."""
    time: int
    """When the last entry was made, in milliseconds since 1970 by the host's clock."""
    epoch: int = 0
    """The epoch of the present host, from 0; it rises with every change of host."""
    continues: TableContinued | None = None
    """The first entry, if this table goes on from another (G8); None otherwise."""
    phase: Phase = Phase.GATHERING
    seats: tuple[Seat, ...] = ()
    """The seats in the order of sitting down, which is the order round the table."""
    names: Mapping[bytes, ForeignText] = field(default_factory=dict)
    """Names of all who ever sat here, by public key."""
    doors: frozenset[bytes] = frozenset()
    """Those of these keys that came through a door, and so play on somebody else's machine."""
    admitted: frozenset[bytes] = frozenset()
    """Public keys that have proved the join code."""
    votes: Mapping[Matter, frozenset[bytes]] = field(default_factory=dict)
    """For each measure that is voted on, the public keys of its voters; never empty, and never
    enough to carry it (G5)."""
    muted: frozenset[bytes] = frozenset()
    """Public keys that may not talk (G5)."""
    barred: frozenset[bytes] = frozenset()
    """Public keys that may not sit (G5)."""
    set_aside: frozenset[bytes] = frozenset()
    """Public keys of the seats without which the table plays on at once until they are back (G3,
    G7)."""
    former: frozenset[bytes] | None = None
    """The electors before the earliest change that too few seats have confirmed; None without such
    a change. See `electorate`."""
    is_former_fresh: bool = False
    """Whether the former electors date from before the first game."""
    changed: int = 1
    """Log length after the last entry that changed the electors or added to `missed`."""
    seen: frozenset[bytes] = frozenset()
    """Electors, present or former, that have confirmed the entry at `changed`."""
    leaving: tuple[bytes, ...] = ()
    """Public keys of the seats that are taken away when this round is over, in that order (G5)."""
    paused: bool = False
    """Whether the table is paused: no fist, word or start of a game is allowed (G5)."""
    shut: bool = False
    """Whether a table without a join code refuses newcomers."""
    dealt: frozenset[bytes] = frozenset()
    """Public keys that were ever dealt into a game here: the seat of such a player is kept (G3)."""
    played: frozenset[bytes] = frozenset()
    """Public keys that ever opened a fist here, or came along from an old table; all others are
    strangers."""
    vacated: frozenset[bytes] = frozenset()
    """Public keys whose seats were freed while they were away, and that have not sat down since."""
    waiting_since: Mapping[bytes, int] = field(default_factory=dict)
    """For each of `waiting_for`, when the wait began, in milliseconds since 1970 (G3). A wait
    begins again with a new turn, when its seat goes away, when a pause ends, and with another host.
    """
    game: Game | None = None
    """The running game, or the last one; None before the first."""
    turn: int = 1
    """Length of the log where the present turn began, which the author of a move must have seen."""
    era: int = 1
    """Length of the log at the last start or end of a game."""
    sequences: Mapping[bytes, int] = field(default_factory=dict)
    """The last sequence number of each author."""
    talk: tuple[Talk, ...] = ()
    """The last lines of talk, oldest first."""
    slate: Slate = field(default_factory=Slate)
    """Fines and drinks of the evening, in the guessing game (H13) or where gloating is fined."""
    stakes: Stakes = field(default_factory=Stakes)
    """Chips and rounds of drinks of the evening, in the bidding game (S1, S2)."""
    house: House = field(default_factory=House)
    """What the house has announced."""
    gloats: Gloats = field(default_factory=Gloats)
    """Who may gloat, and who did not although it was expected (S4)."""
    vetoed: tuple[bytes, int] | None = None
    """Public key of the seat that last wanted the Wobble banned, and the log length at Mr. Shearn's
    veto (S5); None if nobody did."""
    thought: tuple[int, ...] = ()
    """Milliseconds that the table waited for each word or call of this round, or of the last
    one."""

    @property
    def is_guessing(self) -> bool:
        """Whether the guessing game is played."""
        return isinstance(self.opened.rules, GuessingRules)

    @property
    def has_slate(self) -> bool:
        """Whether fines and drinks are kept at this table."""
        return self.opened.rules.fines_gloating

    @cached_property
    def chairman(self) -> bytes | None:
        """Public key of the chairman's seat: the elected one, otherwise the host, otherwise the
        first seat (H2); None without seats."""
        keys = [seat.key for seat in self.seats]
        for key in (self.slate.chairman, self.host, *keys):
            if key in keys:
                return key
        return None

    def seat(self, key: bytes) -> Seat | None:
        """The seat of `key`; None if it has none."""
        return self._seats_by_key.get(key)

    @cached_property
    def _seats_by_key(self) -> Mapping[bytes, Seat]:
        return {seat.key: seat for seat in self.seats}

    @property
    def heirs(self) -> tuple[bytes, ...]:
        """Public keys of the other seats that are connected, in the order in which they would host
        the table.

        That is the order of the seats, strangers last, so that people who only sit there cannot
        stop the game.
        """
        here = [seat.key for seat in self.seats if not seat.away and seat.key != self.host]
        return tuple(sorted(here, key=lambda key: key not in self.played))

    @cached_property
    def electors(self) -> frozenset[bytes]:
        """Public keys of the electors: more than half of them are a majority (G7).

        While a game runs, those are the players dealt into it. Between games they are the seats
        that have opened a fist here; if there are none, those ever dealt in; if there are none, all
        seats. Seats that are set aside do not count, unless that would leave nobody.
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
        """Whether no game was ever dealt here, so that every seat may be a stranger's."""
        return not self.dealt

    @cached_property
    def away(self) -> frozenset[bytes]:
        """Public keys of the seats to which the host has lost the connection (G3)."""
        return frozenset([seat.key for seat in self.seats if seat.away_since is not None])

    def voters(self, matter: Matter) -> frozenset[bytes]:
        """Public keys of the seats whose votes on a matter count; more than half of them carry it
        (G7).

        Between games, and for votes to play on, only those that are connected count; for votes to
        play on, the seat in question does not count either (G3).
        """
        measure, key = matter
        here = self.electors - self.away
        if measure is Measure.PLAY_ON:
            return here - {key}
        return here or self.electors if self.phase is Phase.GATHERING else self.electors

    @cached_property
    def missed(self) -> frozenset[bytes]:
        """Public keys of the electors who are away and own no coins in a running game.

        They are set aside once more than half of the electors have confirmed that.
        """
        away = self.away
        return (self.electors & away) - self.in_play if away else away

    @property
    def over(self) -> Reason:
        """The reason for refusing another word once the last word of the round was said (R5,
        H5)."""
        running = self.game.round if self.game else None
        return running.WHY_NOT[0] if running else Reason.ROUND_IS_OVER

    def knows(self, key: bytes) -> bool:
        """Whether this key sat here or at an old table, proved the join code, or opened the
        table."""
        is_opener = key == self.opened.host
        return is_opener or key in self.admitted or key in self.names or key in self.behind

    @property
    def behind(self) -> tuple[bytes, ...]:
        """Public keys that sat at the old table and did not go along; empty if this table does not
        continue another."""
        return self.continues.behind if self.continues else ()

    @property
    def ready_seats(self) -> tuple[Seat, ...]:
        """The seats that would play if a game started now, in order."""
        return tuple(seat for seat in self.seats if seat.share_seal is not None)

    @property
    def ready_keys(self) -> tuple[bytes, ...]:
        """Public keys of the seats that would play if a game started now."""
        return tuple(seat.key for seat in self.ready_seats)

    @property
    def starts_from(self) -> int | None:
        """When seats that are not ready are no longer waited for, in milliseconds since 1970 (G9).

        None while fewer than two are ready.
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
        """Public keys that are not let in: those barred, once their seat is taken away (G5)."""
        return self.barred - {seat.key for seat in self.seats}

    @property
    def is_between_rounds(self) -> bool:
        """Whether a seat can be taken away now: before the first fist of a round is in (G5)."""
        if self.phase is Phase.CHOOSING:
            return self.game is None or not (self.game.seals or self.game.hands)
        return self.phase in (Phase.GATHERING, Phase.LOT)

    @cached_property
    def in_play(self) -> frozenset[bytes]:
        """Public keys of the players who own coins in the running game."""
        game = self.game
        if game is None or self.phase is Phase.GATHERING:
            return frozenset()
        pairs = zip(game.players, game.coins, strict=True)
        return frozenset(player.key for player, coins in pairs if coins)

    @cached_property
    def waiting_for(self) -> tuple[bytes, ...]:
        """Public keys of the seats whose move the game waits for now, in the order of the
        players."""
        game = self.game
        if game is None or self.phase is Phase.GATHERING:
            return ()
        return tuple([game.players[seat].key for seat in _OWING[self.phase](game)])

    def play_on_from(self, key: bytes) -> int | None:
        """When the others may vote to play on without `key`, in milliseconds since 1970 (G3).

        None if they may not, however long they wait: a player who is here may take as long as they
        like to choose. Moves without a choice are made by a program at once, unless something
        prevents it, so those may be voted on.
        """
        since = self.waiting_since.get(key)
        if since is None or self.paused or key not in self._seats_by_key:
            return None
        if self.phase in CHOICES and key not in self.away:
            return None
        return since + self.opened.grace * 1000

    def time_up_from(self, key: bytes) -> int | None:
        """When the turn clock of `key` runs out, in milliseconds since 1970 (G4); None for
        never."""
        since = self.waiting_since.get(key)
        if since is None or self.paused or not self.opened.clock or self.phase not in CHOICES:
            return None
        return since + self.opened.clock * 1000

    def vacant_from(self, key: bytes) -> int | None:
        """When the seat of `key` may be freed, in milliseconds since 1970; None for never.

        Only a seat whose owner was never dealt in may be freed, once it has been away for the grace
        time.
        """
        seat = self.seat(key)
        if seat is None or seat.away_since is None or key == self.host or key in self.dealt:
            return None
        return seat.away_since + self.opened.grace * 1000

    def vacant(self, time: int) -> tuple[bytes, ...]:
        """Public keys of the seats that may be freed at `time`, in the order of sitting down."""
        ends = [(self.vacant_from(seat.key), seat.key) for seat in self.seats if seat.away]
        return tuple([key for end, key in ends if end is not None and end <= time])

    def out_of_time(self, time: int) -> tuple[bytes, ...]:
        """Public keys of the seats whose turn clock has run out at `time` (G4)."""
        ends = [(self.time_up_from(key), key) for key in self.waiting_for]
        return tuple([key for end, key in ends if end is not None and end <= time])

    def without_seat(self, key: bytes) -> Table:
        """The table without the seat of `key`, the votes of that seat, and those about it.

        Votes to bar the key stay, because its owner could come back.
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
"""Phases in which a person has to choose; in the others programs answer by themselves."""

_OWING: Final[Mapping[Phase, Callable[[Game], Iterable[int]]]] = {
    Phase.LOT: attrgetter("shares_missing"),
    Phase.CHOOSING: attrgetter("fists_missing"),
    Phase.SPEAKING: attrgetter("speakers"),
    Phase.WITNESSING: attrgetter("witnesses_missing"),
    Phase.OPENING: attrgetter("fists_shut"),
}
"""For each phase of a game, the function that gives the seats that the game waits for."""


@dataclass(frozen=True, slots=True)
class Move:
    """A statement about to be applied: the table before it, its author and its time."""

    table: Table
    author: bytes
    length: int
    """Log length after the statement's entry."""
    time: int
    """When it is made, in milliseconds since 1970 by the host's clock."""
    timed: bool = True
    """Whether the time is known, so that a statement can come too soon."""

    def seat(self) -> Seat:
        """The author's seat; raises `Illegal` without one."""
        seat = self.table.seat(self.author)
        if seat is None:
            raise Illegal(Reason.NO_SEAT)
        return seat

    def playing(self) -> tuple[Game, int]:
        """The running game, and the author's index in it; raises `Illegal` unless the author
        plays."""
        game, index = self.table.game, self.table.playing(self.author)
        if game is None:
            raise Illegal(Reason.NO_GAME)
        if index is None:
            raise Illegal(Reason.NOT_PLAYING)
        return game, index

    def seats_with(self, changed: Seat) -> Table:
        """The table with the seat of the same key replaced by `changed`."""
        seats = tuple(changed if s.key == changed.key else s for s in self.table.seats)
        return replace(self.table, seats=seats)

    def with_game(self, game: Game, phase: Phase, thought: tuple[int, ...] | None = None) -> Table:
        """The table with another state of the game, in a new turn and, at the end of a game, in a
        new era."""
        table = self.table
        era = self.length if phase is Phase.GATHERING else table.era
        if table.votes:
            table = table.without_play_on(*table.waiting_for)
        thought = table.thought if thought is None else thought
        return replace(table, game=game, phase=phase, turn=self.length, era=era, thought=thought)

    def within_turn(self, game: Game) -> Table:
        """The table with `game` as the new state of the game, in the same turn: other players have
        yet to act in it."""
        table = replace(self.table, game=game)
        if not table.votes:
            return table
        still = table.waiting_for
        return table.without_play_on(*(key for key in self.table.waiting_for if key not in still))

    def is_before(self, time: int) -> bool:
        """Whether it is too soon for something that is allowed from `time` on, in milliseconds
        since 1970."""
        return self.timed and self.time < time

    def check_due(self, time: int | None, never: Reason) -> None:
        """Raise `Illegal` if it is not yet `time`, in milliseconds since 1970; if `time` is None,
        raise it with the reason `never`."""
        if time is None:
            raise Illegal(never)
        if self.is_before(time):
            raise Illegal(Reason.TOO_SOON)


_SAID: Final = (Phase.SPEAKING, Phase.WITNESSING, Phase.OPENING)
"""Phases in which all fists are in."""


def dealt_in(table: Table) -> Table:
    """The table after its first entry: if that goes on with a game (G8), each player has put a chip
    into the pot."""
    if table.game is None:
        return table
    return replace(table, stakes=table.stakes.begun(table.game))


def after(before: Table, table: Table, position: int) -> Table:
    """`table`, its stakes and the house's remarks brought up to date with what has changed since
    `before`, by the entry at `position`."""
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
