"""The table screen: shows the scene, turns keys into commands for the player's seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen

from protocol.errors import Illegal, Reason
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Measure, Vote
from spoof_tui.clock import now
from spoof_tui.runtime.notices import CodeAsked, ViewChanged
from spoof_tui.runtime.session import talk
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.actions import Actions, actions
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.messages import Failed, Noticed
from spoof_tui.ui.table import leaving
from spoof_tui.ui.table.controls import Act, Action, Forbidden, PutIn, SayWord
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.noticing import forbidden, noted
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.timing import Peek, Reveal, Ticking
from spoof_tui.ui.wording import absence
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.moderation import Proposal

if TYPE_CHECKING:
    from protocol.views import TableView
    from protocol.wire.messages import Farewell
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.ui.dialogs.reading import Reading
    from spoof_tui.ui.table.leave_dialog import LeaveDialog
    from spoof_tui.ui.table.leaving import Parting
    from spoof_tui.ui.table.measures_dialog import Decision, MeasuresDialog
    from spoof_tui.ui.table.slate_dialog import SlateDialog
    from spoof_tui.ui.wording.acts import KeyAct

ANSWER_DELAY: Final = 0.1
"""How long the answer to a move may take before the screen is drawn without it."""

MAX_LINE: Final = 120
"""Characters of one line of talk."""

NAME_CELLS: Final = 30
"""Cells of the table's name over a dialog."""

_NEED_A_SEAT: Final = frozenset({Act.TALK, Act.SHOUT, Act.PAUSE, Act.PLAY_ON, Act.MEASURE})


