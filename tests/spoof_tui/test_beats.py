"""The beats of a count: as long for every hand and every end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.beats import Beat, count_seconds, steps


def test_four_fists_open_one_by_one_and_the_last_one_waits() -> None:
    assert [(step.beat, step.opened, step.seconds) for step in steps(4)] == [
        (Beat.WORD, 0, 0.9),
        (Beat.FIST, 1, 0.4),
        (Beat.FIST, 2, 0.4),
        (Beat.HELD, 3, 0.9),
        (Beat.LAST, 4, 0.5),
        (Beat.STAMP, 4, 0.6),
        (Beat.PAID, 4, 0.0),
    ]


@given(st.integers(0, 9), st.booleans(), st.booleans())
def test_no_beat_takes_a_fist_back(fists: int, together: bool, still: bool) -> None:
    told = steps(fists, together=together, still=still)
    assert [step[:2] for step in told] == sorted(step[:2] for step in told)
    assert (told[0].beat, told[-1].beat, told[-1].opened) == (Beat.WORD, Beat.PAID, fists)


@pytest.mark.parametrize("fists", [0, 2, 9])
def test_without_motion_there_are_the_word_the_verdict_and_its_price(fists: int) -> None:
    assert [step.beat for step in steps(fists, still=True)] == [Beat.WORD, Beat.STAMP, Beat.PAID]


def test_nine_fists_are_counted_within_six_seconds() -> None:
    assert 5.0 < count_seconds(9) < 6.0
