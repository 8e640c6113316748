"""What the table screen does after a while: hide a hand, open the next fist, count seconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from spoof_tui.ui.table.scene import Scene

PEEK_TIMEOUT: Final = 1.5
"""How long the own hand is shown."""

REVEAL_INTERVAL: Final = 0.45
"""Pause between two fists that open."""

LINGER_DELAY: Final = 3.0
"""How long a counted round stays on show although the next one is spoken already."""

TICK_INTERVAL: Final = 1.0
"""Between two paintings of what changes by the time alone."""


class Stoppable(Protocol):
    """A timer that runs."""

    def stop(self) -> None:
        """Have it never fire again."""


class TimedScreen(Protocol):
    """What keeps the time, and shows what came of it."""

    scene: Scene

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Stoppable:
        """Call back once."""

    def set_interval(self, interval: float, callback: Callable[[], None]) -> Stoppable:
        """Call back again and again."""

    def redraw(self) -> None:
        """Draw what changed."""


class _Timed:
    """At most one timer at a time."""

    def __init__(self, screen: TimedScreen) -> None:
        self._screen = screen
        self._timer: Stoppable | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is waited for."""
        return self._timer is not None

    def stop(self) -> None:
        """Wait for nothing."""
        if self._timer:
            self._timer.stop()
        self._timer = None


class Peek(_Timed):
    """The own hand, on show for a moment."""

    def show(self, hand: int) -> None:
        """Show it from now on, and not for long."""
        self.stop()
        self._screen.scene.peek = hand
        self._timer = self._screen.set_timer(PEEK_TIMEOUT, self._end)

    def hide(self) -> None:
        """Show it no more."""
        self.stop()
        self._screen.scene.peek = None

    def _end(self) -> None:
        self.hide()
        self._screen.redraw()


class Reveal(_Timed):
    """The fists of a round that has ended: they open one by one, and stay for a while."""

    def begin(self, *, at_once: bool) -> None:
        """Open one after the other; or all `at_once`, where nothing may move."""
        self.stop()
        if at_once:
            self._screen.scene.open_all()
            self._linger()
        else:
            self._timer = self._screen.set_interval(REVEAL_INTERVAL, self._open_next)

    def _open_next(self) -> None:
        scene = self._screen.scene
        scene.open_next()
        if scene.opened is None or scene.is_counted:
            self._linger()
        self._screen.redraw()

    def _linger(self) -> None:
        self.stop()
        self._timer = self._screen.set_timer(LINGER_DELAY, self._settle)

    def _settle(self) -> None:
        self.stop()
        self._screen.scene.settle()
        self._screen.redraw()


class Ticking(_Timed):
    """Draws while something changes by the time alone, and never else."""

    def follow(self) -> None:
        """Begin or end, as the scene has it."""
        if not self._screen.scene.is_ticking:
            self.stop()
        elif not self.is_running:
            self._timer = self._screen.set_interval(TICK_INTERVAL, self._screen.redraw)
