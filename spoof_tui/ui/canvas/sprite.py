"""Hands as pictures: block pixels with colours, lines without.

They are plain text in `sprites/`, which anybody can edit: `small.txt`, `middle.txt`, `large.txt`
and `tiny.txt` in pixels, `lines.txt` and `ascii.txt` in characters; `large-buttons.txt` and the
like hold palms with other tokens than coins, and `gestures.txt` what is drawn over a fist during a
gesture. A fist looks the same whatever it holds.
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
"""Coins that are drawn one by one on a palm."""


class Size(Enum):
    """How large a hand is drawn: columns and rows of cells."""

    TINY = (6, 1)
    SMALL = (10, 3)
    MIDDLE = (14, 4)
    LARGE = (20, 7)

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height


class Pose(Enum):
    """What a hand does."""

    FIST = "fist"
    SHAKING = "shaking"
    AWAITED = "awaited"
    """Not there yet: an outline."""
    EMPTY = "open-0"
    ONE = "open-1"
    TWO = "open-2"
    THREE = "open-3"
    MORE = "open-more"


GESTURED: Final = (Size.SMALL, Size.MIDDLE, Size.LARGE)
"""Sizes of a hand on which a gesture is visible."""

_OPEN: Final = (Pose.EMPTY, Pose.ONE, Pose.TWO, Pose.THREE)


def opened(coins: int) -> Pose:
    """The open hand with this many coins on it."""
    return _OPEN[coins] if coins <= _MAX_COINS else Pose.MORE


_SHAPED: Final = (Pose.ONE, Pose.TWO, Pose.THREE)
_SHAPES: Final = frozenset(product((Size.MIDDLE, Size.LARGE), ("pebbles", "buttons")))
"""Hands on which pebbles and buttons have their own shape; on others they only differ in colour."""

_NAME: Final = re.compile(
    r"\[((?:tiny |small |middle |large )?(?:fist|shaking|awaited|open.*)"
    r"|(?:small|middle|large) [a-z]+(?: \d)?)\]"
)
"""The line above a picture."""

Rows: TypeAlias = tuple[str, ...]
"""Characters, row by row, all rows of one width."""


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
    """Without empty rows at the end, and all padded to the widest."""
    used = len(rows)
    while used and not rows[used - 1].strip():
        used -= 1
    width = max(map(len, rows[:used]), default=0)
    return tuple(row.ljust(width) for row in rows[:used])


# Drawing


def draw_hand(sheet: Sheet, x: int, y: int, size: Size, pose: Pose) -> None:
    """Draw a hand on the felt, with its upper left corner in this cell."""
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
    """A hand in pixels, with the table's token if that has a picture of its own."""
    name, of = size.name.lower(), token()
    if pose in _SHAPED and (size, of) in _SHAPES:
        return pictures(f"{name}-{of}")[pose.value]
    return pictures(name)[pose.value]


def draw_gesture(sheet: Sheet, x: int, y: int, size: Size, pose: Pose, name: str) -> None:
    """Draw a shut or awaited hand, with the gesture of this name over it.

    Only if there are pixels, and in the sizes of `GESTURED`. Cells outside the gesture are those of
    the hand alone, and cost nothing more to paint.
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
    """The pixels of the cells in which a gesture draws, including those of the hand."""
    rows: list[str] = []
    for y in range(0, len(overlay), 2):
        pairs = [_both(*each) for each in zip(*base[y : y + 2], *overlay[y : y + 2], strict=True)]
        rows += ["".join(pixels) for pixels in zip(*pairs, strict=True)]
    return tuple(rows)


def _both(upper: str, lower: str, over: str, under: str) -> tuple[str, str]:
    """The two pixels of a cell of a hand, with `over` and `under` laid on them."""
    if over in _SIGNS or over == under == NOTHING:
        return NOTHING, NOTHING
    return (upper if over == NOTHING else over), (lower if under == NOTHING else under)


def line_art(size: Size, pose: Pose) -> Rows:
    """A hand in characters of one cell each."""
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
"""Characters in a gesture that fill a whole cell."""


class _Cell(NamedTuple):
    """A block, its colour, and the colour behind it."""

    text: str
    color: str
    behind: str


@lru_cache(maxsize=256)
def _picture(rows: Rows, inks: tuple[str, ...]) -> Sheet:
    """A picture in these colours, in the order of `_INKS`; blank where nothing is drawn."""
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
    """One row of cells, each written with as few colour changes as possible."""
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
    """The ways to write two pixels in one cell."""
    if top == bottom:
        return (_Cell("█", top, before.behind), _Cell(" ", before.color or top, top))
    return (_Cell("▀", top, bottom), _Cell("▄", bottom, top))


def _cost(cell: _Cell, before: _Cell) -> int:
    """Colours to be written; bright ones are not available as a background on every terminal."""
    changed = (cell.color != before.color) + (cell.behind != before.behind)
    return changed + 4 * cell.behind.startswith("bright_")
