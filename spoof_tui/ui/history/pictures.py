"""Charts in terminal cells: bars, columns and curves, as lines of pieces.

Their parts differ first by character and only then by colour, since a terminal may have neither
colours nor block characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Final, TypeAlias

from rich.cells import cell_len, set_cell_size

from spoof_tui import console
from spoof_tui.text.ascii import is_ascii


class Ink(Enum):
    """The role of a piece; the values are Textual styles."""

    TEXT = ""
    BOLD = "bold"
    QUIET = "$quiet"
    TITLE = "bold $accent"
    ACCENT = "$accent"
    COIN = "$coin"
    GOOD = "$success"
    BAD = "$error"


Piece: TypeAlias = tuple[str, Ink]

Line: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters used for charts."""

    full: str = "█"
    half: str = "▌"
    rest: str = "░"
    """The part of a bar that is not filled."""
    mark: str = "│"
    """A mark on a bar."""
    eighths: str = "▁▂▃▄▅▆▇█"
    """The tops of columns, from the lowest to the full cell."""
    ramp: str = "█▓▒░"
    """The characters for the parts of one stacked bar, in order."""
    base: str = "─"


_OLD: Final = Signs(eighths="▄█")
_ASCII: Final = Signs("#", "", ".", "|", "#", "#=-.", "-")


def signs() -> Signs:
    """The characters that this terminal's font has for sure."""
    if is_ascii():
        return _ASCII
    if console.has_old_font():
        return _OLD
    return Signs()


# Text


def length(line: Iterable[Piece]) -> int:
    """The number of cells that a line takes."""
    return sum(cell_len(text) for text, _tone in line)


def left(text: str, width: int) -> str:
    """`text` in exactly this many cells, left-aligned."""
    return set_cell_size(text, max(width, 0))


def right(text: str, width: int) -> str:
    """`text` in at least this many cells, right-aligned."""
    return " " * max(width - cell_len(text), 0) + text


def fitted(lines: Iterable[Line], width: int) -> list[Line]:
    """The lines, each cut to at most this many cells."""
    return [tuple(_cut(line, width)) if length(line) > width else line for line in lines]


def _cut(line: Line, room: int) -> Iterator[Piece]:
    for text, tone in line:
        used = cell_len(text)
        yield (text if used <= room else left(text, room)), tone
        room -= min(used, room)


# Bars


def bar(share: float, width: int, tone: Ink = Ink.ACCENT, mark: float | None = None) -> Line:
    """A bar of `width` cells, filled up to `share` (0 to 1), with a mark at the share `mark`, if
    any."""
    drawn = signs()
    halves = round(min(max(share, 0.0), 1.0) * width * 2)
    if not drawn.half:
        halves += halves % 2
    filled = drawn.full * (halves // 2) + drawn.half * (halves % 2)
    if share > 0 and not filled:
        filled = drawn.half or drawn.full
    rest = drawn.rest * (width - len(filled))
    if mark is None:
        return (filled, tone), (rest, Ink.QUIET)
    return _marked((filled, tone), (rest, Ink.QUIET), round(mark * (width - 1)))


def _marked(filled: Piece, rest: Piece, at: int) -> Line:
    """The filled part and the rest of a bar, with a mark on the cell `at`."""
    sign = signs().mark, Ink.BOLD
    for first, part in ((0, filled), (len(filled[0]), rest)):
        if 0 <= at - first < len(part[0]):
            cut = at - first
            parts = (part[0][:cut], part[1]), sign, (part[0][cut + 1 :], part[1])
            return (*parts, rest) if part is filled else (filled, *parts)
    return filled, rest


_RAMP: Final = (Ink.COIN, Ink.ACCENT, Ink.TEXT, Ink.QUIET)


def stacked_bar(parts: Sequence[int], width: int) -> Line:
    """A bar of `width` cells, divided in proportion to `parts`."""
    whole = sum(parts) or 1
    pieces, before, drawn = [], 0, 0
    for place, part in enumerate(parts):
        before += part
        cells = round(before / whole * width) - drawn
        drawn += cells
        pieces.append(ramp_piece(place, cells))
    return tuple(pieces)


def ramp_piece(place: int, cells: int = 1) -> Piece:
    """`cells` cells of part number `place` of a `stacked_bar`."""
    ramp = signs().ramp
    return ramp[min(place, len(ramp) - 1)] * cells, _RAMP[min(place, len(_RAMP) - 1)]


# Columns


def columns(
    values: Sequence[tuple[str, float, Ink]], height: int, width: int = 3, gap: int = 1
) -> list[Line]:
    """A chart with a column for each label, value and colour; the highest is `height` rows high."""
    most = max((value for _label, value, _tone in values), default=0.0) or 1.0
    lines = [
        tuple(
            piece
            for _label, value, tone in values
            for piece in ((_cell(value / most * height, row) * width, tone), (" " * gap, Ink.TEXT))
        )
        for row in range(height - 1, -1, -1)
    ]
    labels = "".join(right(label, width) + " " * gap for label, _value, _tone in values)
    base = signs().base * ((width + gap) * len(values) - gap)
    return [*lines, ((base, Ink.QUIET),), ((labels.rstrip(), Ink.QUIET),)]


def _cell(high: float, row: int) -> str:
    """The character in row `row`, from 0 at the base, of a column `high` rows high."""
    tops = signs().eighths
    part = high - row
    if part <= 0:
        return " "
    if part >= 1:
        return tops[-1]
    step = int(part * len(tops))
    # Anything above zero must be visible.
    return tops[max(step, 1) - 1] if row == 0 or step else " "


# A curve


def curve(values: Sequence[float], width: int, height: int, tone: Ink = Ink.ACCENT) -> list[Line]:
    """A chart of shares, 0 to 1, from left to right: an area of `width` by `height` cells."""
    shown = _spread(values, width)
    rows = range(height - 1, -1, -1)
    return [
        (("".join(_cell(share * height, row) for share in shown).ljust(width), tone),)
        for row in rows
    ]


def _spread(values: Sequence[float], count: int) -> list[float]:
    """The values resampled to `count`: means of neighbours if there are more, repeated if fewer."""
    if not values:
        return []
    edges = [round(place * len(values) / count) for place in range(count + 1)]
    return [
        sum(part) / len(part)
        for start, end in pairwise(edges)
        if (part := values[start : max(end, start + 1)] or values[-1:])
    ]
