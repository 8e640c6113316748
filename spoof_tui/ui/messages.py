"""What the background thread tells the screens, as Textual messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.endpoints import FoundTable
    from spoof_tui.runtime.notices import ClientNotice
    from spoof_tui.runtime.saved_tables import SavedTable


class TablesFound(Message):
    """The list of tables on this network changed."""

    def __init__(self, tables: tuple[FoundTable, ...], trouble: str | None) -> None:
        super().__init__()
        self.tables = tables
        """Every table that answers, in a stable order."""
        self.trouble = trouble
        """Why tables may be missing, in words; None if all is well."""


class Examined(Message):
    """The network was examined."""

    def __init__(self, findings: tuple[Finding, ...], found: Sequence[Address] = ()) -> None:
        super().__init__()
        self.findings = findings
        """What is in the way, the worst first."""
        self.found = found
        """Where tables answered."""


class TablesKept(Message):
    """The tables that were hosted here and can be resumed."""

    def __init__(self, tables: tuple[SavedTable, ...]) -> None:
        super().__init__()
        self.tables = tables
        """The latest first."""


class Noticed(Message):
    """Something happened at the player's table."""

    def __init__(self, notice: ClientNotice) -> None:
        super().__init__()
        self.notice = notice


class Failed(Message):
    """An internal error occurred."""

    def __init__(self, sentence: str) -> None:
        super().__init__()
        self.sentence = sentence
