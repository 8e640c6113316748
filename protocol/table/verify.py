"""Judges a stored log: whether it is consistent, what was played, and which entry does not follow.

It needs only the bytes of a file of frames: entry 0 names the key that signs the entries, the first
entry of an epoch the key that signs from there on, every intent the key of its author, and the
table id is the hash of entry 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader, frame
from protocol.errors import BrokenLog, Illegal, Malformed
from protocol.limits import MAX_ENTRY, MAX_LOG
from protocol.rules.game import Game
from protocol.table.fold import Origin, fold, origin_of
from protocol.table.head import EMPTY
from protocol.table.log import Entry, Forged, Log, is_by
from protocol.table.state import Matter, Phase, Table
from protocol.table.statements import (
    MOVES,
    NO_ONE,
    SIDE_TALK,
    Admitted,
    Away,
    GameStarted,
    Gesticulate,
    Gesture,
    HostMoved,
    Leave,
    Measure,
    Seen,
    Sit,
    TableContinued,
    TableOpened,
    Vacated,
    Vote,
    table_of,
)
from protocol.version import PROTOCOL

ROUTINE: Final = (
    *(TableOpened, TableContinued, Admitted, GameStarted, Sit, Seen),
    *(*MOVES, *SIDE_TALK),
)
"""Kinds of statements that a report does not list: its games show them, or they are only talk."""


def is_routine(statement: Message) -> bool:
    """Whether a report on a log leaves this statement out; a gloat has consequences and is listed
    (S4)."""
    gloats = isinstance(statement, Gesticulate) and statement.gesture is Gesture.GLOAT
    return isinstance(statement, ROUTINE) and not gloats


def _(template: str) -> str:
    """Mark a sentence for translation and return it unchanged; the interface translates and fills
    it."""
    return template


class Blame(Enum):
    """Who is to blame for a fault, as far as the file proves it."""

    FILE = "file"
    """Anybody who could change the file: it proves nothing against a player or the host."""
    HOST = "host"
    """The host, which has validly signed something that a correct host never signs."""


class Flaw(Enum):
    """Why an entry does not follow: who is to blame, and a sentence with named placeholders."""

    EMPTY = (Blame.FILE, _("there is nothing in this file"))
    TORN = (Blame.FILE, _("the file ends in the middle of this entry, after {held} bytes"))
    LENGTH = (Blame.FILE, _("its length is impossible: an entry has 1 to {most} bytes"))
    NO_OPENING = (
        Blame.FILE,
        _("a log begins with the opening of its table, signed by the host: {why}"),
    )
    OTHER_VERSION = (
        Blame.FILE,
        _("the table speaks protocol {theirs}, but this program checks protocol {own}"),
    )
    UNSIGNED = (Blame.FILE, _("the host’s signature does not match these bytes"))
    REPEATED = (Blame.FILE, _("it repeats entry {position}"))
    GAP = (Blame.FILE, _("it is entry {position}: the entries in between are missing"))
    OVERTAKEN = (
        Blame.FILE,
        _("it belongs to epoch {epoch}, but the table had moved to another host by then"),
    )
    NEW_TABLE = (Blame.FILE, _("it opens the new table that continues this one"))
    NOT_MOVED = (Blame.FILE, _("it is no valid move of the table to another host: {why}"))
    TOO_MANY = (Blame.FILE, _("a log has at most {most} entries"))

    TWO_ENTRIES = (
        Blame.HOST,
        _(
            "the host has signed two different entries with the number {position}, this one and "
            "another: two stories are being told"
        ),
    )
    TWO_PASTS = (
        Blame.HOST,
        _(
            "it follows an entry {position} that differs from the one here: two stories are "
            "being told"
        ),
    )
    OTHER_LOG = (
        Blame.HOST,
        _("its author saw a different log of {length} entries: two stories are being told"),
    )
    FORGED = (
        Blame.HOST,
        _("the author’s signature on the word in this entry is wrong: the word is forged"),
    )
    MADE_UP = (
        Blame.HOST,
        _("it opens a new table that does not follow from this one: somebody has made it up"),
    )
    MISSHAPEN = (Blame.HOST, _("its content is not a statement: {why}"))
    OLDER = (Blame.HOST, _("it is older than the previous entry"))
    FORBIDDEN = (Blame.HOST, _("the rules forbid it: {why}"))

    def __init__(self, blame: Blame, template: str) -> None:
        self.blame = blame
        """Who is to blame for a fault of this kind."""
        self.template = template
        """English sentence with named placeholders."""


@dataclass(frozen=True, slots=True)
class LogFault:
    """The first entry that does not follow from those before it, and why."""

    entry: int
    """Index of the entry in the file, from 0, which should be its position in the log."""
    flaw: Flaw
    values: Mapping[str, int | str] = field(default_factory=dict)
    """Values for the placeholders of the sentence; `why` is in English."""
    author: bytes | None = None
    """Public key of the participant whose intent the entry contains; None if it contains none."""
    statement: Message | None = None
    """The statement in the entry; None if it cannot be read."""
    forbidden: Illegal | None = None
    """The rule that forbids the statement; None if no rule does."""

    @property
    def message(self) -> str:
        """The sentence about the fault, in English."""
        return self.flaw.template.format(**self.values)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened at the table and that the games do not show."""

    entry: int
    """Position of its log entry."""
    author: bytes | None
    """Public key of its author; None for the host."""
    statement: Message
    carried: tuple[Matter, ...] = ()
    """Measures that came into force with it, by the host's decision or a majority (G5)."""
    gone: tuple[bytes, ...] = ()
    """Public keys that lost their seats with it without giving them up."""
    silent: tuple[bytes, ...] = ()
    """Public keys that could have gloated until then and did not (S4)."""


