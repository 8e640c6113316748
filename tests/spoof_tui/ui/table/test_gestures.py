"""Gestures: what the wheel offers, how long each is seen, what it costs, and what it hides."""

from __future__ import annotations

from itertools import product

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Say
from spoof_tui.telling.gestures import SHOUTS, gesture_name, shout_in_short
from spoof_tui.ui.canvas.sprite import GESTURED, NOTHING, Pose, pictures
from spoof_tui.ui.table.felt.wheel import FRAMES, WHEEL, Shown, Wheel, digit, offered
from tests.helpers.moments import sheet
from tests.helpers.painted import painted
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, pay, said, seen, shown

MOST = 300
"""Bytes of a gesture on a screen, from its first drawing until it has vanished."""

FREE = [each for each in Gesture if each is not Gesture.GLOAT]
"""Gestures that need no winner."""

SIZE = (80, 24)


def gesticulate(table: MemoryTable, who: int, gesture: Gesture) -> None:
    client = table.clients[who]
    table.act(client, client.guest.propose(Gesticulate(gesture)))


def painted_by(table: MemoryTable, gesture: Gesture, who: int = 1) -> list[str]:
    """The bytes sent to the first player's screen for a gesture, drawing by drawing."""
    scene = seen(table.clients[0])
    now, told = sheet(scene, SIZE), []
    gesticulate(table, who, gesture)
    scene.look(table.clients[0].view)
    while True:
        before, now = now, sheet(scene, SIZE)
        told.append(painted(before, now))
        if not scene.gestures.shown:
            return told
        scene.gestures = scene.gestures.after(*scene.gestures.shown)


def winner(table: MemoryTable) -> int:
    game = table.host.table.game
    assert game is not None and game.winner is not None
    return game.winner


# What it costs


def talked() -> MemoryTable:
    """A table whose talk is full."""
    table = at("speaking", 4)
    for number in range(12):
        speaker = table.clients[2 + number % 2]
        table.act(speaker, speaker.guest.propose(Say(ForeignText(f"line {number} of talk"))))
    painted_by(table, Gesture.SWEAT, 0)
    return table


@pytest.mark.parametrize("gesture", FREE)
def test_no_gesture_costs_more_than_300_bytes(gesture: Gesture) -> None:
    for table in (at("speaking", 2), at("speaking", 9), at("choosing", 4), talked()):
        assert 0 < sum(len(each.encode()) for each in painted_by(table, gesture)) <= MOST


# What is seen


@pytest.mark.parametrize("gesture", FREE)
def test_every_gesture_is_seen_on_every_screen_and_hides_no_word_and_no_coin(
    gesture: Gesture,
) -> None:
    for size in ((80, 24), (60, 20), (40, 12), (120, 40)):
        table = at("answering", 4)
        scene = seen(table.clients[0])
        before = sheet(scene, size).rows[: size[1] - 9]
        for who in (0, 1):
            gesticulate(table, who, gesture)
        scene.look(table.clients[0].view)
        assert sheet(scene, size).rows[: size[1] - 9] != before
        if size == (80, 24):
            ring = said(scene, "ring", *size)
            assert ring.count("●") == 4 * 3 and " 2 " in ring
        while scene.gestures.shown:
            for key in scene.gestures.shown:
                scene.gestures = scene.gestures.after(key)
        assert "Player2" in said(scene, "ring", *size)


def test_no_sign_of_a_gesture_lies_on_a_fist() -> None:
    checked = 0
    for size in GESTURED:
        fist = pictures(size.name.lower())[Pose.FIST.value]
        for name, rows in pictures("gestures").items():
            if name.startswith(f"{size.name.lower()} "):
                for y, x in product(range(len(rows)), range(size.width)):
                    if rows[y][x] in "*?":
                        upper = y - y % 2
                        checked += 1
                        assert {fist[upper][x], fist[upper + 1][x]} == {NOTHING}, (name, x, y)
    assert checked


