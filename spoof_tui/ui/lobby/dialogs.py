"""The lobby's questions: an address, another name, which table to continue."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.invitation import Invitation
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.dialogs.field import Field
from spoof_tui.ui.lobby import resumable


class JoinDialog(Dialog[Invitation]):
    """An address to join, or a whole invitation; `typed` is what was typed the last time."""

    def __init__(self, typed: str = "") -> None:
        hint = _("It’s on the host’s screen, such as 192.168.1.20 or 192.168.1.20:{port}.").format(
            port=DEFAULT_PORT
        )
        self._address = Field(_("Address"), typed)
        super().__init__(
            _("Join by address"), _("sit down"), [self._address], help=hint, back=_("cancel")
        )

    def result(self) -> Invitation:
        """The address, and the code if it stands behind it."""
        return Invitation.parse(self._address.value)


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
