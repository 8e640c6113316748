"""The dialog that asks for another name."""

from __future__ import annotations

from spoof_tui.text.i18n import _, pgettext
from spoof_tui.ui.canvas.dialog import Dialog, clean_name
from spoof_tui.ui.canvas.form import Form, TextRow


class RenameDialog(Dialog[str]):
    """Another name, exactly as the other players will see it."""

    def __init__(self, name: str) -> None:
        self._player = TextRow(
            pgettext("of a player", "Name"),
            name,
            help=_("This is how the others at a table see you."),
        )
        keys = [("Enter", _("keep")), ("Ctrl+U", _("clear")), ("Esc", _("cancel"))]
        super().__init__(Form(_("Your name"), [self._player], keys))

    def result(self) -> str:
        """The name."""
        return clean_name(self._player.text, _("A name needs a letter or two that can be seen."))