@pytest.mark.parametrize("size", [(45, 20), (60, 20), (80, 24)])
@pytest.mark.parametrize("gesture", [each for each in Gesture if each in SHOUTS])
def test_a_shout_stands_beside_the_name_and_leaves_the_hand_and_some_of_the_name(
    gesture: Gesture, size: tuple[int, int], language: str
) -> None:
    table = at("answering", 4)
    scene = seen(table.clients[0])
    before = sheet(scene, size).rows[: size[1] - 9]
    gesticulate(table, 1, gesture)
    scene.look(table.clients[0].view)
    rows = [row.strip().text for row in sheet(scene, size).rows]
    changed = [row for row, old in zip(rows, before, strict=False) if row != old.strip().text]
    assert len(changed) == 1 and "P" in changed[0]
    shouts = (gesture_name(gesture).rstrip("!"), shout_in_short(gesture).rstrip("!"))
    assert any(each in changed[0] for each in shouts)


@pytest.mark.parametrize("gesture", FREE)
def test_a_gesture_and_the_wheel_are_painted_alike_over_every_hand(gesture: Gesture) -> None:
    told = set()
    for hand in range(4):
        table = at("choosing")
        table.choose(hand, hand, 1)
        wheel = seen(table.clients[0])
        assert wheel.view is not None and wheel.view.phase is Phase.SPEAKING
        wheel.wheel = Wheel.open(wheel.view, gesture)
        told.add((shown(wheel), *painted_by(table, gesture), *painted_by(table, gesture, 0)))
    assert len(told) == 1 and any(told)


def test_while_a_count_is_told_a_gloat_waits_with_all_that_was_said_after_it() -> None:
    table = at("answering", 2)
    while True:
        scene = seen(table.clients[0])
        table.say(Ending.SPOOF)
        scene.look(table.clients[0].view)
        assert scene.pacing.is_running
        if table.host.table.game and table.host.table.game.winner is not None:
            break
        table.choose(*[0 for _ in table.clients])
    gesticulate(table, winner(table), Gesture.GLOAT)
    scene.look(table.clients[0].view)
    assert "gloats" not in said(scene, "side") and not scene.gestures.shown
    pay(scene)
    assert "gloats" in said(scene, "side") and scene.gestures.shown


def test_who_did_not_gloat_is_marked_for_all_to_see_until_the_next_game_ends() -> None:
    table = at("over")
    scenes = [seen(client) for client in table.clients]
    for is_told in (False, True):
        if is_told:
            table.choose(1, 1, 1)
        else:
            table.ready()
        for scene, client in zip(scenes, table.clients, strict=True):
            scene.look(client.view)
            assert ("no gloat" in said(scene, "ring", *SIZE)) is is_told
            assert ("did not gloat" in said(scene, "side")) is is_told
    table.play_on()
    assert not any(seat.did_not_gloat for seat in table.clients[0].view.seats)


# The wheel


def test_the_wheel_offers_what_makes_sense_each_by_a_digit_of_its_own() -> None:
    assert set(WHEEL) == set(Gesture) and [digit(each) for each in WHEEL] == [*"123456789"]
    assert Gesture.WOBBLE in offered(at("speaking").clients[0].view)
    hiding = at("choosing").clients[0].view
    assert Gesture.WOBBLE not in offered(hiding)
    assert Wheel(Gesture.WOBBLE).here(hiding) is Gesture.SWEAT
    table = at("over")
    for place, client in enumerate(table.clients):
        assert (Gesture.GLOAT in offered(client.view)) == (place == winner(table))
    assert Wheel.open(table.clients[winner(table)].view, Gesture.SWEAT).at is Gesture.GLOAT


@pytest.mark.parametrize("size", ["small", "middle", "large"])
def test_a_drop_of_sweat_falls(size: str) -> None:
    drawn = [Shown(Gesture.SWEAT, 0, frame).picture for frame in range(FRAMES[Gesture.SWEAT])]
    rows = [
        [y for y, row in enumerate(pictures("gestures")[f"{size} {name}"]) if "W" in row]
        for name in drawn
    ]
    assert max(rows[0]) < min(rows[1]) and rows[:2] == rows[2:]
