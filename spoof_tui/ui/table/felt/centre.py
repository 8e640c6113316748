"""The middle of the table in one column: a label, a big number, and the track of coins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from rich.cells import cell_len

from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.big_letters import HUGE_ROWS, ROWS, huge, large
from spoof_tui.ui.canvas.cells import Piece, Sheet, first_fitting, length, wrap
from spoof_tui.ui.table.felt.tone import Tone

MIN_WIDTH: Final = 16
MIN_HEIGHT: Final = ROWS + 2
"""The fewest rows of the column."""

MAX_HEIGHT: Final = HUGE_ROWS + 6

HUGE_FROM: Final = HUGE_ROWS + 4
"""Rows from which the digits are huge, with space around them."""

_SHORTEST: Final = 3
"""The fewest cells of each line if a stamp is broken into two, so that no number stands alone."""

_LONG_FROM: Final = 24
"""Columns from which the label may be a sentence."""


@dataclass(frozen=True, slots=True)
class Track:
    """A line with a character for each coin in play, filled from the left by those that are
    counted."""

    coins: int
    mark: int | None = None
    """The standing bid, marked at that coin; None for none."""
    filled: int = 0

    def pieces(self, width: int, *, is_wide: bool) -> list[Piece]:
        """The track in at most `width` cells: with spaces (if `is_wide`), without, or as a
        scale."""
        if is_wide and 2 * self.coins - 1 <= width:
            return self._signs(" ")
        return self._signs("") if self.coins <= width else self._scale(width)

    def _signs(self, gap: str) -> list[Piece]:
        tones = [self._sign(place) for place in range(1, self.coins + 1)]
        pieces: list[Piece] = []
        for place, (sign, tone) in enumerate(tones):
            text = sign + (gap if place < len(tones) - 1 else "")
            if pieces and pieces[-1][1] == tone.style:
                text = pieces.pop()[0] + text
            pieces.append((text, tone.style))
        return pieces

    def _sign(self, place: int) -> tuple[str, Tone]:
        signs, is_filled = glyphs(), place <= self.filled
        if place == self.mark:
            return (signs.reached, Tone.MARK) if is_filled else (signs.mark, Tone.MARK)
        return (signs.coin, Tone.MONEY) if is_filled else (signs.no_coin, Tone.QUIET)

    def _scale(self, width: int) -> list[Piece]:
        """A line of `width` cells with the filled part, the mark, and the number of coins in
        digits."""
        signs, end = glyphs(), f" {self.coins}"
        room = max(width - 2 - len(end), 1)
        cells = [("─", Tone.QUIET)] * room
        reached = round(self.filled * room / self.coins)
        cells[:reached] = [(signs.coin, Tone.MONEY)] * reached
        if self.mark is not None:
            sign = signs.reached if self.mark <= self.filled else signs.mark
            cells[min(round(self.mark * room / self.coins), room) - 1] = (sign, Tone.MARK)
        edges = Tone.QUIET.style
        line = [(text, tone.style) for text, tone in cells]
        return [("├", edges), *line, ("┤", edges), (end, edges)]


def _flag(bid: int, room: int) -> _Pieces:
    """The bid as a plaque, with its name if that fits into `room` cells."""
    named = _("bid {number}").format(number=bid)
    return [(first_fitting(room, f" {named} ", f" {bid} "), Tone.FLAG.style)]


def _plaque(rows: Sequence[str], tone: Tone, edge: int) -> list[_Pieces]:
    """The rows one below the other on one background, with `edge` spaces at both ends."""
    width, ends = max(map(cell_len, rows)), " " * edge
    return [[(f"{ends}{row}{' ' * (width - cell_len(row))}{ends}", tone.style)] for row in rows]


@dataclass(frozen=True, slots=True)
class Centre:
    """The contents of the middle of the table."""

    number: int | None = None
    """A number shown large; None for none."""
    code: str = ""
    """A join code, shown large if there is room; empty for none."""
    above: str = ""
    sentence: str = ""
    """What stands in place of `above` if there is room for a sentence."""
    caption: str = ""
    """What the number means, beside or below it; of a code, what stands in place of `below` for
    want of room."""
    below: str = ""
    """A text below the label or, if there is a track and room, beside the track."""
    tone: Tone = Tone.MONEY
    """The tone of the number, or of a label without a number."""
    label: Tone = Tone.PLAIN
    """The tone of the label; a plaque makes it a stamp."""
    track: Track | None = None
    is_bid: bool = False
    """Whether the number is the standing bid."""
    flag: int | None = None
    """The bid to be reached by the coins on the track, on a flag that is always in sight; None for
    none."""
    small: tuple[str, ...] = ()
    """What stands below the label of a stamp: beside the digits the first that fits, without them
    the last, which tells the number. Empty if the label is no stamp."""

    @property
    def least_width(self) -> int:
        """The columns that the middle should have if the table can be laid so: a large code's, and
        two at either side of it."""
        return max(cell_len(large(self.code)[0]) + 4, MIN_WIDTH) if self.code else MIN_WIDTH

    def draw(self, sheet: Sheet) -> None:
        """Draw the rows centred on the sheet."""
        rows = self._code_rows(sheet) if self.code else self._rows(sheet)
        if len(rows) > sheet.height:
            rows = self._low_rows(rows, sheet) or self._short_rows(sheet.width)
        top = max((sheet.height - len(rows)) // 2, 0)
        for y, pieces in enumerate(rows, top):
            sheet.pieces((sheet.width - length(pieces)) // 2, y, pieces)

    def _rows(self, sheet: Sheet) -> list[_Pieces]:
        width, is_high = sheet.width, sheet.height >= HUGE_FROM
        if not self._big and self.track is None:
            return self._words(width)
        gap: list[_Pieces] = [[]] if is_high else []
        is_huge = is_high and width >= _LONG_FROM
        rows = [self._label(width, is_high), *gap]
        if self.small:
            # The digits stay in their rows, so that little is painted.
            rows = [[], *gap, *self._stamp(is_huge, width), *gap]
        elif self._big:
            rows += [*self._digits(is_huge, width, is_flagged=not is_high), *gap]
        elif self.track is not None:
            # The track stays where it is when the first number comes.
            rows += [[] for _ in range(HUGE_ROWS if is_huge else ROWS)]
            rows += gap
        if self.track is not None:
            track = self.track.pieces(width, is_wide=is_high)
            if is_high and self.flag is not None:
                rows[-1] = self._flag_above(track, width)
            rows.append(track)
        if self.below and (self.track is None or sheet.height > len(rows) + 1):
            rows += [*gap[: self.track is not None], self._text(self.below, width, Tone.QUIET)]
        return rows

    def _low_rows(self, rows: list[_Pieces], sheet: Sheet) -> list[_Pieces]:
        """The rows in one less: without the label if it is empty, or else with the label beside the
        digits; empty if that takes too much room."""
        label, *rest = rows
        if len(rest) != sheet.height or self.code or not self._big:
            return []
        if not "".join(text for text, _style in label).strip():
            return rest
        blank = " " * (length(label) + 2)
        beside = [[*label, ("  ", Tone.PLAIN.style)], *[[(blank, Tone.PLAIN.style)]] * (ROWS - 1)]
        wide = [[*before, *row] for before, row in zip(beside, rest[:ROWS], strict=True)]
        return [*wide, *rest[ROWS:]] if max(map(length, wide)) <= sheet.width else []

    def _short_rows(self, width: int) -> list[_Pieces]:
        """Two rows for want of room: the label with the number, and the track."""
        said = self.caption or self._big
        number: Piece = (f"  {said}" if said else "", self.tone.style)
        room = width - cell_len(number[0])
        if self.small:
            number = ("", Tone.PLAIN.style)
            ways = (f" {self.above} {glyphs().dot} {small} " for small in self.small)
            label = self._text(first_fitting(width, *ways, self.above), width, self.label)
        else:
            flag: _Pieces = []
            if self.flag is not None:
                left = room - cell_len(self.above) - 2
                flag = [("  ", Tone.PLAIN.style), *_flag(self.flag, left)]
            label = self._text(self.above, room - length(flag), self.label)
            if flag:
                return [[*label, number, *flag], self._track_in(width)]
        if self.code:
            label, number = [(f"{self.above}  ", self.label.style)], (self.code, Tone.MARK.style)
        return [[*label, number], self._track_in(width)]

    def _track_in(self, width: int) -> _Pieces:
        return self.track.pieces(width, is_wide=True) if self.track else []

    def _words(self, width: int) -> list[_Pieces]:
        """The label and the text below it, wrapped into rows, if there is no number."""
        tone = Tone.STRONG if self.label is Tone.PLAIN else self.label
        above = [self._text(line, width, tone) for line in _folded(self.above, width)]
        below = [self._text(line, width, Tone.QUIET) for line in _folded(self.below, width)]
        return [*above, [], *below]

    @property
    def _big(self) -> str:
        return "" if self.number is None else str(self.number)

    def _label(self, width: int, is_high: bool) -> _Pieces:
        is_long = is_high and width >= _LONG_FROM
        text = (self.sentence if is_long else "") or self.above
        return self._text(text, width, self.label)

    def _text(self, text: str, width: int, tone: Tone) -> _Pieces:
        blank = [f" {text} "] if tone.is_plaque and text else []
        return [(first_fitting(width, *blank, text), tone.style)]

    def _digits(self, is_huge: bool, width: int, *, is_flagged: bool) -> Iterable[_Pieces]:
        rows = huge(self._big) if is_huge else large(self._big)
        blank = " " if self.tone.is_plaque else ""
        lines: list[_Pieces] = [[(f"{blank}{row}{blank}", self.tone.style)] for row in rows]
        if is_flagged and self.flag is not None:
            room = width - length(lines[0]) - 2
            flag: _Pieces = [("  ", Tone.PLAIN.style), *_flag(self.flag, room)]
            for place, line in enumerate(lines):
                blank = " " * length(flag)
                line += flag if place == len(lines) // 2 else [(blank, Tone.PLAIN.style)]
        return lines

    def _flag_above(self, track: _Pieces, width: int) -> _Pieces:
        """The row with the flag, as long as the track, so that one end of the flag is above the
        track's mark."""
        signs = "".join(text for text, _style in track)
        mark = next(
            (x for x, sign in enumerate(signs) if sign in (glyphs().mark, glyphs().reached)),
            len(signs) - 1,
        )
        end = len(signs) + (width - len(signs)) // 2
        flag = _flag(self.flag or 0, max(end - mark, mark + 1))
        if mark + length(flag) > end:
            mark -= length(flag) - 1
        blank = " " * (len(signs) - mark - length(flag))
        return [(" " * mark, Tone.PLAIN.style), *flag, (blank, Tone.PLAIN.style)]

    def _stamp(self, is_huge: bool, width: int) -> list[_Pieces]:
        """The label, the number and a small text on one plaque; if there is no room, without large
        digits.

        `is_huge`: the digits may be huge.
        """
        text = self.above
        in_two = _even(text, max(cell_len(text) - 1, 1))
        # With the small text, two lines fill the height of the digits.
        labels = [*([in_two] if min(map(cell_len, in_two)) >= _SHORTEST else []), [text]]
        digits = [huge(self._big)] * is_huge + [large(self._big, is_open=True)]
        for rows, small, edge, label in product(digits, self.small, (2, 1), labels):
            if stamp := self._beside([*label, small], rows, edge, width):
                return stamp
        return _plaque([*_even(text, width - 2), self.small[-1]], self.label, 1)

    def _beside(
        self, label: Sequence[str], digits: Sequence[str], edge: int, width: int
    ) -> list[_Pieces]:
        """A plaque with a label beside large digits, and `edge` spaces at both ends; empty if too
        wide."""
        first = (len(digits) - len(label)) // 2
        words = [""] * len(digits)
        words[first : first + len(label)] = label
        room = max(map(cell_len, words))
        rows = (f"{_centred(word, room)}  {row}" for word, row in zip(words, digits, strict=True))
        stamp = _plaque(tuple(rows), self.label, edge)
        return stamp if length(stamp[0]) <= width else []

    def _code_rows(self, sheet: Sheet) -> list[_Pieces]:
        rows = large(self.code)
        if cell_len(rows[0]) > sheet.width or len(rows) + 2 > sheet.height:
            rows = (" ".join(self.code),)
        letters: list[_Pieces] = [[(row, Tone.MARK.style)] for row in rows]
        above, below, brief = (
            _even(text, sheet.width) for text in (self.above, self.below, self.caption)
        )
        if len(above) + len(letters) + len(below) > sheet.height:
            below = brief
        return [
            *(self._text(line, sheet.width, Tone.PLAIN) for line in above),
            *letters,
            *(self._text(line, sheet.width, Tone.QUIET) for line in below),
        ]


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - left - cell_len(text))


def _folded(text: str, width: int) -> list[str]:
    """The text in as few lines as possible; if that takes no more lines, two cells narrower than
    `width`."""
    return min(_even(text, width - 2), _even(text, width), key=len)


def _even(text: str, width: int) -> list[str]:
    """The text in as few lines as the width allows, all about equally long."""
    rows = len(wrap(text, width))
    narrower = (each for each in range(1, width) if len(wrap(text, each)) == rows)
    return wrap(text, next(narrower, width))


_Pieces: TypeAlias = list[Piece]
