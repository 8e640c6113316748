"""The layout of every table screen, pictures that all of them use, and their base class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.geometry import Region
from textual.strip import Strip

from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.layouts import latin
from spoof_tui.ui.canvas import cells, palette
from spoof_tui.ui.canvas.cells import (
    Part,
    Piece,
    Place,
    Sheet,
    first_fitting,
    fit,
    labels_within,
    length,
)
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.dialogs.labels import MORE, cut, key_pieces
from spoof_tui.ui.dialogs.rows import ActScreen
from spoof_tui.ui.terminal import follow_mouse
from spoof_tui.visiting import has_page

Line: TypeAlias = Sequence[Piece]
"""A row, as pieces of text with their styles."""

Hint: TypeAlias = tuple[str, str]
"""A key, and what it does."""

MARGIN: Final = 1
"""Free columns at both sides of a panel."""

_INDENT: Final = 2
"""Columns of a rule before its title."""

_GAP: Final = 2
"""Columns between the table, whose rim may show a number, and the side column."""

_EDGE: Final = 1
"""Free columns to the right of the side column, so that numbers do not look cut off."""

NARROW: Final = 74
"""Columns of a screen below which there is no side column."""

MIN_RING: Final = (56, 18)
"""Columns and rows of a screen below which the seats are a list."""

MIN_TABLE: Final = 9
"""The fewest rows of a table with seats around it."""

_HIGH: Final = 32
"""Rows of a screen from which the panel gets more of them."""

_PANEL: Final = 8
_HIGH_PANEL: Final = 9
_LIST_PANEL: Final = 6
"""Rows of the panel below a list of seats, with its rule and its keys."""

_MAX_TABLE: Final = (110, 36)
"""Columns and rows of the largest table; on a larger screen, it is centred."""

_SIDE: Final = (18, 40)
"""The fewest and the most columns of the side column."""


class Frame(NamedTuple):
    """Places of the bar, the table, the side column and the panel on a screen."""

    bar: Place
    ring: Place
    side: Place
    """The side column; its width is 0 if there is no room."""
    panel: Place

    def with_panel(self, wanted: int, least: int) -> Frame:
        """The frame with `wanted` rows for the panel, or as many as leave the table `least`
        rows."""
        more = max(min(wanted - self.panel.height, self.ring.height - least), 0)
        left, top, across, rows = self.panel
        return self._replace(
            ring=self.ring._replace(height=self.ring.height - more),
            side=self.side._replace(height=self.side.height - more),
            panel=Place(left, top - more, across, rows + more),
        )


def frame(width: int, height: int) -> Frame:
    """The frame for a screen of this size."""
    if is_list(width, height):
        low, side = min(_LIST_PANEL, max(height - 1, 0)), 0
    else:
        low = _HIGH_PANEL if height >= _HIGH else _PANEL
        side = 0 if width < NARROW else _side(width)
    beside = side + _GAP + _EDGE if side else 0
    columns = min(width, _MAX_TABLE[0] + beside)
    middle = max(min(height - low - 1, _MAX_TABLE[1]), 0)
    x, y = (width - columns) // 2, max((height - low - 1 - middle) // 2, 0)
    return Frame(
        bar=Place(x, y, columns, 1),
        ring=Place(x, y + 1, columns - beside, middle),
        side=Place(x + columns - side - (_EDGE if side else 0), y + 1, side, middle),
        panel=Place(x, y + 1 + middle, columns, low),
    )


def _side(width: int) -> int:
    """Columns of the side column on a screen of this many columns; below 80 it gives way to the
    table."""
    more = width - 80
    return min(max(21 + min(more, more * 3 // 10), _SIDE[0]), _SIDE[1])


def is_list(width: int, height: int) -> bool:
    """Whether a screen of this size has no room for seats around a table."""
    return width < MIN_RING[0] or height < MIN_RING[1]


# Pictures

_TITLE: Final = 7
"""Cells of "SPOOF" and the spaces after it."""

_STUMP: Final = 7
"""Cells below which a name that is cut is left out, since nobody would recognise it."""


@dataclass(frozen=True, slots=True)
class Bar:
    """The top line, as a picture: a name, remarks after it, and something at the right end."""

    name: str
    about: str = ""
    end: Piece = ("", Style.null())

    def draw(self, sheet: Sheet) -> None:
        """Draw the line; for want of room first "SPOOF" is left out, then remarks; the name is cut
        last."""
        shade = palette.BAR
        sheet.put(0, 0, " " * sheet.width, shade)
        room = sheet.width - cell_len(self.end[0]) - (6 if self.end[0] else 4)
        sheet.put(1, 0, glyphs().coin, palette.MONEY + shade)
        parts = (f"{self.name} · {self.about}" if self.about else self.name).split(" · ")
        fewer = (" · ".join(parts[:count]) for count in range(len(parts), 0, -1))
        name = first_fitting(room, *fewer) if room >= _STUMP else ""
        is_titled = self.about and _TITLE + cell_len(name) <= room
        x = sheet.put(3, 0, "SPOOF", palette.STRONG + shade) + 2 if is_titled else 3
        sheet.put(x, 0, name, palette.TEXT + shade)
        text, style = self.end
        sheet.put(sheet.width - cell_len(text) - 1, 0, text, shade + style)


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line with a title at the left and pieces at the right, as a picture."""

    title: tuple[Piece, ...]
    beside: tuple[tuple[Piece, ...], ...] = ()
    """Groups of pieces at the right end; a cell of the line shows between two of them."""

    def draw(self, sheet: Sheet) -> None:
        """Draw the line and all texts; the caller makes sure that they fit."""
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
    """Lines of text, as a picture."""

    lines: tuple[tuple[Piece, ...], ...]
    above: int = 0
    """Number of lines at the start that the player has scrolled past."""
    more: str = MORE
    """The key that scrolls to the rest of the lines; empty for none."""

    def draw(self, sheet: Sheet) -> None:
        """Draw as many lines as fit; a sign says how many are left, and which key shows them."""
        for row, pieces in enumerate(
            cut(self.lines[self.above :], sheet.height, sheet.width - 2 * MARGIN, self.more)
        ):
            sheet.pieces(MARGIN, row, pieces)


