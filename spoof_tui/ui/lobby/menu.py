"""The state of the lobby's list: its lines, the selected one, and the search for a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from textual import events

from protocol.limits import MAX_NAME
from spoof_tui.acts.act import KeyAct, caption
from spoof_tui.acts.buttons import Buttons, changing, of_list
from spoof_tui.acts.lobby import LOBBY, LobbyFacts
from spoof_tui.storage.settings import LEVELS, MAX_BOTS, PRESETS, Practice
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.dialogs.rows import ActScreen
from spoof_tui.ui.keyboard import typed

if TYPE_CHECKING:
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.saved_tables import SavedTable


class MenuRow(Enum):
    """A way to start; the value is its key, or a name for one without a key."""

    BACK = "back"
    PLAY = "p"
    LEARN = "b"
    OPEN = "n"
    JOIN = "a"
    CONTINUE = "y"


Item: TypeAlias = MenuRow | int
"""A line of the list: a way to start, or the index of a table."""


class MenuField(Enum):
    """A setting of the game against bots that can be changed in the list."""

    BOTS = "bots"
    LEVEL = "level"
    RULES = "rules"


FIELDS: Final = tuple(MenuField)


def changed(practice: Practice, field: MenuField, by: int) -> Practice:
    """The settings with the value of `field` changed by `by` places, wrapping around."""
    if field is MenuField.BOTS:
        return replace(practice, bots=(practice.bots - 1 + by) % MAX_BOTS + 1)
    if field is MenuField.LEVEL:
        return replace(practice, level=_next(LEVELS, practice.level, by))
    return replace(practice, preset=_next(PRESETS, practice.preset, by))


def _next(values: Sequence[str], value: str, by: int) -> str:
    return values[(values.index(value) + by) % len(values)]


@dataclass(slots=True)
class Menu:
    """The lines of the list, and the selected one."""

    tables: tuple[FoundTable, ...] = ()
    """The listed tables, in order: the player's own, then open ones, running games, and full
    ones."""
    search: str | None = None
    """The text of a search; None if there is none."""
    may_continue: bool = False
    """Whether there is a saved table that can be resumed."""
    back: FoundTable | None = None
    """The found table at which the player has a seat; None for none."""
    field: MenuField = MenuField.BOTS
    """The setting that the left and right keys change on the first line."""
    found: tuple[FoundTable, ...] = ()
    """All tables found, also those that do not match the search."""
    _own: frozenset[bytes] = frozenset()
    """Ids of the tables listed first: those where the player has a seat, for example."""
    _chosen: MenuRow | FoundTable | None = None
    """What the player selected, even if it is not on the list now; None before the first
    selection."""

    @property
    def entries(self) -> tuple[MenuRow, ...]:
        """The ways to start that are possible now, in order."""
        is_there = {MenuRow.BACK: self.back is not None, MenuRow.CONTINUE: self.may_continue}
        return tuple(each for each in MenuRow if is_there.get(each, True))

    @property
    def items(self) -> tuple[Item, ...]:
        """All lines that can be selected; during a search, only the tables."""
        entries = self.entries if self.search is None else ()
        return (*entries, *range(len(self.tables)))

    @property
    def total(self) -> int:
        """The number of all tables found."""
        return len(self.found)

    def unlisted(self, tables: Iterable[SavedTable]) -> list[SavedTable]:
        """Those of the saved tables that were not found on the network."""
        found = {table.identity for table in self.found}
        return [each for each in tables if each.table not in found]

    @property
    def selected(self) -> Item:
        """The line that Enter acts on: what the player selected or, while that is not listed, the
        first line."""
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
        """Take the tables found now.

        Another table is never selected without the player, so that Enter does not lead to
        strangers.
        """
        self.found = tables
        self._arrange()

    def own(self, tables: frozenset[bytes]) -> None:
        """List the tables with these ids before all others."""
        self._own = tables
        self._arrange()

    def look_for(self, search: str | None) -> None:
        """List only the tables whose name or host contains `search`; None lists all."""
        self.search = search
        self._arrange()
        if search and self.tables and self.table is None:
            self.choose(0)

    def _arrange(self) -> None:
        """Filter and sort the list; during a search, select the first table if none is selected."""
        listed = (each for each in self.found if is_called(each, self.search or ""))
        self.tables = tuple(sorted(listed, key=self._rank))
        if self.search and self.tables and (not self._chosen or isinstance(self._chosen, MenuRow)):
            self.choose(0)

    def _rank(self, table: FoundTable) -> int:
        """The rank of a table in the list, from 0; equal ranks keep the order in which tables were
        found."""
        card = table.card
        if card is None:
            return 4
        if card.table in self._own:
            return 0
        if has_room(table):
            return 1
        return 2 if card.state.value == "playing" else 3

    def offer(self, *, may_continue: bool, back: FoundTable | None = None) -> None:
        """Set whether a saved table can be resumed, and at which of the tables found a seat waits
        (`back`; None for none of them)."""
        self.may_continue, self.back = may_continue, back

    def choose(self, item: Item) -> None:
        """Select a line."""
        self._chosen = item if isinstance(item, MenuRow) else self.tables[item]

    def move(self, by: int) -> None:
        """Move the selection by `by` lines, stopping at either end."""
        items = self.items
        if self.selected not in items:
            if items:
                self.choose(items[0])
            return
        place = items.index(self.selected) + by
        self.choose(items[min(max(place, 0), len(items) - 1)])

    def turn(self, by: int) -> None:
        """Let the left and right keys change another setting of the first line."""
        self.field = FIELDS[(FIELDS.index(self.field) + by) % len(FIELDS)]


def has_room(table: FoundTable) -> bool:
    """Whether the table has a free seat and no game is running there."""
    card = table.card
    return card is not None and card.state.value == "gathering" and card.taken < card.seats


def is_called(table: FoundTable, search: str) -> bool:
    """Whether the name of the table or of its host contains `search`, ignoring case."""
    card = table.card
    names = (show(card.name, MAX_NAME), show(card.host, MAX_NAME)) if card else ()
    wanted = search.strip().casefold()
    return any(wanted in name.casefold() for name in names or (table.address.text,))


_PASSED_ON: Final = frozenset(
    {"enter", "up", "down", "home", "end", "pageup", "pagedown", "ctrl+c", "ctrl+l", "ctrl+p",
     "ctrl+q", "ctrl+z"}
)  # fmt: skip
"""Keys that do the same during a search as otherwise."""


class SearchScreen(ActScreen):
    """A screen with a list of tables that can be searched by typing."""

    def __init__(self) -> None:
        super().__init__()
        self._menu = Menu()

    @property
    def takes_text(self) -> bool:
        """Whether the player is typing the text of a search."""
        return self._menu.search is not None

    def buttons(self) -> Buttons:
        """The buttons for a web page: those of the list, and in the menu what no line of it does.

        Who leaves has meant it: that is the farthest from a thumb.
        """
        selected = self._menu.selected
        facts = LobbyFacts(is_table=isinstance(selected, int), is_cut=True, is_first=False)
        more = [KeyAct(act.key, label.words) for act in reversed(LOBBY)
                if act.id != "help" and (label := act.label(facts))]  # fmt: skip
        buttons = of_list([(caption("enter"), _("choose"))], more)
        # Beside the dots, so that the large buttons keep their places.
        return buttons._replace(also=changing(_("change")) if selected is MenuRow.PLAY else ())

    def present(self) -> None:
        """Redraw what has changed; subclasses define this."""

    def action_search(self) -> None:
        """Begin a search, which ends when a table is chosen or Esc is pressed."""
        self._look_for("")

    def on_key(self, event: events.Key) -> None:
        """During a search, take keys as text before any binding gets them."""
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
        """End the search, and list all tables again."""
        if self._menu.search is not None:
            self._look_for(None)

    def _look_for(self, search: str | None) -> None:
        self._menu.look_for(search)
        self.present()
