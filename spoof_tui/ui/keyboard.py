"""Text that is typed on a screen without a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.events import Key


def typed(text: str, event: Key, most: int) -> str | None:
    """What is typed after a key, at most so many characters; None if the key ends it."""
    if event.key == "escape" or (event.key == "backspace" and not text):
        return None
    if event.key == "backspace":
        return text[:-1]
    return (text + event.character)[:most] if event.character and event.is_printable else text
