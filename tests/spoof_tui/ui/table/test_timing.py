"""Timers of the table screen, on a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.timing import TIP_DELAY, Hesitating, Peek
from tests.spoof_tui.ui.table.scenes import at, scene_at, seen


@dataclass
class Alarm:
    """A timer that fires when it is told to."""

    delay: float
    callback: Callable[[], None]
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True


@dataclass
class Clock:
    """A screen that only keeps the time."""

    scene: Scene
    alarms: list[Alarm] = field(default_factory=list)
    seconds: float = 0.0

    def monotonic(self) -> float:
        return self.seconds

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(delay, callback))
        return self.alarms[-1]

    set_interval = set_timer

    def redraw(self) -> None:
        """Nothing is drawn here."""

    @property
    def running(self) -> list[Alarm]:
        return [alarm for alarm in self.alarms if not alarm.stopped]

    def ring(self) -> None:
        """Let the only timer that runs fire."""
        (alarm,) = self.running
        self.seconds += alarm.delay
        alarm.callback()


def pressed(clock: Clock, peek: Peek, *gaps: float) -> list[int | None]:
    """What is to be seen after every press of the key."""
    seen = []
    for gap in gaps:
        clock.seconds += gap
        peek.press(2)
        seen.append(clock.scene.glance)
    return seen


def test_a_peek_lasts_as_long_as_its_key_is_held_and_then_less_than_a_second() -> None:
    clock = Clock(scene_at("speaking"))
    seen = pressed(clock, Peek(clock), 0.0, 0.5, *[0.03] * 100)
    assert seen == [2, None, *[2] * 100]
    before = clock.seconds
    clock.ring()
    assert clock.scene.glance is None and clock.seconds - before < 1.0 and not clock.running


def test_who_hesitates_in_practice_gets_a_tip_until_a_key_is_pressed() -> None:
    clock = Clock(seen(at("answering").speaker()))
    waiting = Hesitating(clock)
    waiting.follow()
    assert not clock.alarms
    clock.scene.is_practice = True
    waiting.follow()
    waiting.follow()
    assert [alarm.delay for alarm in clock.running] == [TIP_DELAY]
    clock.ring()
    assert clock.scene.is_slow
    waiting.press()
    assert (clock.scene.is_slow, list(clock.running)) == (False, [])