@dataclass(frozen=True, slots=True)
class Column:
    """A section of the side column, as a picture: a title, and lines below it.

    Without lines, the title is left out, too.
    """

    title: str
    lines: tuple[tuple[Piece, ...], ...]

    def draw(self, sheet: Sheet) -> None:
        """The title in capitals, and the lines."""
        if self.lines:
            sheet.put(0, 0, fit(self.title.upper(), sheet.width), palette.QUIET)
        for row, pieces in enumerate(self.lines, 1):
            sheet.pieces(0, row, pieces)


# Parts


def fixed(lines: Iterable[Line]) -> tuple[tuple[Piece, ...], ...]:
    """The lines as tuples, the immutable form that pictures hold."""
    return tuple(map(tuple, lines))


def key_rows(keys: Sequence[Hint], width: int) -> list[list[Piece]]:
    """All keys in as many lines as a panel of this width needs for them, the lines about equally
    long; no lines on a web page."""
    if has_page():
        return []
    pieces = [key_pieces(*each) for each in keys]
    widest = width - 2 * MARGIN
    rows = flowing(pieces, widest)
    if len(rows) < 2:
        return rows
    longest = max(map(length, pieces), default=0)
    narrower = (flowing(pieces, each) for each in range(longest, widest))
    return next((each for each in narrower if len(each) == len(rows)), rows)


def panel(
    place: Place,
    title: Line,
    beside: Line,
    lines: Sequence[Line],
    keys: Sequence[Hint],
    asked: Sequence[Line] = (),
) -> list[Part]:
    """The parts of a panel: a rule with `title` and `beside`, lines, the question `asked`, and the
    keys at the bottom.

    If there is no room, the last lines are left out, then some keys, but not those that leave the
    panel. The question is always shown.
    """
    width = place.width - 2 * MARGIN
    rows = key_rows(keys, place.width)
    if len(lines) + len(asked) + len(rows) + 1 > place.height:
        rows = flowing((key_pieces(*each) for each in labels_within(keys, width)), width)
    room = place.width - length(title) - 4
    shown = beside if beside and length(beside) + 4 < room else ()
    rule = Rule(_apart(title), (_apart(shown),) if shown else ())
    return panel_parts(place, rule, lines, asked, rows)


def panel_parts(
    place: Place,
    rule: Rule,
    lines: Sequence[Line],
    asked: Sequence[Line],
    foot: Sequence[Line],
    more: str = MORE,
) -> list[Part]:
    """The parts of a panel: its rule, as many lines as fit, `asked`, and `foot` at the bottom.

    `more` is the key that scrolls to the rest of the lines.
    """
    x, y, width, height = place
    if len(lines) + len(asked) + len(foot) < height:
        lines = [*lines, *asked]
    else:
        foot = [*asked, *foot]
    room = max(height - 1 - len(foot), 0)
    return [
        Part(Place(x, y, width, 1), rule),
        Part(Place(x, y + 1, width, room), Lines(fixed(lines), more=more)),
        Part(Place(x, y + height - len(foot), width, len(foot)), Lines(fixed(foot))),
    ]


