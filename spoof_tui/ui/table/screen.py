"""The table screen: shows the scene, turns keys into commands for the chair."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer

from protocol.errors import Illegal, Reason
from protocol.table.statements import NO_ONE, Gesticulate, Gesture, Measure, Vote
from spoof_tui.clock import now
from spoof_tui.runtime.client import CannotOpen, KeyInUse, NewCode, Opened, OpenElsewhere
from spoof_tui.runtime.failover import Moved, Standing
from spoof_tui.runtime.session import (
    Broken,
    CodeAsked,
    Ended,
    HandedTo,
    NotAllowed,
    NotSaved,
    Saved,
    TurnedAway,
    ViewChanged,
    WhileAway,
    talk,
)
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas.cells import faded
from spoof_tui.ui.canvas.palette import STALE
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.messages import Failed, Noticed
from spoof_tui.ui.table import leaving as parting
from spoof_tui.ui.table.controls import Act, Action, Forbidden, PutIn, SayWord
from spoof_tui.ui.table.panel import draw_panel
from spoof_tui.ui.table.ring import draw_ring
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seats import pictures
from spoof_tui.ui.table.side import draw_bar, draw_side
from spoof_tui.ui.wording import absence, sentences
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.catch_up import missed
from spoof_tui.ui.wording.moderation import Matter
from spoof_tui.ui.wording.names import name_of

if TYPE_CHECKING:
    from protocol.views import TableView
    from protocol.wire.messages import Farewell
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.ui.app import SpoofApp
    from spoof_tui.ui.canvas.overlay import Reading
    from spoof_tui.ui.table.leave_dialog import LeaveDialog
    from spoof_tui.ui.table.leaving import Parting
    from spoof_tui.ui.table.measures_dialog import Deed, MeasuresDialog

PEEK_TIMEOUT: Final = 1.5
"""How long the own hand is shown."""

REVEAL_INTERVAL: Final = 0.45
"""Pause between two fists that open."""

LINGER_DELAY: Final = 3.0
"""How long a counted round stays on show although the next one is spoken already."""

TICK_INTERVAL: Final = 1.0
"""Between two paintings of what changes by the time alone."""

ANSWER_DELAY: Final = 0.1
"""How long the answer to a move may take before the screen is drawn without it."""

MAX_LINE: Final = 120
"""Characters of one line of talk."""

NAME_CELLS: Final = 30
"""Cells of the table's name over a dialog."""

_READINGS: Final = frozenset({Act.HELP, Act.RULES, Act.WHY, Act.SLATE})
"""Acts that lay something over the table."""

_VOICES: Final = frozenset({Act.TALK, Act.SHOUT, Act.PAUSE, Act.PLAY_ON})
"""Acts of those who have a seat."""

Draw = Callable[[Scene, int, int], list[Strip]]


class Drawn(Canvas):
    """A part of the screen, drawn from the scene."""

    def __init__(self, scene: Scene, draw: Draw, id: str) -> None:
        super().__init__(id=id)
        self._scene = scene
        self._draw = draw

    def draw(self, width: int, height: int) -> list[Strip]:
        """The part as it looks now."""
        return self._draw(self._scene, width, height)


def _ring(scene: Scene, width: int, height: int) -> list[Strip]:
    view = scene.view
    seats = pictures(view, scene.names, scene.showing, scene.peek, scene.now) if view else ()
    lines = draw_ring(seats, view.me if view else None, scene.centre(), width, height)
    return faded(lines, STALE) if scene.is_stale else lines


def _side(scene: Scene, width: int, height: int) -> list[Strip]:
    lines = draw_side(scene, width, height)
    return faded(lines, STALE) if scene.is_stale else lines


