"""What the background thread and the screens tell the app, as Textual messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from pathlib import Path

    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.notices import Notice
    from spoof_tui.runtime.saved_tables import SavedTable


@dataclass
class TablesFound(Message):
    """The list of tables on this network changed."""

    tables: tuple[FoundTable, ...]
    """Every table that answers, in a stable order."""
    trouble: str | None
    """Why tables may be missing, in words; None if all is well."""


@dataclass
class Examined(Message):
    """The network was examined."""

    findings: tuple[Finding, ...]
    """What is in the way, the worst first."""
    found: Sequence[Address] = ()
    """Where tables answered."""


@dataclass
class TablesKept(Message):
    """The tables that were hosted here, or where the player has a seat."""

    tables: tuple[SavedTable, ...] | None
    """The latest first; None while they are read."""


@dataclass
class KeepingChanged(Message):
    """What is kept on this computer has changed: the app knows."""


@dataclass
class Noticed(Message):
    """Something happened at the player's table."""

    notice: Notice


@dataclass
class ReplayWanted(Message):
    """The player wants to step through a finished game."""

    record: Path


@dataclass
class Failed(Message):
    """An internal error occurred."""

    sentence: str
    """What to tell the player."""
