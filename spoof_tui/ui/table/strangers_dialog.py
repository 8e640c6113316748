"""The dialog that asks once, before a host bans those who have never played at its table."""

from __future__ import annotations

from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.wording.names import name_of


class StrangersDialog(Dialog[tuple[bytes, ...]]):
    """Whom to ban: all who are named, but for those whom the host lets stay."""

    WIDTH = 66

    def __init__(self, view: TableView, strangers: tuple[bytes, ...]) -> None:
        """Ask about the owners of these keys."""
        self._strangers = strangers
        note = _("Whoever goes is banned: v lets in again. The table is locked; n unlocks it.")
        help = _("They have never opened a fist at this table.")
        choices = []
        for key in strangers:
            choice = Choice(name_of(view, key), [_("goes"), _("stays")], help=help, keys="12")
            choice.note = note
            choices.append(choice)
        super().__init__(_("Send the strangers away?"), _("send away"), choices=choices)

    def result(self) -> tuple[bytes, ...]:
        """Keys of those who go."""
        pairs = zip(self._strangers, self.choices, strict=True)
        return tuple(key for key, choice in pairs if choice.index == 0)