class TableScreen(Screen[None]):
    """One table, from the player's chair."""

    CSS = """
    #bar { height: 1; }
    #middle { height: 1fr; }
    #ring { width: 1fr; margin: 0 0 0 1; }
    #side { width: 30%; min-width: 20; max-width: 40; }
    #panel { height: 8; }
    TableScreen.-narrow #side { display: none; }
    TableScreen.-short #panel { height: 6; }
    """

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (74, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (23, "-tall")]

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene()
        self._peeking: Timer | None = None
        self._revealing: Timer | None = None
        self._ticking: Timer | None = None
        self._laid: Reading | MeasuresDialog | LeaveDialog | None = None
        self._tried = ""
        self._took_over = False
        """Whether the table has moved to this program."""

    @property
    def spoof(self) -> SpoofApp:
        """The app."""
        return cast("SpoofApp", self.app)

    def compose(self) -> ComposeResult:
        """The bar, the table with the column beside it, and the panel."""
        yield Drawn(self.scene, draw_bar, "bar")
        with Horizontal(id="middle"):
            yield Drawn(self.scene, _ring, "ring")
            yield Drawn(self.scene, _side, "side")
        yield Drawn(self.scene, draw_panel, "panel")

    def on_mount(self) -> None:
        self.scene.controls.confirm_endings = self.spoof.settings.confirm_endings

    def redraw(self) -> None:
        """Draw all parts; only what changed is painted."""
        self._read_clock()
        self._tick_if_due()
        for part in self.query(Drawn):
            part.redraw()
        if self._laid and self._laid.is_current:
            self._laid.present()

    def _read_clock(self) -> None:
        """Take down what changes by itself: the time, and what the chair knows."""
        scene, client = self.scene, self.spoof.client
        scene.wall = now().wall
        if client:
            scene.hosts, scene.heirs = client.is_host, client.heirs
            scene.tried = tuple(address.text for address in client.tried) if scene.is_stale else ()

    def _tick_if_due(self) -> None:
        """Draw once a second while something changes by the time alone, and never else."""
        if not self.scene.is_ticking:
            if self._ticking:
                self._ticking.stop()
                self._ticking = None
        elif self._ticking is None:
            self._ticking = self.set_interval(TICK_INTERVAL, self.redraw)

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
        elif isinstance(notice, NotAllowed):
            self.scene.remark = self._forbidden(notice.error)
        elif isinstance(notice, Saved):
            self.scene.record = _short(notice.record)
        elif isinstance(notice, NotSaved):
            why = notice.error.strerror or str(notice.error)
            self.scene.remark = _("Not saved on this machine: {why}.").format(why=why)
        elif isinstance(notice, Opened):
            self._opened(notice)
        elif isinstance(notice, NewCode):
            self.scene.code = notice.code
            self.scene.code_news = sentences.code_renewed(notice.why, notice.code)
            self.scene.remark = self.scene.code_news
        elif isinstance(notice, CodeAsked):
            self._ask_code(notice.why)
        elif isinstance(notice, WhileAway | HandedTo | Standing | OpenElsewhere):
            self._tell(notice)
        elif isinstance(notice, Moved):
            self._moved(notice)
        elif isinstance(notice, TurnedAway):
            self.scene.turned_away = sentences.turned_away(notice.why, self._address)
        elif isinstance(notice, Ended):
            self.scene.over = sentences.farewell(notice.why)
        elif isinstance(notice, Broken):
            self.scene.over = self._broken(notice)
        elif isinstance(notice, CannotOpen):
            in_use = isinstance(notice.error, KeyInUse)
            why = sentences.key_in_use() if in_use else sentences.cannot_open(notice.error)
            self.scene.over = why
        self.redraw()

    def _tell(self, notice: WhileAway | HandedTo | Standing | OpenElsewhere) -> None:
        """Something happened to the table or to this player's place at it."""
        view = self.scene.view
        if isinstance(notice, Standing):
            self.scene.is_standing = True
        elif isinstance(notice, OpenElsewhere):
            self.scene.may_add_bots = False
            host = show(notice.host, NAME_CELLS)
            text = _("{name} hosts the table meanwhile: you come back to it as a player.")
            self.scene.tell(_("The table has moved"), text.format(name=host))
        elif view is None:
            return
        elif isinstance(notice, HandedTo):
            self._tell_heir(view, notice.seat)
        elif lines := missed(notice.entries, view):
            self.scene.tell(_("While you were away"), *lines)

    def _tell_heir(self, view: TableView, seat: bytes) -> None:
        if seat == view.host:
            # It only wants to be chosen anew.
            return
        name = name_of(view, seat)
        text = _("The host gives the table to {name}.").format(name=name)
        if view.my_seat is not None and view.my_seat.key == seat:
            text = _("The host gives the table to you.")
        self.scene.tell(_("The table moves"), text)

    def _moved(self, notice: Moved) -> None:
        """What a table tells of itself belongs to its host's screen alone."""
        self.scene.is_standing = False
        self._took_over = notice.me
        if not notice.me:
            self.scene.code, self.scene.code_news, self.scene.address = None, "", ""
            self.scene.may_add_bots, self.scene.trouble = False, None

    def _forbidden(self, error: Illegal) -> str:
        view = self.scene.view
        return sentences.forbidden(error, self.scene.names, view.rules if view else None)

    def _broken(self, notice: Broken) -> str:
        view = self.scene.view
        why = str(notice.error)
        if notice.fault is not None:
            rules = view.rules if view else None
            why = sentences.fault(notice.fault, self.scene.names, rules)
        path = _short(notice.evidence) if notice.evidence else None
        return sentences.broken(why, str(path) if path else None)

    def _opened(self, notice: Opened) -> None:
        self.scene.hosts = True
        self.scene.may_add_bots = True
        self.scene.trouble = notice.trouble
        self.scene.code = notice.code
        if self._took_over and notice.code:
            text = _("Whoever comes is asked once for the code: tell them {code}.")
            self.scene.tell(_("The table has moved"), text.format(code=notice.code))
        if notice.port is not None:
            self.scene.address = f"{_own_address()}:{notice.port}"

    @property
    def _address(self) -> str:
        """Where the table was found."""
        client = self.spoof.client
        return client.address.text if client and client.address else "?"

    def _ask_code(self, why: Farewell) -> None:
        from spoof_tui.ui.table.join_code import CodeDialog

        client = self.spoof.client
        name = show(client.card.name, NAME_CELLS) if client and client.card else ""
        self.scene.remark = _("The table asks for its join code.")
        self.app.push_screen(CodeDialog(name, why, self._tried), self._use_code)

    def _use_code(self, code: str | None) -> None:
        if code is None:
            self.spoof.leave_table()
        elif self.spoof.client:
            self._tried = code
            self.scene.remark = _("Asking the host whether that is the code …")
            self.spoof.client.use_code(code)
            self.redraw()

    def _look(self, view: TableView) -> None:
        self._read_clock()
        before = self.scene.view
        if before is None or view.position != before.position:
            self.scene.remark = ""
        if self.scene.look(view):
            self._hide()
            self._start_reveal()

    def _start_reveal(self) -> None:
        if self._revealing:
            self._revealing.stop()
        if self.app.animation_level == "none":
            self.scene.open_all()
            self._stop_reveal()
            return
        self._revealing = self.set_interval(REVEAL_INTERVAL, self._reveal_next)

    def _reveal_next(self) -> None:
        self.scene.open_next()
        if self.scene.opened is None or self.scene.is_counted:
            self._stop_reveal()
        self.redraw()

    def _stop_reveal(self) -> None:
        if self._revealing:
            self._revealing.stop()
        self._revealing = self.set_timer(LINGER_DELAY, self._settle)

    def _settle(self) -> None:
        self.scene.settle()
        self.redraw()

    def on_key(self, event: events.Key) -> None:
        """Every key of the table."""
        event.stop()
        scene = self.scene
        if scene.talking is not None:
            self._type(event)
        elif scene.view is None or scene.over:
            if latin(event.key) in ("q", "escape", "enter"):
                self.spoof.leave_table()
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
        client = self.spoof.client
        if client is None:
            return
        if isinstance(action, Forbidden):
            self.scene.remark = self._forbidden(action.error)
        elif isinstance(action, PutIn):
            client.choose(action.coins)
        elif isinstance(action, SayWord):
            client.speak(action.word, action.direction)
        elif action is Act.READY:
            self._ready(client)
        elif action in _VOICES and not self._has_seat():
            self.scene.remark = self._forbidden(Illegal(Reason.NO_SEAT))
        elif action is Act.TALK:
            self.scene.talking = ""
        elif action is Act.SHOUT:
            client.state(Gesticulate(Gesture.MITT_FULL))
        elif action is Act.PEEK:
            self._peek()
        elif action is Act.ADD_BOT:
            self._add_bot()
        elif action is Act.MEASURE:
            self._open_measures()
        elif action is Act.PAUSE:
            self._pause(client)
        elif action is Act.PLAY_ON:
            self._play_on(client)
        elif action is Act.NEW_CODE:
            self._renew_code()
        elif action in _READINGS:
            self._read(action)
        else:
            self._leave()

    def _ready(self, client: TableClient) -> None:
        """Get ready, or ask for a seat first."""
        view = self.scene.view
        if view is None or measures.sits(view):
            client.ready()
        else:
            client.sit()

    def _add_bot(self) -> None:
        client = self.spoof.client
        if client and client.is_host:
            client.add_bot()
        else:
            self.scene.remark = _("Only the one who hosts the table can add a bot.")

    def _has_seat(self) -> bool:
        return self.scene.view is not None and measures.sits(self.scene.view)

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
                Vote(measure, NO_ONE, yes=not measures.has_voted(Matter(measure, NO_ONE), view))
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

    def _leave(self) -> None:
        """Leave, after having asked once if the others would miss this player."""
        view = self.scene.view
        if view is None or not parting.is_missed(view, hosts=self.scene.hosts):
            self.spoof.leave_table()
            return
        from spoof_tui.ui.table.leave_dialog import LeaveDialog

        dialog = LeaveDialog(self.scene, view)
        self._laid = dialog
        self.app.push_screen(dialog, self._part)

    def _part(self, parting: Parting | None) -> None:
        if parting is not None:
            self.spoof.leave_table(parting.heir)

    def _renew_code(self) -> None:
        if self.spoof.client and self.scene.code is not None:
            self.spoof.client.renew_code()
        else:
            self.scene.remark = _("There is no code to renew here.")

    def _open_measures(self) -> None:
        from spoof_tui.ui.table.measures_dialog import MeasuresDialog

        view, client = self.scene.view, self.spoof.client
        if view is None or client is None:
            return
        if not measures.sits(view):
            self.scene.remark = self._forbidden(Illegal(Reason.NO_SEAT))
        else:
            dialog = MeasuresDialog(self.scene, view, client.is_host)
            self._laid = dialog
            self.app.push_screen(dialog, self._do)

    def _do(self, deed: Deed | None) -> None:
        client = self.spoof.client
        if deed is None or client is None:
            return
        measure, key = deed.matter.measure, deed.matter.key
        if client.is_host and measure is not Measure.PLAY_ON:
            client.decide(measure, key)
        else:
            client.state(Vote(measure, key, yes=deed.yes))

    def _read(self, action: Action) -> None:
        """Lay something to read over the table; it follows what happens below."""
        if action is Act.HELP:
            from spoof_tui.ui.canvas.help import HelpDialog

            self.app.push_screen(HelpDialog())
        elif action is Act.RULES:
            from spoof_tui.ui.rulebook.screen import RulebookScreen

            view = self.scene.view
            self.app.push_screen(RulebookScreen(view.rules if view else None))
        elif action is Act.WHY:
            from spoof_tui.ui.table.why_dialog import WhyDialog

            self._lay(WhyDialog(self.scene))
        else:
            self._open_slate()

    def _lay(self, reading: Reading) -> None:
        self._laid = reading
        self.app.push_screen(reading)

    def _open_slate(self) -> None:
        from spoof_tui.ui.table.slate_dialog import SlateDialog

        client = self.spoof.client
        if client is None:
            return
        if self.scene.view is None or not self.scene.view.is_guessing:
            self.scene.remark = self._forbidden(Illegal(Reason.GUESSING_ONLY))
            return
        self._lay(SlateDialog(self.scene, client))

    def _peek(self) -> None:
        hand = self.spoof.client.peek() if self.spoof.client else None
        if hand is None:
            self.scene.remark = _("There is nothing in your fist yet.")
            return
        self.scene.peek = hand
        if self._peeking:
            self._peeking.stop()
        self._peeking = self.set_timer(PEEK_TIMEOUT, self._end_peek)

    def _end_peek(self) -> None:
        self._hide()
        self.redraw()

    def _hide(self) -> None:
        self.scene.peek = None
        if self._peeking:
            self._peeking.stop()
            self._peeking = None

    def _type(self, event: events.Key) -> None:
        typed = self.scene.talking or ""
        if event.key == "escape":
            self.scene.talking = None
        elif event.key == "enter":
            self.scene.talking = None
            said = talk(typed.strip())
            if said and self.spoof.client:
                self.spoof.client.state(said)
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


def _short(path: Path) -> Path:
    """The path with the home directory as ~."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except ValueError:
        return path


def _own_address() -> str:
    from spoof_tui.network.addresses import own_addresses

    return next(iter(own_addresses()), "127.0.0.1")
