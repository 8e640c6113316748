"""What a glance at a finished game's log says that its record does not.

A log is judged by `spoof verify`; here nothing is judged. It was checked entry by entry while the
game was played, and only a few things are looked up, quickly: an evening's logs are long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from protocol.encoding.codec import Message, unpack
from protocol.errors import ProtocolError
from protocol.table.log import said_in
from protocol.table.opening import TableContinued, TableOpened
from protocol.table.statements import AwardFine, GameStarted
from spoof_tui.storage.frames import Frames

_STARTED: Final = GameStarted.KIND.encode()
_FINE: Final = AwardFine.KIND.encode()
"""What every entry of these kinds has in it somewhere, as others may: talk, for one."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What was seen."""

    players: tuple[bytes, ...] = ()
    """Public keys of the last game's players, clockwise; empty if they are not to be found."""
    finished: int | None = None
    """Milliseconds since 1970 of the last entry."""
    owed: Mapping[bytes, int] = field(default_factory=dict)
    """Drinks on the slate by key, where a chairman awarded some; else nothing."""


def glance(path: Path) -> Glance:
    """What the log at `path` says of its last game; nothing where there is none."""
    log, has_fines = Frames(path), False
    players: tuple[bytes, ...] = ()
    first: bytes | None = None
    last = b""
    try:
        for last in log.each():
            if first is None:
                if not isinstance(_said(last), TableOpened | TableContinued):
                    return Glance()
                first = last
            # The kind is looked for before anything is unpacked: most entries are of others.
            if _STARTED in last and isinstance(started := _said(last), GameStarted):
                players = started.order
            has_fines = has_fines or (_FINE in last and isinstance(_said(last), AwardFine))
        owed = _owed(log) if has_fines else {}
    except OSError:
        return Glance()
    return Glance() if first is None else Glance(players or _carried(first), _time(last), owed)


def _said(blob: bytes) -> Message | None:
    try:
        return said_in(blob)
    except ProtocolError:
        return None


def _carried(first: bytes) -> tuple[bytes, ...]:
    """The keys of those who carried a game on at a new table, which was never started there."""
    statement = _said(first)
    if not isinstance(statement, TableContinued):
        return ()
    return tuple(seat.key for seat in statement.seats if seat.coins is not None)


def _time(last: bytes) -> int | None:
    try:
        pair: Any = unpack(last)
        fields: Any = unpack(pair[0])
        time = fields[3]
    except (ProtocolError, TypeError, ValueError, IndexError):
        return None
    return time if isinstance(time, int) else None


def _owed(log: Frames) -> Mapping[bytes, int]:
    """The slate as the whole log says: fines are numbered over the evening, and can be lifted."""
    from spoof_tui.storage.stored_log import folded, read_entries

    table = folded(read_entries(log.each()))
    if table is None:
        return {}
    return {fine.key: table.slate.owed(fine.key) for fine in table.slate.fines}
