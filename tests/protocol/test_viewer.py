"""What one participant may see: everything public, and no hand before its fist opens."""

import functools
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import pytest

from protocol.crypto.seals import HASH_BYTES, SealedHand, SealedShare
from protocol.encoding.codec import unpack
from protocol.encoding.framing import FrameReader
from protocol.errors import Malformed, Reason
from protocol.rules.words import Bid, Direction, Drink, Ending
from protocol.table.state import Phase
from protocol.table.statements import Fist, Measure, Order, Speak
from protocol.viewer import view_for, view_of
from protocol.views import FistState, TableView
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import GRACE, Pair, Story, signing_key

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


def everything(value: object) -> Iterator[object]:
    """A value and all that is in it."""
    yield value
    parts: list[object] = []
    if is_dataclass(value):
        parts = [getattr(value, each.name) for each in fields(value)]
    elif isinstance(value, dict):
        parts = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | list | set | frozenset):
        parts = list(value)
    elif isinstance(value, BaseException):
        parts = [*value.args, *vars(value).values()]
    else:
        assert value is None or isinstance(value, int | str | bytes | Enum), type(value)
    for part in parts:
        yield from everything(part)


def test_there_is_no_secret_anywhere_in_a_view() -> None:
    story = speaking()
    keys = {seat.key for seat in story.table.seats} | {story.table.id, story.table.opened.host}
    parts = list(everything(seen(story)))
    assert not [part for part in parts if isinstance(part, SealedHand | SealedShare)]
    assert {part for part in parts if isinstance(part, bytes)} <= keys
    assert [each.hand for each in seen(story).seats] == [None] * 4


@functools.cache
def told(hand: int, *words: Bid | Ending) -> Story:
    """The story goes on with these words, and with this hand of the third player."""
    return choosing().copy().fists_of({1: 2, 2: hand}).say(*words)


@pytest.mark.parametrize("who", [0, 1, 2, WATCHER, STRANGER])
def test_games_that_differ_in_one_hand_look_the_same_to_everybody_until_it_opens(who: int) -> None:
    for words in ([], [Bid(4)], [Bid(4), Ending.CALL]):
        views = [seen(told(hand, *words), who) for hand in range(4)]
        assert all(view == views[0] and repr(view) == repr(views[0]) for view in views)
    opened = [told(hand, Ending.SPOOF).copy().open(0) for hand in range(4)]
    assert all(seen(story, who) == seen(opened[0], who) for story in opened)
    assert seen(opened[0].open(2), who) != seen(opened[1].open(2), who)


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


def structure(data: bytes) -> object:
    """What can be seen of bytes on a link apart from seals, signatures, hashes and keys."""
    return [shape(unpack(payload)) for payload in FrameReader().feed(data)]


def shape(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(shape, value))
    if not isinstance(value, bytes):
        return value
    try:
        return len(value) if len(value) in (HASH_BYTES, 64) else (len(value), shape(unpack(value)))
    except Malformed:
        return len(value)


@functools.cache
def overheard(hand: int, ended: bool = False, rules: str = "milan") -> tuple[object, ...]:
    """What the others hear and see of a round in which the last seat holds `hand`."""
    table = MemoryTable(3, rules, seed=5)
    table.ready()
    table.choose(1, 2, hand)
    if rules == "milan":
        table.say(Bid(4), *([Ending.CALL] if ended else []))
    else:
        table.say(Bid(1), Bid(1), Bid(9), *([Bid(8)] if ended else []))
    own, others = table.clients[-1], table.clients[:-1]
    heard = [structure(bytes(client.received)) for client in others]
    lengths = [len(client.received) for client in table.clients], len(own.sent), len(table.recorded)
    return heard, lengths, [client.view for client in others]


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_on_the_links_of_others_a_hand_changes_nothing_but_seals_and_hashes(rules: str) -> None:
    assert overheard(0, rules=rules) == overheard(3, rules=rules)


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_the_same_look_does_tell_hands_apart_once_they_are_open(rules: str) -> None:
    assert overheard(0, ended=True, rules=rules) != overheard(3, ended=True, rules=rules)


def test_the_own_hand_is_not_in_the_own_view_either() -> None:
    pair = Pair(speaking(), 2)
    assert pair.guest.own_hand == 0
    assert view_for(pair.guest) == seen(speaking(), 2)


# What is in a view


@functools.cache
def turned() -> Story:
    return speaking().copy().tell(0, Speak(Bid(4), Direction.COUNTER_CLOCKWISE))


@functools.cache
def away() -> Story:
    """The second player has gone away five seconds after the game waited for it."""
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