@dataclass(frozen=True, slots=True)
class LogReport:
    """What a stored log contains, up to the first fault."""

    table: Table | None
    """The table after the last entry that follows; None if not even the first one does."""
    length: int
    """Number of entries that follow from one another."""
    began: int
    """When the log begins, in milliseconds since 1970 by the host's clock; 0 without a table."""
    games: tuple[Game, ...]
    """All games in order; the last one may be unfinished."""
    happenings: tuple[Happening, ...]
    """What happened besides the games, in order."""
    fault: LogFault | None
    """The first fault; None if the log is consistent."""

    @property
    def holds(self) -> bool:
        """Whether the whole file is a consistent log, or the beginning of one."""
        return self.fault is None

    @property
    def running(self) -> Game | None:
        """The game that is still running at the end of the log; None if there is none."""
        if self.table is None or self.table.phase is Phase.GATHERING:
            return None
        return self.table.game


def verify(chunks: Iterable[bytes]) -> LogReport:
    """Judge a stored log, read in pieces of any size; reading stops at the first fault."""
    judge = _Judge()
    fault = None
    try:
        for blob in _blobs(chunks):
            judge.take(blob)
        if judge.table is None:
            raise _Found(Flaw.EMPTY)
    except _Found as found:
        fault = found.fault(len(judge.log))
    began = judge.log[0].time if judge.table else 0
    games, happenings = tuple(judge.games.values()), tuple(judge.happenings)
    return LogReport(judge.table, len(judge.log), began, games, happenings, fault)


def fault_of(log: Log, table: Table | None, blob: bytes) -> LogFault | None:
    """Why `blob` is not the next entry of `log`, whose table is `table`; None if it is."""
    judge = _Judge()
    judge.log, judge.table = log, table
    try:
        judge.check(blob)
    except _Found as found:
        return found.fault(len(log))
    return None


class _Found(Exception):
    """A fault, raised before its position is known."""

    def __init__(self, flaw: Flaw, entry: Entry | None = None, **values: int | str) -> None:
        super().__init__(flaw.name)
        self._flaw, self._values = flaw, values
        self._entry = entry

    def fault(self, position: int) -> LogFault:
        """The fault, placed at `position`."""
        entry, cause = self._entry, self.__cause__
        return LogFault(
            position,
            self._flaw,
            self._values,
            author=entry.intent.author if entry and entry.intent else None,
            statement=entry.statement if entry else None,
            forbidden=cause if isinstance(cause, Illegal) else None,
        )


