"""What one participant may see: everything public, and no hand before its fist opens."""

import functools
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

import pytest

from protocol.crypto.seals import HASH_BYTES, SealedHand, SealedShare
from protocol.encoding.codec import unpack
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import LocalError, Malformed, Reason
from protocol.guest.guest import Guest
from protocol.rules.slate import Slate
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence
from protocol.table.announcements import Away
from protocol.table.state import Phase
from protocol.table.statements import Fist, Leave, Measure, Order, Say, Speak
from protocol.viewer import view_for, view_of
from protocol.views import FistState, LinkState, Motion, SeatStatus, SeatView, TableView
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


def seen(story: Story, who: int = 0, unsteady: tuple[int, ...] = ()) -> TableView:
    keys = [signing_key(each).public for each in unsteady]
    return view_of(story.table, signing_key(who).public, unsteady=keys)


def seat(story: Story, index: int, unsteady: tuple[int, ...] = ()) -> SeatView:
    return seen(story, unsteady=unsteady).seats[index]


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


def test_there_is_no_secret_anywhere_in_a_view_of_the_guessing_game() -> None:
    story = guessed({1: 2, 2: 0}, 4, 4)
    parts = list(everything(seen(story)))
    keys = {seat.key for seat in story.table.seats} | {story.table.id, story.table.opened.host}
    assert not [part for part in parts if isinstance(part, SealedHand | SealedShare)]
    assert {part for part in parts if isinstance(part, bytes)} <= keys


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


def test_seats_are_the_players_and_then_those_who_wait() -> None:
    view = seen(choosing(), WATCHER)
    assert [each.name for each in view.seats] == [ForeignText(f"Player{n}") for n in range(4)]
    assert [each.plays for each in view.seats] == [True, True, True, False]
    assert view.me == WATCHER and view.my_seat == view.seats[WATCHER]


def test_fists_are_out_in_and_open() -> None:
    states = [[each.fist for each in seen(story).seats[:3]] for story in (choosing(), speaking())]
    assert states[0] == [FistState.IN, FistState.NOT_IN, FistState.NOT_IN]
    assert states[1] == [FistState.IN] * 3
    view = seen(speaking().copy().say(Ending.SPOOF).open(1))
    assert [each.fist for each in view.seats[:2]] == [FistState.IN, FistState.OPEN]
    assert [each.hand for each in view.seats] == [None, 2, None, None]
    assert view.seats[WATCHER].fist is FistState.NONE


def test_a_new_round_shuts_all_fists_and_shows_the_last_one() -> None:
    view = seen(speaking().copy().say(Bid(9), Ending.CALL).open())
    assert view.last is not None and view.last.hands == {0: 1, 1: 2, 2: 0}
    assert [each.hand for each in view.seats] == [None] * 4
    assert (view.round_number, view.most, view.words) == (2, 8, ())


@pytest.mark.parametrize("who,due", [(0, False), (1, True), (2, True), (WATCHER, False)])
def test_whose_fist_is_due(who: int, due: bool) -> None:
    assert seen(choosing(), who).own_fist_due == due
    assert not seen(speaking(), who).own_fist_due


def test_no_fist_is_due_while_it_is_on_its_way() -> None:
    key = signing_key(1).public
    assert not view_of(choosing().table, key, waiting=(Fist(bytes(32)),)).own_fist_due
    assert view_of(choosing().table, key, waiting=(Speak(Bid(1)),)).own_fist_due


def test_the_speaker_sees_what_may_be_said() -> None:
    view = seen(speaking())
    assert view.my_turn and view.may_turn and view.lowest_bid == 1
    allowed = {option.word for option in view.options if option.forbidden is None}
    assert allowed == {Ending.SPOOF, Ending.ZERO}


def test_the_next_speaker_sees_the_standing_bid() -> None:
    view = seen(speaking().copy().tell(0, Speak(Bid(4), Direction.COUNTER_CLOCKWISE)), 2)
    assert view.my_turn and not view.may_turn
    assert (view.standing, view.lowest_bid, view.direction) == (
        (0, 4),
        5,
        Direction.COUNTER_CLOCKWISE,
    )
    assert [o.word for o in view.options if o.forbidden] == [Ending.ZERO]


