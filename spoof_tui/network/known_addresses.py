"""Addresses stored on the disk: where tables were last joined, and where each may be.

They are asked again the next time. A disk that cannot be read or written is not an error.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from spoof_tui.network.addresses import DEFAULT_PORT, Address, is_public
from spoof_tui.storage import files, paths

MAX_RECENT: Final = 8
"""Addresses of joined tables that are kept: the pubs of a month."""

MAX_SEATS: Final = 8
"""Addresses of machines that sat at a table that are kept: one of them may host the next one."""

MAX_OF_TABLE: Final = 24
"""Addresses of one table that are kept: all its seats, where they are and where they were."""

_TABLES: Final = "addresses.json"
_SEATS: Final = "seats.json"


def addresses() -> tuple[Address, ...]:
    """Where tables were joined, the latest first; none if nothing can be read."""
    return _read(None)[:MAX_RECENT]


def remember(address: Address) -> None:
    """A table was joined here."""
    kept = dict.fromkeys((address, *addresses()))
    _write(None, tuple(kept)[:MAX_RECENT])


def of_table(table: bytes) -> tuple[Address, ...]:
    """Where the table with this id may be, the likeliest first; none if nothing can be read."""
    return _read(table)


def keep_of_table(table: bytes, known: Iterable[Address], found: Iterable[Address] = ()) -> None:
    """The table with this id may be at these addresses; the machines `found` sit at it.

    Another program of this user may sit there, too, and have stored what this one cannot know: this
    program's own address.
    """
    kept = dict.fromkeys((*known, *of_table(table)))
    _write(table, tuple(kept)[:MAX_OF_TABLE])
    if found := tuple(found):
        remember_seats(found)


def seats() -> tuple[Address, ...]:
    """Where machines that sat at a table would host one, the latest first; none if nothing can be
    read."""
    return _read(None, _SEATS)[:MAX_SEATS]


def remember_seats(found: Iterable[Address]) -> None:
    """Machines sat at a table here, at whatever port; a table of their own has the usual one."""
    hosts = dict.fromkeys(each.host for each in (*found, *seats()) if is_public(each.host))
    _write(None, tuple(Address(host, DEFAULT_PORT) for host in hosts)[:MAX_SEATS], _SEATS)


def _file(table: bytes | None, name: str) -> Path:
    return (paths.home() if table is None else paths.table_folder(table)) / name


def _write(table: bytes | None, known: Iterable[Address], name: str = _TABLES) -> None:
    data = json.dumps([each.text for each in known], indent=1).encode()
    with contextlib.suppress(OSError):
        file = _file(table, name)
        files.make_private_directory(file.parent)
        files.write_private(file, data)


def _read(table: bytes | None, name: str = _TABLES) -> tuple[Address, ...]:
    try:
        written = files.read_json(_file(table, name))
    except (OSError, ValueError):
        return ()
    found: dict[Address, None] = {}
    for each in written if isinstance(written, list) else ():
        with contextlib.suppress(ValueError):
            if isinstance(each, str):
                found[Address.parse(each)] = None
    return tuple(found)
