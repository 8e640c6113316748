"""Timers of the table screen, on a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.timing import Peek, Reveal, Ticking
from tests.spoof_tui.ui.table.scenes import at, counted, scene_at, seen


@dataclass
class Alarm:
    """A timer that fires when it is told to."""

    callback: Callable[[], None]
    stopped: bool = False

    def stop(self) -> None:
        self.stopped = True


@dataclass
class Clock:
    """A screen that only keeps the time."""

    scene: Scene
    alarms: list[Alarm] = field(default_factory=list)
    drawn: int = 0

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(callback))
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
        alarm.callback()


def lingers(clock: Clock) -> bool:
    return clock.scene.lingering


def test_a_peek_ends_by_itself() -> None:
    clock = Clock(scene_at("speaking"))
    peek = Peek(clock)
    peek.show(2)
    shown = clock.scene.peek
    clock.ring()
    assert (shown, clock.scene.peek, clock.drawn) == (2, None, 1)
    assert not clock.running


def test_a_second_look_begins_the_time_again() -> None:
    clock = Clock(scene_at("speaking"))
    peek = Peek(clock)
    peek.show(2)
    peek.show(2)
    assert len(clock.running) == 1


def test_fists_open_one_by_one_and_stay_for_a_while() -> None:
    clock = Clock(counted())
    Reveal(clock).begin(at_once=False)
    for opened in (1, 2, 3):
        clock.ring()
        assert clock.scene.opened == opened
    assert clock.scene.is_counted and lingers(clock)
    clock.ring()
    assert not lingers(clock) and not clock.running


def test_fists_that_open_at_once_stay_for_a_while_too() -> None:
    clock = Clock(counted())
    Reveal(clock).begin(at_once=True)
    assert clock.scene.is_counted and lingers(clock)
    clock.ring()
    assert not lingers(clock)


def test_a_round_that_ends_while_the_last_one_opens_has_its_own_time() -> None:
    clock = Clock(counted())
    reveal = Reveal(clock)
    reveal.begin(at_once=False)
    reveal.begin(at_once=False)
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
