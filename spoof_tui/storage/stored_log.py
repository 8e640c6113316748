"""The entries of a table as its log on the disk has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from protocol.encoding.codec import pack, unpack, whole
from protocol.errors import ProtocolError
from protocol.table.fold import Table, fold
from protocol.table.log import Entry, Log

CUT: Final = "cut"
"""Marks that what follows in a log replaces dropped entries."""

NUMBER: Final = whole()


def read_entries(blobs: Iterable[bytes]) -> list[Entry]:
    """The entries in a stored log that follow from those before, from the first one on.

    A log that was cut, because its table moved to another host, says so behind what was dropped.
    """
    log = Log()
    table: Table | None = None
    for blob in blobs:
        length = _read_cut(blob)
        if length is not None and 0 < length <= len(log):
            log.cut(length)
            table = folded(log)
            continue
        try:
            entry = Entry.read(blob, table.host if table else None)
            log.check(entry)
            table = fold(table, entry)
        except ProtocolError:
            # What was stored after it may follow: it was fetched again.
            continue
        log.append(entry)
    return list(log)


def folded(log: Iterable[Entry]) -> Table | None:
    """The table that entries which hold together say; None for no entries."""
    table: Table | None = None
    for entry in log:
        table = fold(table, entry)
    return table


def _read_cut(blob: bytes) -> int | None:
    """How many entries stay, if `blob` says that the others were dropped."""
    return read_number(CUT, blob)


def read_number(kind: str, payload: bytes) -> int | None:
    """The number that was written with `kind`; None if no program wrote it so."""
    try:
        raw = unpack(payload)
    except ProtocolError:
        return None
    if isinstance(raw, tuple) and len(raw) == 2 and raw[0] == kind and NUMBER.fits(raw[1]):
        return int(raw[1])
    return None


def write_cut(length: int) -> bytes:
    """What says in a log that only the first `length` entries before it stay."""
    return pack((CUT, length))
