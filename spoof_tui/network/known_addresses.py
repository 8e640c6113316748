"""Addresses saved on disk: those where tables were joined, and those where each table may be.

They are asked again the next time. A disk that cannot be read or written is not an error here.
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
"""Maximum number of addresses of joined tables that are kept: those of about a month."""

MAX_SEATS: Final = 8
"""Maximum number of addresses of machines with a seat that are kept: one of them may host the next
table."""

MAX_OF_TABLE: Final = 24
"""Maximum number of addresses of one table that are kept: all its seats, where they are and where
they were."""

_TABLES: Final = "addresses.json"
_SEATS: Final = "seats.json"


def addresses() -> tuple[Address, ...]:
    """The addresses where tables were joined, the latest first; empty if they cannot be read."""
    return _read(None)[:MAX_RECENT]


def remember(address: Address) -> None:
    """Save the address of a table that was joined."""
    kept = dict.fromkeys((address, *addresses()))
    _write(None, tuple(kept)[:MAX_RECENT])


def of_table(table: bytes) -> tuple[Address, ...]:
    """The addresses where the table with this id may be, the likeliest first; empty if they cannot
    be read."""
    return _read(table)


def keep_of_table(table: bytes, known: Iterable[Address], found: Iterable[Address] = ()) -> None:
    """Save the addresses where the table with this id may be, and those of machines that sit there
    (`found`).

    Addresses saved before are kept: another program of this user may sit there, too, and know this
    program's own address.
    """
    kept = dict.fromkeys((*known, *of_table(table)))
    _write(table, tuple(kept)[:MAX_OF_TABLE])
    if found := tuple(found):
        remember_seats(found)


def seats() -> tuple[Address, ...]:
    """The addresses at which machines that once had a seat would serve a table of their own, the
    latest first; empty if they cannot be read."""
    return _read(None, _SEATS)[:MAX_SEATS]


def remember_seats(found: Iterable[Address]) -> None:
    """Save the hosts of machines that sat at a table, with the usual port, which a table of their
    own would have."""
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