def _blobs(chunks: Iterable[bytes]) -> Iterator[bytes]:
    reader = FrameReader(MAX_ENTRY)
    held = 0
    for chunk in chunks:
        reader.push(chunk)
        held += len(chunk)
        while (blob := _next(reader)) is not None:
            held -= len(frame(blob))
            yield blob
    if held:
        raise _Found(Flaw.TORN, held=held)


def _next(reader: FrameReader) -> bytes | None:
    try:
        return reader.pop()
    except Malformed as error:
        raise _Found(Flaw.LENGTH, most=MAX_ENTRY) from error


class _Judge:
    """Builds a log entry by entry, and collects the report on it."""

    def __init__(self) -> None:
        self.log = Log()
        self.table: Table | None = None
        self.games: dict[int, Game] = {}
        """The games by number."""
        self.happenings: list[Happening] = []

    def take(self, blob: bytes) -> None:
        """Add the next encoded entry; raises `_Found`, and adds nothing, if it does not follow."""
        entry, table = self.check(blob)
        self.log.append(entry)
        self._tell(entry, table)
        self.table = table

    def check(self, blob: bytes) -> tuple[Entry, Table]:
        """The next entry, decoded, and the table after it; raises `_Found` if it does not
        follow."""
        if len(self.log) >= MAX_LOG:
            raise _Found(Flaw.TOO_MANY, most=MAX_LOG)
        entry = self._read(blob)
        self._check_place(entry)
        return entry, self._fold(entry)

    def _read(self, blob: bytes) -> Entry:
        if self.table is None:
            try:
                return Entry.read(blob)
            except Malformed as error:
                raise _Found(Flaw.NO_OPENING, why=str(error)) from error
        host = self.table.host
        try:
            return Entry.read(blob, host)
        except Malformed as error:
            if not is_by(host, blob):
                raise _Found(Flaw.UNSIGNED) from error
            if isinstance(error, Forged):
                raise _Found(Flaw.FORGED) from error
            raise _Found(Flaw.MISSHAPEN, why=str(error)) from error

    def _check_place(self, entry: Entry) -> None:
        """Raise `_Found` unless the entry belongs here; tells a file that was rearranged from a
        host that signed what it must not."""
        log, position = self.log, entry.position
        if self.table and isinstance(entry.statement, TableContinued):
            self._check_new_table(entry, entry.statement)
        if position < len(log) and log[position].hash == entry.hash:
            raise _Found(Flaw.REPEATED, entry, position=position)
        if position > len(log):
            raise _Found(Flaw.GAP, entry, position=position)
        self._check_host(entry)
        if position < len(log):
            raise _Found(Flaw.TWO_ENTRIES, entry, position=position)
        if entry.previous != log.head.hash:
            if log.head == EMPTY:
                raise _Found(Flaw.NO_OPENING, entry, why="it follows another entry")
            raise _Found(Flaw.TWO_PASTS, entry, position=position - 1)
        if log.head != EMPTY and entry.time < log[-1].time:
            if isinstance(entry.statement, HostMoved):
                raise _Found(Flaw.NOT_MOVED, entry, why="it is older than the previous entry")
            raise _Found(Flaw.OLDER, entry)
        if entry.intent and not log.holds(entry.intent.seen):
            raise _Found(Flaw.OTHER_LOG, entry, length=entry.intent.seen.length)

    def _check_new_table(self, entry: Entry, continued: TableContinued) -> None:
        """Raise `_Found` if the entry opens a new table that goes on from this one (G8): its host
        may well sign that, unless it does not follow from this log."""
        if continued.table != self.log[0].hash:
            return
        try:
            fold(None, entry)
        except BrokenLog as error:
            raise _Found(Flaw.MADE_UP, entry) from error
        is_made_up = origin_of(continued, self.log) is Origin.OTHER_GAME
        raise _Found(Flaw.MADE_UP if is_made_up else Flaw.NEW_TABLE, entry)

    def _check_host(self, entry: Entry) -> None:
        """Raise `_Found` for an entry that belongs to another branch of the log, and so proves
        nothing against the host."""
        log, epoch = self.log, self.table.epoch if self.table else 0
        if entry.previous == log.head.hash and entry.position == len(log):
            return
        if isinstance(entry.statement, HostMoved):
            # A table may move from any of its entries, and the owner of this file has not cut it
            # there.
            raise _Found(Flaw.NOT_MOVED, entry, why="it follows another entry")
        there = log[entry.position].epoch if entry.position < len(log) else epoch
        if entry.epoch != there:
            raise _Found(Flaw.OVERTAKEN, entry, epoch=entry.epoch)

    def _fold(self, entry: Entry) -> Table:
        if self.table is None:
            self._check_version(entry)
        try:
            return fold(self.table, entry)
        except BrokenLog as error:
            # Anybody can sign that they are host now: only the votes of the seats bind the table.
            moved = isinstance(entry.statement, HostMoved)
            flaw = Flaw.NOT_MOVED if moved else Flaw.FORBIDDEN
            raise _Found(flaw, entry, why=error.why) from error.__cause__

    def _check_version(self, entry: Entry) -> None:
        opening = entry.statement
        if not isinstance(opening, TableOpened | TableContinued):
            return
        if (theirs := table_of(opening).protocol) != PROTOCOL:
            raise _Found(Flaw.OTHER_VERSION, entry, theirs=theirs, own=PROTOCOL)

    def _tell(self, entry: Entry, after: Table) -> None:
        if after.game is not None:
            self.games[after.game.number] = after.game
        author = entry.intent.author if entry.intent else None
        carried = tuple(_carried(self.table, after, entry)) if self.table else ()
        gone = self._gone(entry, after)
        silent = after.gloats.silent - self.table.gloats.silent if self.table else ()
        if carried or gone or silent or not is_routine(entry.statement):
            told = Happening(
                entry.position, author, entry.statement, carried, gone, tuple(sorted(silent))
            )
            self.happenings.append(told)

    def _gone(self, entry: Entry, after: Table) -> tuple[bytes, ...]:
        before = self.table.seats if self.table else ()
        if before is after.seats or isinstance(entry.statement, Leave | Vacated):
            return ()
        kept = {seat.key for seat in after.seats}
        return tuple(seat.key for seat in before if seat.key not in kept)


