"""What words are worth, where the answer is known."""

import pytest

from protocol.rules.words import Bid, Direction, Ending
from spoof_tui.bots.judging import Judge
from spoof_tui.bots.levels import Level
from tests.spoof_tui.bots.arena import bidding, view_of_round

NOW = 1 / 3
"""The share of one of three players with three coins each."""


def judge(*words: tuple[int, Bid], me: int = 0, rules: str = "milan") -> Judge:
    return Judge.of(
        view_of_round(bidding((3, 3, 3), *words, rules=rules), me), Level.HARD.traits, me
    )


def test_calling_a_sure_bid_costs_the_coin() -> None:
    calling = judge((0, Bid(1)), me=1)
    assert calling.ending(Ending.CALL, calling.odds(3)) == pytest.approx(2 / 8)


def test_calling_an_impossible_bid_costs_the_bidder_one() -> None:
    calling = judge((0, Bid(9)), me=1)
    assert calling.ending(Ending.CALL, calling.odds(2)) == pytest.approx(3 / 8)


def test_a_call_is_better_the_higher_the_bid() -> None:
    worths = []
    for number in range(1, 10):
        calling = judge((0, Bid(number)), me=1)
        worths.append(calling.ending(Ending.CALL, calling.odds(1)))
    assert worths == sorted(worths)


def test_a_cliff_at_the_cap_wins_nothing() -> None:
    free, capped = judge((0, Bid(4)), me=1), judge((0, Bid(4)), me=1, rules="bid-spoof")
    assert capped.ending(Ending.CLIFF, capped.odds(2)) < free.ending(Ending.CLIFF, free.odds(2))
    assert capped.ending(Ending.CLIFF, capped.odds(2)) < NOW


def test_spoof_and_zero_are_lost_with_the_wrong_hand() -> None:
    opening = judge()
    assert opening.ending(Ending.SPOOF, opening.odds(2)) == pytest.approx(2 / 8)
    assert opening.ending(Ending.ZERO, opening.odds(1)) == pytest.approx(2 / 8)


def test_a_right_zero_is_worth_more_than_a_right_spoof() -> None:
    opening = judge()
    zero, spoof = (
        opening.ending(Ending.ZERO, opening.odds(0)),
        opening.ending(Ending.SPOOF, opening.odds(3)),
    )
    assert zero > spoof


def test_the_highest_bid_is_called_for_certain() -> None:
    bidding_all = judge()
    assert bidding_all.bid(9, bidding_all.odds(2), Direction.CLOCKWISE) == pytest.approx(2 / 8)


def test_an_absurd_bid_is_worth_less_than_a_modest_one() -> None:
    opening = judge()
    odds = opening.odds(1)
    modest, absurd = (opening.bid(number, odds, Direction.CLOCKWISE) for number in (2, 7))
    assert modest > absurd


def test_the_direction_matters_when_the_neighbours_differ() -> None:
    view = view_of_round(bidding((3, 1, 3)), 0)
    opening = Judge.of(view, Level.HARD.traits, 0)
    ways = {opening.bid(4, opening.odds(3), way) for way in Direction}
    assert len(ways) == 2
