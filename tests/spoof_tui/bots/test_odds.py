"""The odds against counting every case, and what is true of whatever follows from them."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import BIDDING_PRESETS as PRESETS
from protocol.rules.words import Bid
from spoof_tui.bots.coach import advise
from spoof_tui.bots.odds import (
    at_least,
    even_total,
    exactly,
)
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import winning_chances
from tests.protocol.stories import few
from tests.spoof_tui.bots.arena import bidding

coins = st.lists(st.integers(1, 4), min_size=0, max_size=4)


@given(coins, st.integers(-2, 20))
def test_a_total_is_as_likely_as_the_share_of_all_cases_that_give_it(
    owned: list[int], number: int
) -> None:
    cases = list(product(*(range(count + 1) for count in owned)))
    counted = Counter(sum(case) for case in cases)
    expected = [counted[number] / len(cases) for number in range(sum(owned) + 1)]
    total = even_total(tuple(owned))
    assert total == pytest.approx(expected)
    assert at_least(total, number) == pytest.approx(sum(expected[max(number, 0) :]))
    assert exactly(total, number) == pytest.approx(counted[number] / len(cases))


# What is remembered


# What follows


@few
@given(
    st.integers(2, 5), st.integers(0, 3), st.integers(0, 6), st.sampled_from(["milan", "bid-spoof"])
)
def test_the_coach_judges_every_legal_word_once(
    players: int, hand: int, bid: int, rules: str
) -> None:
    said = [(0, Bid(bid))] if bid else []
    running = bidding((3,) * players, *said, rules=rules)
    me = len(said)
    advice = advise(view_of_round(running, me), hand)
    assert len(advice) == len({each.word for each in advice})
    for each in advice:
        running.check(me, each.word)
        assert 0.0 <= each.true <= 1.0 and 0.0 <= each.winning <= 1.0
    assert sum(each.often for each in advice) == pytest.approx(1.0)
    assert advice[0].is_said, "what experts never say is called best by nobody"
    usual = max(each.often for each in advice) / 2
    ranks = [0 if each.often >= usual else 1 if each.is_said else 2 for each in advice]
    assert ranks == sorted(ranks)
    for rank in ranks:
        those = [each.winning for each, its in zip(advice, ranks, strict=True) if its == rank]
        assert those == sorted(those, reverse=True)


@given(st.lists(st.integers(0, 6), min_size=3, max_size=9).filter(lambda coins: sum(coins) > 0))
def test_everybodys_chances_sum_up_and_rise_with_coins(owned: list[int]) -> None:
    chances = winning_chances(PRESETS["milan"], owned, None)
    assert sum(chances) == pytest.approx(1.0)
    assert sorted(owned) == [own for _, own in sorted(zip(chances, owned, strict=True))]


# Dice
