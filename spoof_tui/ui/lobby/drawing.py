"""Draws the lobby: a banner, the ways to start, the tables, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.acts.act import caption, labels
from spoof_tui.acts.lobby import LOBBY, LobbyFacts
from spoof_tui.storage.settings import Practice
from spoof_tui.telling.pressing import press
from spoof_tui.telling.titles import bots, level_name, preset_name
from spoof_tui.text.ascii import is_ascii
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import own_text, show
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import (
    Piece,
    Sheet,
    clickable,
    first_fitting,
    fit,
    labels_within,
    left_open,
    length,
    prose,
    wrap,
)
from spoof_tui.ui.canvas.sprite import Pose, Size, draw_hand
from spoof_tui.ui.dialogs.labels import cut, is_enough, key_pieces, wanted_size
from spoof_tui.ui.lobby.menu import Item, MenuField, MenuRow
from spoof_tui.visiting import has_page, is_visitor

if TYPE_CHECKING:
    from protocol.wire.messages import Card
    from spoof_tui.network.probe import FoundTable


NAME_CELLS: Final = 30
"""The most cells of a table's name."""


HOST_CELLS: Final = 14
"""The most cells of a host's name on a table's line; the details have room for more."""


def practice_values(practice: Practice) -> dict[MenuField, str]:
    return {
        MenuField.BOTS: bots(practice.bots),
        MenuField.LEVEL: level_name(practice.level),
        MenuField.RULES: _("{name} rules").format(name=preset_name(practice.preset)),
    }


def found_name(table: FoundTable) -> str:
    return show(table.card.name, NAME_CELLS) if table.card else table.address.text


def table_states() -> tuple[str, ...]:
    return _("open"), _("by code"), _("playing"), _("full")


def table_state(card: Card, free: int) -> tuple[str, Style]:
    """The state of a table in one or two words, with its style; `free` is the number of free
    seats."""
    open_to_all, asks, playing, full = table_states()
    if card.state.value == "playing":
        return playing, palette.QUIET
    if free == 0:
        return full, palette.QUIET
    return (asks if card.locked else open_to_all), palette.RIGHT


def about_table(
    table: FoundTable, *, is_told: bool, is_kept: bool = False, has_namesake: bool = False
) -> str:
    """Details of a table that its line leaves out; `is_told`: the line has rules and host.

    `is_kept`: the player has a seat there, and needs no code. `has_namesake`: the address is shown,
    too.
    """
    if table.card is None:
        return _(
            "Another version: Spoof {their_program} with protocol {theirs};"
            " yours is Spoof {own_program} with protocol {own}."
        ).format(
            theirs=table.protocol,
            their_program=show(ForeignText(table.program), 16),
            own=PROTOCOL,
            own_program=PROGRAM,
        )
    from spoof_tui.telling.rule_options import rules_title

    card = table.card
    lock = [_("asks for the code on its host’s screen") if card.locked else _("open to all")]
    lock = ([] if is_told else [_("your seat is kept")]) if is_kept else lock
    seats = _("{taken} of {seats} seats taken").format(taken=card.taken, seats=card.seats)
    by = _("by {host}").format(host=show(card.host, NAME_CELLS))
    rules = [] if is_told and not card.rules.changes else [rules_title(card.rules)]
    is_whole = is_told and show(card.host, HOST_CELLS) == show(card.host, NAME_CELLS)
    where = [table.address.short] if has_namesake else []
    is_full = card.taken >= card.seats
    watch = [_("press i to watch")] if is_full and not has_page() else []
    told = [] if is_whole and not has_namesake else [by]
    return f" {glyphs().dot} ".join((*rules, *told, *where, seats, *watch, *lock))


_TITLE: Final = (
    "█▀▀▀ █▀▀█ █▀▀█ █▀▀█ █▀▀▀",
    "▀▀▀█ █▀▀▀ █ ●█ █ ●█ █▀▀ ",
    "▀▀▀▀ ▀    ▀▀▀▀ ▀▀▀▀ ▀   ",
)
"""The rows of the game's name, with a coin in each letter O."""

_TITLE_IN_ASCII: Final = (
    " ___  __   __   __   ___",
    "(__  |__) / ●\\ / ●\\ |__ ",
    "___) |    \\__/ \\__/ |   ",
)

_BANNER_GAP: Final = 4
"""Columns between a hand and the title."""

