"""The dialog that asks for the address of a table."""

from __future__ import annotations

from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.invitation import Invitation
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.dialogs.field import Field


class JoinDialog(Dialog[Invitation]):
    """An address to join, or a whole invitation; `typed` is what was typed the last time."""

    def __init__(self, typed: str = "") -> None:
        hint = _(
            "You find it on the host’s screen, such as 192.168.1.20 or 192.168.1.20:{port}."
        ).format(port=DEFAULT_PORT)
        self._address = Field(_("Address"), typed)
        super().__init__(
            _("Join by address"), _("sit down"), [self._address], help=hint, back=_("cancel")
        )

    def result(self) -> Invitation:
        """The address, and the code if it stands behind it."""
        return Invitation.parse(self._address.value)
