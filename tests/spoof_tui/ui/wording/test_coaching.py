"""What the coach says: chances as percentages, the dearest mistakes, three lessons at most."""

from __future__ import annotations

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.bots.coach import Advice
from spoof_tui.bots.reviewing import Decision, HandChoice, Review, Slip
from spoof_tui.ui.wording.coaching import (
    MAX_LESSONS,
    advice_lines,
    chances,
    learned,
    review_lines,
)

CALL = Advice(Ending.CALL, 0.25, 0.3, 0.1)
BID = Advice(Bid(5), 0.6, 0.42, 0.9)
SHARES = ((0.5, 0.5), (0.75, 0.25), (1.0, 0.0))


def decision(said: Advice = CALL, best: Advice = BID) -> Decision:
    return Decision(2, 1, 4, said, best)


def held(*hands: int) -> tuple[HandChoice, ...]:
    return tuple(HandChoice(1, hand, (0.5, 0.25, 0.0, 0.25), ()) for hand in hands)


def test_no_more_words_than_can_be_read_are_told_and_all_that_are_played() -> None:
    never = [Advice(Bid(number), 0.1, 0.9 - number / 100, 0.0) for number in range(1, 20)]
    lines = advice_lines((*never, BID))
    assert len(lines) == 9
    assert any(line.startswith("bid 5 ") and "90 %" in line for line in lines)


def test_every_word_that_ends_a_round_is_told_however_bad_it_is() -> None:
    bids = [Advice(Bid(number), 0.9, 0.5, 0.1) for number in range(1, 8)]
    ends = [Advice(each, 0.1, 0.1, 0.0) for each in (Ending.CALL, Ending.CLIFF, Ending.SPOOF)]
    told = "\n".join(advice_lines([*bids, *ends]))
    assert all(word in told for word in ("call", "cliff", "spoof", "bid 5"))
    assert "bid 6" not in told


def test_who_made_no_mistake_is_told_so() -> None:
    told = [*review_lines(Review((decision(BID),), SHARES), ["Anna", "Ben"])]
    assert told[-1] == "There is nothing to mend: well played."


def test_a_curve_has_a_sign_for_every_count() -> None:
    anna, ben = chances(Review((), SHARES), ["Anna", "Ben"])
    assert anna.split()[1:] == ["▅▇█", "100", "%"] and ben.split()[1:] == ["▅▃▁", "0", "%"]


@pytest.mark.parametrize("hands", [[], [1, 1, 1, 1], [0, 1, 2, 3]])
def test_there_are_three_lessons_at_most(hands: list[int]) -> None:
    words = (Ending.CALL, Ending.CLIFF, Bid(9), Bid(1))
    slips = tuple(decision(Advice(word, 0.1, 0.1, 0.0)) for word in words)
    lessons = learned(Review(slips, SHARES, held(*hands)))
    assert len(lessons) == MAX_LESSONS and len(set(lessons)) == MAX_LESSONS


def test_a_hand_that_is_hidden_again_and_again_is_a_lesson() -> None:
    assert learned(Review((), SHARES, held(3, 3, 3, 0))) == [
        "You hid 3 in 3 of 4 rounds: others can count too."
    ]
    assert {each.slip for each in (decision(),)} == {Slip.CALLED}


def test_hands_are_told_as_often_as_they_were_held_and_would_have_been() -> None:
    told = [*review_lines(Review((), SHARES, held(0, 3, 3, 3)), ["Anna", "Ben"])]
    at = told.index("Hands, how often:")
    assert [line.split() for line in told[at + 2 : at + 6]] == [
        ["0", "25", "%", "50", "%"],
        ["1", "0", "%", "25", "%"],
        ["2", "0", "%", "0", "%"],
        ["3", "75", "%", "25", "%"],
    ]


def test_a_hand_that_is_dear_is_told_with_a_better_one() -> None:
    dear = HandChoice(4, 0, (0.0, 1.0), (0.25, 0.5))
    told = [*review_lines(Review((), SHARES, (dear,)), ["Anna", "Ben"])]
    assert "Round 4: holding 0 cost 25 %, 1 was better." in told
