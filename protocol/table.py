"""The table: what a log says, folded entry by entry by one pure function.

Host, guests and watchers hold the same log and so the same `Table`. `TRANSITIONS` owns what may
be stated in which phase; what is absent there is illegal, whoever says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from protocol.codec import Message
from protocol.errors import BrokenLog, Illegal, Malformed, Reason
from protocol.foreign import ForeignText
from protocol.game import Game, Player
from protocol.log import EMPTY, Entry, Head, Intent
from protocol.rules import MIN_PLAYERS, GuessingRules
from protocol.slate import Slate
from protocol.statements import (
    HOSTS,
    MOVES,
    SIDE_TALK,
    Admitted,
    AwardFine,
    Away,
    Back,
    Elect,
    Fist,
    GameStarted,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Open,
    Order,
    Ready,
    Say,
    Sit,
    Speak,
    TableOpened,
    Toss,
    Witness,
)
from protocol.version import PROTOCOL

KEPT_TALK: Final = 100
"""Lines of talk that a table remembers; the log holds them all."""


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
        """The index of `key` in the running game; None when it does not play."""
        if self.game is None or self.phase is Phase.GATHERING:
            return None
        return self.game.seat_of(key)


def fold(table: Table | None, entry: Entry) -> Table:
    """The table after `entry`; raises `BrokenLog` when the entry does not follow from it.

    None stands for no table: the first entry must open one. Chain and signatures are checked
    by `Log` and `Entry.read`.
    """
    try:
        if table is None:
            return _first(entry)
        if entry.epoch != table.epoch:
            raise BrokenLog(entry.position, f"epoch {entry.epoch} where {table.epoch} reigns")
        if entry.intent:
            check_intent(table, entry.intent)
        after = _apply(table, _author(entry), entry.statement, entry)
    except (Illegal, Malformed) as error:
        raise BrokenLog(entry.position, str(error)) from error
    sequences = table.sequences
    if entry.intent:
        sequences = {**sequences, entry.intent.author: entry.intent.sequence}
    return replace(after, head=entry.head, time=entry.time, sequences=sequences)


def check_statement(table: Table, author: bytes | None, statement: Message) -> None:
    """Raise `Illegal` unless `author` (None: the host) may state this now; changes nothing."""
    _apply(table, author, statement, None)


def check_intent(table: Table, intent: Intent) -> None:
    """Raise `Illegal` unless `intent` is new and its author saw what it answers to."""
    if intent.sequence <= table.sequences.get(intent.author, 0):
        raise Illegal(Reason.REPEATED)
    if not 0 < intent.seen.length <= table.head.length:
        # Who has seen nothing of this table could be quoted at any table.
        raise Illegal(Reason.OTHER_LOG)
    if intent.seen.length < _due(table, intent.statement):
        raise Illegal(Reason.STALE)


def _due(table: Table, statement: Message) -> int:
    """Log length that the author of the statement must have seen."""
    if isinstance(statement, SIDE_TALK):
        return 1
    return table.turn if isinstance(statement, MOVES) else table.era


def _author(entry: Entry) -> bytes | None:
    return entry.intent.author if entry.intent else None


def _first(entry: Entry) -> Table:
    opened = entry.statement
    if isinstance(opened, TableOpened) and opened.protocol != PROTOCOL:
        raise BrokenLog(0, f"it speaks protocol {opened.protocol}, this is {PROTOCOL}")
    if not isinstance(opened, TableOpened) or entry.head.length != 1 or entry.epoch != 0:
        raise BrokenLog(entry.position, "a log begins with the opening of its table")
    return Table(opened, entry.head, entry.hash, entry.time)


def _apply(table: Table, author: bytes | None, statement: Message, entry: Entry | None) -> Table:
    if (author is None) != (statement.KIND in HOSTS):
        raise Illegal(Reason.PLAYER_ONLY if author is None else Reason.HOST_ONLY)
    kind = type(statement)
    rule = TRANSITIONS.get((table.phase, kind))
    if rule is None:
        raise Illegal(_WHY_NOT.get((table.phase, kind), Reason.NOT_NOW))
    head = entry.head if entry else EMPTY
    time = entry.time if entry else table.time
    return rule(_Move(table, author or b"", head.length, time), statement)


@dataclass(frozen=True, slots=True)
class _Move:
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
        """The table with the game moved on, and a new turn."""
        return replace(self.table, game=game, phase=phase, turn=self.length)


def _sit(move: _Move, statement: Sit) -> Table:
    table = move.table
    if table.seat(move.author):
        raise Illegal(Reason.SEAT_TAKEN)
    if len(table.seats) >= table.opened.seats:
        raise Illegal(Reason.TABLE_FULL, seats=table.opened.seats)
    seat = Seat(move.author, statement.name)
    names = {**table.names, move.author: statement.name}
    return replace(table, seats=(*table.seats, seat), names=names)


def _leave(move: _Move, _: Leave) -> Table:
    table, gone = move.table, move.seat()
    playing = table.playing(gone.key)
    if playing is not None and table.game is not None and table.game.coins[playing]:
        raise Illegal(Reason.GAME_RUNNING)
    left = tuple(seat for seat in table.seats if seat is not gone)
    slate = table.slate
    if table.has_slate and table.game is not None:
        slate = slate.after_leaving(gone.key, table.game)
    return replace(table, seats=left, slate=slate)


def _ready(move: _Move, statement: Ready) -> Table:
    seat = move.seat()
    if seat.share_seal is not None:
        raise Illegal(Reason.READY_ALREADY)
    return move.seats_with(replace(seat, share_seal=statement.seal))


def _start(move: _Move, statement: GameStarted) -> Table:
    table, ready = move.table, move.table.ready_seats
    if len(ready) < MIN_PLAYERS:
        raise Illegal(Reason.TOO_FEW)
    if statement.order != tuple(seat.key for seat in ready):
        raise Illegal(Reason.WRONG_ORDER)
    game = Game(
        table=table.id,
        number=table.game.number + 1 if table.game else 1,
        rules=table.opened.rules,
        players=tuple(Player(s.key, s.name, s.share_seal or b"") for s in ready),
        started=move.time,
    )
    seats = tuple(replace(seat, share_seal=None) for seat in table.seats)
    slate = table.slate
    if table.has_slate and table.game is not None:
        slate = slate.before_next(table.game)
    table = replace(table, seats=seats, era=move.length, slate=slate)
    move = replace(move, table=table)
    crap = _crap(table, game)
    if crap is None:
        return move.with_game(game, Phase.LOT)
    return move.with_game(replace(game, crap=crap).with_round(crap), Phase.CHOOSING)


def _crap(table: Table, game: Game) -> int | None:
    """The seat that opens as crap (R15), if these rules say so and that player plays again."""
    last = table.game
    if last is None or last.first_out is None or game.rules.draws_lot:
        return None
    return game.seat_of(last.players[last.first_out].key)


def _toss(move: _Move, statement: Toss) -> Table:
    game, index = move.playing()
    game = game.toss(index, statement.share, statement.nonce)
    if game.round is None:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.CHOOSING)


def _fist(move: _Move, statement: Fist) -> Table:
    game, index = move.playing()
    game = game.put_in(index, statement.seal)
    if game.fists_missing:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.SPEAKING)


def _speak(move: _Move, statement: Speak) -> Table:
    game, index = move.playing()
    game = game.say(index, statement.word, statement.direction)
    ended = game.round is not None and game.round.is_over
    return move.with_game(game, Phase.WITNESSING if ended else Phase.SPEAKING)


def _witness(move: _Move, _: Witness) -> Table:
    game, index = move.playing()
    game = game.witness(index)
    if game.witnesses_missing:
        return replace(move.table, game=game)
    return move.with_game(game, Phase.OPENING)


def _open(move: _Move, statement: Open) -> Table:
    game, index = move.playing()
    game = game.open(index, statement.coins, statement.nonce)
    if game.hands and game.round is not None:
        return replace(move.table, game=game)
    slate = move.table.slate.after_round(game)
    if game.round is None:
        return replace(move.with_game(game, Phase.GATHERING), era=move.length, slate=slate)
    return replace(move.with_game(game, Phase.CHOOSING), slate=slate)


def _talk(move: _Move, statement: Say | Gesticulate) -> Table:
    move.seat()
    said = statement.text if isinstance(statement, Say) else statement.gesture
    line = Talk(move.author, said, move.length - 1)
    return replace(move.table, talk=(*move.table.talk, line)[-KEPT_TALK:])


def _elect(move: _Move, statement: Elect) -> Table:
    table = _slated(move)
    keys = frozenset(seat.key for seat in table.seats)
    if statement.seat not in keys:
        raise Illegal(Reason.NO_SEAT)
    return replace(table, slate=table.slate.elect(move.seat().key, statement.seat, keys))


def _award(move: _Move, statement: AwardFine) -> Table:
    table = _chaired(move)
    if table.seat(statement.seat) is None:
        raise Illegal(Reason.NO_SEAT)
    slate = table.slate.fined(statement.seat, statement.offence, by=move.author)
    return replace(table, slate=slate)


def _lift(move: _Move, statement: LiftFine) -> Table:
    table = _chaired(move)
    return replace(table, slate=table.slate.lift(statement.index))


def _order(move: _Move, statement: Order) -> Table:
    table, seat = _slated(move), move.seat()
    if table.game is None:
        raise Illegal(Reason.NO_GAME)
    return replace(table, slate=table.slate.order(seat.key, statement.drink, table.game))


def _slated(move: _Move) -> Table:
    if not move.table.has_slate:
        raise Illegal(Reason.GUESSING_ONLY)
    return move.table


def _chaired(move: _Move) -> Table:
    table = _slated(move)
    if move.seat().key != table.chairman:
        raise Illegal(Reason.NOT_CHAIRMAN)
    return table


def _admitted(move: _Move, statement: Admitted) -> Table:
    table = move.table
    if not table.opened.locked:
        raise Illegal(Reason.NO_CODE_HERE)
    if statement.key in table.admitted:
        raise Illegal(Reason.REPEATED)
    return replace(table, admitted=table.admitted | {statement.key})


def _away(move: _Move, statement: Away) -> Table:
    seat = replace(move, author=statement.seat).seat()
    if seat.away:
        raise Illegal(Reason.REPEATED)
    # Nobody is put into a game while away: who comes back says ready again.
    return move.seats_with(replace(seat, away=True, share_seal=None))


def _back(move: _Move, statement: Back) -> Table:
    seat = replace(move, author=statement.seat).seat()
    if not seat.away:
        raise Illegal(Reason.REPEATED)
    return move.seats_with(replace(seat, away=False))


_Rule = Callable[[_Move, Any], Table]

_ALWAYS: Final[Mapping[type[Message], _Rule]] = {
    Sit: _sit,
    Leave: _leave,
    Say: _talk,
    Gesticulate: _talk,
    Admitted: _admitted,
    Away: _away,
    Back: _back,
    Elect: _elect,
    AwardFine: _award,
    LiftFine: _lift,
    Order: _order,
}

TRANSITIONS: Final[Mapping[tuple[Phase, type[Message]], _Rule]] = {
    **{(phase, kind): rule for phase in Phase for kind, rule in _ALWAYS.items()},
    (Phase.GATHERING, Ready): _ready,
    (Phase.GATHERING, GameStarted): _start,
    (Phase.LOT, Toss): _toss,
    (Phase.CHOOSING, Fist): _fist,
    (Phase.SPEAKING, Speak): _speak,
    (Phase.WITNESSING, Witness): _witness,
    (Phase.OPENING, Open): _open,
}
"""What may be stated in which phase, and the function that owns the change."""

_WHY_NOT: Final[Mapping[tuple[Phase, type[Message]], Reason]] = {
    **{(phase, Ready): Reason.GAME_RUNNING for phase in Phase},
    **{(phase, GameStarted): Reason.GAME_RUNNING for phase in Phase},
    **{(phase, Toss): Reason.NO_LOT_NOW for phase in Phase},
    **{(phase, Fist): Reason.NO_FISTS_NOW for phase in Phase},
    **{(phase, Witness): Reason.NO_WITNESS_NOW for phase in Phase},
    **{(phase, Open): Reason.NO_OPENING_NOW for phase in Phase},
    (Phase.GATHERING, Fist): Reason.NO_GAME,
    (Phase.GATHERING, Speak): Reason.NO_GAME,
    (Phase.LOT, Speak): Reason.FISTS_NOT_IN,
    (Phase.CHOOSING, Speak): Reason.FISTS_NOT_IN,
    (Phase.WITNESSING, Speak): Reason.ROUND_IS_OVER,
    (Phase.WITNESSING, Open): Reason.NOT_SEEN_BY_ALL,
    (Phase.OPENING, Speak): Reason.ROUND_IS_OVER,
    (Phase.SPEAKING, Fist): Reason.FIST_IS_IN,
}
