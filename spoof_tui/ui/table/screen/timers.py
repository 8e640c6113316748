"""Timers of the table screen: they hide a hand, show the next beat, count seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from protocol.rules.game import PlayedRound
from spoof_tui.beats import coin_seconds
from spoof_tui.telling.counts import claimed
from spoof_tui.ui.table.felt.heap import FRAME_SECONDS, FRAMES, is_followed
from spoof_tui.ui.table.felt.wheel import Shown, seconds_of
from spoof_tui.ui.table.panel.hints import may_tip
from spoof_tui.ui.table.screen.scene_screen import SceneScreen

if TYPE_CHECKING:
    from textual.timer import Timer

PEEK_TIMEOUT: Final = 2.5
"""Seconds for which the player's hand is shown after one press of the key."""

REPEAT_INTERVAL: Final = 0.12
"""Seconds within which two presses mean that the key is held down."""

RELEASE_TIMEOUT: Final = 0.25
"""Seconds for which the hand is shown after the last press of a key that was held down."""

TIP_DELAY: Final = 20.0
"""Seconds that a player may think before there is a tip."""

SOONEST: Final = 0.01
"""The shortest delay of a timer, in seconds."""

TICK_INTERVAL: Final = 1.0
"""Seconds between two redraws of what changes with time alone."""


class _Timed:
    """Base class with at most one running timer."""

    def __init__(self, screen: SceneScreen) -> None:
        self._screen = screen
        self._timer: Timer | None = None

    @property
    def is_running(self) -> bool:
        """Whether the timer is running."""
        return self._timer is not None

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer:
            self._timer.stop()
        self._timer = None


class Peek(_Timed):
    """Shows the player's own hand for a moment, or for as long as the key is held down."""

    def __init__(self, screen: SceneScreen) -> None:
        super().__init__(screen)
        self._pressed = -math.inf

    def press(self, hand: int) -> None:
        """Handle the key: show the hand, or hide it; while the key is held down, keep showing
        it."""
        now = self._screen.monotonic()
        is_held, self._pressed = now - self._pressed < REPEAT_INTERVAL, now
        if is_held:
            self._show(hand, RELEASE_TIMEOUT)
        elif self._screen.scene.peek is None:
            self._show(hand, PEEK_TIMEOUT)
        else:
            self.hide()

    def _show(self, hand: int, seconds: float) -> None:
        self.stop()
        self._screen.scene.peek = hand
        self._timer = self._screen.set_timer(seconds, self._end)

    def hide(self) -> None:
        """Stop showing the hand."""
        self.stop()
        self._screen.scene.peek = None

    def _end(self) -> None:
        self.hide()
        self._screen.redraw()


class Counting(_Timed):
    """Shows the beats of a count, and the views after it, when their time comes."""

    def follow(self) -> None:
        """Set the timer for what pacing shows next, if anything."""
        self.stop()
        due = self._screen.scene.pacing.due
        if due is not None:
            delay = max(due - self._screen.monotonic(), SOONEST)
            # A one-shot timer is skipped if the machine is busy for as long as its delay.
            self._timer = self._screen.set_interval(delay, self._go_on)

    def _go_on(self) -> None:
        scene = self._screen.scene
        scene.pacing.advance(self._screen.monotonic())
        scene.follow()
        self.follow()
        self._screen.redraw()


class Hesitating(_Timed):
    """Gives a tip to a player who presses no key for a while, in a game against bots."""

    def follow(self) -> None:
        """Start or stop waiting, depending on whether the player may get a tip."""
        if not may_tip(self._screen.scene):
            self.press()
        elif not self.is_running:
            self._timer = self._screen.set_timer(TIP_DELAY, self._tell)

    def press(self) -> None:
        """Stop waiting and hide the tip, because a key was pressed or there is nothing to think
        about."""
        self.stop()
        self._screen.scene.is_slow = False

    def _tell(self) -> None:
        self._screen.scene.is_slow = True
        self._screen.redraw()


class Gesturing(_Timed):
    """Shows each drawing of a gesture for its time."""

    def __init__(self, screen: SceneScreen) -> None:
        super().__init__(screen)
        self._due: dict[tuple[bytes, Shown], float] = {}

    def follow(self) -> None:
        """Set the timer for the drawing on show whose time ends first."""
        now = self._screen.monotonic()
        shown = self._screen.scene.gestures.shown.items()
        self._due = {
            each: self._due.get(each, now + seconds_of(each[1], still=self._is_still))
            for each in shown
        }
        self.stop()
        if self._due:
            delay = max(min(self._due.values()) - now, SOONEST)
            self._timer = self._screen.set_interval(delay, self._go_on)

    @property
    def _is_still(self) -> bool:
        return self._screen.scene.pacing.still

    def _go_on(self) -> None:
        scene, now = self._screen.scene, self._screen.monotonic()
        for (key, shown), due in self._due.items():
            if due <= now and scene.gestures.shown.get(key) == shown:
                scene.gestures = scene.gestures.after(key, still=self._is_still)
        self._screen.redraw()


class Flying(_Timed):
    """Animates coins that change hands after a count, once per round."""

    def __init__(self, screen: SceneScreen) -> None:
        super().__init__(screen)
        self._paid: PlayedRound | None = None
        """The last round whose coins have been animated."""

    def follow(self) -> None:
        """Start or stop the animation, depending on the scene."""
        scene = self._screen.scene
        told = scene.reveal
        if told is None or not told.is_paid or scene.pacing.still:
            self.stop()
            scene.flight = None
        elif told.played is not self._paid and is_followed(told.played):
            self.stop()
            self._paid, scene.flight = told.played, 0
            self._timer = self._screen.set_interval(FRAME_SECONDS, self._go_on)

    def _go_on(self) -> None:
        scene = self._screen.scene
        scene.flight = 1 + scene.flight if scene.flight is not None else FRAMES
        if scene.flight >= FRAMES:
            self.stop()
            scene.flight = None
        self._screen.redraw()


class Racing(_Timed):
    """Animates the coins of each opened fist into the track, one by one."""

    def __init__(self, screen: SceneScreen) -> None:
        super().__init__(screen)
        self._counted: PlayedRound | None = None
        """The round whose coins are being animated; None for none."""

    def follow(self) -> None:
        """Start or stop the animation, depending on the scene."""
        scene = self._screen.scene
        if scene.last is None or scene.is_judged or scene.pacing.still:
            self.stop()
            scene.ran = self._counted = None
            return
        if self._counted is not scene.last or not scene.opened:
            self._counted, scene.ran = scene.last, 0
        if not scene.is_racing:
            self.stop()
        elif not self.is_running:
            bid = claimed(scene.last)
            self._timer = self._screen.set_interval(coin_seconds(scene.ran or 0, bid), self._go_on)

    def _go_on(self) -> None:
        self.stop()
        self._screen.scene.ran = (self._screen.scene.ran or 0) + 1
        self._screen.redraw()


class Ticking(_Timed):
    """Redraws the screen every second while something on it changes with time alone."""

    def follow(self) -> None:
        """Start or stop redrawing, depending on the scene."""
        if not self._screen.scene.is_ticking:
            self.stop()
        elif not self.is_running:
            self._timer = self._screen.set_interval(TICK_INTERVAL, self._screen.redraw)
