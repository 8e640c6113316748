"""The fold: from a log to its table, entry by entry, by one pure function.

Host, guests and watchers hold the same log and so compute the same `Table`. `ALLOWED` lists what
may be stated in which phase; anything absent there is illegal, no matter who says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Any, Final

from protocol.encoding.codec import Message
from protocol.encoding.replacing import replace
from protocol.errors import BrokenLog, Illegal, Malformed, Reason
from protocol.table import electorate, state
from protocol.table.continuation import begun, follows, is_vouched_for
from protocol.table.head import Head
from protocol.table.log import Entry, Intent, Log, position_of
from protocol.table.state import CHOICES, KEPT_TALK, Move, Phase, Seat, Table, Talk
from protocol.table.statements import (
    HOSTS,
    MOVES,
    SIDE_TALK,
    Admitted,
    AwardFine,
    Away,
    Back,
    Decide,
    Elect,
    Fist,
    GameStarted,
    Gesticulate,
    Gesture,
    HostMoved,
    Leave,
    LiftFine,
    Measure,
    Open,
    Order,
    Ready,
    Say,
    Seen,
    Sit,
    Speak,
    TableContinued,
    TableOpened,
    TimeUp,
    Toss,
    Vacated,
    Vote,
    Witness,
    table_of,
)
from protocol.table.transitions import play, seating
from protocol.version import PROTOCOL

__all__ = [
    "ALLOWED",
    "KEPT_TALK",
    "Phase",
    "Seat",
    "Table",
    "Talk",
    "advance",
    "check_intent",
    "check_statement",
    "epoch_of",
    "fold",
    "placed",
]  # fmt: skip


def fold(table: Table | None, entry: Entry) -> Table:
    """The table after `entry`; raises `BrokenLog` if the entry does not follow from `table`.

    None stands for no table: the entry must then open one. `Log` and `Entry.read` check chain and
    signatures.
    """
    try:
        if table is None:
            return _first(entry)
        if entry.epoch != (epoch := epoch_of(table, entry.statement)):
            raise BrokenLog(entry.position, f"epoch {entry.epoch} where {epoch} is due")
        after = advance(table, entry.intent or entry.statement, entry.time)
    except (Illegal, Malformed) as error:
        raise BrokenLog(entry.position, str(error)) from error
    return placed(table, after, entry)


def advance(table: Table, said: Intent | Message, time: int) -> Table:
    """The table after a statement; raises `Illegal` unless it is allowed at `time`, in milliseconds
    since 1970.

    The result has no position in the log yet: `placed` adds it.
    """
    if isinstance(said, Intent):
        check_intent(table, said)
        return _apply(table, said.author, said.statement, time)
    return _apply(table, None, said, time)


def placed(before: Table, after: Table, entry: Entry) -> Table:
    """The table `after` with its position in the log, which is that of `entry`; `before` is the
    table before the entry."""
    sequences = before.sequences
    if entry.intent:
        sequences = {**sequences, entry.intent.author: entry.intent.sequence}
    head, waiting = entry.head, _waiting_since(before, after, entry.time)
    after = replace(after, head=head, time=entry.time, sequences=sequences, waiting_since=waiting)
    after = electorate.changed(before, after, _excused(before, after, entry), head.length)
    return state.after(before, after, entry.position)


def _excused(before: Table, after: Table, entry: Entry) -> frozenset[bytes]:
    """The public key whose seat its owner has given up, or the host has taken away, by this entry;
    empty if none."""
    said = entry.statement
    if isinstance(said, Leave) and entry.intent:
        gone = entry.intent.author
    elif isinstance(said, Decide):
        gone = said.seat
    else:
        return frozenset()
    return frozenset({gone} if before.seat(gone) and not after.seat(gone) else ())


def epoch_of(table: Table, said: Intent | Message) -> int:
    """The epoch that the next entry must have if it contains `said`."""
    return said.epoch if isinstance(said, HostMoved) else table.epoch


def _waiting_since(before: Table, after: Table, time: int) -> Mapping[bytes, int]:
    """The public keys that the table waits for, each with the time at which the wait began, in
    milliseconds since 1970 (G3)."""
    resumed = before.paused and not after.paused
    anew = resumed or (before.turn, before.epoch) != (after.turn, after.epoch)
    if not anew and before.game is after.game and before.seats is after.seats:
        return before.waiting_since
    if anew:
        return dict.fromkeys(after.waiting_for, time)
    kept = before.waiting_since
    # A move that needs no choice was due before, too.
    is_choice = after.phase in CHOICES and before.seats is not after.seats
    gone = after.away - before.away if is_choice else frozenset()
    return {key: time if key in gone else kept.get(key, time) for key in after.waiting_for}


def check_statement(
    table: Table, author: bytes | None, statement: Message, time: int | None = None
) -> None:
    """Raise `Illegal` unless `author` (None for the host) may state this now; changes nothing.

    `time` is by the host's clock, in milliseconds since 1970; with None nothing is too soon.
    """
    _apply(table, author, statement, time)


def check_intent(table: Table, intent: Intent) -> None:
    """Raise `Illegal` unless `intent` is new and its author had seen enough of the log to say
    it."""
    if intent.sequence <= table.sequences.get(intent.author, 0):
        raise Illegal(Reason.REPEATED)
    if not 0 < intent.seen.length <= table.head.length:
        # A word of a player who has seen nothing of this table could be quoted at any table.
        raise Illegal(Reason.OTHER_LOG)
    if intent.seen.length < _due(table, intent.statement):
        raise Illegal(Reason.STALE)


def _due(table: Table, statement: Message) -> int:
    """Minimum length of the log that the author of the statement must have seen."""
    if isinstance(statement, Gesticulate) and statement.gesture is Gesture.GLOAT:
        return max(table.gloats.since, 1)
    if isinstance(statement, SIDE_TALK):
        return 1
    if isinstance(statement, Vote) and statement.measure is Measure.PLAY_ON:
        return table.turn
    if isinstance(statement, Seen):
        return table.changed
    return table.turn if isinstance(statement, MOVES) else table.era


def _first(entry: Entry) -> Table:
    opening = entry.statement
    if not isinstance(opening, TableOpened | TableContinued):
        raise BrokenLog(entry.position, "a log begins with the opening of its table")
    opened = table_of(opening)
    if opened.protocol != PROTOCOL:
        raise BrokenLog(0, f"it speaks protocol {opened.protocol}, this is {PROTOCOL}")
    if entry.head.length != 1 or entry.epoch != 0:
        raise BrokenLog(entry.position, "a log begins with the opening of its table")
    table = Table(opened, opened.host, entry.head, entry.hash, entry.time)
    if isinstance(opening, TableContinued):
        return state.dealt_in(begun(table, opening))
    return table


def _apply(table: Table, author: bytes | None, statement: Message, time: int | None) -> Table:
    if (author is None) != (statement.KIND in HOSTS):
        raise Illegal(Reason.PLAYER_ONLY if author is None else Reason.HOST_ONLY)
    kind = type(statement)
    rule = ALLOWED.get((table.phase, kind))
    if rule is None:
        raise Illegal(_why_not(table, kind))
    if table.paused and isinstance(statement, _PAUSED):
        raise Illegal(Reason.PAUSED)
    now = table.time if time is None else max(time, table.time)
    before = table
    if author in table.set_aside and not isinstance(statement, Seen):
        # Anybody who says something is back; what a program confirms unasked does not count.
        table = replace(table, set_aside=table.set_aside - {author})
    move = Move(table, author or b"", table.head.length + 1, now, timed=time is not None)
    after = rule(move, statement)
    if isinstance(statement, _COUNTED_AFTER):
        after = play.votes_counted(replace(move, table=after))
    return play.going_on(before, move, after)


def _why_not(table: Table, kind: type[Message]) -> Reason:
    """Why a statement of this kind is not allowed in the phase of the table."""
    reason = _WHY_NOT.get((table.phase, kind), Reason.NOT_NOW)
    return table.over if reason is Reason.ROUND_IS_OVER else reason


_Rule = Callable[[Move, Any], Table]

_ALWAYS: Final[Mapping[type[Message], _Rule]] = {
    Sit: seating.sit,
    Leave: seating.leave,
    Seen: electorate.seen,
    Say: seating.talk,
    Gesticulate: seating.talk,
    Admitted: seating.admitted,
    Away: seating.away,
    Back: seating.back,
    Vacated: seating.vacated,
    Elect: play.elect,
    AwardFine: play.award,
    LiftFine: play.lift,
    Order: play.order,
    Vote: play.vote,
    Decide: play.decide,
    TimeUp: play.time_up,
    HostMoved: electorate.moved,
}

ALLOWED: Final[Mapping[tuple[Phase, type[Message]], _Rule]] = {
    **{(phase, kind): rule for phase in Phase for kind, rule in _ALWAYS.items()},
    (Phase.GATHERING, Ready): play.ready,
    (Phase.GATHERING, GameStarted): play.start,
    (Phase.LOT, Toss): play.toss,
    (Phase.CHOOSING, Fist): play.fist,
    (Phase.SPEAKING, Speak): play.speak,
    (Phase.WITNESSING, Witness): play.witness,
    (Phase.OPENING, Open): play.open,
}
"""The function that applies a statement of a kind in a phase; without one the statement is
illegal."""

_COUNTED_AFTER: Final = (Leave, Away, Vacated)
"""Kinds of statements after which the votes on measures are counted again: those who are left may
now be enough."""

_PAUSED: Final = (Ready, GameStarted, Fist, Speak, TimeUp)
"""Kinds of statements that a pause forbids."""

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


class Replica:
    """One copy of a table: its log, and the table that it makes."""

    __slots__ = ("log", "table")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Fold these entries; raises `BrokenLog` if one does not follow."""
        self.log = Log()
        self.table: Table | None = None
        for entry in entries:
            self.follow(entry)

    def follow(self, entry: Entry) -> Table:
        """Add the next entry and return the table after it; raises `BrokenLog`, and adds nothing,
        if it does not follow."""
        self.log.check(entry)
        table = fold(self.table, entry)
        self.put(entry, table)
        return table

    def put(self, entry: Entry, table: Table) -> None:
        """Add an entry that is known to follow, with the table after it."""
        self.log.add(entry)
        self.table = table

    def move(self, start: int, entries: Iterable[Entry], table: Table | None) -> None:
        """Replace the entries from `start` on by others that are known to follow, with the table
        after them."""
        self.log.cut(start)
        for entry in entries:
            self.log.add(entry)
        self.table = table


