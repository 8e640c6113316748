"""What every seat shows, made from a view and from the round that is on show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.rules.words import Bid
from protocol.table.statements import Measure
from protocol.views import FistState, SeatStatus
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seat import SeatPicture
from spoof_tui.ui.table.seats import pictures
from tests.spoof_tui.ui.table.scenes import at, counted, open_next, pay, scene_at, seen


def seats_of(scene: Scene) -> tuple[SeatPicture, ...]:
    assert scene.view
    return pictures(scene.view, scene.names, scene.showing, scene.peek)


def test_my_own_seat_is_known() -> None:
    assert [seat.is_me for seat in seats_of(scene_at("speaking", client=1))] == [False, True, False]


def test_whoever_is_to_speak_is_marked() -> None:
    scene = scene_at("speaking")
    assert scene.view
    speaks = [seat.speaks for seat in seats_of(scene)]
    assert speaks == [index == scene.view.speaker for index in range(3)]


def test_the_last_word_stands_beside_the_fist() -> None:
    table = at("speaking")
    table.say(Bid(2))
    scene = seen(table.clients[0])
    assert scene.view and scene.view.standing
    assert seats_of(scene)[scene.view.standing[0]].said == "2"


def test_between_games_a_fist_says_who_is_ready() -> None:
    fists = [seat.fist for seat in seats_of(scene_at("ready"))]
    assert fists == [FistState.IN, FistState.NOT_IN, FistState.NOT_IN]


def test_before_the_count_nobody_has_won_or_lost() -> None:
    scene = counted()
    assert {seat.coins for seat in seats_of(scene)} == {3}
    pay(scene)
    assert sorted(seat.coins for seat in seats_of(scene)) == [2, 3, 3]


def test_an_opened_hand_is_shown_and_the_others_are_not() -> None:
    scene = counted()
    open_next(scene)
    opened = [seat.hand for seat in seats_of(scene) if seat.fist is FistState.OPEN]
    assert len(opened) == 1 and None not in opened


@pytest.mark.parametrize(
    ("presence", "note"), [(SeatStatus.UNSTEADY, "unsteady"), (SeatStatus.GONE, "left")]
)
def test_presence_is_told_below_the_fist(presence: SeatStatus, note: str) -> None:
    scene = scene_at("speaking")
    assert scene.view
    seats = [replace(seat, presence=presence) for seat in scene.view.seats]
    scene.view = replace(scene.view, seats=tuple(seats))
    assert {seat.note for seat in seats_of(scene)} == {note}


def test_a_peek_is_seen_at_the_own_seat_only() -> None:
    scene = scene_at("speaking")
    scene.peek = 2
    assert [seat.hand for seat in seats_of(scene)] == [2, None, None]


def test_a_muted_seat_and_one_that_leaves_are_marked() -> None:
    table = at("speaking")
    table.decide(Measure.MUTE, table.clients[1].guest.key)
    table.decide(Measure.REMOVE, table.clients[2].guest.key)
    assert [seat.note for seat in seats_of(seen(table.clients[0]))][1:] == ["muted", "removed"]
