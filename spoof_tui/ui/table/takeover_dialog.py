"""The dialog that asks what to do about a seat that another window of the player holds."""

from __future__ import annotations

from spoof_tui.runtime.notices import SeatHeld
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.wording import sentences


class TakeoverDialog(Dialog[bool]):
    """True: take the seat over; False: sit down as somebody else."""

    WIDTH = 66

    def __init__(self, held: SeatHeld) -> None:
        values = [_("take over here")]
        if held.is_other_free:
            values.append(_("sit down as another player"))
        help = _("With the same seat, coins and sealed fist. The other window is told, and ends.")
        self._choice = Choice(_("Your seat"), values, help=help, keys="12"[: len(values)])
        self._choice.note = sentences.seat_held(held.holder)
        super().__init__(_("Your seat is in another window"), _("go on"), choices=[self._choice])

    def result(self) -> bool:
        """Whether the seat is taken over."""
        return self._choice.index == 0