def _carried(before: Table, after: Table, entry: Entry) -> Iterator[Matter]:
    """The measures that an entry put into force, except for seats taken away at once."""
    if before.muted is not after.muted:
        yield from ((Measure.MUTE, key) for key in sorted(after.muted - before.muted))
        yield from ((Measure.UNMUTE, key) for key in sorted(before.muted - after.muted))
    if before.barred is not after.barred:
        yield from ((Measure.BAR, key) for key in sorted(after.barred - before.barred))
        yield from ((Measure.PARDON, key) for key in sorted(before.barred - after.barred))
    yield from ((Measure.REMOVE, key) for key in after.leaving if key not in before.leaving)
    if before.paused != after.paused:
        yield Measure.PAUSE if after.paused else Measure.GO_ON, NO_ONE
    if before.shut != after.shut:
        yield Measure.LOCK if after.shut else Measure.UNLOCK, NO_ONE
    if before.game is not after.game and isinstance(entry.statement, Vote | Away | Leave):
        yield from _played_on(before, after, entry.statement)


def _played_on(before: Table, after: Table, said: Vote | Away | Leave) -> Iterator[Matter]:
    """The votes to play on that an entry carried (G3): they have moved the game on, and are no
    longer listed."""
    matters = list(before.votes)
    if isinstance(said, Vote) and (said.measure, said.seat) not in before.votes:
        matters.append((said.measure, said.seat))
    about = said.seat if isinstance(said, Away) else None
    for measure, key in matters:
        if measure is Measure.PLAY_ON and key != about and (measure, key) not in after.votes:
            yield measure, key
