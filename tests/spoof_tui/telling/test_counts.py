"""The words of a count reveal nothing early; and what the coach and `verify` say about a game."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BiddingRules
from protocol.rules.words import Bid, Ending
from spoof_tui.beats import Beat
from spoof_tui.telling.counts import beat_words, is_undecided, last_coins
from spoof_tui.telling.pacing import opening_order
from spoof_tui.telling.sentences import score
from tests.spoof_tui.ui.table.scenes import at, seen, step

NAMES: Final = ("Ann", "Ben", "Cleo")


def bidden(
    hands: tuple[int, ...], ending: Ending, bid: int | None, rules: str = "milan"
) -> PlayedRound:
    """A round that Ann opens with a bid, and Ben ends; without one Ann ends it."""
    said = BiddingRound(BiddingRules.parse(rules), (3,) * len(hands), 0)
    if bid is not None:
        said = said.say(0, Bid(bid))
    said = said.say(0 if bid is None else 1, ending)
    opened = dict(enumerate(hands))
    return PlayedRound(said, opened, said.count(opened))


@pytest.mark.parametrize(
    ("ending", "risked"),
    [(Ending.CALL, "Ann Ben"), (Ending.CLIFF, "Ben"), (Ending.SPOOF, "Ben")],
)
def test_a_last_coin_is_at_stake_where_the_round_can_cost_it(ending: Ending, risked: str) -> None:
    said = BiddingRound(BiddingRules.parse("milan"), (1, 1, 1), 0).say(0, Bid(2)).say(1, ending)
    hands = {0: 1, 1: 0, 2: 1}
    told = last_coins(PlayedRound(said, hands, said.count(hands)), NAMES, None)
    assert told == [f"{name}’s last coin is at stake." for name in risked.split()]


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from(Ending), st.integers(1, 9))
def test_no_hand_that_is_shut_changes_what_is_said(
    one: int, other: int, ending: Ending, bid: int
) -> None:
    number = None if ending is Ending.ZERO else bid
    cases = [bidden((2, 1, last), ending, number) for last in (one, other)]
    for opened, beat in (((), Beat.WORD), ((1,), Beat.FIST), ((1, 0), Beat.HELD)):
        first, second = (beat_words(case, opened, beat, NAMES, 2) for case in cases)
        assert first == second


HANDS = st.lists(st.integers(0, 3), min_size=2, max_size=5)
ORDERS = st.sampled_from(["milan", "three-coins"])


@given(HANDS, st.sampled_from(Ending), st.integers(1, 15), ORDERS)
def test_where_the_order_is_free_a_fist_that_decides_is_counted_last(
    hands: list[int], ending: Ending, bid: int, rules: str
) -> None:
    number = None if ending is Ending.ZERO else min(bid, 3 * len(hands))
    played = bidden(tuple(hands), ending, number, rules)
    *seen, last = order = opening_order(played)
    assert sorted(order) == sorted(played.hands) and isinstance(played.words, BiddingRound)
    is_open = [
        is_undecided(played.words, {each: played.hands[each] for each in order if each != seat})
        for seat in (*seen, last)
    ]
    assert is_open[-1] or not any(is_open) or rules == "milan"
    assert order[0] == played.outcome.ender or rules == "three-coins"


@given(HANDS, st.sampled_from(Ending), st.integers(1, 15))
def test_no_beat_before_the_last_fist_tells_a_verdict_that_is_settled(
    hands: list[int], ending: Ending, bid: int
) -> None:
    number = None if ending is Ending.ZERO else min(bid, 3 * len(hands))
    played = bidden(tuple(hands), ending, number)
    *seen, last = opening_order(played)
    assert isinstance(played.words, BiddingRound)
    names = [f"Player {seat}" for seat in range(len(hands))]
    told = beat_words(played, seen, Beat.HELD, names, None)
    is_open = is_undecided(played.words, {seat: played.hands[seat] for seat in seen})
    assert told.endswith(f"{names[last]} opens last.") is not is_open


def test_a_fist_that_settles_the_claim_is_told_like_any_other() -> None:
    played = bidden((3, 2, 1), Ending.CLIFF, 4)
    told = [
        beat_words(played, opened, beat, NAMES, None)
        for opened, beat in (((1,), Beat.FIST), ((1, 0), Beat.FIST), ((1, 0), Beat.HELD))
    ]
    assert told == [
        "Ben shows 2: 2 so far.",
        "Ann shows 3: 5 so far.",
        "5 so far. Cleo opens last.",
    ]


def test_nobody_has_paid_for_a_school_before_its_last_count_is_told() -> None:
    table = at("speaking", 2, "hollywood")
    scene = seen(table.clients[0])
    table.say(Bid(1), Bid(3))
    scene.look(table.clients[0].view)
    while scene.pacing.is_running:
        assert scene.view and not any(score(scene.view, seat) for seat in range(2))
        step(scene)
    assert scene.view and any(score(scene.view, seat) for seat in range(2))
