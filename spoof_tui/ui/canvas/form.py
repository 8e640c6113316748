"""A form as data and as a drawing: rows to choose or to type in, one of them bright."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.big_letters import LARGE, ROWS, WIDEST
from spoof_tui.ui.canvas.cells import Sheet, fit, wrap
from spoof_tui.ui.canvas.palette import Glyphs, glyphs

MAX_LETTERS: Final = 200
"""Letters that one row takes: more than any valid answer, and a paste cannot grow for ever."""

_MARGIN: Final = 3
"""Columns between the frame and the text."""

_SIGN: Final = 5
"""Columns of the sign and the blanks round one of several values side by side."""

_MESSAGE: Final = 2
"""Rows kept for the help of the bright row, or for what is wrong."""

_NOTE: Final = "  "
"""Stands before a note."""

_PIECE: TypeAlias = tuple[str, Style]
_CURSOR: Final = Style(reverse=True)
_BACK: Final = Style(bgcolor=palette.RAISED)


@dataclass(slots=True)
class TextRow:
    """A line to type into."""

    label: str
    text: str = ""
    help: str = ""
    """A sentence shown while the row is bright."""
    gap: bool = False
    """Whether a blank line stands above, if there is room."""
    note: str = ""
    """A sentence shown below the row, always."""
    cursor: int = field(init=False)

    def __post_init__(self) -> None:
        self.cursor = len(self.text)

    def type(self, typed: str) -> None:
        """Put in what was typed or pasted; a character that prints nothing is passed over."""
        typed = "".join(letter for letter in typed if letter.isprintable())
        typed = typed[: MAX_LETTERS - len(self.text)]
        self.text = self.text[: self.cursor] + typed + self.text[self.cursor :]
        self.cursor += len(typed)

    def erase(self) -> None:
        """Take the letter before the cursor away."""
        if self.cursor:
            self.text = self.text[: self.cursor - 1] + self.text[self.cursor :]
            self.cursor -= 1

    def delete(self) -> None:
        """Take the letter under the cursor away."""
        self.text = self.text[: self.cursor] + self.text[self.cursor + 1 :]

    def clear(self) -> None:
        """Take everything away."""
        self.text, self.cursor = "", 0

    def step(self, by: int) -> None:
        """Move the cursor."""
        self.cursor = min(max(self.cursor + by, 0), len(self.text))


@dataclass(slots=True)
class ChoiceRow:
    """One of several values."""

    label: str
    choices: Sequence[str]
    """The values in words."""
    index: int = 0
    """The value chosen."""
    help: str = ""
    """A sentence shown while the row is bright."""
    gap: bool = False
    """Whether a blank line stands above, if there is room."""
    note: str = ""
    """A sentence shown below the row, always."""
    keys: str = ""
    """The digit that chooses each value, if there are digits for them."""
    changed: bool = False
    """Whether the row is marked as different from the usual."""
    spread: bool = False
    """Whether all values are shown side by side."""

    def step(self, by: int) -> None:
        """Choose the next value or the one before, round the ends."""
        self.index = (self.index + by) % len(self.choices)

    def press(self, key: str) -> bool:
        """Choose the value of a digit; whether it has one."""
        if len(key) != 1 or key not in self.keys:
            return False
        self.index = self.keys.index(key)
        return True


@dataclass(slots=True)
class CodeRow:
    """Places for the letters of a join code, each drawn large."""

    label: str
    places: int
    """How many letters there are."""
    text: str = ""
    """What is typed so far."""
    help: str = ""
    """A sentence shown while the row is bright."""
    gap: bool = False
    """Whether a blank line stands above, if there is room."""
    note: str = ""
    """A sentence shown below the row, always."""
    refused: bool = False
    """Whether the text is one that was wrong: the next letter begins a new one."""

    def type(self, typed: str) -> None:
        """Put letters into the next places, as far as there are any."""
        before = "" if self.refused else self.text
        self.refused = False
        self.text = (before + typed)[: self.places]

    def erase(self) -> None:
        """Take the last letter away."""
        self.text, self.refused = self.text[:-1], False

    def clear(self) -> None:
        """Take everything away."""
        self.text, self.refused = "", False

    def step(self, by: int) -> None:
        """There is no cursor to move: letters come and go at the end."""


Row: TypeAlias = TextRow | ChoiceRow | CodeRow


@dataclass(slots=True)
class Form:
    """A dialog's rows and words."""

    title: str
    rows: Sequence[Row]
    keys: Sequence[tuple[str, str]]
    """What the keys do, for the lower border."""
    bright: int = 0
    """The row that has the focus."""
    width: int = 62
    """Columns of the frame, in a terminal that has so many."""
    wrong: str = ""
    """A sentence about what cannot be accepted; shown instead of the help."""

    @property
    def row(self) -> Row:
        """The row that has the focus."""
        return self.rows[self.bright]

    def move(self, by: int) -> None:
        """Give the focus to another row, round the ends."""
        self.bright = (self.bright + by) % len(self.rows)


