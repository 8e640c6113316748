"""The dialog that asks once, before somebody leaves whom the others would miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.binding import Binding

from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog
from spoof_tui.ui.table import leaving
from spoof_tui.ui.table.inviting import cannot_move
from spoof_tui.ui.table.leaving import LeavingChoice, Parting
from spoof_tui.ui.table.scene import Scene

LOOK_INTERVAL: Final = 0.5
"""Seconds between two looks at who could host the table."""


class LeaveDialog(Dialog[Parting]):
    """Whether to leave, and for a host what becomes of the table; a second q leaves, too."""

    WIDTH = 66
    BINDINGS = [Binding("q", "accept", show=False)]

    def __init__(
        self, scene: Scene, view: TableView, look: Callable[[], None] = lambda: None
    ) -> None:
        """`look` brings the scene up to date: who can host the table is told by nobody."""
        self._scene = scene
        self._look = look
        self._view = view
        self._ways: tuple[Parting, ...] = (Parting(LeavingChoice.LEAVE),)
        self._way = Choice(_("The table"), [""], keys="123456789")
        super().__init__(_("Leave the table?"), _("leave"), choices=[self._way], back=_("stay"))
        self._follow()

    def on_mount(self) -> None:
        self.set_interval(LOOK_INTERVAL, self._look_again)

    def _look_again(self) -> None:
        before = self._scene.heirs
        self._look()
        if self._scene.heirs != before:
            self.present()

    def result(self) -> Parting:
        """What was chosen."""
        self._follow()
        return self._ways[self._way.index]

    def changed(self) -> None:
        """Say what the choice means."""
        self._follow()

    def present(self) -> None:
        """Show what there is to choose now."""
        self._follow()
        super().present()

    def _follow(self) -> None:
        """Bring the choice into line with the table, and keep what is chosen while it can be."""
        view, scene = self._scene.view or self._view, self._scene
        chosen = self._ways[self._way.index]
        self._view = view
        self._ways = leaving.ways(view, scene.heirs, hosts=scene.hosts)
        index = self._ways.index(chosen) if chosen in self._ways else 0
        self._way.values = [leaving.words(each, view) for each in self._ways]
        self._way.index = index
        obstacle = cannot_move(scene.findings) if scene.hosts else ""
        self._way.note = f"{obstacle} {leaving.meaning(self._ways[index], view)}".strip()
