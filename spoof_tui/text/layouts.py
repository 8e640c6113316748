"""Keys by position, whichever of its alphabets the keyboard is set to."""

from __future__ import annotations

from typing import Final

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
