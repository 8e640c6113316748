"""The lobby as a drawing: the title, who one is, the tables that were found, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import own_text, show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit, wrap
from spoof_tui.ui.canvas.palette import Glyphs, glyphs

if TYPE_CHECKING:
    from protocol.wire.messages import Card
    from spoof_tui.network.discovery import FoundTable

WIDEST: Final = 92
"""Columns of the drawing at most; it stands in the middle of a wider terminal."""

TALLEST: Final = 34
"""Rows of the drawing at most."""

_TITLE: Final = (
    "╭───╴ ┌───╮ ╭───╮ ╭───╮ ┌───╴",
    "╰───╮ ├───╯ │ ● │ │ ● │ ├──╴ ",
    "╶───╯ ╵     ╰───╯ ╰───╯ ╵    ",
)
"""The name of the game, with a coin in each of its two round letters."""

_FIST: Final = (
    " ╭─┬─┬─┬─╮",
    "╭┴─┴─┴╮│ │",
    "│ ╶───╯┴─┤",
    "╰─╮    ╭─╯",
)
_OTHER_FIST: Final = (
    "╭─┬─┬─┬─╮ ",
    "│ │╭┴─┴─┴╮",
    "├─┴╰───╴ │",
    "╰─╮    ╭─╯",
)
_GAP: Final = 5
"""Columns between a fist and the title."""

_NARROW: Final = 64
_MARGIN: Final = 4
"""Columns left free in all beside the drawing, in terminals that are not narrow."""

_ROOMY: Final = 22
"""Rows from which on the title stands with its fists and its motto."""

_DENSE: Final = 15
"""Rows below which the title is a single line."""

_FEWEST: Final = 5
"""Hints of one line that are never left out."""

USUAL_PORT: Final = 7763
"""`addresses.DEFAULT_PORT`, which costs the first frame too much to import."""

_INDENT: Final = 4
"""Columns of a panel's inside before the text of a table."""

_Piece: TypeAlias = tuple[str, Style]
"""Text and how it looks."""

_Hint: TypeAlias = tuple[str, str]
"""A key and what it does."""


@dataclass(frozen=True, slots=True)
class LobbyView:
    """What the lobby shows."""

    name: str
    """The player's name."""
    tables: tuple[FoundTable, ...] = ()
    """What was found, in the order of the list."""
    selected: int | None = None
    """The table to sit down at; None while there is none."""
    trouble: str | None = None
    """Why tables may be missing; None when all is well."""
    confirm_endings: bool = True
    """Whether an ending word asks for a second press."""
    kept: int = 0
    """Tables that were hosted here and can be continued."""
    reminder: str = ""
    """A line about the game that broke off last."""


class Drawing(NamedTuple):
    """The lobby's lines, and where its tables are on them."""

    lines: Sequence[Strip]
    tables: dict[int, int]
    """The table, by its place in the list, that a row of cells belongs to."""


def draw_lobby(view: LobbyView, width: int, height: int) -> Drawing:
    """The whole lobby for a terminal of this size."""
    return _Painter(view, width, height).draw()