def test_the_highest_bid_there_is_is_offered_while_it_stands_above_the_standing_one() -> None:
    view = seen(speaking().copy().say(Bid(8)), 1)
    assert view.lowest_bid == view.most == 9


def test_there_is_no_bid_above_everything() -> None:
    assert seen(speaking().copy().say(Bid(9)), 1).lowest_bid is None


def test_who_does_not_speak_sees_why() -> None:
    view = seen(speaking(), 1)
    reasons = [option.forbidden and option.forbidden.reason for option in view.options]
    assert reasons == [Reason.NOT_YOUR_TURN] * 4
    assert (view.my_turn, view.lowest_bid, view.may_turn) == (False, None, False)
    assert (view.speaker, view.starter) == (0, 0)


@pytest.mark.parametrize(
    "story,reason",
    [
        (Story(2), Reason.NO_GAME),
        (choosing(), Reason.FISTS_NOT_IN),
        (speaking().copy().say(Ending.SPOOF), Reason.ROUND_IS_OVER),
        (finished(), Reason.NO_GAME),
    ],
)
def test_between_turns_every_word_is_forbidden_with_its_reason(
    story: Story, reason: Reason
) -> None:
    reasons = [option.forbidden and option.forbidden.reason for option in seen(story).options]
    assert reasons == [reason] * 4


def test_between_calls_nothing_is_called_or_free_of_the_last_round() -> None:
    view = seen(guessed({1: 2, 2: 0}, 4, 5, 6).open())
    assert (view.calls, view.words, view.speaker) == ((), (), None)
    assert view.last is not None and view.last.outcome.total == 3


def test_the_slate_the_chairman_and_the_order_are_shown_h2_h10() -> None:
    story = guessed({1: 2, 2: 0}, 3, 8, 9).open()
    first, second = seen(story, 0), seen(story, 1)
    assert (first.may_order, second.may_order) == (True, False)
    assert first.chairman == signing_key(0).public == second.chairman
    assert [fine.offence for fine in second.slate.fines] == [Offence.IMPOSSIBLE]
    assert not seen(story.tell(0, Order(Drink.PORT)), 0).may_order


def test_the_bidding_game_shows_no_chairman_no_calls_and_no_order() -> None:
    view = seen(finished())
    assert (view.is_guessing, view.chairman, view.calls, view.free) == (False, None, (), ())
    assert not view.may_order and view.slate == Slate()


def test_presence_is_here_unsteady_away_or_gone() -> None:
    story = finished().copy().tell(1, Leave()).tell(None, Away(signing_key(2).public))
    shown = [seat(story, index, unsteady=(2, WATCHER)).presence for index in range(4)]
    assert shown == [SeatStatus.HERE, SeatStatus.GONE, SeatStatus.AWAY, SeatStatus.UNSTEADY]


def test_the_end_of_a_game_shows_its_winner_and_no_turn() -> None:
    view = seen(finished())
    assert (view.winner, view.speaker, view.starter, view.phase) == (2, None, None, Phase.GATHERING)
    assert [each.coins > 0 for each in view.seats] == [False, False, True, False]
    assert [each.fist for each in view.seats] == [FistState.NONE] * 4
    assert len(view.past) == view.round_number


def test_crap_and_those_who_are_ready_are_shown() -> None:
    story = finished().copy().ready(0, 2)
    assert [each.ready for each in seen(story).seats] == [True, False, True, False]
    crap = seen(story.tell(None, story.starting()))
    assert [each.is_crap for each in crap.seats] == [True, False, False, False]
    assert crap.starter == 0 and crap.game_number == 2


def test_the_host_what_is_voted_on_and_who_is_muted_or_leaving_are_shown_g5() -> None:
    story = speaking().copy().decide(Measure.MUTE, 0).decide(Measure.REMOVE, 1)
    view = seen(story.vote(Measure.BAR, 2, WATCHER, 1))
    voters = frozenset({signing_key(1).public})
    assert view.votes == (Motion(Measure.BAR, signing_key(2).public, voters, needed=2),)
    assert [each.is_muted for each in view.seats] == [True, False, False, False]
    assert [each.is_leaving for each in view.seats] == [False, True, False, False]
    assert view.host == signing_key(255).public


