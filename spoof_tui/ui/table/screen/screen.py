"""The table screen: shows the scene, and turns keys into statements of the player's seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual import events, on

from protocol.guest.effects import CodeWanted
from spoof_tui.acts.act import pressed
from spoof_tui.acts.key_lists import table_keys
from spoof_tui.acts.table import PEEK, SKIP
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.notices import NotAllowed, SeatHeld, ViewChanged, WhileAway
from spoof_tui.runtime.session import talk
from spoof_tui.storage.archive import count_games
from spoof_tui.storage.settings import Bell
from spoof_tui.telling import practice
from spoof_tui.telling.notices import note
from spoof_tui.text.i18n import _
from spoof_tui.text.layouts import latin
from spoof_tui.text.safe_text import show
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.dialogs.labels import MORE
from spoof_tui.ui.keyboard import typed
from spoof_tui.ui.messages import Failed, Noticed
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.felt.ring import has_room_for_rim
from spoof_tui.ui.table.frame import frame
from spoof_tui.ui.table.panel import hints
from spoof_tui.ui.table.scene import Page
from spoof_tui.ui.table.screen.acts import TableActs
from spoof_tui.ui.table.screen.attention import Attention, needed_for
from spoof_tui.ui.table.screen.buttons import table_buttons
from spoof_tui.ui.table.screen.controls import Action, PutIn, SayWord
from spoof_tui.ui.table.screen.scene_screen import SceneScreen
from spoof_tui.ui.table.screen.timers import (
    Counting,
    Flying,
    Gesturing,
    Hesitating,
    Racing,
    Ticking,
)
from spoof_tui.ui.terminal import SAID, TerminalApp
from spoof_tui.ui.themes import play_with

if TYPE_CHECKING:
    from protocol.views import TableView
    from protocol.wire.messages import Farewell
    from spoof_tui.acts.act import KeyAct
    from spoof_tui.acts.buttons import Buttons
    from spoof_tui.plain.aloud import Aloud

ANSWER_DELAY: Final = 0.1
"""Seconds to wait for the answer to a move before the screen is drawn without it."""

MAX_LINE: Final = 120
"""The most characters of a line of talk."""

NAME_CELLS: Final = 30
"""The most cells of the table's name above a dialog."""


