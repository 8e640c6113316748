"""The dialog that lists the tables hosted here that can be continued."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.lobby import resumable


class ResumeDialog(Dialog[SavedTable]):
    """One of `tables`, which are not none."""

    WIDTH = 70

    def __init__(self, tables: Sequence[SavedTable], now: int) -> None:
        """`now` is in milliseconds since 1970."""
        self._tables = tables
        help = _(
            "It goes on where it stopped, with every seat, coin and sealed fist. If somebody "
            "else is hosting it by then, you join it there."
        )
        choices = [Choice(resumable.table_name(table), [_state(table, now)], help=help)
                   for table in tables]  # fmt: skip
        super().__init__(_("Continue a table"), _("continue"), choices=choices)

    def result(self) -> SavedTable:
        """The chosen table."""
        chosen = next(place for place, each in enumerate(self.choices) if each is self.choice)
        return self._tables[chosen]


def _state(table: SavedTable, now: int) -> str:
    return f"{resumable.where(table)} {glyphs().dot} {resumable.when(table, now)}"
