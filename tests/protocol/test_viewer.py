"""What one participant may see: everything public, and no hand before its fist opens."""

import functools
from typing import Any

import pytest

from protocol.errors import Reason
from protocol.rules.words import Bid, Direction, Drink, Ending
from protocol.table.state import Phase
from protocol.table.statements import Fist, Measure, Order, Speak
from protocol.views import FistState, SeatStatus, TableView, view_of
from tests.protocol.stories import GRACE, Story, signing_key

WATCHER, STRANGER = 3, 4


@functools.cache
def choosing() -> Story:
    """Three play, one of them with a fist in; one sits and watches."""
    return Story(3).start(0, 1, 2).sit(WATCHER).toss(0, 1, 2).fists_of({0: 1})


@functools.cache
def speaking() -> Story:
    return choosing().copy().fists_of({1: 2, 2: 0})


@functools.cache
def finished() -> Story:
    """The first is out, then the second; the third won, and the second left."""
    story = speaking().copy().say(Bid(9), Ending.CALL).open()
    while story.table.phase is Phase.CHOOSING:
        story.fists(*(0 for coins in story.game.coins if coins))
        story.say(Bid(sum(story.game.coins)), Ending.CALL).open()
    return story


def seen(story: Story, who: int = 0) -> TableView:
    return view_of(story.table, signing_key(who).public)


IN, NOT_IN, OPEN, NONE = FistState.IN, FistState.NOT_IN, FistState.OPEN, FistState.NONE


# No hand in a view


def guessed(hands: dict[int, int], *numbers: int, rules: str = "hollywood") -> Story:
    """A round of the guessing game; the first holds 1."""
    story = Story(3, rules).start(0, 1, 2).sit(WATCHER).toss(0, 1, 2).fists_of({0: 1})
    return story.fists_of(hands).say(*map(Bid, numbers))


@pytest.mark.parametrize("rules", ["hollywood", "hollywood impossible=refuse"])
@pytest.mark.parametrize("who", [0, 1, 2, WATCHER, STRANGER])
def test_an_impossible_call_looks_like_any_other_to_everybody_until_the_fist_opens_h7(
    who: int, rules: str
) -> None:
    for numbers in ([], [4], [4, 4], [4, 5, 1]):
        views = [seen(guessed({1: 2, 2: hand}, *numbers, rules=rules), who) for hand in range(4)]
        assert all(view == views[0] and repr(view) == repr(views[0]) for view in views)
    opened = [guessed({1: 2, 2: hand}, 4, 5, 1).open(0) for hand in range(4)]
    assert all(seen(story, who) == seen(opened[0], who) for story in opened)
    assert seen(opened[0].open(2), who) != seen(opened[1].open(2), who)


# What is in a view


@functools.cache
def turned() -> Story:
    return speaking().copy().tell(0, Speak(Bid(4), Direction.COUNTER_CLOCKWISE))


@functools.cache
def away() -> Story:
    """The second player went away five seconds after the game began to wait for them."""
    return choosing().copy().wait(5).away(1)


LEFT = Direction.COUNTER_CLOCKWISE


def shown(story: Story, who: int = 0, **facts: object) -> None:
    view = seen(story, who)
    assert {name: getattr(view, name) for name in facts} == facts


def seats(story: Story, name: str) -> list[object]:
    return [getattr(each, name) for each in seen(story).seats]


def test_whoever_speaks_sees_what_may_be_bid_and_nobody_else_does() -> None:
    nothing: dict[str, Any] = {"my_turn": False, "lowest_bid": None, "may_turn": False}
    shown(speaking(), my_turn=True, may_turn=True, lowest_bid=1, most=9)
    shown(turned(), 2, my_turn=True, may_turn=False, standing=(0, 4), lowest_bid=5, direction=LEFT)
    shown(speaking().copy().say(Bid(8)), 1, lowest_bid=9)
    shown(speaking().copy().say(Bid(9)), 1, lowest_bid=None, my_turn=True)
    shown(speaking(), 1, **nothing, speaker=0, starter=0)
    shown(speaking(), STRANGER, **nothing, me=None, my_seat=None, own_fist_due=False)
    shown(finished(), **nothing, winner=2, speaker=None, starter=None, round_number=6)
    removed = Story(3).start(0, 1, 2).toss(0, 1, 2).decide(Measure.REMOVE, 1).sit(1).fists(1, 1)
    shown(removed, 1, **nothing, most=6, own_fist_due=False)


def test_the_first_to_leave_may_order_once_and_a_school_has_a_chairman_h2_h10() -> None:
    story = guessed({1: 2, 2: 0}, 3, 8, 9).open()
    shown(story, 0, may_order=True, chairman=signing_key(0).public)
    shown(story, 1, may_order=False)
    shown(story.tell(0, Order(Drink.PORT)), 0, may_order=False)
    shown(finished(), may_order=False, chairman=None)


def test_nobody_sees_their_own_seat_away_before_the_log_says_that_they_are_back() -> None:
    assert [each.presence for each in seen(away(), 1).seats] == [SeatStatus.HERE] * 4
    assert seen(away(), 1).seats[1].away_since is None
    assert seen(away(), 0).seats[1].presence is SeatStatus.AWAY


def test_a_seat_shows_since_when_and_until_when_it_is_waited_for() -> None:
    since = away().table.time
    assert seats(away(), "away_since") == [None, since, None, None]
    assert seats(away(), "play_on_from") == [None, since + GRACE * 1000, None, None]
    assert seats(away().copy().pause(), "play_on_from") == [None] * 4
    clocked = Story(2, clock=20).start(0, 1).toss(0, 1)
    assert seats(clocked, "time_up_from") == [clocked.table.time + 20_000] * 2
    assert seats(speaking(), "time_up_from") == [None] * 4


def test_no_fist_is_due_while_it_is_on_its_way_and_a_word_is_shown_on_its_way() -> None:
    key = signing_key(1).public
    assert not view_of(choosing().table, key, waiting=(Fist(bytes(32)),)).own_fist_due
    view = view_of(choosing().table, key, waiting=(Speak(Bid(1)),))
    assert view.own_fist_due and view.own_word == Bid(1)


def test_every_word_is_allowed_or_forbidden_with_its_reason() -> None:
    def reasons(story: Story, who: int = 0) -> list[Reason | None]:
        options = seen(story, who).options
        return [each.forbidden.reason if each.forbidden else None for each in options]

    assert reasons(Story(2)) == reasons(finished()) == [Reason.NO_GAME] * 4
    assert reasons(choosing()) == [Reason.FISTS_NOT_IN] * 4
    assert reasons(speaking(), 1) == [Reason.NOT_YOUR_TURN] * 4
    assert reasons(speaking(), STRANGER) == [Reason.NOT_PLAYING] * 4
    assert reasons(guessed({1: 2, 2: 0})) == [Reason.NUMBERS_ONLY] * 4
    assert reasons(speaking()) == [Reason.CALL_NEEDS_BID, Reason.CLIFF_NEEDS_BID, None, None]
    assert reasons(turned(), 2) == [None, None, None, Reason.ZERO_OPENS_ONLY]
    assert reasons(speaking().copy().say(Ending.SPOOF)) == [Reason.ROUND_IS_OVER] * 4


def test_the_votes_to_play_on_show_how_many_of_the_present_it_takes() -> None:
    story = away().copy().wait().vote(Measure.PLAY_ON, 1, 0)
    (motion,) = seen(story).votes
    assert (motion.voters, motion.needed) == (frozenset({signing_key(0).public}), 2)
    (motion,) = seen(story.away(0)).votes
    assert (motion.voters, motion.needed) == (frozenset(), 1)
