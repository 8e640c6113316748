"""Transcripts of rounds that were really played: each line passes or fails as the rules say."""

from __future__ import annotations

import pytest

from protocol.rules.outcome import Verdict
from tests.protocol.notation.games import KYIV, SCHOOL, faults, only, rounds_of

ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE = KYIV + "4. S0 (S0 D0 M0) D- M- = S3 D1 M2\n"
"""The guide goes on with a bid of 0 by S; but M's cliff ended round 3, so M was to open (R14)."""


@pytest.mark.parametrize(
    ("number", "verdict", "starter", "total", "changes", "following"),
    [
        (1, Verdict.CALL_BID_FALSE, "D", 4, {"M": -1}, "S"),
        (2, Verdict.CALL_BID_TRUE, "S", 5, {"D": -1}, "D"),
        (3, Verdict.CLIFF_RIGHT, "D", 3, {"M": 1}, "M"),
    ],
)
def test_the_rounds_of_the_kyiv_guide_are_right(
    number: int,
    verdict: Verdict,
    starter: str,
    total: int,
    changes: dict[str, int],
    following: str,
) -> None:
    found = rounds_of(KYIV)[number - 1]
    assert found.faults == ()
    assert (found.verdict, found.starter, found.total) == (verdict, starter, total)
    assert (found.changes, found.next_starter) == (changes, following)


def test_the_zero_round_of_the_kyiv_guide_opens_with_a_player_who_was_not_due_r14() -> None:
    (fault,) = only(ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE).faults
    assert (fault.line, fault.round, fault.clause) == (10, 4, "R14")
    assert fault.message == "S opens instead of M"


def test_the_coins_of_that_round_are_judged_all_the_same_r10() -> None:
    found = rounds_of(ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE)[3]
    assert (found.verdict, found.changes) == (Verdict.ZERO_RIGHT, {"D": -1, "M": -1})
    assert found.coins == {"S": 3, "D": 1, "M": 2}
    wrong = ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE.replace("= S3 D1 M2", "= S3 D1 M3")
    assert faults(wrong) == [(10, "R14"), (10, "R10")]
    believed = ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE.replace("(S0 D0 M0) D- M-", "(S0 D1 M0) D- M-")
    assert faults(believed) == [(10, "R14"), (10, "R10"), (10, "R10")]


def test_after_that_round_the_player_who_said_zero_opens_r14() -> None:
    following = "5. {}6 {}! (S3 D1 M2) {}- = {}\n"
    right = following.format("S", "D", "D", "S3 D0 M2")
    wrong = following.format("M", "S", "S", "S2 D1 M2")
    assert faults(ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE + right) == [(10, "R14")]
    assert faults(ZERO_BY_A_PLAYER_WHO_WAS_NOT_DUE + wrong) == [(10, "R14"), (11, "R14")]


def test_the_same_zero_by_the_player_who_was_due_is_right_r10() -> None:
    assert faults(KYIV + "4. M0 (S0 D0 M0) S- D- = S2 D1 M3\n") == []


def test_the_school_by_hand_ends_with_its_payer_h12() -> None:
    school = only(SCHOOL)
    assert (school.faults, school.winner) == ((), "M")
