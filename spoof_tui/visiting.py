"""Whether this program is a visitor's: run for somebody who came in through a door.

The door says so in the program's environment. The program runs on the machine of the person who
opened that door, who could look at everything in it.
"""

from __future__ import annotations

import contextlib
import os
from enum import Enum
from typing import Final

DOOR_VARIABLE: Final = "SPOOF_DOOR"
"""Environment variable with the kind of door that the player came in through."""

TABLE_VARIABLE: Final = "SPOOF_DOOR_TABLE"
"""Environment variable with the id, in hexadecimal, of the table that the door belongs to."""

SOURCE_VARIABLE: Final = "SPOOF_DOOR_SOURCE"
"""Environment variable with the source address, on loopback, for connections to a table on this
machine. It differs for each address that visitors come from, so that the table can tell them apart.
"""

WORD_VARIABLE: Final = "SPOOF_DOOR_WORD"
"""Environment variable with the word with which a player without an ssh key comes back."""

CODE_VARIABLE: Final = "SPOOF_DOOR_CODE"
"""Environment variable with the join code of the table, if it was in the visitor's link. Unlike the
arguments of a program, it cannot be read by every user of the machine."""

ENTRANCE_VARIABLE: Final = "SPOOF_DOOR_ENTRANCE"
"""Environment variable with the entrance of the door by which the player came; `PAGE` for a
browser."""

PAGE: Final = "page"
"""The entrance for browsers, whose page also reads what the program sends beside the picture."""


class DoorKind(Enum):
    """Whose door it is."""

    HOST = "host"
    """A table host's door, which ends with the host's program."""
    OWN = "own"
    """A door that belongs to no table."""


def door() -> DoorKind | None:
    """The kind of door through which the player of this program came; None if they started it
    themselves."""
    said = os.environ.get(DOOR_VARIABLE)
    return next((kind for kind in DoorKind if kind.value == said), DoorKind.OWN) if said else None


def is_visitor() -> bool:
    """Whether the player of this program came in through a door."""
    return door() is not None


def table() -> bytes | None:
    """Id of the table that the door belongs to; None if it belongs to none, or there is no door."""
    with contextlib.suppress(ValueError):
        return bytes.fromhex(os.environ.get(TABLE_VARIABLE, "")) or None
    return None


def source() -> str | None:
    """The source address, on loopback, for connections to a table on this machine; None for any."""
    return os.environ.get(SOURCE_VARIABLE)


def code() -> str | None:
    """The join code of the door's table, if it was in the player's link; None otherwise."""
    return os.environ.get(CODE_VARIABLE) or None


def has_page() -> bool:
    """Whether the player sees this program on the page of a browser."""
    return os.environ.get(ENTRANCE_VARIABLE) == PAGE


def word() -> str:
    """The word that a player without an ssh key types at the door to come back; empty for all
    others."""
    return os.environ.get(WORD_VARIABLE, "")
