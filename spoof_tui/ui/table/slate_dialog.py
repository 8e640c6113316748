"""The slate laid over the table: fines, drinks, and the chairman."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import events
from textual.binding import Binding

from protocol.table.statements import LiftFine
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.overlay import Keys, Reading
from spoof_tui.ui.canvas.page import Row, paragraph
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.slate import (
    SlateControls,
    is_chairman,
    rows,
    slate_before,
)
from spoof_tui.ui.wording.sentences import forbidden

_KEYS: Final = frozenset({"up", "k", "down", "j", "v", "a", "l", "x", "o"})
"""Keys of the slate besides the digits that answer a question."""

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient


class SlateDialog(Reading):
    """The slate of this evening; it follows what the others do."""

    BINDINGS = [Binding("f", "close", show=False)]

    def __init__(self, scene: Scene, client: TableClient) -> None:
        super().__init__(_("The slate"), self._page)
        self._scene = scene
        self._client = client
        self._controls = SlateControls()

    def keys(self) -> Keys:
        """What this player may do now."""
        view = self._scene.view
        keys = [("v", _("vote for chairman"))]
        if view is not None and is_chairman(view):
            keys += [("a", _("award a fine")), ("l", _("lift one"))]
        if view is not None and view.may_order:
            keys.append(("o", _("order")))
        return keys

    def _shown(self, view: TableView) -> TableView:
        """The view without the fines of a round whose fists are still opening."""
        last = self._scene.last
        if last is None or self._scene.is_counted:
            return view
        return replace(view, slate=slate_before(view.slate, last))

    def _page(self, width: int) -> list[Row]:
        scene, view = self._scene, self._scene.view
        if view is None:
            return []
        page = rows(self._shown(view), scene.names, self._controls, width)
        error = self._controls.error
        remark = forbidden(error, scene.names, view.rules) if error else scene.remark
        return [*page, Row(), *paragraph(remark, width, palette.WRONG)] if remark else page

    def on_key(self, event: events.Key) -> None:
        """Move between the lines, vote, fine, lift, order; an open question takes any key."""
        view = self._scene.view
        asks = self._controls.question is not None
        key = latin(event.key)
        if view is None or not (asks or key in _KEYS):
            return
        event.stop()
        event.prevent_default()
        self._scene.remark = ""
        shown = self._shown(view)
        deed = self._controls.press(key, shown)
        if isinstance(deed, LiftFine):
            fine = shown.slate.fines[deed.index]
            deed = LiftFine(next(i for i, f in enumerate(view.slate.fines) if f is fine))
        if deed is not None:
            self._client.state(deed)
        self.present()
