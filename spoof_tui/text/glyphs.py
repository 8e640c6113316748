"""The signs used on screens, chosen so that this terminal's font has them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Final

from spoof_tui.text import i18n
from spoof_tui.text.ascii import is_ascii


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Signs of one cell each, and an ellipsis; the Linux console has fewer, and ASCII fewest."""

    coin: str = "●"
    no_coin: str = "○"
    lost: str = "×"
    """A coin that was lost, and the last one of a player who is out."""
    mark: str = "◇"
    """A number on the track of bids that has not been reached yet."""
    reached: str = "◆"
    pointer: str = "▶"
    star: str = "★"
    right: str = "→"
    left: str = "←"
    up: str = "↑"
    down: str = "↓"
    more: str = "▸"
    """Beside a number that can be raised."""
    less: str = "◂"
    dot: str = "·"
    yes: str = "✓"
    no: str = "✗"
    minus: str = "−"
    sealed: str = "■"
    chip: str = "▬"
    notch_above: str = "▁"
    """The rest of the table's upper edge where the edge is notched."""
    notch_below: str = "▔"
    ellipsis: str = "…"
    """At the end of a text that is cut or goes on; three dots where the font has no such
    character."""


_FULL: Final = Glyphs()
_CONSOLE: Final = Glyphs(
    coin="o", no_coin=".", lost="×", mark="+", reached="#", pointer=">", star="*", right=">",
    left="<", up="^", down="v", more=">", less="<", dot="·", yes="v", no="x", minus="-", sealed="#",
    chip="=", notch_above="v", notch_below="^", ellipsis="...",
)  # fmt: skip
_ASCII: Final = replace(_CONSOLE, dot="|", lost="x")
_SIGNS: Final = {"pebbles": ("•", "0"), "buttons": ("◉", "@")}
"""For each token other than coins, its character and its ASCII substitute."""


_token = "coins"


def glyphs() -> Glyphs:
    """The current signs."""
    return _glyphs


def token() -> str:
    """The name of the token that coins are drawn as: "coins", "pebbles" or "buttons"."""
    return _token


def choose(token: str) -> None:
    """Draw coins as "coins", "pebbles" or "buttons" from now on; anything else means coins."""
    global _token
    _token = token
    refresh()


def refresh() -> None:
    """Choose the signs for the terminal as it is now; `glyphs` returns them from then on."""
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
refresh()
