"""Keys by their position on the keyboard, so that a Cyrillic layout works like a Latin one."""

from __future__ import annotations

from typing import Final

_LATIN: Final = "qwertyuiopasdfghjklzxcvbnm"

_CYRILLIC: Final = (
    "йцукенгшщзфівапролдячсмить",  # Ukrainian
    "йцукенгшщзфывапролдячсмить",  # Russian, which differs in one letter
)
"""The letters of ЙЦУКЕН layouts, in the order of the keys."""

_PLACES: Final = {
    cyrillic: latin
    for layout in _CYRILLIC
    for cyrillic, latin in zip(layout + layout.upper(), _LATIN + _LATIN.upper(), strict=True)
}


def latin(key: str) -> str:
    """The Latin letter on the same key as a Cyrillic one; anything else is returned unchanged."""
    return _PLACES.get(key, key)