@dataclass(frozen=True, slots=True)
class Taken:
    """What changed in a copy of the log when an entry was taken in."""

    entries: tuple[Entry, ...] = ()
    cut: int | None = None
    """Number of entries that were kept before the added ones, if others were dropped; None if none
    were."""

    @property
    def has_moved(self) -> bool:
        """Whether the last of the added entries gave the table another host."""
        return bool(self.entries) and isinstance(self.entries[-1].statement, HostMoved)


class Branching(Replica):
    """A copy of a log whose last entries a later host may lack and replace."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        super().__init__(entries)
        self._branch: tuple[int, Replica] | None = None

    @property
    def epoch(self) -> int:
        """The epoch of the last entry; 0 if there is none."""
        return self.table.epoch if self.table else 0

    def forget_branch(self) -> None:
        """Drop the entries that were held aside."""
        self._branch = None

    def hold_aside(self, blob: bytes) -> Taken:
        """Take in an entry for a position that is filled, or one that follows such an entry.

        It is held aside until one of these entries moves the table to a later epoch; then they
        replace the end of the log. Raises `Malformed` or `BrokenLog`.
        """
        start, other = self._branch or self._branched_off(position_of(blob))
        assert other.table is not None
        entry = Entry.read(blob, other.table.host)
        other.follow(entry)
        self._branch = start, other
        if not isinstance(entry.statement, HostMoved) or entry.epoch <= self.epoch:
            return Taken()
        entries = tuple(other.log[start:])
        self._branch = None
        self.move(start, entries, other.table)
        return Taken(entries, start)

    def _branched_off(self, start: int) -> tuple[int, Replica]:
        """`start`, and a copy of the entries before it; raises `BrokenLog` if there are none."""
        if not start:
            raise BrokenLog(0, "it opens the table a second time")
        return start, Replica(self.log[:start])


class Origin(Enum):
    """Whether a new table follows from the log of an old one (G8)."""

    HOLDS = "holds"
    """The new table has the coins, the starter and the seats that follow from the log."""
    OTHER_TABLE = "other-table"
    """The log is that of another table."""
    OTHER_ENTRY = "other-entry"
    """The log is too short, or contains another entry in place of the one that the new table
    names."""
    OTHER_GAME = "other-game"
    """Other coins, another starter or other seats follow from the log: the new table is made up."""


def origin_of(continued: TableContinued, old: Iterable[Entry]) -> Origin:
    """Whether a new table follows from the log `old`, whose entries are consistent; raises
    `BrokenLog` if they are not."""
    log, table = Log(), None
    for entry in islice(old, continued.length):
        log.append(entry)
        table = fold(table, entry)
    if table is None or table.id != continued.table:
        return Origin.OTHER_TABLE
    if table.head != Head(continued.length, continued.last):
        return Origin.OTHER_ENTRY
    return Origin.HOLDS if follows(continued, table) else Origin.OTHER_GAME


def went_on(continued: TableContinued, old: Iterable[Entry], table: Table) -> bool:
    """Whether the game of `table` went on at this new one, as far as can be known.

    `old` is the log of `table`. The log of a player who was away may end before the entry that the
    new table names.
    """
    origin = origin_of(continued, old)
    if origin in (Origin.OTHER_ENTRY, Origin.OTHER_TABLE):
        return is_vouched_for(continued, table)
    return origin is Origin.HOLDS