def column(place: Place, split: int, upper: Column, lower: Column) -> list[Part]:
    """The parts of a side column with two sections, the lower one from row `split` on."""
    x, y, width, height = place
    return [
        Part(Place(x, y, width, min(split, height)), upper),
        Part(Place(x, y + split, width, max(height - split, 0)), lower),
    ]


def _apart(pieces: Line) -> tuple[Piece, ...]:
    """The pieces with a space at either side, to be placed on a rule; none stay none."""
    return ((" ", palette.TEXT), *pieces, (" ", palette.TEXT)) if pieces else ()


def flowing(parts: Iterable[Line], width: int) -> list[list[Piece]]:
    """The parts side by side, two cells apart, in as many lines of `width` cells as they need."""
    rows: list[list[Piece]] = [[]]
    for part in parts:
        if rows[-1] and length(rows[-1]) + 2 + length(part) > width:
            rows.append([])
        rows[-1] += [("  ", palette.QUIET)] * bool(rows[-1]) + [*part]
    return rows


def prose(text: str, width: int, style: Style | None = None) -> list[Line]:
    """The text wrapped for a panel of `width` columns; no lines for an empty text."""
    return [*cells.prose(text, width - 2 * MARGIN, style)]


def at_ends(left: Line, right: Line, width: int) -> Line:
    """A line of `width` cells with pieces at its left and at its right end."""
    gap = width - length(left) - length(right)
    return [*left, (" " * gap, palette.TEXT), *right]


class StageScreen(ActScreen):
    """A screen that consists of one stage, with keys that change it."""

    def __init__(self) -> None:
        super().__init__()
        self._turned: tuple[Line, int] = ((), 0)
        """The first line of the text that was scrolled, and how many lines were scrolled past."""

    def compose(self) -> ComposeResult:
        """Create the stage."""
        yield Stage(self._parts)

    def _parts(self, width: int, height: int) -> list[Part]:
        """The parts on the stage, with a text scrolled to where the player left it."""
        return [self._turned_to(part, 0) for part in self.parts(width, height)]

    def _turned_to(self, part: Part, leaves: int) -> Part:
        """The part, scrolled on by `leaves` pages if it is a text that does not fit; remembers the
        position."""
        text, rows = part.picture, part.place.height
        if not isinstance(text, Lines) or not 0 < rows < len(text.lines):
            return part
        first, above = self._turned
        last = len(text.lines) - rows
        before = min(above, last) if first == text.lines[0] else 0
        above = min(before + leaves * max(rows - 1, 1), last)
        if leaves:
            # From its end it goes back to the beginning.
            self._turned = text.lines[0], above if above > before else 0
        return replace(part, picture=replace(text, above=above))

    def turn_lines(self) -> bool:
        """Scroll a text that does not fit by a page, from the end back to the start; False if there
        is none."""
        parts = self.parts(*self.size)
        return [self._turned_to(part, 1) for part in parts] != parts

    def parts(self, width: int, height: int) -> list[Part]:
        """The parts on the stage, for a screen of this size; subclasses define them."""
        raise NotImplementedError

    def render_lines(self, crop: Region) -> list[Strip]:
        """Nothing: the stage covers the screen."""
        return []

    def press(self, key: str) -> None:
        """Handle a key; subclasses define what it does."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Redraw the parts that have changed."""
        self.query_one(Stage).redraw()

    def on_key(self, event: events.Key) -> None:
        """Handle every key here, except Ctrl+C, which copies a selection."""
        if event.key == "ctrl+c":
            return
        event.stop()
        if latin(event.key) != MORE or not self.turn_lines():
            self.press(latin(event.key))
        if self.is_current:
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Press the key that belongs to what is under the mouse."""
        if key := self.query_one(Stage).key_at(event.x, event.y):
            self.app.simulate_key(key)

    def on_screen_resume(self) -> None:
        """Stop tracking the movements of the mouse; nothing on this screen needs them."""
        follow_mouse(self.app, False)

    def on_screen_suspend(self) -> None:
        """Track the movements of the mouse again, for the screen that comes on top."""
        follow_mouse(self.app, True)
