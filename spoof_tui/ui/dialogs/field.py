"""A line to type into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Input

MAX_LETTERS: Final = 200
"""Letters that one field takes: more than any valid answer, and a paste cannot grow for ever."""

_EDITING: Final[Mapping[str, str]] = {
    key: binding.action
    for binding in Input.BINDINGS
    if isinstance(binding, Binding)
    for key in binding.key.split(",")
}
"""The action of every key that edits."""


class Field(Input):
    """Textual's own field, with its label in the border; what prints nothing is passed over."""

    def __init__(self, label: str, text: str = "", *, max_length: int = MAX_LETTERS) -> None:
        super().__init__(text, max_length=max_length, select_on_focus=False)
        self.cursor_blink = False  # it would paint 1.6 kB a second
        self.border_title = Content(label)

    def replace(self, text: str, start: int, end: int) -> None:
        """Put `text` in the place of another; every edit, typed or pasted, comes this way."""
        room = (self.max_length or MAX_LETTERS) - len(self.value) + abs(end - start)
        super().replace(self.admitted(text)[: max(room, 0)], start, end)

    async def on_key(self, event: events.Key) -> None:
        """Edit at once: a key that is left to the bindings comes after letters typed later."""
        action = None if event.is_printable else _EDITING.get(event.key)
        if action is not None:
            event.stop()
            event.prevent_default()
            await self.run_action(action)

    def admitted(self, text: str) -> str:
        """What of `text` the field takes."""
        return "".join(letter for letter in text if letter.isprintable())

    def on_paste(self, event: events.Paste) -> None:
        """Take several lines as one."""
        event.prevent_default()
        event.stop()
        self.replace(" ".join(event.text.split()), *self.selection)
