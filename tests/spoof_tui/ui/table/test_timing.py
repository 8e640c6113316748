"""Timers of the table screen, on a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.timing import TIP_DELAY, Hesitating, Peek, Telling, Ticking
from tests.spoof_tui.ui.table.scenes import at, counted, scene_at, seen


@dataclass
class Alarm:
    """A timer that fires when it is told to."""

    callback: Callable[[], None]
    delay: float
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True


@dataclass
class Clock:
    """A screen that only keeps the time."""

    scene: Scene
    alarms: list[Alarm] = field(default_factory=list)
    drawn: int = 0
    seconds: float = 0.0
    is_early: bool = False

    def monotonic(self) -> float:
        return self.seconds

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(callback, delay))
        return self.alarms[-1]

    set_interval = set_timer

    def redraw(self) -> None:
        self.drawn += 1

    @property
    def running(self) -> list[Alarm]:
        return [alarm for alarm in self.alarms if not alarm.stopped]

    def ring(self) -> None:
        """Let the only timer that runs fire."""
        (alarm,) = self.running
        if not self.is_early:
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


def test_a_peek_ends_by_itself_in_less_than_a_second() -> None:
    clock = Clock(scene_at("speaking"))
    assert pressed(clock, Peek(clock), 0.0) == [2]
    clock.ring()
    assert (clock.scene.glance, clock.drawn) == (None, 1)
    assert clock.seconds < 1.0 and not clock.running


def test_a_second_press_ends_it_and_a_third_one_looks_again() -> None:
    clock = Clock(scene_at("speaking"))
    assert pressed(clock, Peek(clock), 0.0, 0.4, 0.4) == [2, None, 2]
    assert len(clock.running) == 1


def test_it_lasts_as_long_as_its_key_is_held() -> None:
    clock = Clock(scene_at("speaking"))
    seen = pressed(clock, Peek(clock), 0.0, 0.5, *[0.03] * 100)
    assert seen == [2, None, *[2] * 100]
    clock.ring()
    assert clock.scene.glance is None


def test_a_count_is_told_beat_by_beat_and_then_stays_for_a_while() -> None:
    clock = Clock(counted())
    Telling(clock).follow()
    told = []
    while clock.running:
        clock.ring()
        told.append(clock.scene.opened)
    assert told == [1, 2, 3, 3, 3, 3]
    assert clock.scene.is_counted and clock.scene.presentation.due is None


def test_a_step_that_comes_too_early_waits_for_its_time() -> None:
    clock = Clock(counted())
    telling = Telling(clock)
    telling.follow()
    clock.is_early = True
    clock.ring()
    assert clock.scene.opened == 0 and len(clock.running) == 1


def test_only_one_thing_is_waited_for_however_often_it_is_asked() -> None:
    clock = Clock(counted())
    telling = Telling(clock)
    telling.follow()
    telling.follow()
    assert len(clock.running) == 1


def test_seconds_are_counted_only_while_they_are_seen() -> None:
    table = at("choosing")
    clock = Clock(seen(table.clients[1]))
    ticking = Ticking(clock)
    ticking.follow()
    assert not ticking.is_running
    table.cut(table.clients[0])
    clock.scene.look(table.clients[1].view)
    ticking.follow()
    ticking.follow()
    clock.ring()
    assert clock.drawn == 1


# A tip


def hesitating() -> Clock:
    """My turn in a game against bots."""
    table = at("answering")
    scene = seen(table.speaker())
    scene.is_practice = True
    return Clock(scene)


def test_who_hesitates_gets_a_tip_until_a_key_is_pressed() -> None:
    clock = hesitating()
    waiting = Hesitating(clock)
    waiting.follow()
    waiting.follow()
    assert [alarm.delay for alarm in clock.running] == [TIP_DELAY]
    clock.ring()
    told = [(clock.scene.is_slow, clock.drawn)]
    waiting.press()
    told.append((clock.scene.is_slow, len(clock.running)))
    assert told == [(True, 1), (False, 0)]


def test_nobody_is_told_anything_where_others_wait() -> None:
    clock = hesitating()
    clock.scene.is_practice = False
    Hesitating(clock).follow()
    assert not clock.alarms
