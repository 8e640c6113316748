"""The coach: what it says of a word follows from one hand and what everybody heard."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError
from protocol.rules.words import Bid, Ending
from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.coach import advise
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from tests.spoof_tui.bots.arena import bidding


@given(
    st.integers(2, 5), st.integers(0, 3), st.integers(0, 6), st.sampled_from(["milan", "bid-spoof"])
)
def test_every_legal_word_is_judged_once(players: int, hand: int, bid: int, rules: str) -> None:
    words = [(0, Bid(bid))] if bid else []
    running = bidding((3,) * players, *words, rules=rules)
    me = len(words)
    advice = advise(view_of_round(running, me), hand)
    said = [each.word for each in advice]
    assert len(said) == len(set(said))
    for word in said:
        running.check(me, word)
    assert sum(each.often for each in advice) == pytest.approx(1.0)
    assert all(0.0 <= each.true <= 1.0 and 0.0 <= each.winning <= 1.0 for each in advice)
    assert [each.winning for each in advice] == sorted(
        (each.winning for each in advice), reverse=True
    )


def test_what_the_own_hand_settles_is_certain() -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(3))), 1)
    true = {each.word: each.true for each in advise(view, 3)}
    assert (true[Ending.CALL], true[Ending.CLIFF] > 0, true[Bid(4)] < 1) == (0.0, True, True)


def test_how_often_is_what_the_strongest_bot_does() -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(4))), 1)
    mind = BotMind(Level.HARD, Random(5))
    rolls = Counter(mind.choose_word(view, 1)[0] for _ in range(4000))
    for each in advise(view, 1):
        assert rolls[each.word] / 4000 == pytest.approx(each.often, abs=0.03)


def test_it_is_silent_on_the_turn_of_another() -> None:
    with pytest.raises(LocalError):
        advise(view_of_round(bidding((3, 3, 3)), 1), 2)
