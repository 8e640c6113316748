"""The frame of every table: where its parts lie, and the pictures that all of them share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Piece, Place, Sheet, fit, length, wrap

Line: TypeAlias = Sequence[Piece]
"""Pieces of one row."""

Hint: TypeAlias = tuple[str, str]
"""A key and what it does."""

MARGIN: Final = 1
"""Columns left free at both sides of a panel."""

_INDENT: Final = 2
"""Columns of a column before its text: its edge, and a blank."""

_NARROW: Final = 74
"""Below this many columns the table has no column beside it."""

_SHORT: Final = 23
_HIGH: Final = 32
"""From this many rows on a panel of sentences has more room."""


class Frame(NamedTuple):
    """Where the parts of a table lie."""

    bar: Place
    ring: Place
    side: Place
    """The column beside the table, of no width where there is no room for it."""
    panel: Place


def frame(width: int, height: int, *, for_prose: bool = False) -> Frame:
    """The parts of a screen of this size, whose panel may have much to say."""
    low = 6 if height < _SHORT else 11 if for_prose and height >= _HIGH else 8
    side = 0 if width < _NARROW else min(max(width * 3 // 10, 20), 40)
    middle = max(height - low - 1, 0)
    return Frame(
        bar=Place(0, 0, width, 1),
        ring=Place(1, 1, max(width - side - 1, 0), middle),
        side=Place(width - side, 1, side, middle),
        panel=Place(0, 1 + middle, width, low),
    )


# Pictures


@dataclass(frozen=True, slots=True)
class Bar:
    """One line: what is looked at, what there is to say about it, and at the right where."""

    name: str
    about: str = ""
    end: Piece = ("", Style.null())

    def draw(self, sheet: Sheet) -> None:
        """The name is cut last."""
        room = sheet.width - cell_len(self.end[0]) - 3
        x = sheet.put(1, 0, fit(self.name, room), palette.STRONG)
        sheet.put(x + 2, 0, fit(self.about, room - x - 1), palette.QUIET)
        sheet.put(sheet.width - cell_len(self.end[0]) - 1, 0, *self.end)


@dataclass(frozen=True, slots=True)
class Rule:
    """A line with a title at its left, and something at its right."""

    title: tuple[Piece, ...]
    beside: tuple[tuple[Piece, ...], ...] = ()
    """Each with a stroke of the line before it."""

    def draw(self, sheet: Sheet) -> None:
        """All of it; what is given fits."""
        sheet.put(0, 0, "─" * sheet.width, palette.BORDER)
        sheet.pieces(_INDENT, 0, self.title)
        x = sheet.width - 2 - beside_length(self.beside)
        for pieces in self.beside:
            x = sheet.pieces(x, 0, pieces) + 1


def beside_length(beside: Sequence[Iterable[Piece]]) -> int:
    """Columns that the right end of a rule takes."""
    return sum(map(length, beside)) + max(len(beside) - 1, 0)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines from the top."""

    lines: tuple[tuple[Piece, ...], ...]

    def draw(self, sheet: Sheet) -> None:
        """As many as there is room for."""
        for row, pieces in enumerate(self.lines):
            sheet.pieces(MARGIN, row, pieces)


@dataclass(frozen=True, slots=True)
class Column:
    """A part of the column beside the table: a title, lines below it, and lines at the bottom."""

    title: str
    lines: tuple[tuple[Piece, ...], ...]
    bottom: tuple[tuple[Piece, ...], ...] = ()

    def draw(self, sheet: Sheet) -> None:
        """With the edge at its left."""
        for row in range(sheet.height):
            sheet.put(0, row, "│", palette.BORDER)
        sheet.put(_INDENT, 0, self.title, palette.QUIET)
        for row, pieces in enumerate(self.lines, 1):
            sheet.pieces(_INDENT, row, pieces)
        for row, pieces in enumerate(self.bottom, sheet.height - len(self.bottom)):
            sheet.pieces(_INDENT, row, pieces)


# Parts


def fixed(lines: Iterable[Line]) -> tuple[tuple[Piece, ...], ...]:
    """Lines as a picture holds them."""
    return tuple(map(tuple, lines))


def panel(
    place: Place, title: Line, beside: Line, lines: Sequence[Line], keys: Sequence[Hint]
) -> list[Part]:
    """A rule with a title at its left and something at its right, lines, and below the keys.

    What does not fit is left out: the last lines, and the last keys.
    """
    rows = _key_rows(keys, place.width - 2 * MARGIN)
    if len(lines) + len(rows) + 1 > place.height:
        rows = rows[:1]
    room = place.width - length(title) - 4
    shown = beside if beside and length(beside) + 4 < room else ()
    rule = Rule(_apart(title), (_apart(shown),) if shown else ())
    return panel_parts(place, rule, lines, rows)


def panel_parts(
    place: Place, rule: Rule, lines: Sequence[Line], foot: Sequence[Line]
) -> list[Part]:
    """The parts of a panel: its rule, as many lines as there is room for, and its foot."""
    room = max(place.height - 1 - len(foot), 0)
    x, y, width, height = place
    return [
        Part(Place(x, y, width, 1), rule),
        Part(Place(x, y + 1, width, room), Lines(fixed(lines[:room]))),
        Part(Place(x, y + height - len(foot), width, len(foot)), Lines(fixed(foot))),
    ]


def column(place: Place, split: int, upper: Column, lower: Column) -> list[Part]:
    """The column beside the table: one part above, and another from row `split` on."""
    x, y, width, height = place
    return [
        Part(Place(x, y, width, min(split, height)), upper),
        Part(Place(x, y + split, width, max(height - split, 0)), lower),
    ]


def _apart(pieces: Line) -> tuple[Piece, ...]:
    """With blanks around, to stand on a rule."""
    return ((" ", palette.TEXT), *pieces, (" ", palette.TEXT)) if pieces else ()


def _key_rows(keys: Sequence[Hint], width: int) -> list[Line]:
    rows: list[list[Piece]] = [[]]
    used = 0
    for key, meaning in keys:
        size = cell_len(key) + 1 + cell_len(meaning)
        if used and used + 2 + size > width:
            rows.append([])
            used = 0
        if used:
            rows[-1].append(("  ", palette.QUIET))
        rows[-1] += [(key, palette.KEY), (" ", palette.QUIET), (meaning, palette.QUIET)]
        used += size + (2 if used else 0)
    return list(rows)


def prose(text: str, width: int, style: Style | None = None) -> list[Line]:
    """A sentence in lines of a panel of this width; none for no sentence."""
    look = style or palette.TEXT
    return [[(row, look)] for row in wrap(text, max(width - 2 * MARGIN, 1))] if text else []


def at_ends(left: Line, right: Line, width: int) -> Line:
    """A line of a column of this width, with something at either end of it."""
    gap = width - _INDENT - 1 - length(left) - length(right)
    return [*left, (" " * gap, palette.TEXT), *right]
