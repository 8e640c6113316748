"""Tables on this disk that could go on: those hosted here, and those of which a seat is kept."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.errors import ProtocolError
from protocol.table.fold import Phase, Table
from protocol.table.log import Entry
from protocol.table.opening import Opening, table_of
from protocol.version import PROTOCOL
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HostFiles, host_logs
from spoof_tui.storage.seat_store import seat_logs, seat_of
from spoof_tui.storage.stored_log import folded, read_entries

RESUMABLE: Final = 8
"""Tables that could go on, of which is told."""


LOOKED_THROUGH: Final = 40
"""Logs of tables that are read for that."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table that was hosted here, or had a seat here, as the log on the disk has it."""

    table: bytes
    """Table id."""
    name: ForeignText
    time: int
    """When anything was said last, in milliseconds since 1970."""
    phase: Phase
    game: int
    """Number of the game that is on, or was last; 0 before the first."""
    round: int
    """Number of its round; 0 before the first."""
    host: bytes
    """Public key of the host: `Identity.of` has the other half, if it is of this user."""
    seat: bytes | None = None
    """Public key of the own seat, at a table that somebody else hosts."""
    continues: tuple[bytes, ...] = ()
    """Ids of the old tables that it goes on from, the last one first (G8)."""


def resumable(most: int = RESUMABLE) -> list[SavedTable]:
    """The tables that were hosted here and could go on, the last one first."""
    try:
        paths = host_logs()[:LOOKED_THROUGH]
    except OSError:
        return []
    tables = list(islice((saved for path in paths if (saved := _saved(path))), most))
    return _without_continued(tables)


def has_outdated() -> bool:
    """Whether a table was hosted here by a program of another version of the protocol."""
    try:
        return any(_is_outdated(path) for path in host_logs()[:LOOKED_THROUGH])
    except OSError:
        return False


def _is_outdated(path: Path) -> bool:
    try:
        first = next(iter(Frames(path).read()), b"")
        opening = Entry.read(first).statement
    except (OSError, ProtocolError):
        return False
    return isinstance(opening, Opening) and table_of(opening).protocol != PROTOCOL


def continuable(most: int = RESUMABLE) -> list[SavedTable]:
    """The tables that somebody here can go back to though nobody serves them, the last one first.

    Those that were hosted here, and those whose game broke off for a seat of this user.
    """
    tables = {saved.table: saved for saved in resumable(LOOKED_THROUGH)}
    for saved in _seats_kept():
        hosted = tables.get(saved.table)
        # The host before another one is a player like all others.
        if hosted is None or (hosted.host != saved.host and hosted.time < saved.time):
            tables[saved.table] = saved
    lasting = _without_continued(list(tables.values()))
    return sorted(lasting, key=lambda saved: saved.time, reverse=True)[:most]


def _without_continued(tables: list[SavedTable]) -> list[SavedTable]:
    """Those that do not go on at another one of them (G8)."""
    continued = {old for saved in tables for old in saved.continues}
    return [saved for saved in tables if saved.table not in continued]


def _seats_kept() -> list[SavedTable]:
    try:
        paths = seat_logs()[:RESUMABLE]
    except OSError:
        return []
    return [saved for path in paths if (saved := _seat_kept(path))]


def _seat_kept(path: Path) -> SavedTable | None:
    table = _read(path)
    seat = seat_of(path, table) if table else None
    if table is None or seat is None or seat == table.host or table.playing(seat) is None:
        return None
    return _as_saved(table, seat)


def _saved(path: Path) -> SavedTable | None:
    table = _read(path)
    terms = HostFiles(table.id).terms() if table else None
    if table is None or (terms and not terms.is_public):
        # The bots of a practice game were gone with their program.
        return None
    return _as_saved(table, None)


def _read(path: Path) -> Table | None:
    try:
        return folded(read_entries(Frames(path).each()))
    except OSError:
        return None


def _as_saved(table: Table, seat: bytes | None) -> SavedTable:
    game = table.game
    return SavedTable(
        table=table.id,
        name=table.opened.name,
        time=table.time,
        phase=table.phase,
        game=game.number if game else 0,
        round=game.round_number if game else 0,
        host=table.host,
        seat=seat,
        continues=table.continues.origins if table.continues else (),
    )
