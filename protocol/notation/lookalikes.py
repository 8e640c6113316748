"""Characters that look like those of a record, and get into one from keyboards and other programs.

A look-alike of a sign is read as that sign, unless it has a meaning of its own there. A letter of
another alphabet stays as it is, because tags may use any alphabet; it counts as the letter that it
looks like only if a tag or a name of the notation would otherwise be unknown.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from typing import Final

_MINUSES: Final = "‐‑‒–—―−﹣－"
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_QUOTES: Final = "“”„‟«»″＂"
_BLANKS: Final = (
    "\u00a0\u1680\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_WIDE: Final = {0xFEE0 + ord(sign): sign for sign in "!#$%&'()*+,-./0123456789:;<=>?[]{}"}

SIGNS: Final = {
    **_WIDE,
    **{ord(sign): "-" for sign in _MINUSES},
    **{ord(sign): '"' for sign in _QUOTES},
    **{ord(sign): " " for sign in _BLANKS},
    ord("∗"): "*",
    ord("․"): ".",
}
"""For each look-alike, by code point, the sign that it is read as."""

_PLAIN: Final = {**SIGNS, **dict.fromkeys(map(ord, _INVISIBLE), "")}

_LETTERS: Final = str.maketrans(
    "АВСЕІЈКМНОРЅТУХасеіјкмоѕртух" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνορυχ",
    "ABCEIJKMHOPSTYXaceijkmosptyx" + "ABEZHIKMNOPTYXikvopux",
)
"""For Cyrillic and Greek letters the Latin ones that they look like."""


def aligned(text: str) -> str:
    """The text with look-alikes replaced by the signs of the notation, character by character, so
    that its length stays the same."""
    return text if text.isascii() else text.translate(SIGNS)


def plain(text: str) -> str:
    """The text with look-alikes replaced and invisible characters left out, in the normal form
    NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(_PLAIN))


def skeleton(text: str) -> str:
    """A form of the text that is equal for any two texts that look the same."""
    return text if text.isascii() else plain(text).translate(_LETTERS)


def meant(name: str, known: Collection[str]) -> str:
    """The known name that `name` stands for: itself if it is known, otherwise the only known name
    that looks like it; `name` unchanged if there is not exactly one."""
    alike = [each for each in known if skeleton(each) == skeleton(name)]
    return alike[0] if name not in known and len(alike) == 1 else name


def stranger(text: str) -> tuple[str, str] | None:
    """The first character that is easily mistaken, with the one that it looks like, or with an
    empty string if it is invisible; None if there is none.

    Such a character is a look-alike of a sign, or a letter of another alphabet among Latin ones.
    """
    mixed = any(each.isascii() and each.isalpha() for each in text)
    for each in text:
        if each != (seen := each.translate(_PLAIN)):
            return each, seen
        if mixed and each != (seen := each.translate(_LETTERS)):
            return each, seen
    return None
