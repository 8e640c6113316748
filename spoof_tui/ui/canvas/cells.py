"""Sheets of terminal cells, and what is drawn on them, character by character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple, Protocol, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColor
from textual.filter import LineFilter
from textual.strip import Strip

from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.visiting import has_page


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at spaces if possible.

    Words joined by no-break spaces stay together if they fit on a line. A `width` below 1 counts as
    1, as in hidden parts of a screen.
    """
    width = max(width, 1)
    lines: list[str] = []
    for word in _words(text, width):
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
            continue
        while cell_len(word) > width:
            head = set_cell_size(word, width).rstrip() or word[0]
            lines.append(head)
            word = word[len(head) :]
        lines.append(word)
    return [line.replace(NO_BREAK, " ") for line in lines] or [""]


NO_BREAK: Final = "\N{NO-BREAK SPACE}"


def _words(text: str, width: int) -> Iterator[str]:
    """The parts of the text that may not be broken."""
    if NO_BREAK not in text:
        yield from text.split()
        return
    for kept in re.split(rf"[^\S{NO_BREAK}]+", text.strip()):
        yield from [kept] if cell_len(kept) <= width else kept.split()


def bound(text: str) -> str:
    """The text with no-break spaces, so that `wrap` keeps it on one line."""
    return text.replace(" ", NO_BREAK)


Piece: TypeAlias = tuple[str, Style]
"""A text and its style."""

_NO_STYLE: Final = Style.null()
_BLACK: Final = TextualColor(0, 0, 0)


class Ground(dict[Style | None, Style | None]):
    """A cache of each style as laid over a background, without the key that a click presses."""

    def __init__(
        self, style: Style, filters: Sequence[LineFilter] = (), behind: TextualColor = _BLACK
    ) -> None:
        super().__init__()
        self.style = style
        self._filters = filters
        self._behind = behind

    def __missing__(self, style: Style | None) -> Style | None:
        own = style or _NO_STYLE
        shown: Style | None = self.style + (own.clear_meta_and_links() if own.meta else own)
        for each in self._filters:
            [(_text, shown, _control)] = each.apply([Segment(" ", shown)], self._behind)
        self[style] = shown
        return shown


class Row(NamedTuple):
    """The cells of a row: characters and styles.

    A wide character stands in its first cell, with its combining marks; its other cells are empty
    strings. A style of None means that nothing was drawn there.
    """

    letters: list[str]
    styles: list[Style | None]

    def strip(self, ground: Ground | None = None) -> Strip:
        """The row as Textual's strip, with every style laid over `ground`; None for a blank one."""
        ground = Ground(_NO_STYLE) if ground is None else ground
        letters, every = _seamless(self) if _BLOCK in self.letters and has_page() else self
        segments: list[Segment] = []
        x, before = 0, None
        for _, group in groupby(every, id):
            styles = list(group)
            style, text = styles[0], "".join(letters[x : x + len(styles)])
            x += len(styles)
            if style is None and segments and not _is_marked(before):
                text, style = segments.pop().text + text, before
            if text:
                segments.append(Segment(text, ground[style]))
            before = style
        return Strip(segments, x)


_BLOCK: Final = "█"


def _seamless(row: Row) -> Row:
    """The row with coloured spaces for whole blocks, between which browsers would leave gaps."""
    cells = [
        (" ", _filled(style)) if letter == _BLOCK and style is not None else (letter, style)
        for letter, style in zip(*row, strict=True)
    ]
    return Row([letter for letter, _style in cells], [style for _letter, style in cells])


@lru_cache(maxsize=256)
def _filled(style: Style) -> Style:
    return style + Style(bgcolor=style.color)


