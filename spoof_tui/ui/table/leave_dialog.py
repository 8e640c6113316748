"""The dialog that asks once, before somebody leaves whom the others would miss."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.dialog import Dialog
from spoof_tui.ui.canvas.form import ChoiceRow, Form
from spoof_tui.ui.table import leaving as parting
from spoof_tui.ui.table.leaving import LeavingChoice, Parting
from spoof_tui.ui.table.scene import Scene

_WIDTH: Final = 66


class LeaveDialog(Dialog[Parting]):
    """Whether to leave, and for a host what becomes of the table; a second q leaves, too."""

    BINDINGS = [Binding("q", "accept", show=False)]

    def __init__(self, scene: Scene, view: TableView) -> None:
        self._scene = scene
        self._view = view
        self._partings: tuple[Parting, ...] = (Parting(LeavingChoice.LEAVE),)
        self._row = ChoiceRow(_("The table"), [""], keys="123456789")
        super().__init__(Form(_("Leave the table?"), [self._row], [], width=_WIDTH))
        self._follow()

    def result(self) -> Parting:
        """What was chosen."""
        self._follow()
        return self._partings[self._row.index]

    def changed(self) -> None:
        """Say what the choice means."""
        self._follow()

    def present(self) -> None:
        """Draw what there is to choose now."""
        self._follow()
        super().present()

    def _follow(self) -> None:
        """Bring the row into line with the table, and keep what is chosen while it can be."""
        view, scene = self._scene.view or self._view, self._scene
        chosen = self._partings[self._row.index]
        self._view = view
        self._partings = parting.ways(view, scene.heirs, hosts=scene.hosts)
        index = self._partings.index(chosen) if chosen in self._partings else 0
        self._row.choices = [parting.words(each, view) for each in self._partings]
        self._row.index = index
        self._row.note = parting.meaning(self._partings[index], view)
        change = [("←→", _("change"))] if len(self._partings) > 1 else []
        self.form.keys = [("Enter", _("leave")), *change, ("Esc", _("stay"))]
