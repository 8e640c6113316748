"""A QR code in cells of the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from textual.content import Content
from textual.style import Style

MARGIN: Final = 2
"""The width of the quiet zone in squares; a code in a frame needs no more."""

_LIGHT: Final = "#ffffff"
_DARK: Final = "#000000"
_UPPER: Final = "▀"


def qr_lines(text: str) -> list[Content]:
    """The code in rows of cells, dark on light in every theme; two rows are as high as
    one is wide."""
    squares = squares_of(text)
    blank = [False] * len(squares[0])
    pairs = zip_longest(squares[::2], squares[1::2], fillvalue=blank)
    return [
        Content("").join(_cell(upper, lower) for upper, lower in zip(above, below, strict=True))
        for above, below in pairs
    ]


def squares_of(text: str) -> Sequence[Sequence[bool]]:
    """The squares of the code, row by row with their margin; True is dark."""
    import segno

    code = segno.make(text, error="l", micro=False)
    return [[bool(square) for square in row] for row in code.matrix_iter(border=MARGIN)]


def _cell(upper: bool, lower: bool) -> Content:
    foreground, background = (_DARK if each else _LIGHT for each in (upper, lower))
    return Content.styled(_UPPER, Style.parse(f"{foreground} on {background}"))
