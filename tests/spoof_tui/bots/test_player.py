"""Bots play within the rules, by what they may know, and cannot be read."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.fold import Phase
from protocol.table.statements import Gesture, Measure
from protocol.viewer import view_of
from protocol.views import TableView
from protocol.wire.new_table import Offer
from spoof_tui.bots.arena import play_game
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story, signing_key, vote
from tests.spoof_tui.bots.arena import bidding, view_of_round

CLIFF = (Ending.CLIFF, None)

levels = st.sampled_from(Level)


def mind(seed: int = 1, level: Level = Level.HARD) -> BotMind:
    return BotMind(level, random.Random(seed))


def words(
    view: TableView, hand: int, level: Level = Level.HARD, times: int = 400
) -> Counter[tuple[Word, Direction | None]]:
    bot = mind(level=level)
    return Counter(bot.choose_word(view, hand) for _ in range(times))


@given(st.integers(0, 2**32), st.integers(2, 9), levels, st.sampled_from(sorted(PRESETS)))
def test_every_word_and_hand_of_a_game_is_legal(
    seed: int, players: int, level: Level, rules: str
) -> None:
    minds = [mind(seed + seat, level) for seat in range(players)]
    game = play_game(minds, PRESETS[rules], opener=0)
    assert game.last_in in range(players)
    for played in game.rounds:
        assert all(0 <= hand <= played.words.coins[seat] for seat, hand in played.hands.items())


@pytest.mark.parametrize("level", Level)
def test_bots_play_a_game_at_a_real_table(level: Level) -> None:
    table = MemoryTable(3, "bid-spoof")
    table.ready()
    minds = {id(client): mind(seat, level) for seat, client in enumerate(table.clients)}
    hands = {}
    while table.host.table.phase is not Phase.GATHERING:
        for client in [each for each in table.clients if each.view.own_fist_due]:
            hands[id(client)] = minds[id(client)].choose_hand(client.view)
            table.act(client, client.guest.choose(hands[id(client)], table.entropy()))
        client = table.speaker()
        word, direction = minds[id(client)].choose_word(client.view, hands[id(client)])
        table.act(client, client.guest.speak(word, direction))
    assert table.clients[0].view.winner is not None
    assert not any(client.events for client in table.clients)


@pytest.mark.parametrize("level", Level)
def test_another_players_hidden_hand_changes_nothing_that_a_bot_does(level: Level) -> None:
    behaviours = []
    for hidden in range(4):
        table = MemoryTable(3)
        table.ready()
        opener = table.clients[0].view.starter
        table.choose(*(1 if seat == opener else hidden for seat in range(3)))
        view, bot = table.speaker().view, mind(level=level)
        behaviours.append(
            [
                (bot.choose_word(view, 1), bot.choose_gesture(view, 1), bot.think_seconds(view))
                for _ in range(30)
            ]
        )
    assert all(behaviour == behaviours[0] for behaviour in behaviours)


@pytest.mark.parametrize("level", Level)
def test_every_hand_is_chosen_sometimes(level: Level) -> None:
    view, bot = view_of_round(bidding((3, 3, 3)), 0, speaking=False), mind(level=level)
    assert {bot.choose_hand(view) for _ in range(200)} == {0, 1, 2, 3}


@pytest.mark.parametrize("level", Level)
def test_no_hand_has_one_opening_only_and_no_opening_one_hand_only(level: Level) -> None:
    view = view_of_round(bidding((3, 3, 3)), 0)
    openings = {hand: set(words(view, hand, level)) for hand in range(4)}
    assert all(len(said) >= 3 for said in openings.values())
    for word in (Bid(1), Bid(2), Bid(3), Bid(4)):
        assert sum((word, None) in said for said in openings.values()) >= 2


def test_the_same_seed_says_the_same() -> None:
    view = view_of_round(bidding((3, 3, 3)), 0)
    assert mind(5).choose_word(view, 2) == mind(5).choose_word(view, 2)


@pytest.mark.parametrize("level", Level)
def test_an_impossible_bid_is_mostly_called(level: Level) -> None:
    view = view_of_round(bidding((1, 1), (0, Bid(2))), 1)
    said = words(view, 0, level)
    assert said.most_common(1)[0][0] == (Ending.CALL, None)


def test_a_bid_that_must_be_true_is_hardly_ever_called() -> None:
    said = words(view_of_round(bidding((3, 3, 3), (0, Bid(1))), 1), 3)
    assert said[Ending.CALL, None] < 20


def test_a_likely_cliff_is_said_often_and_less_so_at_the_cap() -> None:
    # Three of five coins held, and a bid of 4 by an owner of one: likely exactly true.
    free = view_of_round(bidding((1, 3, 1), (0, Bid(4))), 1)
    capped = view_of_round(bidding((1, 3, 1), (0, Bid(4)), rules="bid-spoof"), 1)
    assert words(free, 3)[CLIFF] > 100
    assert words(capped, 3)[CLIFF] < 0.5 * words(free, 3)[CLIFF]


def test_spoof_is_said_with_a_full_hand_when_all_else_is_lost() -> None:
    view = view_of_round(bidding((1, 1), (0, Bid(2))), 1)
    assert words(view, 1)[Ending.SPOOF, None] > words(view, 0)[Ending.SPOOF, None]


def test_zero_is_said_with_an_empty_hand_only_and_only_when_there_is_a_chance() -> None:
    small, large = (
        view_of_round(bidding((1, 1), rules="milan cap=5"), 0),
        view_of_round(bidding((3,) * 6), 0),
    )
    assert words(small, 0)[Ending.ZERO, None] > 40
    assert words(small, 1)[Ending.ZERO, None] < 20
    assert words(large, 0)[Ending.ZERO, None] < 20


def test_the_direction_is_turned_sometimes_when_the_opening_may() -> None:
    ways = Counter(way for _, way in words(view_of_round(bidding((3, 3, 3)), 0), 1))
    assert set(ways) == {None, Direction.COUNTER_CLOCKWISE}


@pytest.mark.parametrize(
    "running",
    [
        bidding((3, 3)),
        bidding((3, 3, 3), rules="three-coins"),
        bidding((3, 3, 3), (2, Bid(1)), starter=2),
    ],
)
def test_the_direction_is_left_alone_when_it_may_not_be_chosen(running: BiddingRound) -> None:
    view = view_of_round(running, 0)
    assert {way for _, way in words(view, 1, times=60)} == {None}


def test_nobody_speaks_out_of_turn_or_from_the_floor() -> None:
    with pytest.raises(LocalError):
        mind().choose_word(view_of_round(bidding((3, 3)), 1), 0)


def test_a_shout_is_rare_and_comes_before_big_bids_only() -> None:
    bot = mind()
    small = view_of_round(bidding((3, 3, 3), (0, Bid(2))), 1)
    large = view_of_round(bidding((3, 3, 3), (0, Bid(5))), 1)
    shouts = Counter(bot.choose_gesture(large, 1) for _ in range(1000))
    assert 20 < shouts[Gesture.MITT_FULL] < 200
    assert not any(bot.choose_gesture(small, 1) for _ in range(1000))


def test_a_shout_and_the_thinking_time_are_the_same_with_every_hand() -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(5))), 1)
    seen = []
    for hand in range(4):
        bot, aloud = mind(), []
        for _ in range(100):
            bot.choose_word(view, hand)
            aloud.append((bot.choose_gesture(view, hand), bot.think_seconds(view)))
        seen.append(aloud)
    assert all(aloud == seen[0] for aloud in seen)


def test_a_bot_agrees_to_play_on_when_somebody_else_wants_it_and_only_then_g7() -> None:
    story = Story(4).start(0, 1, 2, 3).toss(0, 1, 2, 3).away(3).wait()
    bot = signing_key(2).public
    assert mind().agrees_to(view_of(story.table, bot)) == ()
    story.vote(Measure.PLAY_ON, 3, 0)
    assert mind().agrees_to(view_of(story.table, bot)) == (vote(Measure.PLAY_ON, 3),)
    story.sit(4)
    assert mind().agrees_to(view_of(story.table, signing_key(4).public)) == ()
    story.vote(Measure.PLAY_ON, 3, 2)
    assert mind().agrees_to(view_of(story.table, bot)) == ()


def test_a_bot_goes_along_to_a_new_table_when_somebody_else_wants_it_and_only_then_g8() -> None:
    story = Story(5).start(*range(5)).toss(*range(5))
    person, bot = signing_key(0).public, signing_key(1).public
    seen = view_of(story.table, bot)

    def goes(*agreed: bytes, wait: int = 0, along: tuple[bytes, ...] = (person, bot)) -> bool:
        agreements = tuple(bytes(64) if key in agreed else None for key in along)
        offer = Offer(person, bytes(32), along, agreements, wait)
        return mind().goes_along(replace(seen, new_table=offer))

    assert goes(person) and not goes()
    assert not goes(person, bot) and not goes(person, wait=1)
    assert not goes(person, along=(person, signing_key(2).public))
    assert not mind().goes_along(seen)
