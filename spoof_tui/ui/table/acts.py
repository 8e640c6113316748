"""What the keys of the table do: what the player says, asks, opens or leaves by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from textual.app import App

from protocol.errors import Illegal, Reason
from protocol.table.statements import NO_ONE, VOTED, Gesticulate, Gesture, Measure, Vote
from spoof_tui.text.i18n import _
from spoof_tui.ui.actions import Actions
from spoof_tui.ui.table import leaving
from spoof_tui.ui.table.controls import Act, Action, Forbidden, PutIn, SayWord
from spoof_tui.ui.table.framed import frame
from spoof_tui.ui.table.noticing import forbidden
from spoof_tui.ui.table.timing import Peek, TimedScreen
from spoof_tui.ui.table.wheel import Wheel
from spoof_tui.ui.wording import absence, new_table
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.moderation import Proposal

if TYPE_CHECKING:
    from protocol.views import TableView
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.ui.dialogs.reading import Reading
    from spoof_tui.ui.table.leave_dialog import LeaveDialog
    from spoof_tui.ui.table.leaving import Parting
    from spoof_tui.ui.table.measures_dialog import Decision, MeasuresDialog
    from spoof_tui.ui.table.slate_dialog import SlateDialog
    from spoof_tui.ui.wording.acts import KeyAct

_NEED_A_SEAT: Final = frozenset(
    {Act.TALK, Act.SHOUT, Act.GESTURE, Act.PAUSE, Act.PLAY_ON, Act.MEASURE}
)


class ActingScreen(TimedScreen, Protocol):
    """The screen on which something is done."""

    @property
    def app(self) -> App[object]:
        """What opens and closes dialogs."""

    @property
    def actions(self) -> Actions:
        """What may be asked of the app."""

    @property
    def client(self) -> TableClient | None:
        """The player's seat; None once it is given up."""

    def acts(self) -> Sequence[KeyAct]:
        """What can be done now, for the help."""

    def read_clock(self) -> None:
        """Take down in the scene what changes on its own."""

    def watch_again(self, number: int) -> None:
        """Tell the count of an earlier round once more."""


