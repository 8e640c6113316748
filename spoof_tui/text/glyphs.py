"""The signs that are sure to be in this terminal's font."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Final

from spoof_tui.text import i18n
from spoof_tui.text.ascii import is_ascii


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Characters of one cell, and an ellipsis; the Linux console has few, and ASCII fewer."""

    coin: str = "●"
    no_coin: str = "○"
    mark: str = "◇"
    """The bid on the track, not reached yet."""
    reached: str = "◆"
    pointer: str = "▶"
    star: str = "★"
    right: str = "→"
    left: str = "←"
    up: str = "↑"
    down: str = "↓"
    more: str = "▸"
    """Beside a number that can grow."""
    less: str = "◂"
    dot: str = "·"
    yes: str = "✓"
    no: str = "✗"
    minus: str = "−"
    sealed: str = "■"
    chip: str = "▬"
    notch_above: str = "▁"
    """What is left of the upper edge of the table where it is notched."""
    notch_below: str = "▔"
    ellipsis: str = "…"
    """At the end of what is cut, or goes on; three dots where there is no character for it."""


_FULL: Final = Glyphs()
_CONSOLE: Final = Glyphs(
    coin="o", no_coin=".", mark="+", reached="#", pointer=">", star="*", right=">", left="<",
    up="^", down="v", more=">", less="<", dot="·", yes="v", no="x", minus="-", sealed="#",
    chip="=", notch_above="v", notch_below="^", ellipsis="...",
)  # fmt: skip
_ASCII: Final = replace(_CONSOLE, dot="|")
_SIGNS: Final = {"pebbles": ("•", "0"), "buttons": ("◉", "@")}
"""Tokens other than coins, as a character and in ASCII."""


_token = "coins"


def glyphs() -> Glyphs:
    """The characters that this terminal's font is sure to have."""
    return _glyphs


def token() -> str:
    """What coins are currently drawn as."""
    return _token


def choose(token: str) -> None:
    """Draw coins as "coins", "pebbles" or "buttons" from now on; anything else means coins."""
    global _token
    _token = token
    settle()


def settle() -> None:
    """Take the characters that the terminal has now."""
    global _glyphs
    _glyphs = _sure()
    i18n.end_with(_glyphs.ellipsis)


def _sure() -> Glyphs:
    plain = _ASCII if is_ascii() else _CONSOLE if os.environ.get("TERM") == "linux" else _FULL
    if _token not in _SIGNS:
        return plain
    sign, in_ascii = _SIGNS[_token]
    return replace(plain, coin=sign if plain is _FULL else in_ascii)


_glyphs: Glyphs
settle()