@dataclass(frozen=True, slots=True)
class FormDrawing:
    """The form's lines, and where its rows are on them."""

    lines: Sequence[Strip]
    rows: dict[int, int]
    """The form's row, by its place, that a line belongs to."""


def draw_form(form: Form, width: int, height: int) -> FormDrawing:
    """The form in a frame, `width` wide and as high as it needs to be, at most `height`."""
    room = max(height - 2 - _MESSAGE, 1)
    inside = width - 2 * _MARGIN
    body: list[_Line] = []
    for gaps in _Gaps:
        body = _body(form, inside, gaps)
        if len(body) <= room:
            break
    first = _first(body, form.bright, room)
    shown = body[first : first + room]
    sheet = Sheet(width, len(shown) + 2 + _MESSAGE)
    draw_frame(sheet, form.title, form.keys)
    signs = glyphs()
    rows: dict[int, int] = {}
    for y, (place, pieces) in enumerate(shown, 1):
        is_code = isinstance(form.row, CodeRow)
        if place == form.bright and place not in rows.values() and not is_code:
            sheet.put(1, y, signs.pointer, palette.BRIGHT)
        if place is not None:
            rows[y] = place
        sheet.pieces(_MARGIN, y, pieces)
    _marks(sheet, signs, first, len(body) - first - len(shown))
    _message(sheet, form, inside)
    return FormDrawing(sheet.lines(), rows)


def draw_frame(sheet: Sheet, title: str, keys: Sequence[tuple[str, str]]) -> None:
    """The frame of a dialog, with its title and its keys in the border."""
    width, bottom = sheet.width, sheet.height - 1
    sheet.box(0, 0, width, sheet.height, palette.BRIGHT)
    sheet.put(2, 0, f" {fit(title, width - 6)} ", palette.STRONG)
    pieces: list[_PIECE] = []
    for key, words in keys:
        more: list[_PIECE] = [(f" {key}", palette.KEY), (f" {words} ", palette.TEXT)]
        if _length(pieces) + _length(more) <= width - 6:
            pieces += [*([("─", palette.BRIGHT)] if pieces else []), *more]
    sheet.pieces(width - 2 - _length(pieces), bottom, pieces)


_Line: TypeAlias = tuple[int | None, Sequence[_PIECE]]
"""The place of the row that a line belongs to, and what is on it."""


class _Gaps(Enum):
    """Which blank lines there are: as many as there is room for."""

    ALL = "all"
    BETWEEN = "between"
    """None above the first row and below the last."""
    NONE = "none"


