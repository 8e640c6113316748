"""Whether this program is a visitor's: run for somebody who came through a door, by ssh.

The door says so in the environment of the program. It runs on the machine of whoever opened that
door, who could look at everything in it.
"""

from __future__ import annotations

import contextlib
import os
from enum import Enum
from typing import Final

DOOR_VARIABLE: Final = "SPOOF_DOOR"
"""Environment variable that says through which door the player came."""

TABLE_VARIABLE: Final = "SPOOF_DOOR_TABLE"
"""Environment variable with the id, in hexadecimal, of the table that the door belongs to."""

SOURCE_VARIABLE: Final = "SPOOF_DOOR_SOURCE"
"""Environment variable with the loopback address from which the program calls a table on this
machine: one for each address that visitors come from, so that the table tells them apart."""

WORD_VARIABLE: Final = "SPOOF_DOOR_WORD"
"""Environment variable with what the player comes back by, who has no ssh key."""


class DoorKind(Enum):
    """Whose door it is."""

    HOST = "host"
    """That of a table's host: it is gone when the host's program is."""
    OWN = "own"
    """One that belongs to no table."""


def door() -> DoorKind | None:
    """The door through which the player of this program came; None: they started it themselves."""
    said = os.environ.get(DOOR_VARIABLE)
    return next((kind for kind in DoorKind if kind.value == said), DoorKind.OWN) if said else None


def is_visitor() -> bool:
    """Whether the player of this program came through a door."""
    return door() is not None


def table() -> bytes | None:
    """Id of the table to which that door belongs, if there is one."""
    with contextlib.suppress(ValueError):
        return bytes.fromhex(os.environ.get(TABLE_VARIABLE, "")) or None
    return None


def source() -> str | None:
    """The loopback address from which this program calls a table on this machine, if any will not
    do."""
    return os.environ.get(SOURCE_VARIABLE)


def word() -> str:
    """What a player without an ssh key types at the door to come back; empty for all others."""
    return os.environ.get(WORD_VARIABLE, "")
