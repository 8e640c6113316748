"""The base of every dialog: fields and choices in a frame, with a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from spoof_tui.acts.buttons import Buttons, of_list
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.dialogs.choices import Choice, ChoiceList
from spoof_tui.ui.dialogs.labels import key_line
from spoof_tui.visiting import has_page

MAX_LETTERS: Final = 200
"""The most characters of a field: more than any valid answer, but a limit for pastes."""

_EDITING: Final[Mapping[str, str]] = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
}
"""For every key that edits a field, its action."""


class Field(Input):
    """Textual's input field with its label in the border; it takes only printable characters."""

    def __init__(self, label: str, text: str = "", *, max_length: int = MAX_LETTERS) -> None:
        super().__init__(text, max_length=max_length, select_on_focus=False)
        self.cursor_blink = False  # it would paint 1.6 kB a second
        self.border_title = Content(label)

    def replace(self, text: str, start: int, end: int) -> None:
        """Replace a range with what is allowed of `text`; every edit, typed or pasted, calls
        this."""
        room = (self.max_length or MAX_LETTERS) - len(self.value) + abs(end - start)
        super().replace(self.admitted(text)[: max(room, 0)], start, end)

    async def on_key(self, event: events.Key) -> None:
        """Carry out an editing key at once; as a binding it would run after letters typed later."""
        action = None if event.is_printable else _EDITING.get(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)

    def admitted(self, text: str) -> str:
        """The part of `text` that the field accepts."""
        return "".join(letter for letter in text if letter.isprintable())

    def on_paste(self, event: events.Paste) -> None:
        """Insert the pasted text with its lines joined into one."""
        event.prevent_default()
        event.stop()
        self.replace(" ".join(event.text.split()), *self.selection)


Keys: TypeAlias = Sequence[tuple[str, str]]
"""Keys with what they do; a click on either presses the key."""

_BESIDE_KEYS: Final = 6
"""Cells of the lower border that are not available for keys: corners and spaces."""


class DialogBox(Vertical):
    """A framed column of widgets, with a title above and keys below."""

    _written: tuple[str, Keys] = ("", ())

    def entitle(self, title: str, keys: Keys) -> None:
        """Set the title and the keys; the title is never read as markup, since it may contain
        names."""
        if (title, keys) == self._written:
            return  # writing the same again would repaint it
        self._written = title, keys
        self.border_title = Content(title)
        self._write_keys()

    def on_resize(self) -> None:
        """Show as many keys as fit, but no keys on a web page, which has buttons."""
        self._write_keys()

    def _write_keys(self) -> None:
        room = 0 if has_page() else self.outer_size.width - _BESIDE_KEYS
        self.border_subtitle = _joined(fitting(self._written[1], room) if room > 0 else ())


def fitting(keys: Keys, width: int) -> Keys:
    """The keys that fit into `width` cells; the first and the last always stay."""
    while len(keys) > 2 and _joined(keys).cell_length > width:
        keys = (*keys[:-2], keys[-1])
    return keys


def inside(width: int) -> int:
    """Columns for text in a frame of `width`: without border, padding and scroll bar."""
    return max(width - 5, 1)


def _joined(keys: Keys) -> Content:
    return key_line(keys, between=" ─ ", look="$foreground")


T = TypeVar("T")

_REMARKS: Final = 3
"""The fewest lines reserved for remarks."""

_LOW: Final = 16
"""Rows of a terminal below which fields have no border, and less important remarks are left out."""