class Sheet:
    """`width` × `height` blank cells to draw on; whatever is outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.rows = [Row([" "] * width, [None] * width) for _ in range(height)]
        self._has_wide = False

    def put(self, x: int, y: int, text: str, style: Style | None = None) -> int:
        """Draw `text` from column `x` of row `y`; return the column after it."""
        style = palette.TEXT if style is None else style
        if not _is_simple(text):
            return self._put_letters(x, y, text, style)
        end = x + len(text)
        if not 0 <= y < self.height or end <= 0 or not x < min(end, self.width):
            return end
        if x < 0 or end > self.width:
            text = text[max(-x, 0) : self.width - x]
            x = max(x, 0)
        self._write(x, y, text, [style] * len(text))
        return end

    def _write(self, x: int, y: int, letters: Sequence[str], styles: list[Style | None]) -> None:
        """Write characters of one cell each, all of which must be on the sheet."""
        row, end = self.rows[y], x + len(styles)
        if self._has_wide:
            self._clear(row.letters, x, end)
        row.letters[x:end] = letters
        row.styles[x:end] = styles

    def _put_letters(self, x: int, y: int, text: str, style: Style) -> int:
        """Draw text that has wide characters or combining marks, like `put`."""
        base = -1
        for letter in text:
            size = cell_len(letter)
            if not size:
                if base >= 0 and unicodedata.combining(letter):
                    self.rows[y].letters[base] += letter
                continue
            base = -1
            if 0 <= y < self.height and x >= 0 and x + size <= self.width:
                self._has_wide |= size > 1
                self._write(x, y, [letter, *[""] * (size - 1)], [style] * size)
                base = x
            x += size
        return x

    def _clear(self, letters: list[str], start: int, end: int) -> None:
        """Blank the other half of each wide character that the cells from `start` to `end` cut."""
        first = start
        while 0 < first < self.width and not letters[first]:
            first -= 1
        last = end
        while last < self.width and not letters[last]:
            last += 1
        letters[first:start] = " " * (start - first)
        letters[end:last] = " " * (last - end)

    def pieces(self, x: int, y: int, pieces: Iterable[Piece]) -> int:
        """Draw several pieces one after the other; return the column after them."""
        for text, style in pieces:
            x = self.put(x, y, text, style)
        return x

    def centre(self, x: int, y: int, width: int, text: str, style: Style | None = None) -> None:
        """Draw `text` in the middle of `width` cells, cut if it is longer."""
        text = fit(text, width)
        self.put(x + (width - cell_len(text)) // 2, y, text, style)

    def lay(self, other: Sheet, x: int, y: int) -> None:
        """Copy another sheet, with its upper left corner at column `x` of row `y`."""
        for row in range(other.height):
            if 0 <= y + row < self.height:
                self.lay_row(x, y + row, other, row)

    def lay_row(self, x: int, y: int, other: Sheet, row: int) -> None:
        """Copy row `row` of the sheet `other` into row `y` of this one, from column `x` on."""
        self._has_wide |= other._has_wide
        letters, styles = other.rows[row]
        for start, end in _drawn(styles):
            first, last = max(start, -x), min(end, self.width - x)
            if (first, last) == (start, end):
                self._write(x + start, y, letters[start:end], styles[start:end])
            elif first < last:
                self._write(x + first, y, _cut(letters, first, last), styles[first:last])

    def fade(self) -> None:
        """Turn all colours into greys of the same lightness, so that everything stays readable.

        With the terminal's own sixteen colours, everything becomes dim instead.
        """
        for row in self.rows:
            row.styles[:] = [style and _faded(style) for style in row.styles]

    def shade(self, *, is_flat: bool = False) -> None:
        """Darken everything drawn on the felt: text becomes secondary, and hands become
        silhouettes, which take few bytes to paint; unless `is_flat`, their creases are seen."""
        for row in self.rows:
            shaded = [style and _shaded(style, palette.FELT, is_flat) for style in row.styles]
            row.styles[:] = shaded
            row.letters[:] = [
                " " if style and style.color and style.color == style.bgcolor else letter
                for letter, style in zip(row.letters, shaded, strict=True)
            ]


# What is drawn


class Place(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    @property
    def rows(self) -> range:
        """The rows of the rectangle."""
        return range(self.y, self.y + self.height)

    def covers(self, x: int, y: int) -> bool:
        """Whether the cell is inside."""
        return y in self.rows and self.x <= x < self.x + self.width


class Picture(Protocol):
    """Anything that can be drawn in a part of the stage; equal pictures must look the same."""

    def draw(self, sheet: Sheet) -> None:
        """Draw this picture on a blank sheet of the part's size."""


@dataclass(frozen=True, slots=True)
class Part:
    """A picture and its place on the stage; later parts cover earlier ones."""

    place: Place
    picture: Picture
    press: str = ""
    """The key that a click presses, except on pieces with a key of their own; empty for none."""

    def sheet(self) -> Sheet:
        """A new sheet with the picture drawn on it."""
        sheet = Sheet(self.place.width, self.place.height)
        self.picture.draw(sheet)
        return sheet


@dataclass(frozen=True, slots=True)
class Faded:
    """Another picture in greys of the same lightness."""

    picture: Picture

    def draw(self, sheet: Sheet) -> None:
        """Draw the other picture, then fade it."""
        self.picture.draw(sheet)
        sheet.fade()


def _drawn(styles: Sequence[Style | None]) -> Iterator[tuple[int, int]]:
    """Ranges of columns, as start and end, on which something was drawn."""
    start = -1
    for column, style in enumerate(styles):
        if (style is None) is (start < 0):
            continue
        if start >= 0:
            yield start, column
        start = column if start < 0 else -1
    if start >= 0:
        yield start, len(styles)


# Cells


