"""Textual messages from the background thread and from screens."""

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
    """Every table that answers, in an order that does not change."""
    trouble: str | None
    """Why tables may be missing, as a sentence; None if all is well."""


@dataclass
class Examined(Message):
    """The examination of the network has ended."""

    findings: tuple[Finding, ...]
    """The findings, the worst first."""
    found: Sequence[Address] = ()
    """Addresses at which tables answered."""


@dataclass
class TablesKept(Message):
    """The saved tables: hosted on this computer, or with a seat of the player."""

    tables: tuple[SavedTable, ...] | None
    """The tables, the latest first; None while they are being read."""


@dataclass
class KeepingChanged(Message):
    """Saving on this computer began or stopped; see `not_kept` of the app."""


@dataclass
class Noticed(Message):
    """A notice about the player's table."""

    notice: Notice


@dataclass
class ReplayWanted(Message):
    """The player wants to replay a finished game."""

    record: Path


@dataclass
class Failed(Message):
    """An internal error occurred."""

    sentence: str
    """The message for the player."""
