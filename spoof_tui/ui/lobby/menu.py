"""The lobby's list, its selected line, and the search for a table by name. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from textual import events

from protocol.limits import MAX_NAME
from spoof_tui.storage.settings import LEVELS, MAX_BOTS, PRESETS, Practice
from spoof_tui.text.safe_text import show
from spoof_tui.ui.dialogs.rows import ActScreen
from spoof_tui.ui.keyboard import typed

if TYPE_CHECKING:
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.saved_tables import SavedTable


class MenuRow(Enum):
    """A way to start, by its letter, if it has one."""

    BACK = "back"
    PLAY = "p"
    LEARN = "b"
    OPEN = "n"
    JOIN = "a"
    CONTINUE = "y"


Item: TypeAlias = MenuRow | int
"""A line of the list; a number is the index of a table."""


class MenuField(Enum):
    """What can be changed about the game against bots."""

    BOTS = "bots"
    LEVEL = "level"
    RULES = "rules"


FIELDS: Final = tuple(MenuField)


def changed(practice: Practice, field: MenuField, by: int) -> Practice:
    """The next or the previous value, wrapping around."""
    if field is MenuField.BOTS:
        return replace(practice, bots=(practice.bots - 1 + by) % MAX_BOTS + 1)
    if field is MenuField.LEVEL:
        return replace(practice, level=_next(LEVELS, practice.level, by))
    return replace(practice, preset=_next(PRESETS, practice.preset, by))


def _next(values: Sequence[str], value: str, by: int) -> str:
    return values[(values.index(value) + by) % len(values)]


@dataclass(slots=True)
class Menu:
    """What is on the list, and what is selected."""

    tables: tuple[FoundTable, ...] = ()
    """The tables listed, in order: one's own, open ones, those in a game, full ones."""
    search: str | None = None
    """What is typed to find a table; None if nothing is being searched for."""
    may_continue: bool = False
    """Whether a table was hosted here that can be resumed."""
    back: FoundTable | None = None
    """The table at which a seat waits for the player."""
    field: MenuField = MenuField.BOTS
    """The value that left and right change while the first line is selected."""
    found: tuple[FoundTable, ...] = ()
    """All tables that were found, in the order of `tables`."""
    _own: frozenset[bytes] = frozenset()
    """Ids of the tables that belong to the player in any way."""
    _chosen: MenuRow | FoundTable | None = None
    """What the player has selected, whether it is on the list now or not."""

    @property
    def entries(self) -> tuple[MenuRow, ...]:
        """The ways to start, in order."""
        is_there = {MenuRow.BACK: self.back is not None, MenuRow.CONTINUE: self.may_continue}
        return tuple(each for each in MenuRow if is_there.get(each, True))

    @property
    def items(self) -> tuple[Item, ...]:
        """Every line that can be selected; only tables during a search."""
        entries = self.entries if self.search is None else ()
        return (*entries, *range(len(self.tables)))

    @property
    def total(self) -> int:
        """Tables that answer, whether they match the search or not."""
        return len(self.found)

    def unlisted(self, tables: Iterable[SavedTable]) -> list[SavedTable]:
        """The saved tables among `tables` that were not found on the network."""
        found = {table.identity for table in self.found}
        return [each for each in tables if each.table not in found]

    @property
    def selected(self) -> Item:
        """The line that Enter acts on: the first one, while that which the player chose is gone."""
        chosen = self._chosen
        if isinstance(chosen, MenuRow):
            return chosen if chosen in self.entries else self.entries[0]
        places = (place for place, each in enumerate(self.tables)
                  if chosen and each.identity == chosen.identity)  # fmt: skip
        return next(places, self.entries[0])

    @property
    def table(self) -> FoundTable | None:
        """The selected table; None if another line is selected."""
        selected = self.selected
        return None if isinstance(selected, MenuRow) else self.tables[selected]

    def follow(self, tables: tuple[FoundTable, ...]) -> None:
        """Take the tables that are found now.

        Only the player selects a table of others: Enter must not lead to a stranger.
        """
        self.found = tables
        self._arrange()

    def own(self, tables: frozenset[bytes]) -> None:
        """Put the tables with these ids before the others."""
        self._own = tables
        self._arrange()

    def look_for(self, search: str | None) -> None:
        """List only the tables with this in their name or their host's; None lists all of them."""
        self.search = search
        self._arrange()
        if search and self.tables and self.table is None:
            self.choose(0)

    def _arrange(self) -> None:
        """Sort the list; in a search in which nothing was selected, select the first table."""
        listed = (each for each in self.found if is_called(each, self.search or ""))
        self.tables = tuple(sorted(listed, key=self._rank))
        if self.search and self.tables and (not self._chosen or isinstance(self._chosen, MenuRow)):
            self.choose(0)

    def _rank(self, table: FoundTable) -> int:
        """The rank in the list; tables of the same rank stay in the order in which they came."""
        card = table.card
        if card is None:
            return 4
        if card.table in self._own:
            return 0
        if has_room(table):
            return 1
        return 2 if card.state.value == "playing" else 3

    def offer(self, *, may_continue: bool, back: FoundTable | None = None) -> None:
        """Set whether there is a table to resume now, and where a seat waits."""
        self.may_continue, self.back = may_continue, back

    def choose(self, item: Item) -> None:
        """Select a line."""
        self._chosen = item if isinstance(item, MenuRow) else self.tables[item]

    def move(self, by: int) -> None:
        """Move the selection down or up."""
        items = self.items
        if self.selected not in items:
            if items:
                self.choose(items[0])
            return
        place = items.index(self.selected) + by
        self.choose(items[min(max(place, 0), len(items) - 1)])

    def turn(self, by: int) -> None:
        """Have left and right change another value of the first line."""
        self.field = FIELDS[(FIELDS.index(self.field) + by) % len(FIELDS)]


