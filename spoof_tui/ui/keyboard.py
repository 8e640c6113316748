"""Keys by position, whichever of its alphabets the keyboard is set to; and text that is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from textual.events import Key

_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"

_CYRILLIC: Final = (
    "йцукенгшщзфівапролдячсмить",  # Ukrainian
    "йцукенгшщзфывапролдячсмить",  # Russian, which differs in one letter
)
"""The letters on the same keys, in the layouts called ЙЦУКЕН."""

_PLACES: Final = {
    cyrillic: latin
    for layout in _CYRILLIC
    for cyrillic, latin in zip(layout + layout.upper(), _LATIN + _LATIN.upper(), strict=True)
}


def latin(key: str) -> str:
    """The Latin letter on the key of a Cyrillic one; every other key is returned unchanged."""
    return _PLACES.get(key, key)


def typed(text: str, event: Key, most: int) -> str | None:
    """What is typed after a key, at most so many characters; None if the key ends it."""
    if event.key == "escape" or (event.key == "backspace" and not text):
        return None
    if event.key == "backspace":
        return text[:-1]
    return (text + event.character)[:most] if event.character and event.is_printable else text