class _Painter:
    """One drawing while it is made, from the top and from the bottom towards the list."""

    def __init__(self, view: LobbyView, width: int, height: int) -> None:
        self._view = view
        self._sheet = Sheet(width, height)
        self._signs = glyphs()
        self._width = min(width - _MARGIN if width > _NARROW else width, WIDEST)
        self._x = (width - self._width) // 2
        self._height = min(height, TALLEST)
        self._y = (height - self._height) // 2
        self._end = self._y + self._height
        self._places: dict[int, int] = {}

    def draw(self) -> Drawing:
        self._title()
        self._who()
        self._keys()
        self._message()
        self._panel()
        return Drawing(self._sheet.lines(), self._places)

    # Above the list

    def _title(self) -> None:
        if self._height < _DENSE:
            self._centre("S P O O F", palette.STRONG)
            return
        self._y += 1
        if self._height < _ROOMY:
            self._art(_TITLE, (self._width - len(_TITLE[0])) // 2, self._y)
            self._y += len(_TITLE)
            return
        side, middle = len(_FIST[0]), len(_TITLE[0])
        left = (self._width - 2 * side - middle) // 2 - _GAP
        self._art(_FIST, left, self._y)
        self._art(_TITLE, left + side + _GAP, self._y)
        self._art(_OTHER_FIST, left + side + middle + 2 * _GAP, self._y)
        self._y += len(_TITLE)
        motto = fit(_("hide coins, raise bids, call bluffs"), middle + 2 * _GAP - 2)
        self._centre(motto, palette.QUIET)
        self._y += 1

    def _art(self, rows: Sequence[str], x: int, y: int) -> None:
        is_title = rows is _TITLE
        for row, text in enumerate(rows):
            for column, letter in enumerate(text):
                is_coin = letter == "●"
                style = palette.MONEY if is_coin else palette.BRIGHT if is_title else palette.QUIET
                sign = self._signs.coin if is_coin else letter
                if letter != " ":
                    self._sheet.put(self._x + x + column, y + row, sign, style)

    def _who(self) -> None:
        keys = [_SPACE, *_hint("e", _("rename"))]
        # In the words of the other language, for a player who does not read this one.
        speak = [_SPACE, *_hint("u", i18n.LANGUAGES[i18n.other()])]
        before, after = _("You are {name}").split("{name}")
        room = self._width - _length([*keys, *speak, (before + after, palette.QUIET)])
        name = show(own_text(self._view.name, MAX_NAME), max(room, 12))
        pieces = [(before, palette.QUIET), (name, palette.BOLD), (after, palette.QUIET), *keys]
        self._middle([*pieces, *(speak if room >= cell_len(name) else ())])

    # Below the list

    def _keys(self) -> None:
        twice = _("confirm words: on") if self._view.confirm_endings else _("confirm words: off")
        others = [("o", twice), ("h", _("rules")), ("?", _("help")), ("q", _("quit"))]
        if self._view.selected is not None:
            others.insert(0, ("w", _("watch")))
        if self._view.kept:
            others.insert(0, ("c", _("continue a table")))
        self._bottom(others, palette.QUIET)
        ways = [("n", _("new table")), ("p", _("practise")), ("l", _("learn"))]
        ways.append(("a", _("by address")))
        if self._view.selected is not None:
            ways.insert(0, ("Enter", _("sit down")))
        self._bottom(ways, palette.TEXT)

    def _bottom(self, hints: Sequence[_Hint], style: Style) -> None:
        self._end -= 1
        pieces: list[_Piece] = []
        for gap in (_SPACE, ("  ", style), (" ", style)):
            pieces = [piece for hint in hints for piece in (*_hint(*hint, style), gap)][:-1]
            if _length(pieces) <= self._width:
                break
        if _length(pieces) > self._width and len(hints) > _FEWEST:
            # The first one is told elsewhere, too.
            self._end += 1
            self._bottom(hints[1:], style)
            return
        self._row(pieces, self._end)

    def _message(self) -> None:
        text, style = self._view.reminder, palette.BRIGHT
        if self._view.tables and self._view.trouble:
            text, style = self._view.trouble, palette.WRONG
        lines = wrap(text, self._width - 4)[:2] if text else []
        for line in reversed(lines):
            self._end -= 1
            self._row([(line, style)], self._end)
        if not lines and self._height >= _DENSE:
            self._end -= 1

    # The list

    def _panel(self) -> None:
        height = self._end - self._y
        if height < 3:
            return
        self._sheet.box(self._x, self._y, self._width, height, palette.BORDER)
        title = fit(_("Tables on this network"), self._width - 8)
        self._sheet.put(self._x + 2, self._y, f" {title} ", palette.TEXT)
        if self._view.tables:
            self._list(height - 2)
        else:
            self._emptiness(height - 2)

    def _list(self, room: int) -> None:
        entries = [self._entry(table) for table in self._view.tables]
        heights = [len(lines) for lines in entries]
        gap = 1 if sum(heights) + len(entries) + 1 <= room else 0
        first, last = window(heights, self._view.selected or 0, room)
        y = self._y + 1 + gap
        for index in range(first, last):
            for row in entries[index][: self._end - 1 - y]:
                self._line(row, y, index == self._view.selected, row is entries[index][0])
                self._places[y] = index
                y += 1
            y += gap
        self._more(self._signs.up, first, self._y)
        self._more(self._signs.down, len(entries) - last, self._end - 1)

    def _line(self, row: _Row, y: int, is_selected: bool, is_first: bool) -> None:
        back = Style(bgcolor=palette.RAISED) if is_selected else Style.null()
        inside, width = self._x + 1, self._width - 2
        if is_selected:
            self._sheet.put(inside, y, " " * width, back)
        if is_selected and is_first:
            self._sheet.put(inside + 1, y, self._signs.pointer, palette.BRIGHT + back)
        self._sheet.pieces(
            inside + _INDENT - 1, y, [(text, look + back) for text, look in row.left]
        )
        length = sum(cell_len(text) for text, _ in row.right)
        right = [(text, look + back) for text, look in row.right]
        self._sheet.pieces(inside + width - length - 2, y, right)

    def _more(self, arrow: str, amount: int, y: int) -> None:
        if amount > 0:
            text = _(" {arrow} {amount} more ").format(arrow=arrow, amount=amount)
            self._sheet.put(self._x + self._width - cell_len(text) - 2, y, text, palette.QUIET)

    def _entry(self, table: FoundTable) -> list[_Row]:
        width = self._width - 2 - _INDENT - 1
        if table.card is None:
            return _strange(table, width)
        return _known(table.card, width, self._signs)

    def _emptiness(self, room: int) -> None:
        """What is being done to find tables, and what to press meanwhile."""
        head, said = self._search()
        hints = self._ways_on()
        height = 1 + len(said) + len(hints)
        gap = 1 if room >= height + 2 else 0
        y = self._y + 1 + max((room - height - 2 * gap) // 2, 0)
        y = self._stack([head], y) + gap
        y = self._stack(said, y) + gap
        longest = max(cell_len(words) for _key, words in hints) + 4
        for row, (key, words) in enumerate(hints, y):
            if row < self._end - 1:
                at = self._x + (self._width - longest) // 2
                self._sheet.pieces(at, row, _hint(key, "  " + words))

    def _search(self) -> tuple[_Piece, list[_Piece]]:
        """A headline, and sentences below it."""
        width = min(self._width - 8, 62)
        trouble = self._view.trouble
        if trouble is None:
            words = _("Looking for tables on this network and on this computer …")
            quiet = [(line, palette.QUIET) for line in wrap(words, width)]
            return (_("No open tables found yet."), palette.BOLD), quiet
        words = _("Still trying this computer (port {port}).").format(port=USUAL_PORT)
        said = [(line, palette.WRONG) for line in wrap(trouble, width)]
        said += [(line, palette.QUIET) for line in wrap(words, width)]
        return (_("No table has been found."), palette.BOLD), said

    def _ways_on(self) -> list[_Hint]:
        practise = ("p", _("play now against three bots"))
        learn = ("l", _("learn the game in three minutes"))
        if self._view.trouble is None:
            new = ("n", _("open a table: friends on this network will see it"))
            return [new, practise, learn, ("a", _("join a table by its address"))]
        new = ("n", _("open a table: others join by its address"))
        by_address = ("a", _("join a table by the address on its host's screen"))
        return [by_address, new, practise, learn]

    def _stack(self, lines: Sequence[_Piece], y: int) -> int:
        for piece in lines:
            if y < self._end - 1:
                self._row([piece], y)
            y += 1
        return y

    # Rows

    def _centre(self, text: str, style: Style) -> None:
        self._middle([(text, style)])

    def _middle(self, pieces: Sequence[_Piece]) -> None:
        self._row(pieces, self._y)
        self._y += 1

    def _row(self, pieces: Sequence[_Piece], y: int) -> None:
        self._sheet.pieces(self._x + max((self._width - _length(pieces)) // 2, 0), y, pieces)


_SPACE: Final = ("   ", Style.null())


def _length(pieces: Sequence[_Piece]) -> int:
    return sum(cell_len(text) for text, _style in pieces)


class _Row(NamedTuple):
    left: Sequence[_Piece]
    right: Sequence[_Piece] = ()


def _hint(key: str, words: str, style: Style | None = None) -> list[_Piece]:
    look = style or palette.QUIET
    return [(key, palette.KEY), (" ", look), (words, look)]


def _known(card: Card, width: int, signs: Glyphs) -> list[_Row]:
    """A table that can be joined: its name and seats, then who hosts what, and its state."""
    from spoof_tui.ui.wording.options import rules_title

    free = max(card.seats - card.taken, 0)
    amount = _("{taken} of {seats}").format(taken=card.taken, seats=card.seats)
    seats = [
        (signs.coin * card.taken, palette.MONEY),
        (signs.no_coin * free, palette.BORDER),
        (f" {amount}", palette.TEXT),
    ]
    taken = sum(cell_len(text) for text, _style in seats)
    name = show(card.name, width - taken - 2)
    state, look = _state(card, free)
    host = _("by {host}").format(host=show(card.host, width // 3))
    lock = _("asks for a code") if card.locked else _("open to all")
    words = f" {signs.dot} ".join((host, lock, rules_title(card.rules)))
    beside, *more = wrap(words, width - cell_len(state) - 2)
    first = _Row([(name, palette.BOLD)], seats)
    second = _Row([(beside, palette.QUIET)], [(state, look)])
    below = wrap(" ".join(more), width)[:3] if more else []
    return [first, second, *(_Row([(line, palette.QUIET)]) for line in below)]


def _state(card: Card, free: int) -> tuple[str, Style]:
    if card.state.value == "playing":
        return _("a game is on"), palette.QUIET
    if free == 0:
        return _("every seat is taken"), palette.QUIET
    return _("waits for players"), palette.RIGHT


def _strange(table: FoundTable, width: int) -> list[_Row]:
    """A table whose program speaks another version: greyed, with both versions in words."""
    words = _(
        "Another version: Spoof {their_program} with protocol {theirs};"
        " yours is Spoof {own_program} with protocol {own}."
    ).format(
        theirs=table.protocol,
        their_program=show(ForeignText(table.program), 16),
        own=PROTOCOL,
        own_program=PROGRAM,
    )
    first = _Row([(fit(table.address.text, width), palette.QUIET)])
    return [first, *(_Row([(line, palette.QUIET)]) for line in wrap(words, width)[:2])]


def window(heights: Sequence[int], selected: int, room: int) -> tuple[int, int]:
    """First and last + 1 of the entries that fit into `room` rows, the selected among them."""
    first = selected
    used = heights[selected]
    while first > 0 and used + heights[first - 1] <= room:
        first -= 1
        used += heights[first]
    last = selected + 1
    while last < len(heights) and used + heights[last] <= room:
        used += heights[last]
        last += 1
    return first, last
