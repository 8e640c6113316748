"""The lobby: the first thing a player sees, and what is under every other screen.

It imports next to nothing, and its dialogs only when they are opened: the first frame counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip

from spoof_tui.clock import now
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.ui.actions import Actions, actions
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.lobby.drawing import LobbyView, draw_lobby
from spoof_tui.ui.notices import tell

if TYPE_CHECKING:
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.discovery import FoundTable
    from spoof_tui.runtime.hosting import SavedTable
    from spoof_tui.ui.lobby.new_table import TableOptions
    from spoof_tui.ui.messages import Failed, TablesFound, TablesKept
    from spoof_tui.ui.wording.acts import KeyAct


class LobbyCanvas(Canvas):
    """Draws the lobby, and knows which row belongs to which table."""

    def __init__(self, view: LobbyView) -> None:
        super().__init__()
        self._view = view
        self._places: dict[int, int] = {}

    def present(self, view: LobbyView) -> None:
        """Show another view."""
        self._view = view
        self.redraw()

    def table_at(self, y: int) -> int | None:
        """The table that a row belongs to, by its place in the list."""
        return self._places.get(y)

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The lobby for this size."""
        drawing = draw_lobby(self._view, width, height)
        self._places = drawing.tables
        return drawing.lines


class LobbyScreen(Screen[None]):
    """The tables on this network, and the ways to sit down at one."""

    CSS = "LobbyCanvas { width: 1fr; height: 1fr; }"
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("up,k", "move(-1)", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("home,pageup", "move(-99)", show=False),
        Binding("end,pagedown", "move(99)", show=False),
        Binding("enter", "sit_down", show=False),
        Binding("w", "watch", show=False),
        Binding("c", "resume", show=False),
        Binding("n", "new_table", show=False),
        Binding("p", "practise", show=False),
        Binding("l", "learn", show=False),
        Binding("a", "join", show=False),
        Binding("e", "rename", show=False),
        Binding("o", "ask_twice", show=False),
        Binding("h", "rules", show=False),
        Binding("u", "speak", show=False),
        Binding("t", "app.change_theme", show=False),
        Binding("question_mark", "help", show=False),
        Binding("q", "quit", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._tables: tuple[FoundTable, ...] = ()
        self._trouble: str | None = None
        self._selected: FoundTable | None = None
        self._is_chosen = False
        self._kept: tuple[SavedTable, ...] = ()
        self._has_spoken = False
        self._typed = ""

    @property
    def _spoof(self) -> Actions:
        return actions(self.app)

    def compose(self) -> ComposeResult:
        """One canvas is quicker than a tree of widgets."""
        yield LobbyCanvas(self._view())

    def present(self) -> None:
        """Draw again what changed."""
        self.query_one(LobbyCanvas).present(self._view())

    def _view(self) -> LobbyView:
        settings = self._spoof.settings
        return LobbyView(
            name=settings.name,
            tables=self._tables,
            selected=self._place(),
            trouble=self._trouble,
            confirm_endings=settings.confirm_endings,
            kept=len(self._kept),
            reminder=self._reminder(),
        )

    def _reminder(self) -> str:
        """What broke off, unless it is on the list already."""
        if not self._kept:
            return ""
        from spoof_tui.ui.lobby import resumable

        open_ones = {table.card.table for table in self._tables if table.card}
        broken_off = [each for each in self._kept if each.table not in open_ones]
        return resumable.reminder(broken_off, now().wall)

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here, for the command palette."""
        from spoof_tui.ui.wording.acts import lobby_acts

        return lobby_acts()

    # The list

    def on_failed(self, message: Failed) -> None:
        """Something went wrong inside: say so."""
        self._say(message.sentence)

    def on_tables_found(self, message: TablesFound) -> None:
        """Show the tables; the selection stays at its table as long as that is there."""
        place = self._place() or 0
        self._tables, self._trouble = message.tables, message.trouble
        self._selected = self._keep(place)
        self.present()

    def on_tables_kept(self, message: TablesKept) -> None:
        """Offer what can be continued."""
        self._kept = message.tables
        self.present()

    def _keep(self, place: int) -> FoundTable | None:
        """The selected table as it is now; another one if it is gone or was never chosen."""
        same = [table for table in self._tables if self._is_selected(table)]
        if same and (self._is_chosen or same[0].card):
            return same[0]
        self._is_chosen = False
        open_ones = [table for table in self._tables if table.card]
        if not open_ones:
            return self._tables[0] if self._tables else None
        after = [table for table in self._tables[place:] if table.card]
        return after[0] if after else open_ones[-1]

    def _is_selected(self, table: FoundTable) -> bool:
        return self._selected is not None and _identity(table) == _identity(self._selected)

    def _place(self) -> int | None:
        for place, table in enumerate(self._tables):
            if self._is_selected(table):
                return place
        return None

    def action_move(self, by: int) -> None:
        """Select another table."""
        if self._tables:
            place = (self._place() or 0) + by
            self._select(min(max(place, 0), len(self._tables) - 1))

    def _select(self, place: int) -> None:
        self._selected, self._is_chosen = self._tables[place], True
        self._say("")

    def on_click(self, event: events.Click) -> None:
        """Select the table under the mouse; sit down at it by a double click."""
        place = self.query_one(LobbyCanvas).table_at(event.y)
        if place is not None:
            self._select(place)
            if event.chain == 2:
                self.action_sit_down()

    def on_mouse_scroll_down(self) -> None:
        """Select the next table."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Select the table before."""
        self.action_move(-1)

    # The ways on

    def action_sit_down(self) -> None:
        """Join the selected table."""
        self._go_to_selected(sits=True)

    def action_watch(self) -> None:
        """Watch the selected table without a seat."""
        self._go_to_selected(sits=False)

    def _go_to_selected(self, *, sits: bool) -> None:
        table = self._selected
        if table is None:
            self._say(_("No table to sit down at yet: n opens one."))
        elif table.card is None:
            self._say(_("That table speaks another version: both sides need the same one."))
        else:
            self._say("")
            self._spoof.join(table.address, sits=sits)

    def action_resume(self) -> None:
        """Choose a table to continue."""
        if not self._kept:
            self._say(_("No table here to continue: n opens a new one."))
            return
        from spoof_tui.ui.lobby.resume import ResumeDialog

        self._say("")
        self.app.push_screen(ResumeDialog(self._kept, now().wall), self._resume)

    def _resume(self, saved: SavedTable | None) -> None:
        if saved is not None:
            self._spoof.resume(saved)

    def action_practise(self) -> None:
        """Play against three bots at once."""
        self._say("")
        self._spoof.practise()

    def action_learn(self) -> None:
        """Begin the lesson."""
        self._say("")
        self._spoof.learn()

    def action_new_table(self) -> None:
        """Ask what the new table shall be, and open it."""
        from spoof_tui.ui.lobby.new_table import NewTableDialog

        self._say("")
        self.app.push_screen(NewTableDialog(self._spoof.settings.name), self._open)

    def _open(self, chosen: TableOptions | None) -> None:
        if chosen is not None:
            plan = chosen.plan(self._spoof.settings.name)
            self._spoof.open_table(plan, chosen.bots, chosen.level)

    def action_join(self) -> None:
        """Ask for an address, and sit down at the table there."""
        from spoof_tui.ui.lobby.join import JoinDialog

        self._say("")
        self.app.push_screen(JoinDialog(self._typed), self._join)

    def _join(self, address: Address | None) -> None:
        if address is not None:
            self._typed = address.text
            # If it does not answer now, it is listed as soon as it does.
            self._spoof.look_at(address)
            self._spoof.join(address)

    def action_rename(self) -> None:
        """Ask for another name."""
        from spoof_tui.ui.lobby.rename import RenameDialog

        self._say("")
        self.app.push_screen(RenameDialog(self._spoof.settings.name), self._rename)

    def _rename(self, name: str | None) -> None:
        if name is not None:
            self._say(self._spoof.rename(name) or "")

    def action_ask_twice(self) -> None:
        """Whether an ending word asks for a second press: the other way round."""
        confirm = not self._spoof.settings.confirm_endings
        if trouble := self._spoof.ask_twice(confirm):
            self._say(trouble)
        elif confirm:
            self._say(_("Call, cliff, spoof and zero ask for a second press."))
        else:
            self._say(_("Call, cliff, spoof and zero count at once."))

    def action_rules(self) -> None:
        """Open the rulebook at the rules of the selected table."""
        from spoof_tui.ui.rulebook.screen import RulebookScreen

        self._say("")
        card = self._selected.card if self._selected else None
        self.app.push_screen(RulebookScreen(card.rules if card else None))

    def action_speak(self) -> None:
        """Speak the other language."""
        self._say(self._spoof.speak(i18n.other()) or "")

    def action_help(self) -> None:
        """Tell the game in ten lines, and the keys."""
        from spoof_tui.ui.dialogs.help import HelpDialog

        self._say("")
        self.app.push_screen(HelpDialog())

    def action_quit(self) -> None:
        """Leave."""
        self.app.exit()

    def _say(self, remark: str) -> None:
        """Show a remark until the next key; an empty one only ends the one before."""
        if remark or self._has_spoken:
            tell(self.app, remark)
        self._has_spoken = bool(remark)
        self.present()


def _identity(table: FoundTable) -> bytes | Address:
    """What stays the same of a table: one that was listed may answer at another address."""
    return table.card.table if table.card else table.address
