"""The base of every dialog: a form on one canvas, its keys, and a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.strip import Strip

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import NOTHING, show
from spoof_tui.ui.canvas.form import ChoiceRow, CodeRow, Form, TextRow, draw_form
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.keyboard import latin

T = TypeVar("T")


class FormCanvas(Canvas):
    """Draws a form, as high as it needs to be."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self._form = form
        self._rows: dict[int, int] = {}

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The form for this size."""
        drawing = draw_form(self._form, width, height)
        self._rows = drawing.rows
        return drawing.lines

    def row_at(self, y: int) -> int | None:
        """The form's row that a line belongs to, by its place."""
        return self._rows.get(y)


class Dialog(ModalScreen[T], Generic[T]):
    """A form to fill in: Enter accepts it, Escape gives it up.

    A subclass makes the form, and says in `result` what was filled in.
    """

    CSS = """
    Dialog { align: center middle; background: #121212 60%; }
    FormCanvas { max-width: 100%; height: auto; max-height: 100%; background: #1c1c1c; }
    """
    SCOPED_CSS = False
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("escape", "give_up", show=False),
        Binding("enter", "accept", show=False),
        Binding("up,shift+tab", "move(-1)", show=False),
        Binding("down,tab", "move(1)", show=False),
        Binding("left", "step(-1)", show=False),
        Binding("right", "step(1)", show=False),
    ]

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def result(self) -> T:
        """What was filled in; raises `ValueError` with a sentence for the player."""
        raise NotImplementedError

    def changed(self) -> None:
        """A row has another value: bring the rest of the form into line with it."""

    def compose(self) -> ComposeResult:
        """The form, and nothing else."""
        canvas = FormCanvas(self.form)
        canvas.styles.width = self.form.width
        yield canvas

    def present(self) -> None:
        """Draw again what changed; the frame grows and shrinks with the form."""
        # A screen that was just pushed is on top before its canvas is there.
        for canvas in self.query(FormCanvas):
            height = canvas.get_content_height(self.size, self.size, canvas.size.width)
            if height == canvas.size.height:
                canvas.redraw()
            else:
                canvas.refresh(layout=True)

    def action_give_up(self) -> None:
        """Close without a result."""
        self.dismiss(None)

    def action_accept(self) -> None:
        """Close with the result, or say what is wrong with it."""
        try:
            result = self.result()
        except ValueError as error:
            self.form.wrong = str(error)
            self.present()
            return
        self.dismiss(result)

    def action_move(self, by: int) -> None:
        """Give the focus to another row."""
        self.form.move(by)
        self._touched()

    def action_step(self, by: int) -> None:
        """Choose another value, or move the cursor."""
        self.form.row.step(by)
        self._touched()

    def on_key(self, event: events.Key) -> None:
        """Type, or choose by a digit; j and k move between rows where nothing is typed."""
        row = self.form.row
        if isinstance(row, ChoiceRow):
            moves = {"j": 1, "k": -1}
            key = latin(event.key)
            if key in moves:
                self.form.move(moves[key])
            elif not row.press(event.character or ""):
                return
        elif not self.edit(row, event):
            return
        event.stop()
        event.prevent_default()
        self._touched()

    def edit(self, row: TextRow | CodeRow, event: events.Key) -> bool:
        """Change what is typed as the key says; whether the key says anything."""
        return isinstance(row, TextRow) and _edit(row, event)

    def on_paste(self, event: events.Paste) -> None:
        """Type what was pasted."""
        if isinstance(self.form.row, TextRow):
            self.form.row.type(" ".join(event.text.split()))
            self._touched()
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Give the focus to the row under the mouse; a second click takes its next value."""
        canvas = self.query_one(FormCanvas)
        place = canvas.row_at(event.screen_y - canvas.region.y)
        if event.widget is not canvas or place is None:
            return
        row = self.form.rows[place]
        if place == self.form.bright and isinstance(row, ChoiceRow):
            row.step(1)
        self.form.bright = place
        self._touched()

    def _touched(self) -> None:
        self.form.wrong = ""
        self.changed()
        self.present()


def _edit(row: TextRow, event: events.Key) -> bool:
    """Change the text as the key says; whether the key says anything."""
    edits = {
        "backspace": row.erase,
        "ctrl+h": row.erase,
        "delete": row.delete,
        "ctrl+u": row.clear,
    }
    moves = {"home": -len(row.text), "ctrl+a": -len(row.text)}
    moves |= {"end": len(row.text), "ctrl+e": len(row.text)}
    if event.key in edits:
        edits[event.key]()
    elif event.key in moves:
        row.step(moves[event.key])
    elif event.is_printable and event.character:
        row.type(event.character)
    else:
        return False
    return True


def clean_name(typed: str, empty: str) -> str:
    """A name as others will see it; raises `ValueError`, with the sentence `empty` for a blank."""
    name = show(ForeignText(typed), 10_000)
    if name == NOTHING and typed.strip() != NOTHING:
        raise ValueError(empty)
    excess = len(name.encode()) - MAX_NAME
    if excess > 0:
        sentence = _("That is too long: {most} bytes are allowed, and this has {excess} more.")
        raise ValueError(sentence.format(most=MAX_NAME, excess=excess))
    return name
