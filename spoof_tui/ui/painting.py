"""Compares what Textual draws with what the terminal shows, and writes only the difference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Background
from textual.filter import LineFilter

from spoof_tui.ui.sequences import NUMBERS, PLAIN, Cell, CellStyle, Piece, changed, written

_PARTS: Final = re.compile(
    r"\x1B\[(?P<row>\d*)(?:;(?P<column>\d*))?H"
    r"|(?P<run>(?:\x1B\[[\d;]*m|[^\x00-\x1F\x7F]+)+)"
    r"|\n"
    r"|\x1B(?:\[[ -?]*[@-~]|[\]PX^_].*?(?:\a|\x1B\\)|[^\[\]PX^_])"
    r"|[^\x1B]",
    re.DOTALL,
)
"""Splits output into cursor moves, runs of text in styles, line ends, and everything else."""

_STYLED: Final = re.compile(r"\x1B\[(?P<look>[\d;]*)m|[^\x1B]+")
"""Splits such a run into styles and texts."""

_WORTH_A_JUMP: Final = 4
"""The most unchanged cells that are written again, rather than skipped by moving the cursor."""

_Row: TypeAlias = list[Cell | None]
"""The cells of a row; None for those that are unknown."""


class Painter:
    """Turns output for a terminal into cells, and writes only those that look different."""

    def __init__(self) -> None:
        self._cells = ShownCells()
        self._look = PLAIN
        self._at: tuple[int, int] | None = None
        """Row and column at which text is written next; None before the first move."""
        self._cursor: tuple[int, int] | None = None
        """Row and column of the terminal's cursor; None if unknown."""
        self._rest = ""
        """The beginning of a sequence whose end comes with the next output, as happens on
        Windows."""

    def forget(self) -> None:
        """Assume nothing about what the terminal shows, so that everything is painted again."""
        self._cells.forget()
        self._at = self._cursor = None

    def paint(self, data: str) -> str:
        """The output to write instead of `data`, with the same result on the terminal."""
        data, place, parts = self._rest + data, 0, list[str]()
        while match := _PARTS.match(data, place):
            place = match.end()
            run = match["run"]
            if run:
                cells, self._look = _read(run, self._look)
            if run and self._at:
                y, x = self._at
                self._at = y, self._cells.put(y, x, cells)
            elif match["row"] is not None:
                self._at = int(match["row"] or 1) - 1, int(match["column"] or 1) - 1
            elif match[0] == "\n" and self._at:
                self._at = self._at[0] + 1, 0
            else:
                parts += (self._painted(), match[0])
        self._rest = data[place:]
        return "".join([*parts, self._painted()])

    def _painted(self) -> str:
        """The output that draws the cells that differ, and moves the cursor to where it should
        be."""
        pieces = list(self._cells.differing())
        drawn = written(pieces) if pieces else ""
        if self._at is None or not (drawn or self._at != self._cursor):
            return ""
        self._cursor = y, x = self._at
        return f"{drawn}\x1b[{f'{y + 1};{x + 1}' if y or x else ''}H"


class ShownCells:
    """The cells that the terminal shows, and those that it should show."""

    def __init__(self) -> None:
        self._rows: dict[int, _Row] = {}
        """The cells that the terminal should show, by row."""
        self._before: dict[int, _Row] = {}
        """The rows that it still shows where others should be."""

    def forget(self) -> None:
        """Assume nothing about what the terminal shows."""
        self._rows.clear()
        self._before.clear()

    def put(self, y: int, x: int, cells: list[Cell]) -> int:
        """Put cells into row `y` from column `x`; return the column after them."""
        row = self._rows.setdefault(y, [])
        end = x + len(cells)
        if row[x:end] == cells:
            return end
        row += [None] * (end + 1 - len(row))
        for at, half in (x - 1, row[x]), (end, row[end]):
            # A wide character that loses one half becomes blank in the other, on terminals, too.
            if half is not None and not half[0]:
                self._put(y, at, [(" ", half[1].without_ink())])
        self._put(y, x, cells)
        return end

    def _put(self, y: int, x: int, cells: list[Cell]) -> None:
        row = self._rows[y]
        if y not in self._before:
            self._before[y] = row.copy()
        row[x : x + len(cells)] = cells

    def differing(self) -> Iterator[Piece]:
        """The pieces that have to be painted; they count as shown from then on."""
        before, self._before = self._before, {}
        for y in sorted(before):
            row, shown = self._rows[y], before[y]
            pairs = enumerate(zip_longest(row, shown))
            columns = [x for x, (cell, old) in pairs if cell is not old and cell != old]
            for first, last in _spans(row, columns):
                yield y, first, [cell for cell in row[first:last] if cell]


@lru_cache(maxsize=2048)
def _read(run: str, look: CellStyle) -> tuple[list[Cell], CellStyle]:
    """The cells of a run that begins in the style `look`, and the style after it; cached, so the
    list must stay as it is."""
    cells: list[Cell] = []
    for match in _STYLED.finditer(run):
        if match["look"] is not None:
            look = changed(look, match["look"])
        else:
            cells += cells_of(match[0], look)
    return cells, look


@lru_cache(maxsize=4096)
def cells_of(text: str, look: CellStyle) -> tuple[Cell, ...]:
    """The cells of a text, which must not begin with a combining mark; cached."""
    blank = look.without_ink()
    if text.isascii():
        return tuple((letter, blank if letter == " " else look) for letter in text)
    cells: list[Cell] = []
    for letter in text:
        if width := cell_len(letter):
            cells += [(letter, blank if letter == " " else look), *[("", look)] * (width - 1)]
        elif cells:
            at = -1 if cells[-1][0] else -2
            cells[at] = cells[at][0] + letter, cells[at][1]
    return tuple(cells)


def _spans(row: _Row, columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of columns, as start and end, that cover `columns`; near ones are joined."""
    if not columns:
        return
    start = end = columns[0]
    for column in columns:
        if column - end > _WORTH_A_JUMP or None in row[end:column]:
            yield _whole(row, start, end)
            start = column
        end = column + 1
    yield _whole(row, start, end)


def _whole(row: _Row, first: int, last: int) -> tuple[int, int]:
    """The range, extended so that it cuts no wide character."""
    is_half, is_cut = (cell is not None and not cell[0] for cell in (row[first], row[last]))
    return first - is_half, last + is_cut


# 256 colours


class NearestColors(LineFilter):
    """A filter for terminals with 256 colours that shows blended colours as the nearest of these.

    Rich rounds red, green and blue separately, which turns dimmed amber into red.
    """

    def apply(self, segments: list[Segment], background: Background) -> list[Segment]:
        """The segments in colours that the terminal has."""
        return [Segment(text, style and _nearest(style), c) for text, style, c in segments]


@lru_cache(maxsize=1024)
def _nearest(style: Style) -> Style:
    colors = (each and _of_256(each) for each in (style.color, style.bgcolor))
    return style + Style.from_color(*colors)


def _of_256(color: Color) -> Color:
    if (wanted := color.triplet) is None:
        return color

    def distance(rgb: tuple[int, ...]) -> int:
        return sum(w * (a - b) ** 2 for w, a, b in zip(_WEIGHTS, rgb, wanted, strict=True))

    return Color.from_ansi(NUMBERS[min(NUMBERS, key=distance)])


_WEIGHTS: Final = (2, 4, 3)
"""How much a difference in red, green and blue counts for the eye."""
