"""The lobby: the first screen, below all others.

It imports little, and its dialogs only when they are opened, so that the first frame comes quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import ComposeResult

from spoof_tui import visiting
from spoof_tui.acts import lobby
from spoof_tui.acts.act import KeyAct, named
from spoof_tui.clock import now
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.listing import WaysBack
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.ui.app_protocol import tell
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.dialogs.rows import bindings
from spoof_tui.ui.lobby.drawing import LobbyView
from spoof_tui.ui.lobby.menu import MenuField, MenuRow, SearchScreen, changed

if TYPE_CHECKING:
    from spoof_tui.acts.table_form import TableForm
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.network.invitation import Invitation
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.saved_tables import SavedTable
    from spoof_tui.ui.messages import Examined, Failed, TablesFound, TablesKept


WAIT_DELAY: Final = 5.0
"""Seconds within which any table answers."""


class LobbyScreen(SearchScreen):
    """Shows the tables on this network, and the ways to sit down at one."""

    AUTO_FOCUS = ""
    BINDINGS = [
        ("up", "move(-1)"),
        ("down", "move(1)"),
        ("home,pageup", "move(-99)"),
        ("end,pagedown", "move(99)"),
        ("left", "change(-1)"),
        ("right", "change(1)"),
        ("tab", "turn(1)"),
        ("shift+tab", "turn(-1)"),
        ("enter,space", "begin"),
        *bindings(lobby.LOBBY),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._trouble: str | None = None
        self._findings: tuple[Finding, ...] = ()
        self._ways_back = WaysBack()
        self._waits_for_kept = False
        """Whether the player asked for the tables to resume before these had been read."""
        self._has_spoken = False
        self._has_waited = False
        self._address = ""
        """The address that was typed last."""
        self._menu.own(_own(()))

    def compose(self) -> ComposeResult:
        """Create a single stage, which is faster than a tree of widgets."""
        yield Stage(lambda width, height: [Part(Place(0, 0, width, height), self._view())])

    def on_mount(self) -> None:
        self.set_timer(WAIT_DELAY, self._stop_waiting)

    def _stop_waiting(self) -> None:
        self._has_waited = True
        self.present()

    def present(self) -> None:
        """Update the tables to return to, and redraw what has changed."""
        menu, ways = self._menu, self._ways_back
        menu.offer(
            may_continue=bool(menu.unlisted(ways.resumable)), back=ways.seat_among(menu.found)
        )
        self.query_one(Stage).redraw()

    def _view(self) -> LobbyView:
        settings, menu = self.spoof.settings, self._menu
        continued, broke_off = _continued(self._menu.unlisted(self._ways_back.resumable))
        has_waited = self._has_waited and not menu.total
        return LobbyView(
            name=settings.name,
            tables=menu.tables,
            entries=menu.entries,
            selected=menu.selected if menu.search is None or menu.table else None,
            seats_kept=self._ways_back.seats,
            back=menu.back,
            search=menu.search,
            total=menu.total,
            practice=settings.practice,
            field=menu.field,
            trouble=self._trouble,
            not_kept=self.spoof.not_kept,
            in_the_way=_in_the_way(self._findings) if has_waited else (),
            has_played=bool(settings.seen),
            has_waited=has_waited,
            continued=continued,
            broke_off=broke_off,
        )

    def acts(self) -> Sequence[KeyAct]:
        """The keys of the lobby, for the command palette and the help."""
        return tuple(lobby.lobby_keys())

    # The list

    def on_failed(self, message: Failed) -> None:
        """Show the message about an internal error."""
        self.say(message.sentence)

    def on_tables_found(self, message: TablesFound) -> None:
        """Show the tables found; the selected one stays selected while it exists."""
        self._trouble = message.trouble
        self._menu.follow(message.tables)
        self.present()

    def on_keeping_changed(self) -> None:
        """Redraw with the message whether anything is saved."""
        self.present()

    def on_examined(self, message: Examined) -> None:
        """Show the findings about the network."""
        self._findings = message.findings
        self.present()

    def on_tables_kept(self, message: TablesKept) -> None:
        """Offer the saved tables; resume one if the player asked for that before they were read."""
        self._ways_back = WaysBack(message.tables or (), message.tables is not None)
        self._menu.own(_own(self._ways_back.saved))
        self.present()
        if self._waits_for_kept and self._ways_back.is_read and self.is_current:
            self.action_do("continue")

    def action_move(self, by: int) -> None:
        """Move the selection by `by` lines."""
        self._menu.move(by)
        self.say("")

    def action_turn(self, by: int) -> None:
        """Select the first line, and let left and right change another of its settings."""
        self._menu.turn(by)
        self._menu.choose(MenuRow.PLAY)
        self.say("")

    def action_change(self, by: int) -> None:
        """Change a setting of the game against bots and save it, if that line is selected."""
        if self._menu.selected is MenuRow.PLAY:
            practice = changed(self.spoof.settings.practice, self._menu.field, by)
            self.say(self.spoof.keep(practice=practice) or "")

    def on_click(self, event: events.Click) -> None:
        """Do what is under the mouse; a table is only selected by the first click."""
        pressed = self.query_one(Stage).key_at(event.x, event.y)
        if pressed.isdigit():
            was_selected = int(pressed) == self._menu.selected
            self._menu.choose(int(pressed))
            self.say("")
            if was_selected:
                self.action_begin()
        elif pressed in {field.value for field in MenuField}:
            self.end_search()
            self._menu.field = MenuField(pressed)
            self._menu.choose(MenuRow.PLAY)
            self.action_change(1)
        elif pressed == MenuRow.BACK.value:
            self._menu.choose(MenuRow.BACK)
            self.action_begin()
        elif pressed:
            self.app.simulate_key(pressed)

    def on_mouse_scroll_down(self) -> None:
        """Select the next line."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Select the previous line."""
        self.action_move(-1)

    # Acts

    def action_do(self, name: str) -> None:
        """Do the act with this id."""
        act = named(name, lobby.LOBBY)
        if act.key in _ENTRIES:
            self.end_search()
        self.say("")
        self._waits_for_kept = False
        act.do(self, "")

    def action_begin(self) -> None:
        """Do what the selected line stands for."""
        item = self._menu.selected
        if self._menu.search is None and item is MenuRow.BACK:
            self._go_to(self._menu.back, sits=True)
        elif isinstance(item, MenuRow) and self._menu.search is None:
            self.action_do(_ENTRIES[item.value])
        elif self._menu.search is None or self._menu.table:
            self.end_search()
            self._go_to(self._menu.table, sits=True)

    def practise(self, rest: str) -> None:
        self.spoof.begin(Launch(practice=True))

    def learn(self) -> None:
        self.spoof.begin(Launch(lesson=True))

    def show_history(self) -> None:
        self.spoof.action_history()

    def watch_table(self, rest: str) -> None:
        self._go_to(self._menu.table, sits=False)

    def _go_to(self, table: FoundTable | None, *, sits: bool) -> None:
        """Go to a table, to sit down (`sits`) or to watch; say why not if that is impossible."""
        if table is None:
            self.say(_("Select a table first."))
        elif table.card is None:
            self.say(_("That table speaks another version: both sides need the same one."))
        else:
            self.say("")
            self.spoof.begin(self._ways_back.to(table, sits=sits))

    def resume_table(self, rest: str) -> None:
        if not self._ways_back.is_read:
            self._waits_for_kept = True
            self.say(_("Looking up which tables can be continued …"))
            return
        tables = self._ways_back.resumable
        if not tables:
            self.say(_("There is no table to continue: n opens a new one."))
            return
        from spoof_tui.ui.lobby.dialogs import resume_dialog

        def resume(saved: SavedTable | None) -> None:
            if saved is not None:
                self.spoof.begin(Launch(saved=saved))

        self.app.push_screen(resume_dialog(tables, now().wall), resume)

    def open_table(self) -> None:
        from spoof_tui.ui.lobby.dialogs import NewTableDialog

        def begin(chosen: TableForm | None) -> None:
            if chosen is not None:
                self.spoof.begin(chosen.launch(self.spoof.settings.name))

        settings = self.spoof.settings
        self.app.push_screen(NewTableDialog(settings.name, settings.practice.preset), begin)

    def join_table(self, rest: str) -> None:
        from spoof_tui.ui.lobby.dialogs import JoinDialog

        def begin(invited: Invitation | None) -> None:
            if invited is None:
                return
            heard = [each.address for each in self._menu.found]
            if visiting.is_visitor() and invited.address not in heard:
                # What else answers on the host's network is not for visitors to find out.
                self.say(_("No table was found at that address. Choose yours in the list."))
            else:
                self._address = invited.address.text
                # If it does not answer now, it is listed as soon as it does.
                self.spoof.look_at(invited.address)
                self.spoof.begin(Launch(address=invited.address, code=invited.code))

        self.app.push_screen(JoinDialog(lambda: self._menu.found, self._address), begin)

    def examine(self) -> None:
        self.spoof.action_examine()

    def choose_options(self) -> None:
        self.spoof.choose_options()

    def show_rules(self, rest: str) -> None:
        from protocol.rules.options import PRESETS
        from spoof_tui.ui.rulebook import RulebookScreen

        table = self._menu.table
        card = table.card if table else None
        rules = card.rules if card else PRESETS[self.spoof.settings.practice.preset]
        self.app.push_screen(RulebookScreen(rules))

    def speak(self, language: str) -> None:
        self.say(self.spoof.speak(language or i18n.other()) or "")

    def leave_program(self) -> None:
        self.app.exit()

    def adapt(self) -> None:
        """Redraw after a change of settings, such as language or name."""
        self.present()

    def say(self, remark: str) -> None:
        """Show a message until the next key; an empty one only removes the last."""
        if remark or self._has_spoken:
            tell(self.app, remark)
        self._has_spoken = bool(remark)
        self.present()


def _in_the_way(findings: Sequence[Finding]) -> tuple[str, str] | tuple[()]:
    """The worst network problem, and what to do about it; empty if there is none."""
    if not findings:
        return ()
    from spoof_tui.telling.findings import in_the_way

    return in_the_way(findings)


def _own(kept: Sequence[SavedTable]) -> frozenset[bytes]:
    """Ids of the tables where the player has a seat, and of the one whose door they came
    through."""
    door = visiting.table()
    return frozenset(each.table for each in kept) | ({door} if door else set())


def _continued(tables: Sequence[SavedTable]) -> tuple[str, str]:
    """The name of the first saved table, and how far its game had come, if it was interrupted
    recently.

    Both are empty if there is no table.
    """
    if not tables:
        return "", ""
    from spoof_tui.telling import resumable

    last = tables[0]
    return resumable.table_name(last), resumable.reminder(last, now().wall)


_ENTRIES: Final = {
    act.key: act.id for act in lobby.LOBBY if act.key in {entry.value for entry in MenuRow}
}
"""The ids of the lobby's acts, by the keys of the menu's lines."""