class TableActs:
    """Does what a key is for."""

    def __init__(self, screen: ActingScreen) -> None:
        self._screen = screen
        self._scene = screen.scene
        self._open_dialog: Reading | SlateDialog | MeasuresDialog | LeaveDialog | None = None
        self._is_leaving = False
        """Whether a practice game is left by one more press."""
        self._is_closing = False
        """Whether the door for ssh is closed by one more press."""
        self.peek: Final = Peek(screen)

    def refresh_dialog(self) -> None:
        """Draw a dialog that lies over the table by what is known of it now."""
        if self._open_dialog and self._open_dialog in self._screen.app.screen_stack:
            self._open_dialog.present()

    def do(self, action: Action) -> None:
        """Do what a key was for; what cannot be done is said in the scene's remark."""
        client = self._screen.client
        if client is None:
            return
        self._is_leaving = self._is_leaving and action is Act.LEAVE
        self._is_closing = self._is_closing and action is Act.DOOR
        if isinstance(action, Forbidden):
            self._scene.remark = forbidden(action.error, self._scene)
        elif isinstance(action, PutIn):
            client.choose(action.coins)
        elif isinstance(action, SayWord):
            client.speak(action.word, action.direction)
        elif action in _NEED_A_SEAT and not self._may_act:
            self._scene.remark = forbidden(Illegal(Reason.NO_SEAT), self._scene)
        else:
            _ON_ACT[action](self, client)

    @property
    def _may_act(self) -> bool:
        """Whether this player has a seat, or somewhere else to go."""
        scene = self._scene
        has_seat = scene.view is not None and measures.sits(scene.view)
        return has_seat or scene.continued is not None

    def _ready(self, client: TableClient) -> None:
        """Get ready, or ask for a seat first."""
        view = self._scene.view
        if view is not None and view.went_along:
            client.stay_behind()
        elif view is None or measures.sits(view):
            client.ready()
        else:
            client.sit()

    def _begin_to_talk(self, _client: TableClient) -> None:
        self._scene.talking = ""

    def _shout(self, client: TableClient) -> None:
        client.state(Gesticulate(Gesture.MITT_FULL))

    def _open_wheel(self, _client: TableClient) -> None:
        view = self._scene.view
        if view is not None:
            self._scene.wheel = Wheel.open(view, self._scene.last_gesture)

    def turn_wheel(self, key: str) -> None:
        """Do what a key means on the open wheel."""
        scene, client = self._scene, self._screen.client
        if scene.wheel is None or scene.view is None:
            return
        turned = scene.wheel.press(key, scene.view)
        scene.wheel = turned if isinstance(turned, Wheel) else None
        if isinstance(turned, Gesture) and client is not None:
            scene.last_gesture = turned
            client.state(Gesticulate(turned))

    def _add_bot(self, client: TableClient) -> None:
        if client.is_host:
            client.add_bot()
        else:
            self._scene.remark = _("Only the host can add a bot.")

    def _pause(self, client: TableClient) -> None:
        """Pause, or go on: at once as host, else by a vote (G5)."""
        view = self._scene.view
        if view is None:
            return
        measure = Measure.GO_ON if view.paused else Measure.PAUSE
        if client.is_host:
            client.decide(measure, NO_ONE)
        else:
            client.state(
                Vote(measure, NO_ONE, yes=not measures.has_voted(Proposal(measure, NO_ONE), view))
            )

    def _play_on(self, client: TableClient) -> None:
        """Vote to play on without all who are away and due, or take those votes back (G3)."""
        view = self._scene.view
        if view is None:
            return
        if self._scene.continued is not None or view.new_table is not None:
            self._go_along(client, view)
            return
        votes = absence.next_votes(view, self._scene.now)
        if not votes:
            self._scene.remark = absence.too_soon(view, self._scene.now)
        for vote in votes:
            client.state(vote)

    def _go_along(self, client: TableClient, view: TableView) -> None:
        """Go to the new table, or agree to it, or take that back (G8)."""
        if self._scene.continued is not None:
            client.follow()
        elif new_table.is_asked(view):
            client.agree(yes=not new_table.has_agreed(view))
        else:
            self._scene.remark = new_table.too_soon(view)

    def ask_to_leave(self, _client: TableClient) -> None:
        """Leave, after having asked once if the others would miss this player."""
        scene, view = self._scene, self._scene.view
        is_missed = view is not None and leaving.is_missed(view, hosts=scene.hosts)
        if scene.is_practice and view and leaving.is_missed(view, hosts=False):
            self._is_leaving = not self._is_leaving
            if self._is_leaving:
                scene.remark = _("Press q again to give this game up.")
                return
        if view is None or scene.is_practice or not is_missed:
            self._screen.actions.leave_table()
            return
        from spoof_tui.ui.table.leave_dialog import LeaveDialog

        dialog = LeaveDialog(self._scene, view, self._screen.read_clock)
        self._open_dialog = dialog
        self._screen.app.push_screen(dialog, self._part)

    def _part(self, parting: Parting | None) -> None:
        if parting is not None:
            self._screen.actions.leave_table(parting.heir)

    def _renew_code(self, client: TableClient) -> None:
        if self._scene.code is not None:
            client.renew_code()
        elif (was_shut := client.is_shut) is not None:
            client.shut()
            self._scene.remark = (
                _("The table is open to everybody again.")
                if was_shut
                else _("The table is locked: only who sat here before can come in. n opens it.")
            )
        else:
            self._scene.remark = _("This table has no code to change.")

    def _clear_strangers(self, client: TableClient) -> None:
        """Ask whether to ban everybody who has never played at the own open table."""
        from spoof_tui.ui.table.strangers_dialog import StrangersDialog

        view, strangers = self._scene.view, client.known.strangers
        if view is not None and strangers:
            self._screen.app.push_screen(StrangersDialog(view, strangers), self._clear)
        else:
            self._scene.remark = _("No stranger sits at an open table of yours.")

    def _clear(self, strangers: tuple[bytes, ...] | None) -> None:
        if strangers is not None and self._screen.client:
            self._screen.client.clear(strangers)

    def _open_measures(self, client: TableClient) -> None:
        from spoof_tui.ui.table.measures_dialog import MeasuresDialog

        if self._scene.view is not None:
            dialog = MeasuresDialog(self._scene, self._scene.view, client.is_host)
            self._open_dialog = dialog
            self._screen.app.push_screen(dialog, self._decide)

    def _decide(self, decision: Decision | None) -> None:
        client = self._screen.client
        if decision is None or client is None:
            return
        measure, key = decision.proposal.measure, decision.proposal.seat
        if client.is_host and measure not in VOTED:
            client.decide(measure, key)
        else:
            client.state(Vote(measure, key, yes=decision.yes))

    def _help(self, _client: TableClient) -> None:
        from spoof_tui.ui.dialogs.help import HelpDialog

        self._screen.app.push_screen(HelpDialog(self._screen.acts()))

    def _invite(self, _client: TableClient) -> None:
        """Show the line that leads others to the own table."""
        scene = self._screen.scene
        if not scene.address:
            scene.remark = _("Only the host can invite: the address and the code are theirs.")
            return
        from spoof_tui.ui.table.invitation_dialog import InvitationDialog

        self._lay(InvitationDialog(scene))

    def _turn_door(self, client: TableClient) -> None:
        """Open a door for ssh, or close it, after having asked once."""
        scene = self._scene
        if not scene.may_add_bots:
            scene.remark = _("Only the host can let people in by ssh.")
        elif scene.door is None:
            scene.remark = _("Opening a door for ssh …")
            client.turn_door(is_open=True)
        elif self._is_closing:
            self._is_closing = False
            client.turn_door(is_open=False)
        else:
            self._is_closing = True
            scene.remark = _("Who came by ssh would have to go. Press a again to close the door.")

    def _examine(self, _client: TableClient) -> None:
        """Look into the network."""
        self._screen.actions.action_examine()

    def _open_rules(self, _client: TableClient) -> None:
        from spoof_tui.ui.rulebook.screen import RulebookScreen

        view = self._scene.view
        self._screen.app.push_screen(RulebookScreen(view.rules if view else None))

    def _explain(self, _client: TableClient) -> None:
        from spoof_tui.ui.table.why_dialog import WhyDialog

        self._lay(WhyDialog(self._scene))

    def _lay(self, reading: Reading | SlateDialog) -> None:
        self._open_dialog = reading
        self._screen.app.push_screen(reading)

    def _open_rounds(self, _client: TableClient) -> None:
        from spoof_tui.ui.table.rounds_dialog import RoundsDialog

        self._lay(RoundsDialog(self._scene, self._screen.watch_again))

    def _turn_page(self, _client: TableClient) -> None:
        has_side = frame(*self._screen.app.size).side.width > 0
        self._scene.page = self._scene.page.next(has_side=has_side)

    def _open_slate(self, client: TableClient) -> None:
        from spoof_tui.ui.table.slate_dialog import SlateDialog

        view = self._scene.view
        if view is not None and (view.has_slate or view.counts_rounds):
            self._lay(SlateDialog(self._scene, client))
        else:
            self._scene.remark = forbidden(Illegal(Reason.GUESSING_ONLY), self._scene)

    def _ask_the_coach(self, client: TableClient) -> None:
        from spoof_tui.ui.table.coach_dialog import CoachDialog

        view, hand = self._scene.view, client.peek()
        if not self._scene.is_practice:
            self._scene.remark = _("The coach sits at practice tables only.")
        elif view is None or not view.my_turn or view.is_guessing or hand is None:
            self._scene.remark = _("The coach speaks when it is your turn to bid.")
        else:
            self._lay(CoachDialog(self._scene, hand))

    def _choose_options(self, _client: TableClient) -> None:
        self._screen.actions.choose_options()

    def _look_into_fist(self, client: TableClient) -> None:
        hand, view, controls = client.peek(), self._scene.view, self._scene.controls
        if view and view.own_fist_due and controls.cover_keys:
            hand = controls.blind_hand(view)
        if hand is None:
            self._scene.remark = _("There is nothing in your fist yet.")
        else:
            self.peek.press(hand)


