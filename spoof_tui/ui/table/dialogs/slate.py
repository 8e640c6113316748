"""The slate: what keys do on it, and how it is drawn.

It lists the players with what they owe, and the fines below; one line is highlighted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from rich.cells import cell_len
from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from protocol.errors import Illegal, Reason
from protocol.rules.slate import Fine, Slate
from protocol.rules.words import Drink
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from protocol.views import SeatView, TableView
from spoof_tui.acts.buttons import Buttons, of_list
from spoof_tui.telling.names import name_of
from spoof_tui.telling.pressing import key_name
from spoof_tui.telling.sentences import AWARDED, drink_name, offence_name, payers, why_not
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.layouts import latin
from spoof_tui.ui import dialogs
from spoof_tui.ui.canvas.cells import fit
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import DialogBox, Keys, Pick, inside
from spoof_tui.ui.dialogs.reading import column
from spoof_tui.ui.table.felt.seat import tally
from spoof_tui.ui.table.felt.seats import slate_before
from spoof_tui.ui.table.scene import Scene

_HEADING: Final = "bold $accent"

_NAME: Final = 15
_ROLE: Final = 24
_MAX_STROKES: Final = 7
_OWED: Final = _MAX_STROKES + 12
"""Columns of the strokes with the number of drinks."""


# Words


# Keys


SlateStatement: TypeAlias = Elect | AwardFine | LiftFine | Order
"""A statement that the player can make by a key on the slate."""


@dataclass(slots=True)
class SlateControls:
    """The highlighted line of the slate, and why the last key had no effect."""

    bright: int = 0
    """Index of the highlighted line: the seats come first, then the fines, the newest first."""
    error: Illegal | None = None

    def press(self, key: str, view: TableView) -> Sequence[SlateStatement]:
        """The statements that a key offers: if several, the player has to choose.

        If empty, `error` may say why.
        """
        self.error = None
        if not (view.seats and view.has_slate):
            return ()
        if key == "v":
            return [Elect(self.player(view).key)]
        if view.may_order:
            return [Order(drink) for drink in Drink]
        if not is_chairman(view):
            self.error = Illegal(Reason.NOT_CHAIRMAN)
            return ()
        if (fine := self.fine(view)) is not None:
            return [LiftFine(fine)]
        return [AwardFine(self.player(view).key, offence) for offence in AWARDED]

    def fine(self, view: TableView) -> int | None:
        """Index of the highlighted fine on the slate; None if a player is highlighted."""
        place = self.bright - len(view.seats)
        return len(view.slate.fines) - 1 - place if 0 <= place < len(view.slate.fines) else None

    def player(self, view: TableView) -> SeatView:
        """The player who is highlighted, or whose fine is."""
        fine = self.fine(view)
        if fine is not None:
            key = view.slate.fines[fine].key
            return next((seat for seat in view.seats if seat.key == key), view.seats[0])
        return view.seats[min(self.bright, len(view.seats) - 1)]


def is_chairman(view: TableView) -> bool:
    """Whether this player is the chairman."""
    return view.my_seat is not None and view.my_seat.key == view.chairman


# Its lines


@dataclass(frozen=True, slots=True)
class SlateLine:
    """A line of the slate."""

    text: Content
    is_bright: bool = False
    """Whether the line is a player or a fine, which can be highlighted."""


def lines(view: TableView, names: Sequence[str], width: int) -> list[SlateLine]:
    """The slate in lines of at most `width` columns; those that can be highlighted are cut, not
    wrapped."""
    slate = view.slate
    page = [
        SlateLine(_player(view, names[place], seat, width), is_bright=True)
        for place, seat in enumerate(view.seats)
    ]
    if view.has_slate:
        page += [SlateLine(Content()), SlateLine(Content.styled(_("Fines"), _HEADING))]
        if not slate.fines:
            page.append(SlateLine(Content.styled(_("Nobody has been fined yet."), "$quiet")))
        page += [
            SlateLine(_fine(view, fine, width), is_bright=True) for fine in reversed(slate.fines)
        ]
    return [*page, *(SlateLine(text) for text in _drinks(view, slate))]


def _player(view: TableView, name: str, seat: SeatView, width: int) -> Content:
    owed = view.slate.owed(seat.key)
    drinks = ngettext("{count} drink", "{count} drinks", owed).format(count=owed) if owed else ""
    return Content.assemble(
        (column(fit(name, _NAME - 1), _NAME), "bold"),
        _role(view, seat, min(_ROLE, width - _NAME - _OWED)),
        (tally(owed, _MAX_STROKES) + "  ", "$error"),
        drinks,
    )


def _role(view: TableView, seat: SeatView, width: int) -> Content:
    sitting = {each.key for each in view.seats}
    votes = Counter(whom for voter, whom in view.slate.votes.items() if voter in sitting)[seat.key]
    told = ngettext("{count} vote", "{count} votes", votes).format(count=votes) if votes else ""
    if seat.key != view.chairman:
        return Content.styled(column(fit(told, width - 1), width), "$quiet")
    words = fit(f"{glyphs().star} " + _("chairman"), width - 1)
    rest = width - cell_len(words)
    told = column(fit(f", {told}", rest - 1) if told else "", rest)
    return Content.assemble((words, "$accent"), (told, "$quiet"))


def _fine(view: TableView, fine: Fine, width: int) -> Content:
    by = _("the house") if fine.by is None else name_of(view, fine.by)
    look, end = "", _("by {name}").format(name=by)
    if fine.lifted:
        look, end = "strike $quiet", _("lifted")
    name = fit(name_of(view, fine.key), _NAME - 2)
    room = width - _NAME - cell_len(end) - 1
    words = fit(offence_name(fine.offence), room)
    return Content.assemble(
        (name, look),
        " " * (_NAME - cell_len(name)),
        (words, look),
        " " * (room - cell_len(words) + 1),
        (end, "$quiet"),
    )


def _drinks(view: TableView, slate: Slate) -> list[Content]:
    page: list[Content] = []
    for number, key, drink in slate.orders:
        text = _("School {number}: {name} left first and ordered {drink}.")
        name = name_of(view, key)
        page.append(Content(text.format(number=number, name=name, drink=drink_name(drink))))
    look = "$quiet" if view.counts_rounds and not view.stakes.paid else ""
    page += [Content.styled(text, look) for text in payers(view)]
    if view.may_order:
        text = _("You left first, and everybody is thirsty: {key} orders the drinks.")
        text = text.format(key=key_name(_("Enter"), _("order")))
        page.append(Content.styled(text, _HEADING))
    return [Content(), Content.styled(_("Drinks"), _HEADING), *page] if page else []


def choice_dialog(view: TableView, statements: Sequence[SlateStatement]) -> Pick[SlateStatement]:
    """Asks which of these statements to make, by arrows or by number."""
    title, accept = _("What is everybody having?"), _("order")
    if isinstance(first := statements[0], AwardFine):
        title = _("What is {name} fined for?").format(name=name_of(view, first.seat))
        accept = _("award a fine")

    def line(each: SlateStatement) -> Choice:
        words = drink_name(each.drink) if isinstance(each, Order) else ""
        words = offence_name(each.offence) if isinstance(each, AwardFine) else words
        return Choice(f"{statements.index(each) + 1} {words}", [""])

    return Pick(title, accept, statements, line)


_WIDTH: Final = 78

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient


class SlateDialog(ModalScreen[None]):
    """Shows this evening's slate as a list of players and fines; updated with the table."""

    CSS_PATH = Path(dialogs.__file__).with_name("dialogs.tcss")
    BINDINGS = [("escape,space,q,f", "close")]

    def __init__(self, scene: Scene, client: TableClient) -> None:
        super().__init__()
        self._scene = scene
        self._client = client
        self._controls = SlateControls()

    def compose(self) -> ComposeResult:
        """Create the list, and a message below it."""
        with DialogBox() as frame:
            frame.styles.width = _WIDTH
            yield OptionList(markup=False, compact=True)
            yield Static(id="message", markup=False)

    def on_mount(self) -> None:
        self.present()

    def on_resize(self) -> None:
        """Wrap the lines again for the new size."""
        self.present()

    def present(self) -> None:
        """Update the dialog from the scene."""
        view = self._scene.view
        if not self.is_mounted or view is None:
            return  # a screen that was just pushed is on top before its widgets exist
        self.query_one(DialogBox).entitle(_("The slate"), self._keys(view))
        scene, error = self._scene, self._controls.error
        remark = why_not(error, scene.names) if error else scene.remark
        self.query_one("#message", Static).update(remark)
        self._list.styles.max_height = max(self.size.height - 5, 3)
        self._show(self._shown(view))

    def _show(self, view: TableView) -> None:
        """Fill the list from `view`, with a marker before the highlighted line, if anything has
        changed."""
        # Besides the marker there are the padding of the list and its own scroll bar.
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
        # The positions of the lines are known only after the layout.
        self.call_after_refresh(self._list.scroll_to_highlight)

    @property
    def _list(self) -> OptionList:
        return self.query_one(OptionList)

    def _keys(self, view: TableView) -> Keys:
        """The keys for what this player may do now, and the one that goes back."""
        if not view.has_slate:
            return [(_("Esc"), _("back"))]
        keys = [("v", _("vote for chairman"))]
        if view.may_order:
            keys.append((_("Enter"), _("order")))
        elif is_chairman(view):
            is_fine = self._controls.fine(view) is not None
            words = _("lift the fine") if is_fine else _("award a fine")
            keys.append((_("Enter"), words))
        return [*keys, (_("Esc"), _("back"))]

    def buttons(self) -> Buttons:
        """The keys of the slate as buttons of a page."""
        view = self._scene.view
        return of_list(self._keys(view)) if view is not None else Buttons()

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
        """Handle v (vote for chairman) and Enter (award or lift a fine, order)."""
        view, key = self._scene.view, latin(event.key)
        if view is None or key not in ("v", "enter"):
            return
        event.stop()
        event.prevent_default()
        self._scene.remark = ""
        if (option := self._list.highlighted_option) and option.id is not None:
            self._controls.bright = int(option.id)
        offered = self._controls.press(key, self._shown(view))
        if len(offered) > 1:
            self.app.push_screen(choice_dialog(view, offered), self._state)
        elif offered:
            self._state(offered[0])
        self.present()

    def _state(self, statement: SlateStatement | None) -> None:
        view = self._scene.view
        if isinstance(statement, LiftFine) and view is not None:
            fine = self._shown(view).slate.fines[statement.index]
            statement = LiftFine(next(i for i, f in enumerate(view.slate.fines) if f is fine))
        if statement is not None:
            self._client.propose(statement)

    def action_close(self) -> None:
        """Go back to the table."""
        self.dismiss(None)
