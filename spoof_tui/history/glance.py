"""What a glance at a finished game's log says that its record does not.

A log is judged by `spoof verify`; here nothing is judged. It was checked entry by entry while the
game was played, and only a few things are looked up, quickly: an evening's logs are long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import unpack
from protocol.errors import ProtocolError
from protocol.rules.options import MAX_PLAYERS
from protocol.table.log import Entry
from protocol.table.opening import TableContinued

_STARTED: Final = b"\x92\xacgame-started"
"""How the start of a game begins in msgpack; no text that anybody types holds its first byte."""

_FINE: Final = b"\x93\xa4fine"
"""How a chairman's fine begins."""

_ARRAY: Final = 0x90
_KEY: Final = bytes((0xC4, HASH_BYTES))
"""What stands before a key."""

_HEADER: Final = 4


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
    try:
        data = path.read_bytes()
    except OSError:
        return Glance()
    frames = [*_frames(data)]
    if not frames:
        return Glance()
    players = _players(data) or _carried(frames[0])
    owed = _owed(frames) if _FINE in data else {}
    return Glance(players, _time(frames[-1]), owed)


def _frames(data: bytes) -> Iterator[bytes]:
    at = 0
    while at + _HEADER < len(data):
        end = at + _HEADER + int.from_bytes(data[at : at + _HEADER], "big")
        if end > len(data):
            return
        yield data[at + _HEADER : end]
        at = end


def _players(data: bytes) -> tuple[bytes, ...]:
    """The keys that the last start of a game names."""
    at = data.rfind(_STARTED)
    if at < 0:
        return ()
    at += len(_STARTED)
    count = data[at] - _ARRAY if at < len(data) else 0
    if not 0 < count <= MAX_PLAYERS:
        return ()
    step = len(_KEY) + HASH_BYTES
    parts = [data[start : start + step] for start in range(at + 1, at + 1 + count * step, step)]
    return tuple(part.removeprefix(_KEY) for part in parts)


def _carried(first: bytes) -> tuple[bytes, ...]:
    """The keys of those who carried a game on at a new table, which was never started there."""
    try:
        statement = Entry.read(first).statement
    except ProtocolError:
        return ()
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


def _owed(frames: list[bytes]) -> Mapping[bytes, int]:
    """The slate as the whole log says: fines are numbered over the evening, and can be lifted."""
    from spoof_tui.storage.stored_log import folded, read_entries

    table = folded(read_entries(frames))
    if table is None:
        return {}
    return {fine.key: table.slate.owed(fine.key) for fine in table.slate.fines}
