"""Timers of the table screen, on a clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui import beats
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.felt.heap import FRAMES
from spoof_tui.ui.table.felt.middle import middle
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.screen import TableScreen
from spoof_tui.ui.table.screen.timers import TIP_DELAY, Flying, Hesitating, Peek, Racing
from tests.helpers.laying import drawn
from tests.helpers.painted import painted
from tests.spoof_tui.ui.table.scenes import at, counted, pay, scene_at, seen, step


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
    def screen(self) -> TableScreen:
        return cast(TableScreen, self)

    @property
    def running(self) -> list[Alarm]:
        return [alarm for alarm in self.alarms if not alarm.stopped]

    def ring(self) -> None:
        """Let the only timer that runs fire."""
        (alarm,) = self.running
        self.seconds += alarm.delay
        alarm.callback()


def pressed(clock: Clock, peek: Peek, *gaps: float) -> list[int | None]:
    """What is visible after every press of the key."""
    seen = []
    for gap in gaps:
        clock.seconds += gap
        peek.press(2)
        seen.append(clock.scene.peek)
    return seen


def test_a_peek_lasts_two_seconds_or_while_its_key_is_held_and_then_less_than_one() -> None:
    clock = Clock(scene_at("speaking"))
    assert pressed(clock, Peek(clock.screen), 0.0) == [2]
    clock.ring()
    assert clock.scene.peek is None and clock.seconds >= 2.0
    seen = pressed(clock, Peek(clock.screen), 0.0, 0.5, *[0.03] * 100)
    assert seen == [2, None, *[2] * 100]
    before = clock.seconds
    clock.ring()
    assert clock.scene.peek is None and clock.seconds - before < 1.0 and not clock.running


def test_who_hesitates_in_practice_gets_a_tip_until_a_key_is_pressed() -> None:
    clock = Clock(seen(at("answering").speaker()))
    waiting = Hesitating(clock.screen)
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


def coins(scene: Scene) -> list[tuple[int, int]]:
    """The places of moving coins."""
    felts = (part.picture for part in table_parts(scene, 80, 24) if isinstance(part.picture, Felt))
    return [coin for felt in felts for coin in felt.coins]


def sheet(scene: Scene) -> Sheet:
    return drawn(table_parts(scene, 80, 24), 80, 24)


def test_the_coin_of_a_paid_round_travels_once_to_the_pile_for_few_bytes() -> None:
    table = at("speaking", 4)
    scene = seen(table.clients[0])
    clock = Clock(scene)
    flying = Flying(clock.screen)
    for word in (Bid(9), Ending.CALL):
        table.say(word)
        scene.look(table.clients[0].view)
        flying.follow()
    while scene.pacing.is_running:
        assert not clock.alarms and not coins(scene)
        step(scene)
        flying.follow()
    places, before, costs = coins(scene), sheet(scene), []
    for _frame in range(FRAMES - 1):
        clock.ring()
        flying.follow()
        places += coins(scene)
        costs.append(len(painted(before, before := sheet(scene)).encode()))
    assert len(places) == FRAMES and len(set(places)) > 2 and sum(costs) > 0 and max(costs) <= 120
    clock.ring()
    flying.follow()
    assert not coins(scene) and not clock.running


@pytest.mark.parametrize("players", range(2, 7))
def test_a_coin_that_travels_lies_behind_everything_else(players: int) -> None:
    scene = counted(players)
    pay(scene)
    still, seen_on = sheet(scene), list[str]()
    for frame in range(FRAMES):
        scene.flight = frame
        rows = zip(sheet(scene).rows, still.rows, strict=True)
        pairs = [pair for row, old in rows for pair in zip(row.letters, old.letters, strict=True)]
        seen_on += [old for letter, old in pairs if letter != old]
    assert set(seen_on) == {" "}


def filled(scene: Scene) -> int:
    track = middle(scene).track
    assert track
    return track.filled


def race() -> tuple[list[list[int]], list[float], list[int]]:
    """What the track showed while each fist was counted, the delays, and the bytes of each coin."""
    table = at("speaking", 4)
    scene = seen(table.clients[0])
    clock = Clock(scene)
    racing, shown, costs = Racing(clock.screen), [], []
    for word in (Bid(3), Ending.CALL):
        table.say(word)
        scene.look(table.clients[0].view)
        racing.follow()
    while not scene.is_judged:
        shown.append([filled(scene)])
        while clock.running:
            before = sheet(scene)
            clock.ring()
            racing.follow()
            shown[-1].append(filled(scene))
            costs.append(len(painted(before, sheet(scene)).encode()))
        step(scene)
        racing.follow()
    assert not scene.is_racing and not clock.running
    return shown[1:], [alarm.delay for alarm in clock.alarms], costs


def test_coins_run_into_the_track_one_by_one_and_the_one_that_reaches_the_bid_waits() -> None:
    shown, delays, costs = race()
    told = [number for numbers in shown for number in numbers]
    assert set(told) == {0, 1, 2, 3} and told == sorted(told)
    assert delays == [beats.COIN, beats.COIN, beats.HUSH]
    assert max(costs) <= 150


def test_without_motion_no_coin_travels() -> None:
    table = at("speaking", 4)
    scene = seen(table.clients[0])
    scene.pacing.still = True
    clock = Clock(scene)
    for word in (Bid(9), Ending.CALL):
        table.say(word)
        scene.look(table.clients[0].view)
    while scene.pacing.is_running:
        step(scene)
    Flying(clock.screen).follow()
    assert not clock.alarms and not coins(scene)
