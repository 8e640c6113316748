"""The dialog that lists the tables hosted here that can be continued."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spoof_tui.runtime.hosting import SavedTable
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.dialog import Dialog
from spoof_tui.ui.canvas.form import ChoiceRow, Form
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.lobby import resumable as kept

_WIDTH: Final = 70


class ResumeDialog(Dialog[SavedTable]):
    """One of `tables`, which are not none."""

    def __init__(self, tables: Sequence[SavedTable], now: int) -> None:
        """`now` is in milliseconds since 1970."""
        self._tables = tables
        help = _(
            "It goes on where it was, with every seat, coin and sealed fist. If somebody else "
            "hosts it meanwhile, you join it there."
        )
        rows = [
            ChoiceRow(
                kept.table_name(table),
                [f"{kept.where(table)} {glyphs().dot} {kept.when(table, now)}"],
                help=help,
            )
            for table in tables
        ]
        keys = [("Enter", _("continue")), ("↑↓", _("choose")), ("Esc", _("back"))]
        super().__init__(Form(_("Continue a table"), rows, keys, width=_WIDTH))

    def result(self) -> SavedTable:
        """The chosen table."""
        return self._tables[self.form.bright]
