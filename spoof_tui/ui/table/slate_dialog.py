"""The slate laid over the table: fines, drinks, and the chairman."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from protocol.table.statements import LiftFine
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui import dialogs
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.dialogs.dialog import Frame, Keys, inside
from spoof_tui.ui.dialogs.reading import stacked
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.slate import SlateControls, asked, is_chairman, lines, slate_before
from spoof_tui.ui.wording.sentences import why_not

_KEYS: Final = frozenset({"v", "enter"})
"""Keys of the slate besides the digits that answer a question."""

_WIDTH: Final = 78

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient


class SlateDialog(ModalScreen[None]):
    """The slate of this evening, as a list of players and fines; it follows what others do."""

    CSS_PATH = Path(dialogs.__file__).with_name("dialogs.tcss")
    BINDINGS = [
        Binding("escape,space,q,f", "close", show=False),
    ]

    def __init__(self, scene: Scene, client: TableClient) -> None:
        super().__init__()
        self._scene = scene
        self._client = client
        self._controls = SlateControls()

    def compose(self) -> ComposeResult:
        """The lines, and below them what is asked or refused."""
        with Frame() as frame:
            frame.styles.width = _WIDTH
            yield OptionList(markup=False, compact=True)
            yield Static(id="asked", markup=False)
            yield Static(id="message", markup=False)

    def on_mount(self) -> None:
        self.present()

    def on_resize(self) -> None:
        """Break the lines again."""
        self.present()

    def present(self) -> None:
        """Show what changed."""
        view = self._scene.view
        if not self.is_mounted or view is None:
            return  # a screen that was just pushed is on top before its widgets are there
        keys = [*self._keys(view), ("Esc", _("back"), "screen.close")]
        self.query_one(Frame).entitle(_("The slate"), keys)
        scene, error = self._scene, self._controls.error
        question = asked(view, scene.names, self._controls)
        self.query_one("#asked", Static).update(stacked(question))
        remark = why_not(error, scene.names) if error else scene.remark
        self.query_one("#message", Static).update(remark)
        self._list.styles.max_height = max(self.size.height - 5 - len(question), 3)
        self._show(self._shown(view))

    def _show(self, view: TableView) -> None:
        """Show the slate of this view, with a sign before the line that is bright."""
        # Beside the sign there are the padding of the list and its own scroll bar.
        width = inside(min(_WIDTH, self.size.width)) - 6
        options, place = [], 0
        for line in lines(view, self._scene.names, width):
            is_bright = line.is_bright and place == self._controls.bright
            sign = f"{glyphs().pointer} " if is_bright else "  "
            prompt = Content.assemble((sign, "$accent"), line.text)
            name = str(place) if line.is_bright else None
            options.append(Option(prompt, id=name, disabled=not line.is_bright))
            place += line.is_bright
        shown = [(option.prompt, option.id) for option in self._list.options]
        if shown == [(option.prompt, option.id) for option in options] or not place:
            return
        self._controls.bright = min(self._controls.bright, place - 1)
        self._list.set_options(options)
        self._list.highlighted = self._list.get_option_index(str(self._controls.bright))
        # Where the lines lie is known only once they were laid out.
        self.call_after_refresh(self._list.scroll_to_highlight)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def _keys(self, view: TableView) -> Keys:
        """What this player may do now."""
        if not view.has_slate:
            return ()
        keys = [("v", _("vote for chairman"), "screen.press('v')")]
        if view.may_order:
            keys.append(("Enter", _("order"), "screen.press('enter')"))
        elif is_chairman(view):
            is_fine = self._controls.fine(view) is not None
            words = _("lift the fine") if is_fine else _("award a fine")
            keys.append(("Enter", words, "screen.press('enter')"))
        return keys

    def _shown(self, view: TableView) -> TableView:
        """The view without the fines of a round whose fists are still opening."""
        last = self._scene.last
        if last is None or self._scene.is_counted:
            return view
        return replace(view, slate=slate_before(view.slate, last))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id is not None and self._controls.bright != int(event.option_id):
            self._controls.bright = int(event.option_id)
            self.present()

    def on_key(self, event: events.Key) -> None:
        """Vote, fine, lift, order; an open question takes any key."""
        key = latin(event.key)
        if self._controls.question is not None or key in _KEYS:
            event.stop()
            event.prevent_default()
            self.action_press(key)

    def action_press(self, key: str) -> None:
        """Do what a key of the slate says."""
        view = self._scene.view
        if view is None:
            return
        self._scene.remark = ""
        if (option := self._list.highlighted_option) and option.id is not None:
            self._controls.bright = int(option.id)
        shown = self._shown(view)
        statement = self._controls.press(key, shown)
        if isinstance(statement, LiftFine):
            fine = shown.slate.fines[statement.index]
            statement = LiftFine(next(i for i, f in enumerate(view.slate.fines) if f is fine))
        if statement is not None:
            self._client.state(statement)
        self.present()

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)
