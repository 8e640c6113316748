"""The wheel of gestures: what it offers, what a key does on it, and that it fits everywhere."""

from __future__ import annotations

import pytest

from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture
from spoof_tui.text import i18n
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.wheel import WHEEL, Wheel, digit, offered
from spoof_tui.ui.wording.gestures import gesture_name
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, said, seen, shown
from tests.spoof_tui.ui.tables import AtTable

SIZES = [(80, 24), (60, 20), (40, 12)]


def second_game(rules: str = "milan") -> MemoryTable:
    """The second game of three, which crap is to open; no fist is in."""
    table = at("over", rules=rules)
    table.ready()
    return table


def winner(table: MemoryTable) -> int:
    game = table.host.table.game
    assert game is not None and game.winner is not None
    return game.winner


def test_every_gesture_has_a_digit_of_its_own_and_is_on_the_wheel() -> None:
    assert set(WHEEL) == set(Gesture)
    assert [digit(each) for each in WHEEL] == [*"123456789"]


def test_the_wobble_is_offered_with_a_fist_that_is_in() -> None:
    assert Gesture.WOBBLE in offered(at("speaking").clients[0].view)
    assert Gesture.WOBBLE not in offered(at("choosing").clients[0].view)


def test_a_gloat_is_offered_to_whoever_has_just_won_and_comes_first() -> None:
    table = at("over")
    for place, client in enumerate(table.clients):
        assert (Gesture.GLOAT in offered(client.view)) == (place == winner(table))
    view = table.clients[winner(table)].view
    assert Wheel.open(view, Gesture.SWEAT).at is Gesture.GLOAT


@pytest.mark.parametrize("key", ["right", "left", "down", "up", "tab"])
def test_an_arrow_turns_the_wheel_round_its_ends(key: str) -> None:
    view = at("speaking").clients[0].view
    wheel, met = Wheel.open(view, Gesture.SWEAT), set()
    for _ in offered(view):
        turned = wheel.press(key, view)
        assert isinstance(turned, Wheel)
        wheel = turned
        met.add(wheel.at)
    assert met == {*offered(view)} and wheel.at is Gesture.SWEAT


@pytest.mark.parametrize("gesture", WHEEL)
def test_a_digit_chooses_what_is_offered_and_nothing_else(gesture: Gesture) -> None:
    view = at("speaking").clients[0].view
    wheel = Wheel.open(view, Gesture.SWEAT)
    pressed = wheel.press(digit(gesture), view)
    assert pressed == (gesture if gesture in offered(view) else wheel)


@pytest.mark.parametrize("key", ["escape", "j", "q", "f1"])
def test_any_other_key_closes_the_wheel(key: str) -> None:
    view = at("speaking").clients[0].view
    assert Wheel.open(view, Gesture.SWEAT).press(key, view) is None


def test_what_makes_no_sense_any_more_is_passed_over() -> None:
    assert Wheel(Gesture.WOBBLE).here(at("choosing").clients[0].view) is Gesture.SWEAT


@pytest.mark.parametrize("language", ["en", "uk"])
@pytest.mark.parametrize("size", SIZES)
def test_the_whole_wheel_fits(size: tuple[int, int], language: str) -> None:
    i18n.install(language)
    try:
        table = second_game()
        table.choose(1, 1, 1)
        view = next(c for c in table.clients if Gesture.START in offered(c.view)).view
        scene = Scene(wheel=Wheel(Gesture.SWEAT))
        scene.look(view)
        lines = shown(scene, *size)
        for gesture in offered(view):
            assert f"{digit(gesture)} {gesture_name(gesture)}" in lines
    finally:
        i18n.install("en")


# At the table


async def test_a_key_opens_the_wheel_and_a_digit_is_seen_by_everybody() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("j")
        assert await app.sees(pilot, "A gesture", "the Wobble")
        await pilot.press("1")
        assert await app.misses(pilot, "A gesture")
        assert table.clients[1].view.talk[-1].said is Gesture.WOBBLE


async def test_while_the_wheel_is_open_a_digit_hides_no_coins() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("j", "2")
        assert table.clients[0].view.own_fist_due
        assert table.clients[0].view.talk[-1].said is Gesture.SWEAT
        await pilot.press("2")
        assert not table.clients[0].view.own_fist_due


async def test_arrows_and_enter_choose_and_the_wheel_remembers_it() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(40, 12)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("j", "right", "enter", "j", "enter")
        assert [each.said for each in app.seat.view.talk] == [Gesture.SWEAT] * 2


async def test_the_wheel_is_opened_and_used_by_the_mouse() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        for label in ("gestures", "Never!"):
            assert await app.sees(pilot, label)
            y = next(row for row, line in enumerate(app.lines) if label in line)
            await pilot.click(offset=(app.lines[y].index(label), y))
            await pilot.pause()
        assert app.seat.view.talk[-1].said is Gesture.NEVER


def test_the_wheel_paints_the_same_whatever_the_hand_is() -> None:
    painted = set()
    for hand in range(4):
        table = at("choosing")
        table.choose(hand, 1, 1)
        scene = seen(table.clients[0])
        assert scene.view is not None and scene.view.phase is Phase.SPEAKING
        scene.wheel = Wheel.open(scene.view, Gesture.WOBBLE)
        table.act(table.clients[0], table.clients[0].guest.state(Gesticulate(Gesture.WOBBLE)))
        painted.add(said(seen(table.clients[0], scene), "panel") + shown(scene))
    assert len(painted) == 1
