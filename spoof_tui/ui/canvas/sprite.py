"""Pictures of hands: in coloured pixels of half a cell, or in lines.

They are text files in `sprites/`: `small.txt`, `middle.txt`, `large.txt` and `tiny.txt` in pixels,
`lines.txt` and `ascii.txt` in characters. `large-buttons.txt` and the like are palms with other
tokens than coins, and `gestures.txt` is what a gesture draws over a fist. A fist looks the same
whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import groupby, product
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from rich.style import Style

from spoof_tui.text.ascii import is_ascii
from spoof_tui.text.glyphs import glyphs, token
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet

NOTHING: Final = "."
"""The character of a transparent pixel."""

_MAX_COINS: Final = 3
"""The most coins that are drawn one by one on a palm."""


class Size(Enum):
    """The size of a hand: columns and rows."""

    TINY = (6, 1)
    SMALL = (10, 3)
    MIDDLE = (14, 4)
    LARGE = (20, 7)

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height


class Pose(Enum):
    """What a picture of a hand shows."""

    FIST = "fist"
    SHAKING = "shaking"
    AWAITED = "awaited"
    """An outline: the fist is not in yet."""
    EMPTY = "open-0"
    ONE = "open-1"
    TWO = "open-2"
    THREE = "open-3"
    MORE = "open-more"


GESTURED: Final = (Size.SMALL, Size.MIDDLE, Size.LARGE)
"""Sizes of hands on which gestures are drawn."""

_OPEN: Final = (Pose.EMPTY, Pose.ONE, Pose.TWO, Pose.THREE)


def opened(coins: int) -> Pose:
    """The pose of an open hand with this many coins on it."""
    return _OPEN[coins] if coins <= _MAX_COINS else Pose.MORE


_SHAPED: Final = (Pose.ONE, Pose.TWO, Pose.THREE)
_SHAPES: Final = frozenset(product((Size.MIDDLE, Size.LARGE), ("pebbles", "buttons")))
"""Sizes and tokens with pictures of their own; in other sizes, tokens differ only in colour."""

_NAME: Final = re.compile(
    r"\[((?:tiny |small |middle |large )?(?:fist|shaking|awaited|open.*)"
    r"|(?:small|middle|large) [a-z]+(?: \d)?)\]"
)
"""The line with a picture's name above it."""

Rows: TypeAlias = tuple[str, ...]
"""Characters row by row, all rows equally wide."""


@lru_cache
def pictures(file: str) -> Mapping[str, Rows]:
    """The pictures of a file of `sprites/` by name; the rows of each are equally wide."""
    text = Path(__file__).with_name("sprites") / f"{file}.txt"
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in text.read_text("utf-8").splitlines():
        if name := _NAME.fullmatch(line):
            rows = found.setdefault(name[1], [])
        else:
            rows.append(line)
    return {name: _even(rows) for name, rows in found.items()}


def _even(rows: Sequence[str]) -> Rows:
    """The rows without empty ones at the end, padded to the widest."""
    used = len(rows)
    while used and not rows[used - 1].strip():
        used -= 1
    width = max(map(len, rows[:used]), default=0)
    return tuple(row.ljust(width) for row in rows[:used])


# Drawing


def draw_hand(sheet: Sheet, x: int, y: int, size: Size, pose: Pose) -> None:
    """Draw a hand on the felt with its upper left corner at column `x` of row `y`."""
    if pose is Pose.AWAITED or not palette.has_pixels():
        style = palette.ON_FELT_QUIET if pose is Pose.AWAITED else palette.ON_FELT
        for row, text in enumerate(line_art(size, pose), y):
            sheet.put(x, row, text, style)
        return
    _lay(sheet, x, y, _pixels(size, pose))


def _lay(sheet: Sheet, x: int, y: int, pixels: Rows) -> None:
    inks = tuple(getattr(palette, name) for name in _INKS.values())
    sheet.lay(_picture(pixels, inks), x, y)


def _pixels(size: Size, pose: Pose) -> Rows:
    """The pixels of a hand, with the table's token if that has a picture of its own."""
    name, of = size.name.lower(), token()
    if pose in _SHAPED and (size, of) in _SHAPES:
        return pictures(f"{name}-{of}")[pose.value]
    return pictures(name)[pose.value]


