"""The dialog that asks once, before a host bans everybody who has never played at its table."""

from __future__ import annotations

from protocol.views import TableView
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.wording.names import name_of


class StrangersDialog(Dialog[tuple[bytes, ...]]):
    """Whom to ban: those who are named."""

    WIDTH = 66

    def __init__(self, view: TableView, strangers: tuple[bytes, ...]) -> None:
        """Ask about the owners of these keys."""
        self._strangers = strangers
        text = ngettext(
            "{names} has never opened a fist here, and is banned: v lets in again. The table is "
            "locked for everybody new; n unlocks it.",
            "{names} have never opened a fist here, and are banned: v lets in again. The table is "
            "locked for everybody new; n unlocks it.",
            len(strangers),
        )
        names = ", ".join(name_of(view, key) for key in strangers)
        enter = ("Enter", _("send away"), "screen.accept")
        keys = [enter, ("Esc", _("back"), "screen.give_up")]
        super().__init__(_("Send the strangers away?"), keys, help=text.format(names=names))

    def result(self) -> tuple[bytes, ...]:
        """Keys of those who are named."""
        return self._strangers