class Dialog(ModalScreen[T], Generic[T]):
    """A dialog with fields above a list of choices; Enter accepts, Escape cancels.

    A subclass passes both to the constructor and overrides `result`; a plain question passes
    `answer` instead.
    """

    CSS_PATH = Path(__file__).with_name("dialogs.tcss")
    AUTO_FOCUS = "Input, OptionList"
    WIDTH = 62
    """Columns of the frame, if the terminal has so many."""
    BINDINGS = [("escape", "give_up"), ("enter", "accept"), ("up", "move(-1)"), ("down", "move(1)")]

    def __init__(
        self,
        title: str,
        accept: str,
        fields: Sequence[Field] = (),
        choices: Sequence[Choice] = (),
        help: str = "",
        back: str = "",
        *,
        answer: Callable[[], T] | None = None,
        width: int = 0,
    ) -> None:
        """`accept` and `back` label the keys Enter and Escape.

        `help` is shown while a field has the focus; a choice has its own. `answer` computes the
        result, if the class does not override `result`. `width` 0 stands for `WIDTH`.
        """
        super().__init__()
        self._answer = answer
        self.WIDTH = width or self.WIDTH
        self.fields = fields
        self.choices = choices
        self.wrong = ""
        """A sentence on invalid input, shown instead of the help; empty if all is well."""
        self.heading = title
        self.accept = accept
        self._back = back or _("back")
        self._help = help
        self._list = ChoiceList(choices) if choices else None
        self._values = [field.value for field in fields]
        self._room = self.WIDTH, _REMARKS
        """Columns and rows available for remarks."""

    def result(self) -> T:
        """The result of the dialog; raises `ValueError` with a sentence if the input is invalid."""
        assert self._answer is not None
        return self._answer()

    @property
    def keys(self) -> Keys:
        """The keys on the lower border: how to accept, to change, and to cancel."""
        change = [("Ctrl+U", _("clear"))] if self.fields else []
        if any(len(choice.values) > 1 for choice in self.choices):
            change = [("← →", _("change"))]
        elif self.choices:
            change = [("↑ ↓", _("choose"))] if len(self.choices) > 1 else []
        return [(_("Enter"), self.accept), *change, (_("Esc"), self._back)]

    def buttons(self) -> Buttons:
        """The keys of the dialog as buttons of a web page."""
        return of_list(self.keys, is_list=len(self.choices) + len(self.fields) > 1)

    @property
    def rows(self) -> int:
        """The most choices that the list can have at a time; room is reserved for them."""
        return len(self.choices)

    def changed(self) -> None:
        """A hook for subclasses, called when the player changed a value. Does nothing here."""

    def follow(self) -> None:
        """A hook for subclasses: bring choices and labels up to date. Does nothing here."""

    def compose(self) -> ComposeResult:
        """Create the fields, the list of choices, and a place for remarks."""
        with DialogBox(id="dialog") as frame:
            frame.styles.width = self.WIDTH
            frame.entitle(self.heading, self.keys)
            frame.set_class(self._list is not None, "-choices")
            self._fit_list(self.app.size)
            yield from self.fields
            if self._list is not None:
                yield self._list
            yield Static(self._remarks(), id="message", markup=False)

    def on_mount(self) -> None:
        self._fit_list(self.app.size)
        self.present()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the frame into the terminal."""
        self._fit_list(event.size)

    def _fit_list(self, size: Size) -> None:
        """Limit the list so that the frame fits into a terminal of this size."""
        if self._list is not None:
            is_low = size.height < _LOW
            if self.is_mounted:
                self.query_one(DialogBox).set_class(is_low, "-low")
            fields = 2 + (1 if is_low else 3) * len(self.fields)
            most = max(size.height - fields - max(min(size.height // 5, 4), _REMARKS), 2)
            width = inside(min(self.WIDTH, size.width))
            self._list.fit(width, most)
            self._list.styles.min_height = min(self.rows, most)
            self._room = width - 2, max(size.height - fields - min(self.rows, most), _REMARKS)
            self._reserve(width - 2, min(size.height // 5, 4))

    def _reserve(self, width: int, most: int) -> None:
        """Reserve rows, at most `most`, for the longest remarks of any choice, so that nothing
        moves."""
        if self.is_mounted:
            needed = max(each.rows(width) for each in self.choices)
            self.query_one("#message").styles.min_height = max(min(needed, most), _REMARKS)

    def present(self) -> None:
        """Bring the dialog up to date."""
        if not self.is_mounted:
            return  # a screen that was just pushed is on top before its widgets exist
        self.follow()
        self.query_one(DialogBox).entitle(self.heading, self.keys)
        if self._list is not None:
            self._list.present(self.choices)
        place, remarks = self.query_one("#message", Static), self._remarks()
        if place.content != remarks:
            place.update(remarks)

    def _remarks(self) -> Content:
        """The note of the focused choice, and the error or, without one, the help."""
        choice = self.choice
        note, help = (choice.note, choice.help) if choice else ("", self._help)
        last = (self.wrong, "$error") if self.wrong else (help, "$quiet")
        said = [piece for piece in ((note, "$quiet"), last) if piece[0]]
        width, rows = self._room
        if len(said) > 1 and sum(len(wrap(text, width)) for text, _style in said) > rows:
            said = said[1:] if self.wrong else said[:1]
        return Content("\n").join(Content.styled(*piece) for piece in said)

    @property
    def choice(self) -> Choice | None:
        """The highlighted choice, if the list has the focus; otherwise None."""
        is_first = self.focused is None and self.AUTO_FOCUS == "OptionList"
        if self._list is None or not (self.focused is self._list or is_first or not self.fields):
            return None
        return self._list.choice

    def focus_field(self, place: int) -> None:
        """Focus the field with this index."""
        self.fields[place].focus()

    def focus_choice(self, choice: Choice) -> None:
        """Focus the list, with this choice highlighted."""
        if self._list is not None:
            self._list.focus()
            self._list.highlighted = list(self.choices).index(choice)

    def action_give_up(self) -> None:
        """Close without a result."""
        self._close(None)

    def action_accept(self) -> None:
        """Close with the result; if it is invalid, show why instead."""
        try:
            result = self.result()
        except ValueError as error:
            self.wrong = str(error)
            self.present()
            return
        self._close(result)

    def _close(self, result: T | None) -> None:
        # A key that was still queued finds the dialog closed, and must not close anything else.
        if self.is_active:
            self.dismiss(result)

    def action_move(self, by: int) -> None:
        """Focus the next or previous field; the list is entered at its nearest end."""
        focused = self.focus_next() if by > 0 else self.focus_previous()
        if focused is self._list and self._list is not None:
            self._list.highlighted = 0 if by > 0 else len(self.choices) - 1

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        values = [field.value for field in self.fields]
        if values != self._values:  # a field reports its first value, too
            self._values = values
            self.touched()

    @on(ChoiceList.Changed)
    def _value_chosen(self, event: ChoiceList.Changed) -> None:
        event.stop()
        self.touched()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self.present()

    def on_descendant_focus(self) -> None:
        """Show the remarks for what has the focus now."""
        self.present()

    def touched(self) -> None:
        """Handle a change by the player: clear the error, and bring the dialog up to date."""
        self.wrong = ""
        self.changed()
        self.present()


class Pick(Dialog[T]):
    """Asks for one of several things, each on a line of its own."""

    def __init__(
        self,
        title: str,
        accept: str,
        things: Sequence[T],
        choice: Callable[[T], Choice],
        width: int = 0,
    ) -> None:
        """`choice` makes the line of a thing."""
        self._things = things
        super().__init__(title, accept, choices=[*map(choice, things)], width=width)

    def on_key(self, event: events.Key) -> None:
        """Choose the line with a typed number, and accept."""
        place = "123456789".find(event.character or "-")
        if 0 <= place < len(self.choices):
            event.stop()
            self.focus_choice(self.choices[place])
            self.action_accept()

    def result(self) -> T:
        """The highlighted item."""
        picked = next(place for place, each in enumerate(self.choices) if each is self.choice)
        return self._things[picked]
