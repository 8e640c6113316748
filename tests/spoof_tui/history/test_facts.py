"""What one game says of one of its players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Ending
from spoof_tui.history.facts import ENDINGS, SOON, TENTHS, Fact, Kind, facts_of, takers
from tests.helpers.histories import played_game
from tests.spoof_tui.history.played import rounds

S, D, M = range(3)

CALLED = "1. D4 M6 S! (S0 D2 M2) M- = S3 D3 M2"


def of(kind: Kind, *lines: str, me: int = S) -> dict[tuple[int, int], int]:
    facts = facts_of(rounds(*lines), me)
    return {(fact.first, fact.second): n for fact, n in facts.items() if fact.kind is kind}


def test_a_bid_is_measured_against_what_was_there() -> None:
    assert of(Kind.BID, CALLED, me=D) == {(0, 0): 1}
    assert of(Kind.BID, CALLED, me=M) == {(2, 0): 1}


def test_a_bid_that_is_called_is_doubted() -> None:
    assert of(Kind.DOUBTED, CALLED, me=M) == {(0, 0): 1}
    assert of(Kind.DOUBTED, CALLED, me=D) == {}


def test_an_ending_word_has_odds_by_the_own_hand() -> None:
    # Two others with three coins each hold 6 or more with a chance of 1 in 16.
    ((first, right),) = of(Kind.ENDING, CALLED)
    assert divmod(first, TENTHS) == (ENDINGS.index(Ending.CALL), 9)
    assert right == 1


def test_the_first_word_is_kept_with_the_hand() -> None:
    assert [hand for _said, hand in of(Kind.FIRST_WORD, CALLED, me=D)] == [2]


def test_a_coin_won_by_cliff_is_followed_until_one_is_lost() -> None:
    lines = (
        "1. S3 D= (S1 D1 M1) D+ = S3 D4 M3",
        "2. D1 M! (S1 D1 M1) M- = S3 D4 M2",
        "3. M5 S6 D! (S3 D1 M2) D- = S3 D3 M2",
    )
    assert of(Kind.CLIFF, *lines, me=D) == {(2, 1): 1}
    assert of(Kind.CLIFF, *lines, me=S) == {(2, 0): 1}
    assert of(Kind.CLIFF, *lines[:2], me=D) == {(0, 1): 1}


def test_coins_are_lost_soon_or_not() -> None:
    assert of(Kind.STEADY, CALLED) == {(0, 0): 2, (1, 0): 1}


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("1. M5 S! (S0 D1 M0) M- = S3 D3 M2", True),
        ("1. M5 S! (S0 D3 M1) M- = S3 D3 M2", False),
        ("1. M4 S! (S0 D0 M0) M- = S3 D3 M2", False),
        ("1. M5 S! (S3 D2 M0) S- = S2 D3 M3", False),
        ("1. M5 S= (S0 D1 M0) S- = S2 D3 M3", False),
    ],
)
def test_a_hoover_is_a_big_bid_that_is_called_with_hardly_a_coin_out(
    line: str, is_one: bool
) -> None:
    assert bool(of(Kind.HOOVER, line)) is is_one


def test_a_hoover_is_one_s_own_or_another_s() -> None:
    line = "1. M5 S! (S0 D1 M0) M- = S3 D3 M2"
    assert of(Kind.HOOVER, line, me=M) == {(1, 0): 1}
    assert of(Kind.HOOVER, line, me=S) == {(0, 0): 1}


@pytest.mark.parametrize(
    ("line", "me", "expected"),
    [
        (CALLED, M, [(S, 1)]),
        (CALLED, S, [(M, -1)]),
        (CALLED, D, []),
        ("1. M5 S! (S3 D2 M0) S- = S2 D3 M3", S, [(M, 1)]),
        ("1. M5 S! (S3 D2 M0) S- = S2 D3 M3", M, [(S, -1)]),
        ("1. M5 S= (S0 D1 M0) S- = S2 D3 M3", M, [(S, -1)]),
        ("1. M0 (S0 D0 M0) S- D- = S2 D2 M3", S, [(M, 1)]),
        ("1. M0 (S0 D0 M0) S- D- = S2 D2 M3", M, [(S, -1), (D, -1)]),
        ("1. Mmax (S0 D0 M0) M- = S3 D3 M2", S, []),
    ],
)
def test_a_coin_is_lost_to_whoever_was_right(
    line: str, me: int, expected: list[tuple[int, int]]
) -> None:
    (played,) = rounds(line)
    assert [*takers(played, me)] == expected


def test_a_call_of_the_guessing_game_is_measured_against_the_total() -> None:
    (played,) = rounds("1. S4 D5 M6 (S1 D2 M1) S* = D M", rules="hollywood")
    assert facts_of([played], D)[Fact(Kind.GUESS, 1)] == 1
    assert facts_of([played], S)[Fact(Kind.GUESS, 0)] == 1


@given(st.integers(0, 40), st.integers(0, 4))
def test_every_round_with_an_open_hand_is_counted_once(number: int, seat: int) -> None:
    past = played_game(number).past
    me = seat % len(past[0].words.coins)
    found = facts_of(past, me)
    held = sum(me in played.hands for played in past)
    assert sum(n for fact, n in found.items() if fact.kind is Kind.ROUND) == held
    bids = [word for played in past for who, word in played.words.words if who == me]
    told = sum(found[f] for f in found if f.kind in (Kind.BID, Kind.ENDING, Kind.GUESS))
    assert told <= len(bids)
    assert all(0 <= fact.first <= SOON for fact in found if fact.kind is Kind.STEADY)
