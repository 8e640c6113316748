"""Whether this program is a visitor's: run for somebody who came in through a door.

The door says so in the environment of the program. It runs on the machine of the person who opened
that door, who could look at everything in it.
"""

from __future__ import annotations

import contextlib
import os
from enum import Enum
from typing import Final

DOOR_VARIABLE: Final = "SPOOF_DOOR"
"""Environment variable that says which door the player came in through."""

TABLE_VARIABLE: Final = "SPOOF_DOOR_TABLE"
"""Environment variable with the id, in hexadecimal, of the table that the door belongs to."""

SOURCE_VARIABLE: Final = "SPOOF_DOOR_SOURCE"
"""Environment variable with the source address, on loopback, for connections to a table on this
machine: one for each address that visitors come from, so that the table tells them apart."""

WORD_VARIABLE: Final = "SPOOF_DOOR_WORD"
"""Environment variable with the word that a player without an ssh key comes back with."""

CODE_VARIABLE: Final = "SPOOF_DOOR_CODE"
"""Environment variable with the join code of the table, if the visitor brought it along. Unlike the
arguments of a program, it cannot be read by every user of the machine."""

ENTRANCE_VARIABLE: Final = "SPOOF_DOOR_ENTRANCE"
"""Environment variable that says by which entrance of the door the player came."""

PAGE: Final = "page"
"""The entrance for browsers, whose page listens to what the program tells it beside the picture."""


class DoorKind(Enum):
    """Whose door it is."""

    HOST = "host"
    """A table host's door, which ends with the host's program."""
    OWN = "own"
    """A door that belongs to no table."""


def door() -> DoorKind | None:
    """The door through which the player of this program came; None if they started it
    themselves."""
    said = os.environ.get(DOOR_VARIABLE)
    return next((kind for kind in DoorKind if kind.value == said), DoorKind.OWN) if said else None


def is_visitor() -> bool:
    """Whether the player of this program came in through a door."""
    return door() is not None


def table() -> bytes | None:
    """Id of the table to which the door belongs, if any."""
    with contextlib.suppress(ValueError):
        return bytes.fromhex(os.environ.get(TABLE_VARIABLE, "")) or None
    return None


def source() -> str | None:
    """The source address, on loopback, for connections to a table on this machine, if
    it matters."""
    return os.environ.get(SOURCE_VARIABLE)


def code() -> str | None:
    """The join code of the door's table, if the player brought it along."""
    return os.environ.get(CODE_VARIABLE) or None


def has_page() -> bool:
    """Whether the player sees this program on the page of a browser."""
    return os.environ.get(ENTRANCE_VARIABLE) == PAGE


def word() -> str:
    """What a player without an ssh key types at the door to come back; empty for all others."""
    return os.environ.get(WORD_VARIABLE, "")
