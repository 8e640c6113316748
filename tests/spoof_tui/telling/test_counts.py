"""The words of a count reveal nothing early; and what the coach and `verify` say about a game."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid, Ending
from spoof_tui.beats import Beat
from spoof_tui.telling.counts import beat_words
from spoof_tui.telling.sentences import score
from tests.helpers.sayings import NAMES, bidden
from tests.spoof_tui.ui.table.scenes import at, seen, step


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from(Ending), st.integers(1, 9))
def test_no_hand_that_is_shut_changes_what_is_said(
    one: int, other: int, ending: Ending, bid: int
) -> None:
    number = None if ending is Ending.ZERO else bid
    cases = [bidden((2, 1, last), ending, number) for last in (one, other)]
    for opened, beat in (((), Beat.WORD), ((1,), Beat.FIST), ((1, 0), Beat.HELD)):
        first, second = (beat_words(case, opened, beat, NAMES, 2) for case in cases)
        assert first == second


def test_nobody_has_paid_for_a_school_before_its_last_count_is_told() -> None:
    table = at("speaking", 2, "hollywood")
    scene = seen(table.clients[0])
    table.say(Bid(1), Bid(3))
    scene.look(table.clients[0].view)
    while scene.pacing.is_running:
        assert scene.view and not any(score(scene.view, seat) for seat in range(2))
        step(scene)
    assert scene.view and any(score(scene.view, seat) for seat in range(2))


# A stored log
