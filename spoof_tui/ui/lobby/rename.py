"""The dialog that asks for another name."""

from __future__ import annotations

from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.dialogs.dialog import Dialog, clean_name
from spoof_tui.ui.dialogs.field import Field


class RenameDialog(Dialog[str]):
    """Another name, exactly as the other players will see it."""

    def __init__(self, name: str) -> None:
        self._player = Field(pgettext("of a player", "Name"), name)
        help = _("This is how the others at a table see you.")
        super().__init__(_("Your name"), _("keep"), [self._player], help=help, back=_("cancel"))

    def result(self) -> str:
        """The name."""
        return clean_name(self._player.value, _("A name needs a visible letter or two."))