def _cut(letters: list[str], start: int, end: int) -> list[str]:
    """The characters from `start` to `end`; a wide one that is cut becomes blank."""
    cut = letters[start:end]
    for column in range(len(cut)):
        if cut[column]:
            break
        cut[column] = " "
    if cut and end < len(letters) and not letters[end]:
        while not cut[-1]:
            cut.pop()
        cut[-1:] = " " * (end - start - len(cut) + 1)
    return cut


@lru_cache(maxsize=256)
def _is_marked(style: Style | None) -> bool:
    """Whether the style is visible on a space."""
    return style is not None and bool(
        style.bgcolor or style.underline or style.reverse or style.strike
    )


@lru_cache(maxsize=1024)
def _is_simple(text: str) -> bool:
    """Whether each character of the text takes exactly one cell."""
    return text.isprintable() and (text.isascii() or all(cell_len(each) == 1 for each in text))


@lru_cache(maxsize=256)
def _faded(style: Style) -> Style:
    color, ground = style.color, style.bgcolor
    if not all(each is None or each.triplet for each in (color, ground)):
        return Style(color=color, bgcolor=ground, dim=True)
    return Style(color=_grey(color), bgcolor=_grey(ground))


@lru_cache(maxsize=256)
def _shaded(style: Style, felt: str, is_flat: bool) -> Style:
    color, ground = style.color, style.bgcolor
    if not all(each is None or each.triplet for each in (color, ground)):
        return Style(color=color, bgcolor=ground, dim=True)
    is_text = ground is not None and ground.triplet and ground.triplet.hex == felt
    if is_text and color and color.triplet and color.triplet.hex not in palette.of_hands():
        return palette.ON_FELT_QUIET
    dark = (_in_shadow(each, felt, is_flat) for each in (color, ground))
    return Style(color=next(dark), bgcolor=next(dark), bold=style.bold)


def _in_shadow(color: Color | None, felt: str, is_flat: bool) -> str | None:
    if color is None or color.triplet is None:
        return None
    shown = color.triplet.hex
    if shown == felt:
        return felt
    if shown in palette.of_hands() and (is_flat or shown != palette.CREASE):
        shown = palette.SKIN
    return palette.shadow(shown, is_dark=palette.luminance(felt) < 0.5)


def _grey(color: Color | None) -> str | None:
    return palette.grey(color.triplet.hex) if color and color.triplet else None


# Text


def fit(text: str, width: int) -> str:
    """`text` cut to `width` cells, with an ellipsis if something is missing."""
    if cell_len(text) <= width:
        return text
    sign = glyphs().ellipsis[: max(width, 0)]
    return set_cell_size(text, max(width - len(sign), 0)).rstrip() + sign


def prose(text: str, width: int, style: Style | None = None) -> list[list[Piece]]:
    """The text in lines of at most `width` cells; no lines for an empty text."""
    look = style or palette.TEXT
    return [[(row, look)] for row in wrap(text, width)] if text else []


def first_fitting(room: int, *variants: str) -> str:
    """The first text that takes at most `room` cells; if none does, the last one, cut."""
    return next((each for each in variants if cell_len(each) <= room), fit(variants[-1], room))


def left_open(text: str, width: int) -> str:
    """The first words of the text that fit into `width` cells, followed by an ellipsis, but not by
    a second one."""
    bare = glyphs().ellipsis
    sign = f" {bare}"
    if text.endswith(bare):
        text = text.removesuffix(bare).rstrip(" ")
        sign = sign if text else bare
    while cell_len(text) + len(sign) > width and " " in text:
        text = text.rpartition(" ")[0]
    return text + sign


def labels_within(
    labels: Sequence[tuple[str, str]], width: int, kept: Collection[str] = ()
) -> Sequence[tuple[str, str]]:
    """The labels, each a key and words, that fit on a line of `width` cells, two cells apart.

    Labels are dropped from the end, but the last two (the other keys, and the way out) stay, and
    those of the keys `kept` as long as any other is left. Returns no labels on a web page, which
    has buttons instead.
    """
    if has_page():
        return ()
    while len(labels) > 2 and sum(cell_len(f"{k} {words}  ") for k, words in labels) - 2 > width:
        loose = [at for at, (key, _words) in enumerate(labels[:-2]) if key not in kept]
        at = loose[-1] if loose else 0
        labels = [*labels[:at], *labels[at + 1 :]]
    return labels


def clickable(pieces: Iterable[Piece], key: str) -> list[Piece]:
    """The pieces, with `key` pressed by a click on those that have no key of their own."""
    return [
        (text, style if palette.pressed_by(style) else palette.pressing(style, key))
        for text, style in pieces
    ]


def length(pieces: Iterable[Piece]) -> int:
    """The number of cells that the pieces take."""
    return sum(cell_len(text) for text, _style in pieces)
