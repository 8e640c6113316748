"""Handles text typed on a screen that has no input field."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.events import Key


def typed(text: str, event: Key, most: int) -> str | None:
    """The text after a key, at most `most` characters; None if the key ends the typing."""
    if event.key == "escape" or (event.key == "backspace" and not text):
        return None
    if event.key == "backspace":
        return text[:-1]
    return (text + event.character)[:most] if event.character and event.is_printable else text
