"""Tables on this disk that can be resumed: those hosted here, and those where a seat is kept."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.errors import ProtocolError
from protocol.table.fold import Phase, Table
from protocol.table.log import Entry
from protocol.table.statements import Opening, table_of
from protocol.version import PROTOCOL
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.identity import keys_in_use
from spoof_tui.storage.journal import (
    Kept,
    belongs_to,
    has_terms,
    journals,
    read_journal,
    seat_of,
)
from spoof_tui.storage.stored_log import folded

RESUMABLE: Final = 8
"""Maximum number of tables that are offered."""


LOOKED_THROUGH: Final = 40
"""Maximum number of journals that are read to find the resumable tables."""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table that was hosted here, or where this user has a seat, as the log on disk describes
    it."""

    table: bytes
    """Table id."""
    name: ForeignText
    time: int
    """The time of the last entry, in milliseconds since 1970."""
    phase: Phase
    game: int
    """Number of the current or last game; 0 before the first."""
    round: int
    """Number of the current or last round of that game; 0 before the first."""
    host: bytes
    """Public key of the host: `Identity.of` has the private one if it belongs to this user."""
    seat: bytes | None = None
    """Public key of this user's seat at a table that somebody else hosts; None for a table hosted
    here."""
    has_seat: bool = True
    """Whether this user has a seat there, and not only hosts the table."""
    is_free: bool = True
    """Whether no other program of this user is using the key there."""
    plays: bool = True
    """False for a seat at somebody else's table that is not in a running game."""
    continues: tuple[bytes, ...] = ()
    """Ids of the old tables that it goes on from, the latest first (G8)."""

    @property
    def key(self) -> bytes:
        """Public key of this user at the table."""
        return self.seat or self.host

    @property
    def has_begun(self) -> bool:
        """Whether there is something to continue: a game, or coins of an old table."""
        return self.plays and (self.game > 0 or bool(self.continues))


def resumable(most: int = RESUMABLE) -> list[SavedTable]:
    """The tables that were hosted here and could be resumed, the latest first."""
    hosted = (saved for saved in _saved_tables() if saved.seat is None)
    return _without_continued(list(islice(hosted, most)))


def continuable(most: int = RESUMABLE) -> list[SavedTable]:
    """The tables that this user can go back to even if nobody serves them now, the latest first.

    These are the tables hosted here, and those where a game of this user broke off.
    """
    return [saved for saved in kept() if saved.plays][:most]


def kept() -> list[SavedTable]:
    """The tables that were hosted here, and those where this user has a seat, the latest first."""
    tables: dict[bytes, SavedTable] = {}
    for saved in _saved_tables():
        # If several people share this machine, keep the one who heard of the table last.
        known = tables.setdefault(saved.table, saved)
        if known.time < saved.time:
            tables[saved.table] = saved
    in_use = keys_in_use() if tables else []
    free = (replace(each, is_free=each.key not in in_use) for each in tables.values())
    lasting = _without_continued(list(free))
    return sorted(lasting, key=lambda saved: saved.time, reverse=True)


def handed_over() -> list[SavedTable]:
    """The tables that were hosted here and now are hosted by others, without a seat of this user,
    the latest first."""
    return list(_saved_tables(_of_former_host))


def has_outdated() -> bool:
    """Whether a program with another protocol version has hosted a table here."""
    try:
        return any(_is_outdated(path) for path in journals()[:LOOKED_THROUGH])
    except OSError:
        return False


def _is_outdated(path: Path) -> bool:
    try:
        opening = Entry.read(next(Frames(path).each(), b"")).statement
    except (OSError, ProtocolError):
        return False
    if not isinstance(opening, Opening):
        return False
    opened = table_of(opening)
    return belongs_to(path, opened.host) and opened.protocol != PROTOCOL


def _without_continued(tables: list[SavedTable]) -> list[SavedTable]:
    """The tables without those that another one of them goes on from (G8)."""
    continued = {old for saved in tables for old in saved.continues}
    return [saved for saved in tables if saved.table not in continued]


def _saved_tables(
    describe: Callable[[Path, Kept], SavedTable | None] | None = None,
) -> Iterator[SavedTable]:
    """What `describe` makes of the latest journals, as many as are worth reading, without those
    that it returns None for."""
    seats, describe = 0, describe or _saved
    with contextlib.suppress(OSError):
        for path in journals()[:LOOKED_THROUGH]:
            with contextlib.suppress(OSError):
                frames = Frames(path).read()
                is_hosted = has_terms(frames)
                seats += not is_hosted
                if is_hosted or seats <= RESUMABLE:
                    saved = describe(path, read_journal(frames))
                    if saved:
                        yield saved


def _saved(path: Path, kept: Kept) -> SavedTable | None:
    table = folded(kept.entries)
    if table is None:
        return None
    if belongs_to(path, table.host):
        # The bots of a practice game went with their program.
        is_practice = kept.terms is not None and not kept.terms.is_public
        return None if is_practice else _as_saved(table, None)
    seat = seat_of(path, table)
    return None if seat is None else _as_saved(table, seat)


def _of_former_host(path: Path, kept: Kept) -> SavedTable | None:
    table = folded(kept.entries)
    if table is None or kept.terms is None or not kept.terms.is_public:
        return None
    is_ours = belongs_to(path, table.host) or seat_of(path, table) is not None
    return None if is_ours else replace(_as_saved(table, None), has_seat=False)


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
        has_seat=seat is not None or table.seat(table.host) is not None,
        plays=seat is None or table.playing(seat) is not None,
        continues=table.continues.origins if table.continues else (),
    )