def draw_gesture(sheet: Sheet, x: int, y: int, size: Size, pose: Pose, name: str) -> None:
    """Draw a shut or awaited hand, with the gesture called `name` over it.

    Only for `has_pixels` and the sizes in `GESTURED`. Cells that the gesture does not touch stay
    those of the hand, so that they need not be repainted.
    """
    overlay = pictures("gestures")[f"{size.name.lower()} {name}"]
    draw_hand(sheet, x, y, size, pose)
    base = pictures(size.name.lower())[Pose.FIST.value]
    if pose is Pose.AWAITED:
        base = (NOTHING * size.width,) * (2 * size.height)
    _lay(sheet, x, y, _laid_over(base, overlay))
    for row, signs in enumerate(overlay[::2]):
        for column, sign in enumerate(signs):
            if sign in _SIGNS:
                text = glyphs().star if sign == "*" else sign
                sheet.put(x + column, y + row, text, palette.ON_FELT_MARK)


def _laid_over(base: Rows, overlay: Rows) -> Rows:
    """The pixels of hand and gesture in cells that the gesture touches; transparent in all
    others."""
    rows: list[str] = []
    for y in range(0, len(overlay), 2):
        pairs = [_both(*each) for each in zip(*base[y : y + 2], *overlay[y : y + 2], strict=True)]
        rows += ["".join(pixels) for pixels in zip(*pairs, strict=True)]
    return tuple(rows)


def _both(upper: str, lower: str, over: str, under: str) -> tuple[str, str]:
    """Both pixels of a cell, `upper` and `lower`, with those of a gesture, `over` and `under`, on
    top."""
    if over in _SIGNS or over == under == NOTHING:
        return NOTHING, NOTHING
    return (upper if over == NOTHING else over), (lower if under == NOTHING else under)


def line_art(size: Size, pose: Pose) -> Rows:
    """A hand drawn in characters of one cell each."""
    kind = "open" if pose.value.startswith("open") else pose.value
    kind = "fist" if pose is Pose.SHAKING else kind
    return pictures("ascii" if is_ascii() else "lines")[f"{size.name.lower()} {kind}"]


_INKS: Final = {
    NOTHING: "FELT",
    "S": "SKIN",
    "L": "SKIN_LIGHT",
    "R": "SKIN_SHADE",
    "D": "CREASE",
    "C": "COIN_FACE",
    "H": "COIN_LIGHT",
    "G": "COIN_EDGE",
    "W": "SWEAT",
    "_": "FELT",
}
_SIGNS: Final = "?*"
"""Characters of a gesture's picture that fill a whole cell."""


class _Cell(NamedTuple):
    """A block character, its colour, and its background."""

    text: str
    color: str
    behind: str


@lru_cache(maxsize=256)
def _picture(rows: Rows, inks: tuple[str, ...]) -> Sheet:
    """A sheet with the picture in these colours, given in the order of `_INKS`; transparent cells
    stay blank."""
    ink = dict(zip(_INKS, inks, strict=True))
    sheet = Sheet(len(rows[0]), len(rows) // 2)
    for y, (upper, lower) in enumerate(zip(rows[::2], rows[1::2], strict=True)):
        cells = _cells(upper, lower, ink)
        for key, group in groupby(cells, key=lambda each: each[1] and each[1][1:]):
            same = list(group)
            if key is not None:
                text = "".join(cell.text for _x, cell in same if cell)
                sheet.put(same[0][0], y, text, Style(color=key[0], bgcolor=key[1]))
    return sheet


def _cells(upper: str, lower: str, ink: Mapping[str, str]) -> list[tuple[int, _Cell | None]]:
    """The cells of two rows of pixels, with their columns, written with as few colour changes as
    possible.

    None for a transparent cell.
    """
    cells: list[tuple[int, _Cell | None]] = []
    before = _Cell(" ", "", ink[NOTHING])
    for x, (top, bottom) in enumerate(zip(upper, lower, strict=True)):
        if top == bottom == NOTHING:
            cells.append((x, None))
            continue
        ways = _written(ink[top], ink[bottom], before)
        before = min(ways, key=partial(_cost, before=before))
        cells.append((x, before))
    return cells


def _written(top: str, bottom: str, before: _Cell) -> Sequence[_Cell]:
    """The ways to write two pixels in one cell after the cell `before`."""
    if top == bottom:
        return (_Cell("█", top, before.behind), _Cell(" ", before.color or top, top))
    return (_Cell("▀", top, bottom), _Cell("▄", bottom, top))


def _cost(cell: _Cell, before: _Cell) -> int:
    """How many colours must change after the cell `before`; a bright background, not always
    possible, costs more."""
    changed = (cell.color != before.color) + (cell.behind != before.behind)
    return changed + 4 * cell.behind.startswith("bright_")