class TableScreen(SceneScreen):
    """The screen of one table, as seen from the player's seat."""

    def __init__(self, aloud: Aloud | None = None) -> None:
        """`aloud` puts what is shown into words for a screen reader; None if there is none."""
        super().__init__()
        self._aloud = aloud
        self._acts = TableActs(self)
        self._counting = Counting(self)
        self._ticking = Ticking(self)
        self._gesturing = Gesturing(self)
        self._flying = Flying(self)
        self._racing = Racing(self)
        self._hesitating = Hesitating(self)
        self._moment: object = None
        """The value of `needed_for` at the last redraw."""
        self._tried = ""
        """The join code that was typed last."""
        self._attention = Attention()
        self._refused: list[NotAllowed] = []
        """Refusals that came during a count and are told after it, since they may reveal its
        result."""

    def parts(self, width: int, height: int) -> list[Part]:
        """The parts of the whole screen."""
        return table_parts(self.scene, width, height)

    def acts(self) -> Sequence[KeyAct]:
        """The keys that do something now, for the command palette and the help."""
        self.read_clock()
        return tuple(table_keys(self.scene))

    @property
    def is_guessing(self) -> bool:
        """Whether the table plays the guessing game."""
        return self.scene.view is not None and self.scene.view.is_guessing

    def on_click(self, event: events.Click) -> None:
        """Press the key that belongs to what is under the mouse; elsewhere, go on if any key would
        do so."""
        event.prevent_default()
        key, pacing = self.query_one(Stage).key_at(event.x, event.y), self.scene.pacing
        waits = pacing.is_running or pacing.is_resting or self.scene.has_news
        if self.scene.talking is not None:
            # Only the keys of the line that is typed.
            waits, key = False, key if event.y == frame(*self.size).panel.rows[-1] else ""
        if key or waits:
            self.app.simulate_key(key or "escape")

    def on_mouse_scroll_up(self) -> None:
        """Raise the number to bid, or turn the wheel of gestures."""
        self._scroll("up")

    def on_mouse_scroll_down(self) -> None:
        """Lower the number to bid, or turn the wheel of gestures back."""
        self._scroll("down")

    def _scroll(self, key: str) -> None:
        """Press an arrow key, if that only changes what is being composed."""
        scene = self.scene
        pacing, view = scene.pacing, scene.view
        waits = pacing.is_running or pacing.is_behind or pacing.is_resting or scene.over
        if scene.wheel is not None:
            self._acts.turn_wheel(key)
        elif view and view.my_turn and scene.talking is None and not waits:
            scene.controls.press(key, view)
        self.redraw()

    def on_unmount(self) -> None:
        self._attention.end(self.app)

    def on_mount(self) -> None:
        self.watch(self.app, "app_focus", self._call, init=False)
        self.scene.seen = self.spoof.settings.seen
        self.scene.is_new = hints.is_newcomer(self.scene.seen, count_games())
        self._obey_settings()

    def _obey_settings(self) -> None:
        settings, controls = self.spoof.settings, self.scene.controls
        self.scene.introduces = settings.company
        controls.confirm_endings, controls.cover_keys = (
            settings.confirm_endings,
            settings.cover_keys,
        )

    def adapt(self) -> None:
        """Apply changed settings, and redraw."""
        self._obey_settings()
        self.redraw()

    def _leave_page(self) -> None:
        """Show the table again instead of a page in its place when a turn, a hand or a count
        begins."""
        before, self._moment = self._moment, needed_for(self.scene)
        if self._moment not in (None, before) and not frame(*self.app.size).side.width:
            self.scene.page = Page.TABLE

    def redraw(self) -> None:
        """Bring the scene and its timers up to date, and redraw the parts that have changed."""
        self.read_clock()
        self.scene.not_kept = self.spoof.not_kept
        self._leave_page()
        self._ticking.follow()
        self._gesturing.follow()
        self._flying.follow()
        self._racing.follow()
        self._hesitating.follow()
        self.scene.has_rim = has_room_for_rim(frame(*self.size).ring)
        if hints.follow(self.scene):
            self.spoof.keep(seen=self.scene.seen)
        if not self.scene.pacing.is_running:
            while self._refused:
                self.scene.take(note(self._refused.pop(0), self.scene))
        self.query_one(Stage).redraw()
        self._call()
        self._tell_page()
        self._acts.refresh_dialog()

    def buttons(self) -> Buttons:
        """The buttons for a web page."""
        return table_buttons(self.scene)

    @property
    def takes_text(self) -> bool:
        """Whether the player is typing a line of talk."""
        return self.scene.talking is not None

    def _tell_page(self) -> None:
        """Send a web page what is shown, as words for a screen reader."""
        app, scene = self.app, self.scene
        if self._aloud is None or scene.view is None or not isinstance(app, TerminalApp):
            return
        if scene.pacing.is_again:
            return
        for line in self._aloud.follow(scene.view, scene.pacing, scene.remark):
            app.tell_page(SAID, line)

    def _call(self) -> None:
        """Call the player if they look elsewhere and are needed."""
        bell = self.spoof.settings.bell
        self._attention.call(self.app, self.scene, bell, self.monotonic())

    @on(Failed)
    def _failed(self, message: Failed) -> None:
        self.scene.remark = message.sentence
        self.redraw()

    def on_keeping_changed(self) -> None:
        """Redraw with the message whether anything is saved."""
        self.redraw()

    @on(Noticed)
    def _noticed(self, message: Noticed) -> None:
        notice, before = message.notice, practice.is_heard(self.scene)
        if isinstance(notice, ViewChanged):
            if notice.view == self.scene.pacing.truth:
                return
            is_only_said = self._is_only_said(notice.view)
            self._look(notice.view)
            if is_only_said:
                # The response comes in a moment, and what it changes is drawn then.
                self.set_timer(ANSWER_DELAY, self.redraw)
                return
        elif isinstance(notice, CodeWanted):
            self._ask_code(notice.why)
        elif isinstance(notice, NotAllowed) and self.scene.pacing.is_running:
            self._refused.append(notice)
        elif isinstance(notice, SeatHeld):
            self._offer_takeover(notice)
        else:
            self.read_clock()
            if isinstance(notice, WhileAway):
                # It says how rounds ended, so there is nothing left to wait for.
                self.scene.pacing.jump()
                self._follow()
            self.scene.take(note(notice, self.scene))
        self.redraw()
        if practice.is_heard(self.scene) != before:
            self.spoof.call_back(self)

    def _is_only_said(self, view: TableView) -> bool:
        """Whether a view differs from the last one only in the player's own word, which is being
        sent."""
        before = self.scene.pacing.truth
        if before is None or view.own_word is None:
            return False
        return replace(view, own_word=before.own_word) == before

    def _ask_code(self, why: Farewell) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import CodeDialog

        client = self.client
        card = client.player.card if client else None
        name = show(card.name, NAME_CELLS) if card else ""
        self.scene.remark = _("The table asks for a join code.")
        self.app.push_screen(CodeDialog(name, why, self._tried), self._use_code)

    def _offer_takeover(self, held: SeatHeld) -> None:
        from spoof_tui.ui.table.dialogs.dialogs import TakeoverDialog

        self.app.push_screen(TakeoverDialog(held), self._take_over)

    def _take_over(self, is_wanted: bool | None) -> None:
        if is_wanted is None or self.client is None:
            self.spoof.leave_table()
        elif is_wanted:
            self.scene.remark = _("Taking your seat over from the other window …")
            self.client.take_over()
            self.redraw()
        else:
            self.client.sit_apart()

    def _use_code(self, code: str | None) -> None:
        if code is None:
            self.spoof.leave_table()
        elif self.client:
            self._tried = code
            self.scene.remark = _("Asking the host whether that is the code …")
            self.client.use_code(code)
            self.redraw()

    def _look(self, view: TableView) -> None:
        self.read_clock()
        scene, before = self.scene, self.scene.pacing.truth
        if before is None or view.position != before.position:
            scene.remark = ""
        play_with(view.rules.token)
        scene.pacing.still = self.app.animation_level == "none"
        scene.look(view, self.monotonic())
        self._counting.follow()

    def hear_of_waiting(self) -> None:
        """Show at this practice table whether the table at which the seat waits is heard now, and
        call the player if it is."""
        waiting = self.scene.waiting
        if waiting is not None and waiting.silence is None:
            self.scene.take(practice.heard_again(waiting))
            if self.spoof.settings.bell is not Bell.OFF:
                self.app.bell()
        self.redraw()

    def watch_again(self, number: int) -> None:
        """Show the count of round `number` of this game again, unless something new is waiting to
        be shown."""
        if self.scene.pacing.repeat(number, self.monotonic()):
            self._follow()
            self.redraw()

    def _follow(self) -> None:
        """Show what pacing lets through by now, and set the timer for the rest."""
        self.scene.follow()
        self._counting.follow()

    def on_key(self, event: events.Key) -> None:
        """Handle every key, except Ctrl+C, which copies a selection or asks to leave."""
        event.prevent_default()
        self._attention.last_key = self.monotonic()
        if event.key == "ctrl+c":
            return
        event.stop()
        self._hesitating.press()
        if event.key != PEEK.key:
            self._acts.hide_peek()
        scene = self.scene
        is_more = scene.talking is None and latin(event.key) == MORE and not scene.to_refuse
        if is_more and self.turn_lines():
            pass
        elif scene.talking is not None:
            self._type(event)
        elif scene.reopened and event.key == "enter" and self.client:
            scene.over, scene.reopened = "", False
            self.client.come_back()
        elif scene.view is None or scene.over:
            # Before there is a table, Enter may be one press too many of the key that led here.
            place = int(event.key) - 1 if event.key.isdigit() else -1
            if latin(event.key) == "x" and scene.findings:
                self.spoof.action_examine()
            elif 0 <= place < len(scene.elsewhere):
                address = scene.elsewhere[place]
                self.spoof.leave_table()
                self.spoof.begin(Launch(address=address))
            elif latin(event.key) in (("q", "escape", "enter") if scene.over else ("q", "escape")):
                self.spoof.leave_table()
        elif scene.wheel is not None:
            self._acts.turn_wheel(event.key)
        elif event.key == "escape" and scene.leads_back:
            scene.page = Page.TABLE
        else:
            self.read_clock()
            scene.remark, scene.last_talk = "", None
            scene.put_away_news()
            action = self._meant(event.key)
            if action is not None:
                self._acts.do(action)
            if isinstance(action, SayWord):
                # The speaker has seen the last count: the answers need not wait until it has
                # rested.
                scene.pacing.catch_up(self.monotonic())
            if isinstance(action, PutIn | SayWord):
                # Drawing now would only delay the move, and what it changes is drawn then.
                self.set_timer(ANSWER_DELAY, self.redraw)
                return
        if self.is_current:
            self.redraw()

    def _meant(self, key: str) -> Action | None:
        """The action of a key, given what is on show; None if it has been handled or does nothing.

        During a count, most keys skip.
        """
        controls, pacing = self.scene.controls, self.scene.pacing
        view, truth = self.scene.view, pacing.truth
        if view is None or truth is None:
            return None
        if pressed(latin(key), self.scene.offered) is not None:
            return controls.press(key, truth)
        if pacing.is_running and not controls.is_of_hand(key, view):
            pacing.skip(self.monotonic())
            self._follow()
            return None
        if pacing.is_running:
            return controls.press(key, truth) if truth.own_fist_due else None
        if pacing.is_again:
            pacing.catch_up(self.monotonic())
            self._follow()
            return None
        if not (pacing.is_behind or pacing.is_resting):
            is_meant = not pacing.has_just_turned(self.monotonic())
            return controls.press(key, view) if is_meant else None
        act = controls.plain(key)
        if act not in (None, PEEK, SKIP):
            return act
        pacing.catch_up(self.monotonic())
        self._follow()
        # What ends the verdict does nothing else, except that it may hide the next hand.
        is_hand = truth.own_fist_due and controls.is_of_hand(key, truth)
        return controls.press(key, truth) if is_hand else None

    def ask_to_leave(self) -> None:
        """Close whatever is open over the table, and ask whether to leave, like q."""
        from spoof_tui.ui.table.dialogs.dialogs import LeaveDialog

        if isinstance(self.app.screen, LeaveDialog):
            return
        while self.app.screen is not self:
            self.app.pop_screen()
        self.read_clock()
        if self.client is None or self.scene.over:
            self.spoof.leave_table()
        else:
            self._acts.leave()

    def _type(self, event: events.Key) -> None:
        text = self.scene.talking or ""
        if event.key != "enter":
            self.scene.talking = typed(text, event, MAX_LINE)
            return
        self.scene.talking = None
        if (said := talk(text.strip())) and self.client:
            self.client.propose(said)

    def on_paste(self, event: events.Paste) -> None:
        """Add pasted text to the line of talk, without line ends."""
        if self.scene.talking is not None:
            typed = self.scene.talking + " ".join(event.text.split())
            self.scene.talking = "".join(filter(str.isprintable, typed))[:MAX_LINE]
            self.redraw()