def _body(form: Form, width: int, gaps: _Gaps) -> list[_Line]:
    label = min(max(cell_len(row.label) for row in form.rows), width // 2) + 2
    lines: list[_Line] = [(None, [])] if gaps is _Gaps.ALL else []
    for place, row in enumerate(form.rows):
        if row.gap and gaps is not _Gaps.NONE:
            lines.append((None, []))
        is_bright = place == form.bright
        if isinstance(row, CodeRow):
            lines += [(place, pieces) for pieces in _tiles(row, width, gaps is not _Gaps.NONE)]
        else:
            lines.append((place, _row(row, label, width, is_bright)))
        for note in wrap(row.note, width - len(_NOTE)) if row.note else []:
            lines.append((place, [(_NOTE + note, palette.QUIET)]))
    return [*lines, (None, [])] if gaps is _Gaps.ALL else lines


def _first(body: Sequence[_Line], bright: int, room: int) -> int:
    """The line to begin with, so that all lines of the bright row are to be seen."""
    last = max(y for y, (place, _pieces) in enumerate(body) if place == bright)
    return max(last + 1 - room, 0)


def _tiles(row: CodeRow, width: int, is_roomy: bool) -> list[list[_PIECE]]:
    """The places of a code in the middle: three rows high, or one where that is too high."""
    rows = ROWS if is_roomy else 1
    tile = WIDEST + 2 if is_roomy else 3
    before = max((width - row.places * (tile + 1) + 1) // 2, 0)
    lines: list[list[_PIECE]] = []
    for line in range(rows):
        pieces: list[_PIECE] = [(" " * before, palette.TEXT)]
        for place in range(row.places):
            letter = row.text[place : place + 1]
            text = LARGE[letter][line] if letter and is_roomy else letter
            if not letter and place == len(row.text) and line == rows - 1:
                text = "▂" * (tile - 4) if is_roomy else "▂"
            look = palette.WRONG if row.refused else palette.STRONG
            pieces += [(f"{text:^{tile}}", look + _BACK), (" ", palette.TEXT)]
        lines.append(pieces)
    return lines


def _row(row: TextRow | ChoiceRow, label: int, width: int, is_bright: bool) -> list[_PIECE]:
    if isinstance(row, ChoiceRow) and row.spread:
        # Side by side, the values may need more room than the longest label leaves.
        needed = sum(cell_len(words) + _SIGN for words in row.choices)
        label = max(min(label, width - needed), cell_len(row.label) + 2)
    words = fit(row.label, label - 2)
    look = palette.BRIGHT if is_bright else palette.TEXT
    head: list[_PIECE] = [(words + " " * (label - cell_len(words)), look)]
    if isinstance(row, TextRow):
        return [*head, *_typed(row, width - label, is_bright)]
    if row.spread:
        return [*head, *_spread(row, is_bright)]
    return [*head, *_chosen(row, width - label, is_bright)]


def _chosen(row: ChoiceRow, width: int, is_bright: bool) -> list[_PIECE]:
    signs = glyphs()
    words = fit(row.choices[row.index], width - 6)
    look = palette.STRONG if is_bright else palette.BRIGHT if row.changed else palette.TEXT
    mark = f" {signs.star}" if row.changed else ""
    if is_bright and len(row.choices) > 1:
        return [(f"{signs.left} ", palette.QUIET), (words, look), (mark, palette.BRIGHT),
                (f" {signs.right}", palette.QUIET)]  # fmt: skip
    return [("  ", palette.QUIET), (words, look), (mark, palette.BRIGHT)]


def _spread(row: ChoiceRow, is_bright: bool) -> list[_PIECE]:
    signs = glyphs()
    pieces: list[_PIECE] = []
    for index, words in enumerate(row.choices):
        is_chosen = index == row.index
        look = palette.QUIET
        if is_chosen:
            look = palette.STRONG if is_bright else palette.BOLD
        sign = signs.coin if is_chosen else signs.no_coin
        money = palette.MONEY if is_chosen else palette.QUIET
        pieces += [(sign, money), (f" {words}".ljust(cell_len(words) + _SIGN - 1), look)]
    return pieces


def _typed(row: TextRow, width: int, is_bright: bool) -> list[_PIECE]:
    """The text, moved so far that the cursor is to be seen."""
    if not is_bright:
        return [("  ", palette.TEXT), (fit(row.text, width - 2), palette.BOLD)]
    room = max(width - 3, 1)
    before, under, after = row.text[: row.cursor], row.text[row.cursor :][:1], ""
    while cell_len(before) > room:
        before = before[1:]
    for letter in row.text[row.cursor + 1 :]:
        if cell_len(before + under + after + letter) > room:
            break
        after += letter
    rest = " " * max(room - cell_len(before + (under or " ") + after), 0)
    look = palette.BOLD + _BACK
    return [
        ("  ", palette.TEXT),
        (before, look),
        (under or " ", look + _CURSOR),
        (after + rest, look),
    ]


def _marks(sheet: Sheet, signs: Glyphs, above: int, below: int) -> None:
    x = sheet.width - 2
    if above > 0:
        sheet.put(x, 1, signs.up, palette.BRIGHT)
    if below > 0:
        sheet.put(x, sheet.height - 2 - _MESSAGE, signs.down, palette.BRIGHT)


def _message(sheet: Sheet, form: Form, width: int) -> None:
    text = form.wrong or form.row.help
    look = palette.WRONG if form.wrong else palette.QUIET
    lines = wrap(text, width)[:_MESSAGE] if text else []
    for y, line in enumerate(lines, sheet.height - 1 - _MESSAGE):
        sheet.put(_MARGIN, y, line, look)


def _length(pieces: Sequence[_PIECE]) -> int:
    return sum(cell_len(text) for text, _look in pieces)
