"""What the acts of the lobby do on its screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spoof_tui.clock import now
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _
from spoof_tui.ui.actions import Actions, actions

if TYPE_CHECKING:
    from spoof_tui.network.invitation import Invitation
    from spoof_tui.runtime.saved_tables import SavedTable
    from spoof_tui.ui.lobby.screen import LobbyScreen
    from spoof_tui.ui.table_form import NewTable


class LobbyActs:
    """Does what a key is for: `spoof_tui.ui.acts.lobby.OnScreen`."""

    def __init__(self, screen: LobbyScreen) -> None:
        self._screen = screen
        self._typed = ""
        """The address that was typed last."""

    @property
    def _spoof(self) -> Actions:
        return actions(self._screen.app)

    def practise(self, rest: str) -> None:
        self._spoof.practise()

    def learn(self) -> None:
        self._spoof.learn()

    def show_history(self) -> None:
        self._spoof.action_history()

    def action_search(self) -> None:
        self._screen.action_search()

    def watch_table(self, rest: str) -> None:
        self.go_to_selected(sits=False)

    def go_to_selected(self, *, sits: bool) -> None:
        """Sit down at the selected table, or watch it."""
        table = self._screen.table
        if table is None:
            self._screen.say(_("Select a table first."))
        elif table.card is None:
            self._screen.say(_("That table speaks another version: both sides need the same one."))
        else:
            self._screen.say("")
            self._spoof.join(table.address, sits=sits)

    def resume_table(self, rest: str) -> None:
        if not self._screen.kept:
            self._screen.say(_("There is no table to continue: n opens a new one."))
            return
        from spoof_tui.ui.lobby.dialogs import ResumeDialog

        def resume(saved: SavedTable | None) -> None:
            if saved is not None:
                self._spoof.resume(saved)

        self._screen.app.push_screen(ResumeDialog(self._screen.kept, now().wall), resume)

    def open_table(self) -> None:
        from spoof_tui.ui.lobby.dialogs import NewTableDialog

        self._screen.app.push_screen(NewTableDialog(self._spoof.settings.name), self._open)

    def _open(self, chosen: NewTable | None) -> None:
        if chosen is not None:
            plan = chosen.plan(self._spoof.settings.name)
            self._spoof.open_table(plan, chosen.bots, chosen.level, company=chosen.company)

    def join_table(self, rest: str) -> None:
        from spoof_tui.ui.lobby.dialogs import JoinDialog

        self._screen.app.push_screen(JoinDialog(self._typed), self._join)

    def _join(self, invited: Invitation | None) -> None:
        if invited is not None:
            self._typed = invited.address.text
            # If it does not answer now, it is listed as soon as it does.
            self._spoof.look_at(invited.address)
            self._spoof.join(invited.address, invited.code)

    def examine(self) -> None:
        self._spoof.action_examine()

    def choose_options(self) -> None:
        self._spoof.choose_options()

    def show_rules(self, rest: str) -> None:
        from spoof_tui.ui.rulebook import RulebookScreen

        self._screen.say("")
        table = self._screen.table
        card = table.card if table else None
        self._screen.app.push_screen(RulebookScreen(card.rules if card else None))

    def speak(self, language: str) -> None:
        self._screen.say(self._spoof.speak(language or i18n.other()) or "")

    def show_help(self) -> None:
        from spoof_tui.ui.dialogs.help import HelpDialog

        self._screen.say("")
        self._screen.app.push_screen(HelpDialog(self._screen.acts()))

    def leave_program(self) -> None:
        self._screen.app.exit()
