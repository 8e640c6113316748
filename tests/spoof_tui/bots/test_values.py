"""What a word is worth against one opponent: a chance, and the best one is what is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid, Ending
from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.heads_up import chances_of
from spoof_tui.bots.values import Against, chance_of, nearer, winning_chances
from tests.spoof_tui.bots.arena import bidding


def against(hand: int, *bids: int, rules: str = "three-coins", me: int | None = None) -> Against:
    words = [(at % 2, Bid(bid)) for at, bid in enumerate(bids)]
    running = bidding((3, 3), *words, rules=rules)
    found = Against.of(view_of_round(running, len(bids) % 2 if me is None else me), hand)
    assert found
    return found


def test_a_sure_thing_is_worth_what_follows_from_it() -> None:
    won = chance_of("three-coins", 3, 2, True)
    assert against(0, 6).words([6], [Ending.CALL])[Ending.CALL] == pytest.approx(won)
    lost = chance_of("three-coins", 2, 3, True)
    assert against(3, 1).words([1], [Ending.CALL])[Ending.CALL] == pytest.approx(lost)


@given(st.integers(0, 3))
def test_what_is_said_often_is_worth_as_much_as_the_best(hand: int) -> None:
    said = against(hand)
    if said.plan.hand_odds(True)[hand] < 0.05:
        return  # a hand that is never held is played well by nobody
    odds = said.plan.word_odds((), hand)
    worths = said.words((), list(odds))
    assert max(worths.values()) - min(worths[word] for word in odds if odds[word] > 0.1) < 0.02


@given(st.integers(0, 3), st.sets(st.integers(1, 5), max_size=4))
def test_every_worth_is_a_chance(hand: int, bids: set[int]) -> None:
    heard = sorted(bids)
    found = against(hand, *heard).words(heard, [Ending.SPOOF, Bid(6)])
    assert all(0.0 <= chance <= 1.0 for chance in found.values())


def test_a_bid_makes_a_full_hand_likelier_or_rarer_but_no_hand_impossible() -> None:
    belief = against(1, 4).other([4])
    assert sum(belief) == pytest.approx(1.0) and min(belief) > 0


def test_coins_beyond_what_was_solved_count_as_the_most_that_were() -> None:
    chances = chances_of("milan")
    assert chance_of("milan", 20, 1, True) == chances[10, 1]
    assert chance_of("milan", 1, 20, False) == 1.0 - chances[10, 1]


def test_no_table_no_worth() -> None:
    running = bidding((3, 3, 3))
    assert Against.of(view_of_round(running, 0), 1) is None


@given(st.lists(st.integers(0, 6), min_size=3, max_size=9).filter(lambda coins: sum(coins) > 0))
def test_everybodys_chances_sum_up_and_rise_with_coins(coins: list[int]) -> None:
    chances = winning_chances(PRESETS["milan"], coins, None)
    assert sum(chances) == pytest.approx(1.0)
    assert sorted(coins) == [own for _, own in sorted(zip(chances, coins, strict=True))]


def test_who_leads_wins_more_often_than_the_share_and_a_coin_more_helps() -> None:
    assert winning_chances(PRESETS["milan"], (3, 3, 1), 0)[2] < 1 / 7
    assert nearer((3, 3, 1), 2, -1.0) == 0.0 < nearer((3, 3, 1), 2, 0.0)
    assert nearer((3, 3, 1), 2, 0.0) < nearer((3, 3, 1), 2, 0.5)


def test_two_have_the_chances_that_were_solved() -> None:
    chances = winning_chances(PRESETS["milan"], (0, 3, 2), 1)
    assert chances == (0.0, chance_of("milan", 3, 2, True), 1 - chance_of("milan", 3, 2, True))