def has_room(table: FoundTable) -> bool:
    """Whether one could sit down there now."""
    card = table.card
    return card is not None and card.state.value == "gathering" and card.taken < card.seats


def is_called(table: FoundTable, search: str) -> bool:
    """Whether `search` is in the name of the table or of its host, in any case."""
    card = table.card
    names = (show(card.name, MAX_NAME), show(card.host, MAX_NAME)) if card else ()
    wanted = search.strip().casefold()
    return any(wanted in name.casefold() for name in names or (table.address.text,))


_PASSED_ON: Final = frozenset(
    {"enter", "up", "down", "home", "end", "pageup", "pagedown", "ctrl+c", "ctrl+l", "ctrl+p",
     "ctrl+q", "ctrl+z"}
)  # fmt: skip
"""Keys that do the same during a search."""


class SearchScreen(ActScreen):
    """A screen with a list of tables that can be searched by typing."""

    def __init__(self) -> None:
        super().__init__()
        self._menu = Menu()

    @property
    def takes_text(self) -> bool:
        """Whether what is typed now is part of a name that is searched for."""
        return self._menu.search is not None

    def present(self) -> None:
        """Redraw what changed."""

    def action_search(self) -> None:
        """Search by typing, until a table is chosen or Esc ends the search."""
        self._look_for("")

    def on_key(self, event: events.Key) -> None:
        """During a search, intercept what is typed before keys that would do something."""
        search = self._menu.search
        if search is None or event.key in _PASSED_ON:
            return
        event.stop()
        event.prevent_default()
        self._look_for(typed(search, event, MAX_NAME))

    def on_screen_suspend(self) -> None:
        """End the search: something else covers the list."""
        self.end_search()

    def end_search(self) -> None:
        """List all tables again."""
        if self._menu.search is not None:
            self._look_for(None)

    def _look_for(self, search: str | None) -> None:
        self._menu.look_for(search)
        self.present()
