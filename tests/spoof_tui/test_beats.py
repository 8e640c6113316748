"""The beats of a count: as long for every hand and every end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui import beats
from spoof_tui.beats import Beat, coin_seconds, count_seconds, steps


@given(st.integers(0, 9), st.booleans())
def test_no_beat_takes_a_fist_back(fists: int, still: bool) -> None:
    told = steps(fists, still=still)
    assert [step[:2] for step in told] == sorted(step[:2] for step in told)
    assert (told[0].beat, told[-1].beat, told[-1].opened) == (Beat.WORD, Beat.PAID, fists)


@pytest.mark.parametrize("fists", [0, 2, 9])
def test_without_motion_there_are_the_word_the_verdict_and_its_price(fists: int) -> None:
    assert [step.beat for step in steps(fists, still=True)] == [Beat.WORD, Beat.STAMP, Beat.PAID]


@given(st.integers(0, 3), st.integers(0, 9))
def test_the_coins_of_the_last_fist_are_counted_before_the_verdict(hand: int, bid: int) -> None:
    assert sum(coin_seconds(coins, bid) for coins in range(hand)) < beats.LAST


def test_nine_fists_are_counted_within_six_seconds() -> None:
    assert 5.0 < count_seconds(9) < 6.0
