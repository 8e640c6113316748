"""Carries out the acts of a table on its screen, with the dialogs that they open."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture
from spoof_tui.acts import table
from spoof_tui.telling import absence, leaving
from spoof_tui.telling.sentences import why_not
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.felt.wheel import Wheel
from spoof_tui.ui.table.frame import frame
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.table.screen.controls import Action, Forbidden, PutIn, SayWord
from spoof_tui.ui.table.screen.scene_screen import SceneScreen
from spoof_tui.ui.table.screen.timers import Peek

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.telling.leaving import Parting
    from spoof_tui.ui.dialogs.reading import Reading
    from spoof_tui.ui.table.dialogs.dialogs import LeaveDialog, MeasureChoice, MeasuresDialog
    from spoof_tui.ui.table.dialogs.slate import SlateDialog


class TableActs:
    """Carries out acts; implements `spoof_tui.acts.interface.AtTable` for the screen."""

    def __init__(self, screen: SceneScreen) -> None:
        self._screen = screen
        self._scene = screen.scene
        self._open_dialog: Reading | SlateDialog | MeasuresDialog | LeaveDialog | None = None
        self._asked = ""
        """The question that another press of the same key answers with yes; empty for none."""
        self._is_chosen = False
        """Whether the current act was chosen from a list, which confirms it."""
        self._peek: Final = Peek(screen)

    def refresh_dialog(self) -> None:
        """Update a dialog that is open over the table."""
        if self._open_dialog and self._open_dialog in self._screen.app.screen_stack:
            self._open_dialog.present()

    def do(self, action: Action) -> None:
        """Carry out the action of a key; if it is forbidden, the scene's remark says why."""
        client = self._screen.client
        if client is None:
            return
        asked = self._asked
        if isinstance(action, Forbidden):
            self._scene.remark = why_not(action.error, self._scene.names)
        elif isinstance(action, PutIn):
            client.choose(action.coins)
        elif isinstance(action, SayWord):
            client.speak(action.word, action.direction)
        else:
            table.do(self, action)
        if self._asked == asked:
            self._asked = ""

    @property
    def facts(self) -> Scene:
        return self._scene

    @property
    def client(self) -> TableClient:
        client = self._screen.client
        assert client is not None
        return client

    def tell(self, *lines: str) -> None:
        self._scene.remark = " ".join(lines)

    def confirms(self, question: str) -> bool:
        if self._is_chosen or self._asked == question:
            return True
        self._asked = self._scene.remark = question
        return False

    def is_meant(self, question: str) -> bool:
        return self.confirms(question)

    def talk(self, rest: str) -> None:
        self._scene.talking = rest

    def gesture(self, rest: str) -> None:
        if self._scene.view is not None:
            self._scene.wheel = Wheel.open(self._scene.view, self._scene.last_gesture)

    def turn_wheel(self, key: str) -> None:
        """Handle a key while the wheel is open; may make a gesture."""
        scene, client = self._scene, self._screen.client
        if scene.wheel is None or scene.view is None:
            return
        turned = scene.wheel.press(key, scene.view)
        scene.wheel = turned if isinstance(turned, Wheel) else None
        if isinstance(turned, Gesture) and client is not None:
            scene.last_gesture = turned
            client.propose(Gesticulate(turned))

    def skip_game(self) -> None:
        if table.may_skip(self._scene):
            self._scene.pacing.hurry()
            self._scene.follow()
            self.client.hurry_bots()

    def peek(self) -> None:
        hand, view, controls = self.client.known.own_hand, self._scene.view, self._scene.controls
        if view and view.own_fist_due and controls.cover_keys:
            hand = controls.blind_hand(view)
        if view and view.lacks_secret:
            self._scene.remark = absence.elsewhere_words(view)[0]
        elif hand is None:
            # Between games nobody has a fist.
            is_between = view is not None and view.phase is Phase.GATHERING
            self._scene.remark = "" if is_between else _("There is nothing in your fist yet.")
        else:
            if not frame(*self._screen.app.size).side.width:
                self._scene.page = Page.TABLE
            self._peek.press(hand)

    def hide_peek(self) -> None:
        """Stop showing the player's own hand."""
        self._peek.hide()

    def turn_page(self) -> None:
        has_side = frame(*self._screen.app.size).side.width > 0
        self._scene.page = self._scene.page.next(has_side=has_side)

    def practise(self) -> None:
        if (view := self._scene.view) is not None:
            self._screen.spoof.practise(self._screen, view)

    def explain(self) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import WhyDialog
        from spoof_tui.ui.table.dialogs.signs import signs_on_show

        self._lay(WhyDialog(self._scene, signs_on_show, self.show_rules))

    def show_rounds(self) -> None:
        from spoof_tui.ui.table.dialogs.rounds import RoundsDialog

        self._lay(RoundsDialog(self._scene, self._screen.watch_again))

    def send_postcard(self, lines: Sequence[str]) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import postcard_dialog

        self._screen.app.copy_to_clipboard("\n".join(lines))
        self._screen.app.push_screen(postcard_dialog(lines))

    def ask_the_coach(self, hand: int) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import CoachDialog

        self._lay(CoachDialog(self._scene, hand))

    def show_rules(self) -> None:
        from spoof_tui.ui.rulebook import RulebookScreen

        view = self._scene.view
        self._screen.app.push_screen(RulebookScreen(view.rules if view else None))

    def show_slate(self, rest: str) -> None:
        from spoof_tui.ui.table.dialogs.slate import SlateDialog

        self._lay(SlateDialog(self._scene, self.client))

    def invite(self) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import InvitationDialog

        self._lay(InvitationDialog(self._scene, partial(table.do, self, table.DOOR)))

    def clear_strangers(self, strangers: Sequence[bytes], rest: str) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import strangers_dialog

        if (view := self._scene.view) is not None:
            self._screen.app.push_screen(strangers_dialog(view, strangers), self._clear)

    def _clear(self, strangers: tuple[bytes, ...] | None) -> None:
        if strangers is not None and self._screen.client:
            self._screen.client.clear(strangers)

    def moderate(self, rest: str) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import MeasuresDialog

        if self._scene.view is not None:
            dialog = MeasuresDialog(self._scene, self._scene.view, self.client.known.is_host)
            self._open_dialog = dialog
            self._screen.app.push_screen(dialog, self._decide)

    def _decide(self, decision: MeasureChoice | None) -> None:
        client = self._screen.client
        if decision is not None and client is not None:
            table.decide(client, decision.proposal, yes=decision.yes)

    def open_menu(self) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import menu_dialog

        self._screen.app.push_screen(
            menu_dialog(table.menu(self._scene), self._scene), self._chosen
        )

    def _chosen(self, act: table.TableAct | None) -> None:
        """Do the act chosen in the menu without asking again; None does nothing."""
        if act is not None and self._screen.client is not None:
            self._is_chosen = True
            table.do(self, act)
            self._is_chosen = False
            self._screen.redraw()

    def examine(self) -> None:
        self._screen.spoof.action_examine()

    def choose_options(self) -> None:
        self._screen.spoof.choose_options()

    def help(self) -> None:
        self._screen.show_help()

    def leave(self) -> None:
        scene, view = self._scene, self._scene.view
        hosts = scene.known.is_host and not scene.is_practice
        is_missed = view is not None and leaving.is_missed(view, hosts=hosts)
        if view is not None and is_missed:
            from spoof_tui.ui.table.dialogs.dialogs import LeaveDialog

            dialog = LeaveDialog(scene, view, self._screen.read_clock)
            self._open_dialog = dialog
            self._screen.app.push_screen(dialog, self._part)
            return
        self._screen.spoof.leave_table()

    def _part(self, parting: Parting | None) -> None:
        if parting is not None:
            self._screen.spoof.leave_table(parting.heir)

    def _lay(self, reading: Reading | SlateDialog) -> None:
        self._open_dialog = reading
        self._screen.app.push_screen(reading)
