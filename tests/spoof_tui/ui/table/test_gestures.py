"""Gestures on the felt: how long each is seen, what it costs, and that nothing tells a hand."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Say
from spoof_tui.ui.canvas.cells import Sheet, drawn
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.gestures import FRAMES, Gestures, Shown, seconds_of
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording.gestures import SHOUTS, gesture_name, gesture_words
from tests.helpers.painted import painted
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.lobbies import until
from tests.spoof_tui.ui.table.scenes import at, pay, said, seen
from tests.spoof_tui.ui.table.schools import a_school
from tests.spoof_tui.ui.tables import AtTable

MOST = 300
"""Bytes of a gesture on a screen, from its first drawing until nothing of it is seen."""

FREE = [each for each in Gesture if each is not Gesture.GLOAT]
"""Gestures for which nobody has to win."""


def sheet(scene: Scene, size: tuple[int, int] = (80, 24)) -> Sheet:
    return drawn(table_parts(scene, *size), *size)


def gesticulate(table: MemoryTable, who: int, gesture: Gesture) -> None:
    client = table.clients[who]
    table.act(client, client.guest.state(Gesticulate(gesture)))


def painted_by(table: MemoryTable, gesture: Gesture, who: int = 1) -> list[str]:
    """What the first player's screen is sent for a gesture, drawing by drawing."""
    scene = seen(table.clients[0])
    now, told = sheet(scene), []
    gesticulate(table, who, gesture)
    scene.look(table.clients[0].view)
    while True:
        before, now = now, sheet(scene)
        told.append(painted(before, now))
        if not scene.gestures.shown:
            return told
        scene.gestures = scene.gestures.after(*scene.gestures.shown)


def winner(table: MemoryTable) -> int:
    game = table.host.table.game
    assert game is not None and game.winner is not None
    return game.winner


# What it costs


@pytest.mark.parametrize("players", [2, 4, 6, 9])
@pytest.mark.parametrize("gesture", FREE)
def test_no_gesture_costs_more_than_300_bytes(gesture: Gesture, players: int) -> None:
    told = painted_by(at("speaking", players), gesture)
    assert 0 < sum(len(each.encode()) for each in told) <= MOST


@pytest.mark.parametrize("moment", ["choosing", "gathering"])
@pytest.mark.parametrize("gesture", FREE)
def test_nor_does_it_without_fists(gesture: Gesture, moment: str) -> None:
    assert sum(len(each.encode()) for each in painted_by(at(moment, 4), gesture)) <= MOST


@pytest.mark.parametrize("gesture", FREE)
def test_nor_does_it_where_the_talk_is_full(gesture: Gesture) -> None:
    table = at("speaking", 4)
    for number in range(12):
        speaker = table.clients[2 + number % 2]
        table.act(speaker, speaker.guest.state(Say(ForeignText(f"line {number} of talk"))))
    painted_by(table, Gesture.SWEAT, 0)
    assert sum(len(each.encode()) for each in painted_by(table, gesture)) <= MOST


def test_a_gloat_at_the_end_of_a_game_costs_as_little() -> None:
    table = at("over")
    if winner(table) == 0:
        table.clients.reverse()
    place = next(i for i, each in enumerate(table.clients) if each.view.may_gloat)
    assert sum(len(each.encode()) for each in painted_by(table, Gesture.GLOAT, place)) <= MOST


# What is seen


@pytest.mark.parametrize("gesture", FREE)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12), (120, 40)])
def test_every_gesture_is_seen_on_every_screen_and_then_is_not(
    size: tuple[int, int], gesture: Gesture
) -> None:
    table = at("speaking", 4)
    scene = seen(table.clients[0])
    before = sheet(scene, size).rows
    gesticulate(table, 1, gesture)
    scene.look(table.clients[0].view)
    height = size[1] - 9
    assert sheet(scene, size).rows[:height] != before[:height]
    while scene.gestures.shown:
        scene.gestures = scene.gestures.after(*scene.gestures.shown)
    assert ("Player2" in said(scene, "ring", *size)) is True


@pytest.mark.parametrize("gesture", FREE)
def test_every_gesture_has_its_plain_sentence_in_the_log(gesture: Gesture) -> None:
    table = at("speaking", 4)
    gesticulate(table, 1, gesture)
    assert gesture_words(gesture, "Player2") in said(seen(table.clients[0]), "side")


def test_the_shearn_wobble_trembles_on_every_screen_and_the_fist_stays_shut() -> None:
    table = at("speaking")
    scenes = [seen(client) for client in table.clients]
    gesticulate(table, 0, Gesture.WOBBLE)
    for scene, client in zip(scenes, table.clients, strict=True):
        scene.look(client.view)
        [shown] = scene.gestures.shown.values()
        first = sheet(scene).rows
        scene.gestures = scene.gestures.after(*scene.gestures.shown)
        assert shown.gesture is Gesture.WOBBLE and sheet(scene).rows != first
        assert scene.view is not None
        assert all(seat.hand is None for seat in scene.view.seats)


