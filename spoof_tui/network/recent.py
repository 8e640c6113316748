"""The addresses at which tables were joined last: they are asked again the next time."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Final

from spoof_tui import system
from spoof_tui.network.addresses import Address
from spoof_tui.storage import folders

MOST: Final = 8
"""Addresses that are kept: the pubs of a month."""

MAX_BYTES: Final = 8192
"""Bytes of the file that are read: more than so many addresses of the longest names."""


def addresses() -> tuple[Address, ...]:
    """The addresses, the newest first; none where nothing can be read."""
    try:
        with _path().open("rb") as file:
            written = json.loads(file.read(MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return ()
    return _read(written)


def remember(address: Address) -> None:
    """A table was joined here. Where the disk cannot be written it is forgotten."""
    kept = dict.fromkeys((address, *addresses()))
    data = json.dumps([each.text for each in kept][:MOST], indent=1).encode()
    with contextlib.suppress(OSError):
        system.write_private(_path(), data)


def _path() -> Path:
    return folders.home() / "addresses.json"


def _read(written: object) -> tuple[Address, ...]:
    found: dict[Address, None] = {}
    for each in written if isinstance(written, list) else ():
        with contextlib.suppress(ValueError):
            if isinstance(each, str):
                found[Address.parse(each)] = None
    return tuple(found)[:MOST]
