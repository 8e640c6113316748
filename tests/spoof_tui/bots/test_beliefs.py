"""What a bot reads from words and from earlier hands, and what it must not read."""

import pytest

from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending
from spoof_tui.bots.beliefs import habit, last_bids, read_table, rest_of
from spoof_tui.bots.levels import Level
from spoof_tui.bots.odds import even
from tests.spoof_tui.bots.arena import bidding, view_of_round


def played(coins: tuple[int, ...], hands: dict[int, int]) -> PlayedRound:
    running = bidding(coins, (0, Bid(1)), (1, Ending.CALL))
    return PlayedRound(running, hands, running.count(hands))


def test_before_any_word_every_hand_is_as_likely() -> None:
    beliefs = read_table(view_of_round(bidding((3, 2, 1)), 0), Level.HARD.traits)
    assert beliefs.hands == (even(3), even(2), even(1))


def test_a_high_bid_makes_a_full_hand_likelier_to_who_reads_bids() -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(6))), 1)
    read = read_table(view, Level.HARD.traits).hands
    assert read[0][3] > read[0][0]
    assert read[2] == even(3)
    assert read_table(view, Level.EASY.traits).hands[0] == pytest.approx(even(3))


def test_the_last_bid_of_a_seat_is_the_one_that_counts() -> None:
    words = ((0, Bid(1)), (1, Bid(2)), (0, Bid(4)))
    assert last_bids(view_of_round(bidding((3, 3), *words), 1)) == {0: 4, 1: 2}


def test_seats_that_are_out_hold_nothing_and_are_not_counted() -> None:
    beliefs = read_table(view_of_round(bidding((3, 0, 2)), 0), Level.HARD.traits)
    assert beliefs.players == (0, 2)
    assert beliefs.except_for(0) == (even(2),)
    assert rest_of((3, 0, 2), 2) == even(3)


def test_earlier_hands_are_remembered_by_what_was_held_and_what_was_kept_back() -> None:
    past = (played((3, 3, 3), {0: 1, 1: 1, 2: 0}), played((2, 3, 3), {0: 2, 1: 1, 2: 0}))
    view = view_of_round(bidding((2, 3, 3)), 0, past)
    assert habit(view, 0, memory=1.0) == pytest.approx((1.5 / 5, 1.5 / 5, 2 / 5))
    assert habit(view, 1, memory=1.0) == pytest.approx((1 / 6, 3 / 6, 1 / 6, 1 / 6))
    assert habit(view, 1, memory=0.0) == even(3)


def test_a_fist_that_stayed_shut_is_no_memory() -> None:
    running = bidding((3, 3), (0, Bid(1)), (1, Ending.CALL))
    view = view_of_round(bidding((3, 3)), 0, (PlayedRound(running, {0: 1}, running.void(1)),))
    assert habit(view, 1, memory=1.0) == even(3)
