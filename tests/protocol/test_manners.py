"""Which gestures make sense, and when."""

from __future__ import annotations

from protocol.manners import crap, makes_sense
from protocol.rules.words import Ending
from protocol.table.statements import Gesture
from protocol.views import TableView
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at


def sensible(view: TableView) -> set[Gesture]:
    return {each for each in Gesture if makes_sense(each, view)}


def second_game() -> MemoryTable:
    """The second game of three, which crap is to open; no fist is in."""
    table = at("over")
    table.ready()
    return table


def test_crap_hears_start_us_off_and_hurry_up_and_says_neither() -> None:
    table = second_game()
    views = [client.view for client in table.clients]
    aimed = [sensible(view) >= {Gesture.START, Gesture.HURRY} for view in views]
    assert aimed == [not seat.is_crap for seat in views[0].seats]
    [opener] = [seat.key for seat in views[0].seats if seat.is_crap]
    assert [found.key for view in views if (found := crap(view))] == [opener] * 2


def test_nobody_starts_us_off_who_has_spoken_or_in_the_first_game() -> None:
    table = second_game()
    table.choose(1, 1, 1)
    assert any(Gesture.START in sensible(client.view) for client in table.clients)
    table.say(Ending.SPOOF)
    for view in (client.view for client in (*table.clients, *at("speaking").clients)):
        assert Gesture.START not in sensible(view)


def test_who_goes_out_first_is_hurried_to_the_next_game_until_ready() -> None:
    table = at("over")
    first = table.host.table.game
    assert first is not None and first.first_out is not None
    others = [each for place, each in enumerate(table.clients) if place != first.first_out]
    assert all(Gesture.HURRY in sensible(each.view) for each in others)
    table.ready(table.clients[first.first_out])
    assert all(Gesture.HURRY not in sensible(each.view) for each in others)


def test_nobody_is_hurried_where_the_lot_opens() -> None:
    for moment in ("over", "choosing"):
        assert crap(at(moment, rules="three-coins").clients[0].view) is None


def test_only_a_fist_that_is_in_can_wobble() -> None:
    assert Gesture.WOBBLE in sensible(at("speaking").clients[0].view)
    assert Gesture.WOBBLE not in sensible(at("choosing").clients[0].view)


def test_only_whoever_has_just_won_can_gloat() -> None:
    assert sum(Gesture.GLOAT in sensible(each.view) for each in at("over").clients) == 1


def test_sweat_and_the_like_make_sense_at_any_time() -> None:
    for moment in ("gathering", "choosing", "speaking", "over"):
        always = {Gesture.SWEAT, Gesture.INDECISION, Gesture.SMUGNESS, Gesture.NEVER}
        assert always < sensible(at(moment).clients[0].view)
