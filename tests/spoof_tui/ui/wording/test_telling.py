"""What is said at each beat of a count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Ending
from spoof_tui.beats import Beat
from spoof_tui.ui.wording.telling import beat_words

NAMES = ("Ann", "Ben", "Cleo")


def played(hands: tuple[int, int, int], ending: Ending, bid: int | None = 5) -> PlayedRound:
    """A round of three that Ann opens with a bid, and Ben ends; without one Ann ends it."""
    said = BiddingRound(Rules.parse("milan"), (3, 3, 3), 0)  # type: ignore[arg-type]
    if bid is not None:
        said = said.say(0, Bid(bid))
    said = said.say(0 if bid is None else 1, ending)
    opened = dict(enumerate(hands))
    return PlayedRound(said, opened, said.count(opened))


def held(hands: tuple[int, int, int], ending: Ending, bid: int | None = 5) -> str:
    """What is said before Cleo opens the last fist."""
    return beat_words(played(hands, ending, bid), (1, 0), Beat.HELD, NAMES, None)


@pytest.mark.parametrize(
    ("hands", "ending", "bid", "told"),
    [
        ((2, 2, 0), Ending.CALL, 5, "4 so far. Cleo’s fist decides: 1 more and the bid stands."),
        ((3, 2, 0), Ending.CALL, 5, "5 so far. Cleo’s fist is the last one."),
        (
            (0, 0, 3),
            Ending.CALL,
            5,
            "0 so far. Cleo’s fist is the last one.",
        ),
        ((2, 1, 1), Ending.CLIFF, 5, "decides: exactly 2 more and the cliff is right."),
        ((3, 2, 1), Ending.CLIFF, 5, "decides: none in it and the cliff is right."),
        ((3, 3, 1), Ending.CLIFF, 5, "Cleo’s fist is the last one."),
        ((0, 1, 1), Ending.CLIFF, 5, "Cleo’s fist is the last one."),
        ((3, 3, 1), Ending.SPOOF, 5, "decides: all 3 in it and the spoof is right."),
        ((3, 2, 1), Ending.SPOOF, 5, "Cleo’s fist is the last one."),
        ((0, 0, 1), Ending.ZERO, None, "decides: none in it and the zero is right."),
        ((1, 0, 1), Ending.ZERO, None, "Cleo’s fist is the last one."),
    ],
)
def test_the_last_fist_is_said_to_decide_what_it_decides(
    hands: tuple[int, int, int], ending: Ending, bid: int | None, told: str
) -> None:
    assert told in held(hands, ending, bid)


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from(Ending), st.integers(1, 9))
def test_no_hand_that_is_shut_changes_what_is_said(
    one: int, other: int, ending: Ending, bid: int
) -> None:
    number = None if ending is Ending.ZERO else bid
    cases = [played((2, 1, last), ending, number) for last in (one, other)]
    for opened, beat in (((), Beat.WORD), ((1,), Beat.FIST), ((1, 0), Beat.HELD)):
        first, second = (beat_words(case, opened, beat, NAMES, 2) for case in cases)
        assert first == second


def test_every_fist_is_named_with_the_sum() -> None:
    case = played((2, 3, 0), Ending.CALL)
    assert beat_words(case, (1,), Beat.FIST, NAMES, 0) == "Ben opens 3: 3 so far."
    assert beat_words(case, (1, 2, 0), Beat.LAST, NAMES, 0) == "You open 2: 5 in all."


@pytest.mark.parametrize("ending", Ending)
def test_the_ending_word_is_said_with_its_claim(ending: Ending) -> None:
    case = played((0, 0, 0), ending, None if ending is Ending.ZERO else 5)
    ender = case.outcome.ender
    assert beat_words(case, (), Beat.WORD, NAMES, None).startswith(NAMES[ender])
    assert beat_words(case, (), Beat.WORD, NAMES, ender).startswith("You ")


def test_in_the_guessing_game_the_last_fist_is_only_the_last_one() -> None:
    said = GuessingRound(Rules.parse("hollywood"), (3, 3, 3), 0)  # type: ignore[arg-type]
    for seat in range(3):
        said = said.say(seat, Bid(seat + 3))
    hands = {0: 1, 1: 2, 2: 3}
    case = PlayedRound(said, hands, said.count(hands))
    assert beat_words(case, (), Beat.WORD, NAMES, 0) == "All have called. The fists open."
    assert beat_words(case, (0, 1), Beat.HELD, NAMES, 0) == "3 so far. Cleo opens last."
    assert beat_words(case, (0, 1), Beat.HELD, NAMES, 2) == "3 so far. Yours is the last fist."