class TableScreen(Screen[None]):
    """One table, from the player's seat."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene()
        self._peek = Peek(self)
        self._reveal = Reveal(self)
        self._ticking = Ticking(self)
        self._laid: Reading | SlateDialog | MeasuresDialog | LeaveDialog | None = None
        self._tried = ""
        """The join code that was typed last."""

    @property
    def actions(self) -> Actions:
        """What may be asked of the app."""
        return actions(self.app)

    @property
    def client(self) -> TableClient | None:
        """This player's seat; None once it is given up."""
        return self.actions.client

    def compose(self) -> ComposeResult:
        """All of the table on one stage."""
        yield Stage(partial(table_parts, self.scene))

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here, for the command palette."""
        from spoof_tui.ui.wording.acts import table_acts

        return table_acts()

    def on_mount(self) -> None:
        self.scene.controls.confirm_endings = self.actions.settings.confirm_endings

    def redraw(self) -> None:
        """Draw what changed."""
        self._read_clock()
        self._ticking.follow()
        self.query_one(Stage).redraw()
        if self._laid and self._laid.is_current:
            self._laid.present()

    def _read_clock(self) -> None:
        """Take down what changes on its own: the time, and what the client knows."""
        scene, client = self.scene, self.client
        scene.wall = now().wall
        if client:
            scene.hosts, scene.heirs = client.is_host, client.heirs
            scene.found_at = client.address.text if client.address else "?"
            scene.tried = tuple(address.text for address in client.tried) if scene.is_stale else ()

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        self.scene.remark = message.sentence
        self.redraw()

    @on(Noticed)
    def _noticed(self, message: Noticed) -> None:
        notice = message.notice
        if isinstance(notice, ViewChanged):
            if notice.view == self.scene.view:
                return
            self._look(notice.view)
        elif isinstance(notice, CodeAsked):
            self._ask_code(notice.why)
        else:
            self._read_clock()
            noted(notice, self.scene)
        self.redraw()

    def _ask_code(self, why: Farewell) -> None:
        from spoof_tui.ui.table.join_code import CodeDialog

        client = self.client
        name = show(client.card.name, NAME_CELLS) if client and client.card else ""
        self.scene.remark = _("The table asks for a join code.")
        self.app.push_screen(CodeDialog(name, why, self._tried), self._use_code)

    def _use_code(self, code: str | None) -> None:
        if code is None:
            self.actions.leave_table()
        elif self.client:
            self._tried = code
            self.scene.remark = _("Asking the host whether that is the code …")
            self.client.use_code(code)
            self.redraw()

    def _look(self, view: TableView) -> None:
        self._read_clock()
        before = self.scene.view
        if before is None or view.position != before.position:
            self.scene.remark = ""
        if self.scene.look(view):
            # What a hand was may be looked at as long as its round lasts.
            self._peek.hide()
            self._reveal.begin(at_once=self.app.animation_level == "none")

    def on_key(self, event: events.Key) -> None:
        """Every key of the table."""
        event.stop()
        scene = self.scene
        if scene.talking is not None:
            self._type(event)
        elif scene.view is None or scene.over:
            if latin(event.key) in ("q", "escape", "enter"):
                self.actions.leave_table()
        else:
            self._read_clock()
            scene.remark = ""
            scene.put_away_news()
            action = scene.controls.press(event.key, scene.view)
            if action is not None:
                self._act(action)
            if isinstance(action, PutIn | SayWord):
                # To draw now would only hold up the move, and what it changes is drawn then.
                self.set_timer(ANSWER_DELAY, self.redraw)
                return
        if self.is_current:
            self.redraw()

    def _act(self, action: Action) -> None:
        client = self.client
        if client is None:
            return
        if isinstance(action, Forbidden):
            self.scene.remark = forbidden(action.error, self.scene)
        elif isinstance(action, PutIn):
            client.choose(action.coins)
        elif isinstance(action, SayWord):
            client.speak(action.word, action.direction)
        elif action in _NEED_A_SEAT and not (self.scene.view and measures.sits(self.scene.view)):
            self.scene.remark = forbidden(Illegal(Reason.NO_SEAT), self.scene)
        else:
            _ON_ACT[action](self, client)

    def _ready(self, client: TableClient) -> None:
        """Get ready, or ask for a seat first."""
        view = self.scene.view
        if view is None or measures.sits(view):
            client.ready()
        else:
            client.sit()

    def _begin_to_talk(self, _client: TableClient) -> None:
        self.scene.talking = ""

    def _shout(self, client: TableClient) -> None:
        client.state(Gesticulate(Gesture.MITT_FULL))

    def _add_bot(self, client: TableClient) -> None:
        if client.is_host:
            client.add_bot()
        else:
            self.scene.remark = _("Only the host can add a bot.")

    def _pause(self, client: TableClient) -> None:
        """Pause, or go on: at once as host, else by a vote (G5)."""
        view = self.scene.view
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
        view = self.scene.view
        if view is None:
            return
        votes = absence.next_votes(view, self.scene.now)
        if not votes:
            self.scene.remark = absence.too_soon(view, self.scene.now)
        for vote in votes:
            client.state(vote)

    def _leave(self, _client: TableClient) -> None:
        """Leave, after having asked once if the others would miss this player."""
        view = self.scene.view
        if view is None or not leaving.is_missed(view, hosts=self.scene.hosts):
            self.actions.leave_table()
            return
        from spoof_tui.ui.table.leave_dialog import LeaveDialog

        dialog = LeaveDialog(self.scene, view)
        self._laid = dialog
        self.app.push_screen(dialog, self._part)

    def _part(self, parting: Parting | None) -> None:
        if parting is not None:
            self.actions.leave_table(parting.heir)

    def _renew_code(self, client: TableClient) -> None:
        if self.scene.code is not None:
            client.renew_code()
        else:
            self.scene.remark = _("This table has no code to change.")

    def _open_measures(self, client: TableClient) -> None:
        from spoof_tui.ui.table.measures_dialog import MeasuresDialog

        if self.scene.view is not None:
            dialog = MeasuresDialog(self.scene, self.scene.view, client.is_host)
            self._laid = dialog
            self.app.push_screen(dialog, self._decide)

    def _decide(self, decision: Decision | None) -> None:
        client = self.client
        if decision is None or client is None:
            return
        measure, key = decision.proposal.measure, decision.proposal.seat
        if client.is_host and measure is not Measure.PLAY_ON:
            client.decide(measure, key)
        else:
            client.state(Vote(measure, key, yes=decision.yes))

    def _help(self, _client: TableClient) -> None:
        from spoof_tui.ui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog())

    def _open_rules(self, _client: TableClient) -> None:
        from spoof_tui.ui.rulebook.screen import RulebookScreen

        view = self.scene.view
        self.app.push_screen(RulebookScreen(view.rules if view else None))

    def _explain(self, _client: TableClient) -> None:
        from spoof_tui.ui.table.why_dialog import WhyDialog

        self._lay(WhyDialog(self.scene))

    def _lay(self, reading: Reading | SlateDialog) -> None:
        self._laid = reading
        self.app.push_screen(reading)

    def _open_slate(self, client: TableClient) -> None:
        from spoof_tui.ui.table.slate_dialog import SlateDialog

        if self.scene.view is not None and self.scene.view.is_guessing:
            self._lay(SlateDialog(self.scene, client))
        else:
            self.scene.remark = forbidden(Illegal(Reason.GUESSING_ONLY), self.scene)

    def _look_into_fist(self, client: TableClient) -> None:
        hand = client.peek()
        if hand is None:
            self.scene.remark = _("There is nothing in your fist yet.")
        else:
            self._peek.show(hand)

    def _type(self, event: events.Key) -> None:
        typed = self.scene.talking or ""
        if event.key == "escape":
            self.scene.talking = None
        elif event.key == "enter":
            self.scene.talking = None
            said = talk(typed.strip())
            if said and self.client:
                self.client.state(said)
        elif event.key == "backspace":
            self.scene.talking = typed[:-1]
        elif event.character and event.character.isprintable():
            self.scene.talking = (typed + event.character)[:MAX_LINE]

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted into a line of talk, without its line ends."""
        if self.scene.talking is not None:
            typed = self.scene.talking + " ".join(event.text.split())
            self.scene.talking = "".join(filter(str.isprintable, typed))[:MAX_LINE]
            self.redraw()


_ON_ACT: Final[Mapping[Act, Callable[[TableScreen, TableClient], None]]] = {
    Act.READY: TableScreen._ready,
    Act.TALK: TableScreen._begin_to_talk,
    Act.SHOUT: TableScreen._shout,
    Act.PEEK: TableScreen._look_into_fist,
    Act.ADD_BOT: TableScreen._add_bot,
    Act.MEASURE: TableScreen._open_measures,
    Act.PAUSE: TableScreen._pause,
    Act.PLAY_ON: TableScreen._play_on,
    Act.NEW_CODE: TableScreen._renew_code,
    Act.RULES: TableScreen._open_rules,
    Act.WHY: TableScreen._explain,
    Act.SLATE: TableScreen._open_slate,
    Act.HELP: TableScreen._help,
    Act.LEAVE: TableScreen._leave,
}