_ON_ACT: Final[Mapping[Act, Callable[[TableActs, TableClient], None]]] = {
    Act.READY: TableActs._ready,
    Act.TALK: TableActs._begin_to_talk,
    Act.SHOUT: TableActs._shout,
    Act.GESTURE: TableActs._open_wheel,
    Act.PEEK: TableActs._look_into_fist,
    Act.ADD_BOT: TableActs._add_bot,
    Act.MEASURE: TableActs._open_measures,
    Act.PAUSE: TableActs._pause,
    Act.PLAY_ON: TableActs._play_on,
    Act.NEW_CODE: TableActs._renew_code,
    Act.CLEAR: TableActs._clear_strangers,
    Act.RULES: TableActs._open_rules,
    Act.WHY: TableActs._explain,
    Act.SLATE: TableActs._open_slate,
    Act.COACH: TableActs._ask_the_coach,
    Act.OPTIONS: TableActs._choose_options,
    Act.ROUNDS: TableActs._open_rounds,
    Act.PAGE: TableActs._turn_page,
    Act.INVITE: TableActs._invite,
    Act.DOOR: TableActs._turn_door,
    Act.EXAMINE: TableActs._examine,
    Act.HELP: TableActs._help,
    Act.LEAVE: TableActs.ask_to_leave,
}