def test_mitt_full_and_the_other_shouts_stand_over_the_fist_in_a_bubble() -> None:
    for gesture in SHOUTS:
        table = at("speaking", 4)
        scene = seen(table.clients[0])
        gesticulate(table, 1, gesture)
        scene.look(table.clients[0].view)
        assert f" {gesture_name(gesture)} " in said(scene, "ring", 80, 24)


def test_faked_sweat_indecision_and_smugness_each_look_different_on_the_fist() -> None:
    looks = set()
    for gesture in (None, Gesture.SWEAT, Gesture.INDECISION, Gesture.SMUGNESS):
        table = at("speaking", 4)
        scene = seen(table.clients[0])
        if gesture:
            gesticulate(table, 1, gesture)
            scene.look(table.clients[0].view)
        looks.add(painted(Sheet(56, 15), drawn(table_parts(scene, 80, 24)[1:-8], 56, 15)))
    assert len(looks) == 4


def test_no_gesture_hides_a_word_or_a_coin() -> None:
    for gesture in FREE:
        table = at("answering", 4)
        scene = seen(table.clients[0])
        gesticulate(table, 0, gesture)
        gesticulate(table, 1, gesture)
        scene.look(table.clients[0].view)
        ring = said(scene, "ring", 80, 24)
        assert ring.count("●") == 4 * 3 and " 2 " in ring


@pytest.mark.parametrize("gesture", FREE)
def test_a_gesture_is_painted_alike_over_every_hand(gesture: Gesture) -> None:
    told = set()
    for hand in range(4):
        table = at("choosing")
        table.choose(1, hand, 1)
        told.add(tuple(painted_by(table, gesture)))
    assert len(told) == 1


def test_while_a_count_is_told_a_gloat_waits_with_all_that_was_said_after_it() -> None:
    table = at("answering", 2)
    while True:
        scene = seen(table.clients[0])
        table.say(Ending.SPOOF)
        scene.look(table.clients[0].view)
        assert scene.presentation.is_running
        if table.host.table.game and table.host.table.game.winner is not None:
            break
        table.choose(*[0 for _ in table.clients])
    gesticulate(table, winner(table), Gesture.GLOAT)
    scene.look(table.clients[0].view)
    assert "gloats" not in said(scene, "side") and not scene.gestures.shown
    pay(scene)
    assert "gloats" in said(scene, "side") and scene.gestures.shown


# How long


def test_what_was_done_before_this_player_came_is_not_shown() -> None:
    table = at("speaking")
    gesticulate(table, 1, Gesture.SWEAT)
    assert not seen(table.clients[0]).gestures.shown


def test_a_gesture_that_moves_has_its_drawings_in_turn_and_one_that_does_not_has_one() -> None:
    key, gestures = b"k", Gestures(0, {b"k": Shown(Gesture.WOBBLE, 1)})
    names = []
    while gestures.shown:
        names.append(gestures.shown[key].picture)
        gestures = gestures.after(key)
    assert len(names) == FRAMES[Gesture.WOBBLE] and len(set(names)) == 2
    assert not Gestures(0, {key: Shown(Gesture.SWEAT, 1)}).after(key).shown


def test_nothing_moves_where_motion_is_not_wanted() -> None:
    wobble = Shown(Gesture.WOBBLE, 1)
    assert not Gestures(0, {b"k": wobble}).after(b"k", still=True).shown
    assert seconds_of(wobble, still=True) > seconds_of(wobble)


async def test_a_gesture_goes_by_itself() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        gesticulate(table, 1, Gesture.WOBBLE)
        await app.look(pilot)
        assert screen.scene.gestures.shown
        assert await until(pilot, lambda: not screen.scene.gestures.shown)


# The end of a game, and the trap


def test_the_winner_gloats_on_the_felt_of_the_end_of_the_game() -> None:
    table = at("over")
    scene = seen(table.clients[0])
    gesticulate(table, winner(table), Gesture.GLOAT)
    scene.look(table.clients[0].view)
    assert f"Player{winner(table) + 1} gloats." in said(scene, "ring", 80, 24)


def test_who_did_not_gloat_is_marked_for_all_to_see_until_the_next_game_ends() -> None:
    table = at("over")
    scenes = [seen(client) for client in table.clients]
    table.ready()
    for scene, client in zip(scenes, table.clients, strict=True):
        scene.look(client.view)
        assert "no gloat" not in said(scene, "ring", 80, 24)
    table.choose(1, 1, 1)
    for scene, client in zip(scenes, table.clients, strict=True):
        scene.look(client.view)
        assert "no gloat" in said(scene, "ring", 80, 24)
        assert "did not gloat" in said(scene, "side")
    while table.host.table.phase is not Phase.GATHERING:
        table.play_on()
    assert not any(seat.did_not_gloat for seat in table.clients[0].view.seats)


async def test_in_the_school_a_gloat_is_a_trap_that_costs_a_drink() -> None:
    table = a_school()
    table.say(*(Bid(number) for number in range(3, 3 + len(table.clients))))
    left = next(each for each in table.clients if each.view.may_gloat)
    app = AtTable(table, left)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("j")
        assert await app.sees(pilot, "9 gloat", "The slate is listening.")
        await pilot.press("9")
        assert await app.sees(pilot, "gloats.")
        assert left.view.slate.owed(left.guest.key) == 1