FULL: Final = 8
"""Rows of a banner with title and motto."""

ROOMY: Final = 12
PLAIN: Final = 5
"""Rows of a banner with only the title."""


def banner_rows(height: int) -> int:
    """Rows of the banner in a terminal of this height."""
    if height < 16:
        return 1
    return PLAIN if height < 22 else FULL if height < 34 else ROOMY


def draw_banner(sheet: Sheet, rows: int) -> None:
    """Draw the banner on the first `rows` rows of a sheet."""
    for y in range(rows):
        sheet.put(0, y, " " * sheet.width, palette.SURFACE)
    if rows == 1:
        title = "S P O O F"
        if not is_enough(sheet.width, sheet.height):
            title = first_fitting(sheet.width, *wanted_size())
        sheet.centre(0, 0, sheet.width, title, palette.ON_FELT_MARK)
        return
    _rim(sheet, rows)
    top = 1 if rows < ROOMY else 2
    room = rows - 2 if rows < FULL else rows - 3 - top
    _hands(sheet, top, room)
    _title(sheet, top + (room - len(_TITLE) + 1) // 2)
    if rows >= FULL:
        sheet.centre(1, rows - 2, sheet.width - 2, _motto(sheet.width - 4), palette.ON_FELT)


def _motto(room: int) -> str:
    """The motto, as long as there is room for."""
    whole = _("How many coins are in all the fists? Bid, bluff, call.")
    return first_fitting(room, whole, _("Bid, bluff, call."))


def _rim(sheet: Sheet, rows: int) -> None:
    sheet.put(0, 0, "▄" * sheet.width, palette.WOOD + Style(bgcolor=palette.GROUND))
    sheet.put(0, rows - 1, "▀" * sheet.width, palette.WOOD + Style(bgcolor=palette.GROUND))
    for y in range(1, rows - 1):
        sheet.put(0, y, "█", palette.WOOD)
        sheet.put(sheet.width - 1, y, "█", palette.WOOD)


def _hands(sheet: Sheet, top: int, room: int) -> None:
    """Draw a fist and an open hand beside the title, as large as fits, if there is room."""
    left = (sheet.width - len(_TITLE[0])) // 2
    for size in (Size.LARGE, Size.MIDDLE, Size.SMALL):
        if size.height <= room and left >= size.width + _BANNER_GAP + 2:
            y = top + (room - size.height) // 2
            draw_hand(sheet, left - _BANNER_GAP - size.width, y, size, Pose.FIST)
            draw_hand(sheet, left + len(_TITLE[0]) + _BANNER_GAP, y, size, Pose.THREE)
            return


def _title(sheet: Sheet, y: int) -> None:
    left = (sheet.width - len(_TITLE[0])) // 2
    for row, text in enumerate(_TITLE_IN_ASCII if is_ascii() else _TITLE, y):
        for x, letter in enumerate(text, left):
            if letter == "●":
                sheet.put(x, row, glyphs().coin, palette.ON_FELT_MONEY)
            elif letter != " ":
                sheet.put(x, row, letter, palette.ON_FELT_MARK)


WIDEST: Final = 76
"""The most columns of the list, which is centred in a wider terminal."""

_NARROW: Final = 64
_MARGIN: Final = 4
"""Free columns at each side of the list, unless the terminal is narrow."""

_SEARCH_CELLS: Final = 20
"""Columns for the text of a search."""

_TEXT: Final = 3
"""Columns of a line before its text, with the pointer."""

_GAP: Final = 3
"""The fewest columns between two parts of a line."""

_NETWORK: Final = "x"
"""The key that shows all network problems."""

_NEIGHBOURS: Final = 3
"""The fewest tables that stay in sight, however long the details of the selected one are."""


@dataclass(frozen=True, slots=True, eq=False)
class LobbyView:
    """Everything that the lobby shows, as a picture."""

    name: str
    """The player's name."""
    tables: tuple[FoundTable, ...] = ()
    """The tables found, in the order of the list."""
    entries: tuple[MenuRow, ...] = (MenuRow.PLAY, MenuRow.LEARN, MenuRow.OPEN, MenuRow.JOIN)
    """The ways to start."""
    selected: Item | None = MenuRow.PLAY
    """The line that Enter acts on; None if a search has found nothing."""
    seats_kept: frozenset[bytes] = frozenset()
    """Ids of the tables at which the player has a seat."""
    back: FoundTable | None = None
    """The table of such a seat that the player can return to; None for none."""
    search: str | None = None
    """The text of a search; None if there is none."""
    total: int = 0
    """The number of all tables found, during a search."""
    practice: Practice = field(default_factory=Practice)
    """The settings of the game against bots, on the first line."""
    field: MenuField = MenuField.BOTS
    """The setting of `practice` that the left and right keys change."""
    trouble: str | None = None
    """Why tables may be missing, as a sentence; None if all is well."""
    not_kept: str = ""
    """Why nothing is saved on this computer, or who else can read it; empty if all is well."""
    in_the_way: tuple[str, ...] = ()
    """The worst network problem, and what to do; empty if there is none."""
    has_played: bool = True
    """Whether the player has ever hidden a hand; before, only the first steps are shown."""
    has_waited: bool = False
    """Whether any table would have answered by now."""
    continued: str = ""
    """The name of the table that can be resumed; empty for none."""
    broke_off: str = ""
    """How far that table's game had come, if it was interrupted recently; otherwise empty."""

    def draw(self, sheet: Sheet) -> None:
        """Draw the whole lobby.

        A click presses the key of an entry or label; for a table it gives its index, for a setting
        its name.
        """
        _Painter(self, sheet).draw()


class _Row(NamedTuple):
    """A line of the list: a name, a remark after it, and something at the end."""

    name: Piece
    about: Sequence[Piece] = ()
    end: Sequence[Piece] = ()


class _Painter:
    """Draws the lobby from the top and from the bottom; the tables get the rows between."""

    def __init__(self, view: LobbyView, sheet: Sheet) -> None:
        self._view = view
        self._sheet = sheet
        width, height = sheet.width, sheet.height
        self._signs = glyphs()
        self._width = min(width - 2 * _MARGIN if width > _NARROW else width, WIDEST)
        self._x = (width - self._width) // 2
        self._y = banner_rows(height)
        self._is_roomy = self._y >= ROOMY
        self._end = height
        self._is_cut = False
        """Whether there are more tables than fit."""
        labels = [
            length([_label(each, view)]) for each in view.entries
            if each not in (MenuRow.BACK, MenuRow.CONTINUE)
        ]  # fmt: skip
        self._about = max(_TEXT + max(labels) + _GAP, min(24, self._width // 3))
        names = [found_name(table) for table in view.tables]
        longest = max((length([(name, palette.BOLD)]) for name in names), default=0)
        self._beside = max(self._about, _TEXT + longest + _GAP)

    def draw(self) -> None:
        draw_banner(self._sheet, self._y)
        bottom = self._end = self._end - 1
        self._end -= self._y > 1 and self._end - self._y > 8
        self._entries()
        self._keeping()
        self._tables()
        self._keys(bottom)

    # The ways to start

    def _entries(self) -> None:
        view = self._view
        rows = len(view.entries) * (2 if self._is_roomy else 1)
        # A blank above, the rule, and a line below it matter more than space.
        self._y += 1 if self._end - self._y > rows + 6 else 0
        self._y += self._is_roomy
        entries = [*view.entries]
        if (room := self._end - self._y) < rows:
            at = entries.index(view.selected) if view.selected in entries else 0
            first, last = window([1] * len(entries), at, max(room, 1))
            entries = entries[first:last]
        for entry in entries:
            is_selected = entry is view.selected
            key = _("Enter") if is_selected else entry.value if len(entry.value) == 1 else ""
            look = palette.KEY if view.search is None else palette.QUIET
            keys = [] if has_page() else [(key, look)]
            row = _Row(_label(entry, view), self._about_entry(entry), keys)
            self._line(row, is_selected, entry)
            self._y += 1 + self._is_roomy
        self._y += 0 if self._is_roomy else self._end - self._y > 4

    def _about_entry(self, entry: MenuRow) -> Sequence[Piece]:
        view = self._view
        if entry is MenuRow.BACK:
            return self._about_seat()
        if entry is MenuRow.PLAY:
            return self._practice(is_selected=view.selected is entry)
        is_due = view.selected is entry
        texts = {
            MenuRow.LEARN: _("new here? three short lessons") * (is_due or not view.has_played),
            MenuRow.OPEN: _("friends on this network will see it") * is_due,
            MenuRow.JOIN: "",
            MenuRow.CONTINUE: view.broke_off,
        }
        look = palette.BRIGHT if entry is MenuRow.CONTINUE else palette.QUIET
        return [(texts[entry], look)]

    def _about_seat(self) -> Sequence[Piece]:
        """The host of the table with the kept seat, and whether a game is running there."""
        card = self._view.back.card if self._view.back else None
        if card is None:
            return []
        by = _("by {host}").format(host=show(card.host, HOST_CELLS))
        state = (
            f" {self._signs.dot} {table_state(card, 1)[0]}" if card.state.value == "playing" else ""
        )
        return [(by, palette.BRIGHT), (state, palette.BRIGHT)]

    def _practice(self, *, is_selected: bool) -> Sequence[Piece]:
        """The settings on the first line; for want of room, or for a newcomer, only the one to be
        changed."""
        view = self._view
        fields = {each: self._value(each, text, is_selected=is_selected)
                  for each, text in practice_values(view.practice).items()}  # fmt: skip
        label = length([_label(MenuRow.PLAY, view)])
        room = self._width - _TEXT - label - length([(_("Enter"), palette.KEY)]) - 2 * _GAP
        gap = ("   ", palette.TEXT)
        apart = [piece for pieces in fields.values() for piece in (*pieces, gap)][:-1]
        is_first = not view.has_played and view.practice == Practice()
        if length(apart) <= room and not is_first:
            return apart
        field = view.field
        alone = fields[field]
        if field is MenuField.RULES:
            name = preset_name(view.practice.preset)
            alone = self._value(field, name, is_selected=is_selected)
        tight = [(text.strip(), look) for text, look in alone]
        plain = [(text, look) for text, look in tight if cell_len(text) > 1]
        return next((each for each in (alone, tight, plain) if length(each) <= room), [])

    def _value(self, field: MenuField, text: str, *, is_selected: bool) -> list[Piece]:
        """A setting's value; with arrows if the left and right keys change it now."""
        if not is_selected or field is not self._view.field:
            look = palette.TEXT if is_selected else palette.QUIET
            return [(text, palette.pressing(look, field.value))]
        return [
            (f"{self._signs.left} ", palette.pressing(palette.BOLD, "left")),
            (text, palette.pressing(palette.BOLD, field.value)),
            (f" {self._signs.right}", palette.pressing(palette.BOLD, "right")),
        ]

    # The tables

    def _keeping(self) -> None:
        """Draw the message that nothing is saved, if so, below the tables."""
        said = self._said(self._view.not_kept, palette.WRONG)
        lines = cut(said, min(self._end - self._y, 3), self._width - 2 * _TEXT, key="")
        self._end -= len(lines)
        self._tell(self._end, lines)

    def _tables(self) -> None:
        if self._end - self._y < 2:
            return
        view = self._view
        rule = self._y
        self._y += 1 + self._is_roomy
        if not view.tables:
            self._rule(rule, "")
            self._emptiness()
            return
        room = self._end - self._y
        words = next(iter(view.in_the_way), view.trouble) or ""
        trouble = cut(
            self._said(words, palette.WRONG), min(room - 2, 2), self._width - 2 * _TEXT, _NETWORK
        )
        room -= len(trouble)
        first, last = self._list(room)
        self._is_cut = last - first < len(view.tables)
        self._rule(rule, self._more(first, len(view.tables) - last))
        self._tell(self._end - len(trouble), trouble)

    def _said(self, words: str, look: Style) -> list[list[Piece]]:
        """A text as lines of the list's width; no lines for an empty text."""
        return prose(words, self._width - 2 * _TEXT, look)

    def _tell(self, y: int, lines: Sequence[Sequence[Piece]]) -> None:
        for row, pieces in enumerate(lines, y):
            self._sheet.pieces(self._x + _TEXT, row, pieces)

    def _rule(self, y: int, more: str) -> None:
        count = len(self._view.tables)
        # The name that the player goes by.
        name = _("you: {name}").format(name=show(own_text(self._view.name, MAX_NAME), 24))
        title = _("Tables on this network")
        if self._view.search is not None:
            title = self._looked_for(self._view.search)
        elif count:
            whole = ngettext(
                "{count} table on this network", "{count} tables on this network", count
            )
            brief = ngettext("{count} table", "{count} tables", count)
            room = self._width - cell_len(name) - 8
            title = first_fitting(room, whole.format(count=count), brief.format(count=count))
        self._sheet.put(self._x, y, "─" * self._width, palette.BORDER)
        title = fit(title, self._width - 8)
        look = palette.QUIET if self._view.search is None else palette.BRIGHT
        self._sheet.put(self._x + 2, y, f" {title} ", look)
        right = more or f" {name} "
        is_due = bool(more) or self._view.has_played
        if is_due and cell_len(title) + cell_len(right) + 6 <= self._width:
            x = self._x + self._width - cell_len(right) - 2
            self._sheet.put(x, y, right, palette.TEXT if more else palette.QUIET)

    def _looked_for(self, search: str) -> str:
        """The text of the search, and how many tables match."""
        typed = show(own_text(search, MAX_NAME), _SEARCH_CELLS) if search.strip() else ""
        count, total = len(self._view.tables), self._view.total
        return f"/{typed}_  " + _("{count} of {total}").format(count=count, total=total)

    def _more(self, above: int, below: int) -> str:
        parts = [f"{sign} {amount}" for sign, amount in
                 ((self._signs.up, above), (self._signs.down, below)) if amount]  # fmt: skip
        return _(" {arrows} more ").format(arrows="  ".join(parts)) if parts else ""

    def _list(self, room: int) -> tuple[int, int]:
        """Draw the tables that fit into `room` rows; return the index of the first, and that after
        the last."""
        view = self._view
        details = self._details(view.selected)
        step = 1 + self._is_roomy
        if step * len(view.tables) + len(details) > room:
            step = 1
            kept = max(room - min(len(view.tables), _NEIGHBOURS), 0)
            if len(details) > kept:
                details = details[:kept]
                details[-1:] = [left_open(each, self._width - 2 * _TEXT) for each in details[-1:]]
        heights = [step + (len(details) if place == view.selected else 0)
                   for place in range(len(view.tables))]  # fmt: skip
        selected = view.selected if isinstance(view.selected, int) else 0
        first, last = window(heights, selected, room)
        for place in range(first, last):
            is_selected = place == view.selected
            self._line(self._row(view.tables[place]), is_selected, place)
            for row, text in enumerate(details if is_selected else (), 1):
                self._sheet.put(self._x + _TEXT, self._y + row, text, palette.QUIET)
            self._y += heights[place]
        return first, last

    def _details(self, selected: Item | None) -> list[str]:
        """The details of the selected table, as lines; empty if no table is selected."""
        if not isinstance(selected, int):
            return []
        table, width = self._view.tables[selected], self._width - 2 * _TEXT
        row = self._row(table)
        is_told = len(self._beside_name(row, selected)[1]) == len(row.about)
        has_namesake = [found_name(each) for each in self._view.tables].count(found_name(table)) > 1
        is_kept = table.card is not None and table.card.table in self._view.seats_kept
        words = about_table(table, is_told=is_told, is_kept=is_kept, has_namesake=has_namesake)
        return wrap(words, width)

    def _row(self, table: FoundTable) -> _Row:
        if table.card is None:
            return _Row((found_name(table), palette.QUIET),
                        end=[(_("other version"), palette.QUIET)])  # fmt: skip
        return self._known(table, table.card)

    def _known(self, table: FoundTable, card: Card) -> _Row:
        about = f"{preset_name(card.rules.preset)} {self._signs.dot} " + _("by {host}").format(
            host=show(card.host, HOST_CELLS)
        )
        free = max(card.seats - card.taken, 0)
        seats = [(self._signs.coin * card.taken, palette.MONEY),
                 (self._signs.no_coin * free, palette.QUIET)]  # fmt: skip
        abouts = [(about, palette.QUIET)]
        if card.table in self._view.seats_kept:
            abouts = [(_("your seat is kept"), palette.BRIGHT),
                      (f" {self._signs.dot} {about}", palette.QUIET)]  # fmt: skip
        state, look = table_state(card, free)
        longest = max(length([(each, look)]) for each in table_states())
        blank = " " * (longest - length([(state, look)]) + 2)
        return _Row((found_name(table), palette.BOLD), abouts,
                    [*seats, (blank, look), (state, look)])  # fmt: skip

    def _emptiness(self) -> None:
        """Draw the message that no table is found, why, and what to do."""
        view = self._view
        if view.search is not None:
            said = self._said(_("No table or host has that name."), palette.QUIET)
        elif view.in_the_way:
            headline, todo = view.in_the_way
            said = [*self._said(headline, palette.WRONG), *self._said(todo, palette.TEXT)]
        elif view.trouble:
            said = self._said(view.trouble, palette.WRONG)
        else:
            words = _("Looking for tables …")
            if view.has_waited:
                words = _("No tables yet. New ones appear here automatically.")
            said = self._said(words, palette.QUIET)
        # A visitor joins only where a table was heard.
        is_told = view.in_the_way or view.search is not None or is_visitor()
        if not is_told and (view.trouble or view.has_waited):
            words = _("Can’t see a friend’s table? {press} and type its address.")
            words = words.format(press=press("a", _("Join by address")))
            said += self._said(words, palette.QUIET)
        if self._end - self._y > len(said) + 1:
            self._y += not self._is_roomy
        key = _NETWORK if view.in_the_way or view.trouble else ""
        self._tell(self._y, cut(said, self._end - self._y, self._width - 2 * _TEXT, key))

    # Lines

    def _line(self, row: _Row, is_selected: bool, item: Item) -> None:
        """Draw a line of the list; parts that do not fit as a whole are left out."""
        width, end = self._width, self._width - length(row.end) - 1
        pointer = self._signs.pointer if is_selected else " "
        name = fit(row.name[0], end - _TEXT - 1), row.name[1]
        about, beside = self._beside_name(row, item)
        press = str(item)
        if isinstance(item, MenuRow):
            press = item.value if self._view.search is None else ""
        blank = (f" {pointer}".ljust(width), palette.TEXT)
        for x, pieces in ((0, [blank]), (end, row.end), (_TEXT, [name]), (about, beside)):
            looks = [(text, _chosen(look) if is_selected else look) for text, look in pieces]
            self._sheet.pieces(self._x + x, self._y, clickable(looks, press))

    def _beside_name(self, row: _Row, item: Item) -> tuple[int, Sequence[Piece]]:
        """The column of the text after an item's name, and the pieces of it that fit.

        The text of a way to start begins further to the left if it would not fit otherwise.
        """
        pieces, room = row.about, self._width - length(row.end) - 1
        column = self._beside
        if isinstance(item, MenuRow):
            column = min(self._about, room - 2 - length(pieces))
        about = max(column, _TEXT + length([row.name]) + _GAP)
        while pieces and about + length(pieces) + 2 > room:
            pieces = pieces[:-1]
        return about, pieces

    # Keys

    def _keys(self, y: int) -> None:
        """Draw the last row: as many keys as fit, each clickable."""
        keys = _labels(self._view, is_cut=self._is_cut)
        x = 1
        for shown, words in labels_within(keys, self._sheet.width - 2):
            x = self._sheet.pieces(x, y, key_pieces(shown, words)) + 2


def _chosen(look: Style) -> Style:
    """The style of a piece on the selected line; a click still presses its key."""
    bold = palette.CHOSEN + Style(bold=look.bold)
    return palette.pressing(bold, palette.pressed_by(look))


def _labels(view: LobbyView, *, is_cut: bool) -> list[tuple[str, str]]:
    if view.search is not None:
        return [(caption("enter"), _("join")), (caption("escape"), _("all tables"))]
    is_table = isinstance(view.selected, int)
    is_first = not (view.has_played or view.trouble or view.in_the_way)
    return labels(LOBBY, LobbyFacts(is_table, is_cut, is_first))


def _label(entry: MenuRow, view: LobbyView) -> Piece:
    if entry is MenuRow.BACK:
        table = found_name(view.back) if view.back else ""
        return _("Back to your seat at {table}").format(table=table), palette.STRONG + palette.MONEY
    labels = {
        MenuRow.PLAY: _("Play now"),
        MenuRow.LEARN: _("Learn by playing"),
        MenuRow.OPEN: _("Open a table"),
        MenuRow.JOIN: _("Join by address"),
        MenuRow.CONTINUE: _("Continue “{table}”").format(table=view.continued),
    }
    return labels[entry], palette.BOLD


def window(heights: Sequence[int], selected: int, room: int) -> tuple[int, int]:
    """The index of the first entry to show in `room` rows, and that after the last.

    `heights` are the rows of each entry; `selected` is always shown.
    """
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