def test_who_is_removed_has_gone_with_its_coins() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).decide(Measure.REMOVE, 1)
    gone = seat(story, 1)
    assert (gone.presence, gone.coins, gone.plays) == (SeatStatus.GONE, 0, True)
    assert (seen(story).most, seen(story, 1).own_fist_due) == (6, False)


def test_a_game_that_ends_by_a_removal_shows_its_winner() -> None:
    story = Story(2).start(0, 1).toss(0, 1).decide(Measure.REMOVE, 0)
    view = seen(story, 1)
    assert (view.winner, view.phase, view.last, view.most) == (1, Phase.GATHERING, None, 0)


def test_between_the_ending_word_and_the_fists_the_round_is_over() -> None:
    view = seen(speaking().copy().say(Ending.SPOOF))
    assert (view.phase, view.speaker, view.words) == (Phase.WITNESSING, None, ((0, Ending.SPOOF),))
    reasons = {option.forbidden and option.forbidden.reason for option in view.options}
    assert reasons == {Reason.ROUND_IS_OVER}


def test_a_seat_shows_since_when_it_is_away_and_awaited() -> None:
    story = choosing().copy()
    begun = story.table.waiting_since[signing_key(2).public]
    story.wait(5).away(1)
    gone, there, watcher = seen(story).seats[1:4]
    assert (gone.away_since, gone.waits_since) == (story.table.time, story.table.time)
    assert (there.away_since, there.waits_since) == (None, begun)
    assert (watcher.away_since, watcher.waits_since, watcher.play_on_from) == (None, None, None)


def test_a_seat_shows_from_when_on_others_may_play_on_without_it() -> None:
    story = choosing().copy()
    assert seat(story, 1).play_on_from is None
    assert seat(story.away(1), 1).play_on_from == story.table.time + GRACE * 1000
    assert seat(story.pause(), 1).play_on_from is None


def test_a_seat_shows_when_its_clock_runs_out() -> None:
    story = Story(2, clock=20).start(0, 1).toss(0, 1)
    assert seat(story, 0).time_up_from == story.table.time + 20_000
    assert seat(story.fists(1, 1), 1).time_up_from is None
    assert seat(speaking(), 0).time_up_from is None


def test_the_votes_to_play_on_show_how_many_of_the_present_it_takes() -> None:
    story = choosing().copy().away(1).wait().vote(Measure.PLAY_ON, 1, 0)
    (motion,) = seen(story).votes
    assert (motion.measure, motion.voters) == (Measure.PLAY_ON, frozenset({signing_key(0).public}))
    assert motion.needed == 2
    (motion,) = seen(story.away(0)).votes
    assert (motion.voters, motion.needed) == (frozenset(), 1)


def test_a_fist_that_holds_none_is_open() -> None:
    story = choosing().copy().away(1).wait().vote(Measure.PLAY_ON, 1, 0, 2)
    assert (seat(story, 1).fist, seat(story, 1).hand) == (FistState.OPEN, 0)


def test_the_present_host_the_pause_and_the_clocks_are_shown() -> None:
    view = seen(choosing().copy().move(1, 0, 1, 2).pause())
    assert (view.host, view.epoch, view.paused) == (signing_key(1).public, 1, True)
    assert (view.grace, view.clock) == (GRACE, 0)


def test_talk_and_names_are_shown() -> None:
    view = seen(choosing().copy().tell(1, Say(ForeignText("hm"))))
    assert [line.said for line in view.talk] == [ForeignText("hm")]
    assert view.names[signing_key(1).public] == ForeignText("Player1")
    assert view.position == len(choosing().entries) + 1


def test_the_view_of_a_guest_knows_its_link() -> None:
    pair = Pair(speaking())
    assert view_for(pair.guest).link is LinkState.UP
    pair.cut()
    assert view_for(pair.guest).link is LinkState.DOWN


def test_there_is_nothing_to_see_before_the_table_is_known() -> None:
    with pytest.raises(LocalError):
        view_for(Guest(signing_key(0)))
