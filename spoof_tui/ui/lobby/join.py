"""The dialog that asks for the address of a table."""

from __future__ import annotations

from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.dialog import Dialog
from spoof_tui.ui.canvas.form import Form, TextRow


class JoinDialog(Dialog[Address]):
    """An address to join; `typed` is what was typed the last time."""

    def __init__(self, typed: str = "") -> None:
        hint = _(
            "The host's screen shows it: a name or number, such as 192.168.1.20,"
            " and after a colon the port, if it is not {port}."
        ).format(port=DEFAULT_PORT)
        self._address = TextRow(_("Address"), typed, help=hint)
        keys = [("Enter", _("sit down")), ("Ctrl+U", _("clear")), ("Esc", _("cancel"))]
        super().__init__(Form(_("Join by address"), [self._address], keys))

    def result(self) -> Address:
        """The address."""
        return Address.parse(self._address.text)
