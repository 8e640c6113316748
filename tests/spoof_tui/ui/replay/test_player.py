"""Where keys lead in a recording of games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.views import FistState
from spoof_tui.ui.table.felt.middle import middle
from tests.protocol.notation.games import RULES, SCHOOL, SCHOOL_RULES, game_of, school_of, text_of
from tests.protocol.stories import few, very_few
from tests.spoof_tui.ui.replay.recordings import (
    FAULTY,
    TWO_GAMES,
    picture,
    place,
    player,
    press,
    walk,
)

SEEDS = st.integers(0, 10_000)
PLAYERS = st.integers(2, 9)

GAMES = st.one_of(
    st.builds(game_of, SEEDS, PLAYERS, st.sampled_from(RULES)),
    st.builds(school_of, SEEDS, PLAYERS, st.sampled_from(SCHOOL_RULES)),
).map(text_of)
"""The records of random games of both kinds."""


@very_few
@given(GAMES)
def test_forward_and_backward_again_shows_the_same_frames(text: str) -> None:
    shown = player(text)
    there = [(place(shown), still, picture(shown)) for still in walk(shown, "right")]
    back = [(place(shown), still, picture(shown)) for still in walk(shown, "left")]
    assert there == back[::-1]


@few
@given(GAMES)
def test_every_word_is_seen_in_its_order_and_no_hand_before_its_count_but_open_ones(
    text: str,
) -> None:
    shown, opened = player(text), press(player(text), "tab")
    heard: list[object] = []
    for still, other in zip(walk(shown), walk(opened), strict=True):
        assert still.view is not None and other.view is not None
        if shown.round is None or shown.is_count:
            continue
        if shown.step > 0:
            heard.append((shown.page, still.view.words[-1]))
        assert {seat.hand for seat in still.view.seats} == {None}
        assert FistState.OPEN not in {seat.fist for seat in still.view.seats}
        assert still.view.last is None and still.showing is None
        hands = {place: seat.hand for place, seat in enumerate(other.view.seats)}
        assert {place: hand for place, hand in hands.items() if hand is not None} == (
            shown.round.hands
        )
    said = [
        (page, word)
        for page, recorded in enumerate(shown.record.rounds, 1)
        for word in (recorded.said.words if recorded.said else ())
    ]
    assert heard == said


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        (("down", "right", "right", "right", "right"), (0, 1, 4)),
        (("2", "enter"), (0, 2, 0)),
        (("2", "enter", "left"), (0, 1, 4)),
        (("pagedown", "pagedown", "pageup"), (0, 1, 0)),
        (("end", "right"), (0, 4, 0)),
        (("end", "left"), (0, 3, 3)),
        (("up",), (0, 0, 0)),
        (("right_square_bracket", "right_square_bracket"), (1, 0, 0)),
        (("right_square_bracket", "end", "left_square_bracket"), (0, 0, 0)),
        (("9", "9", "enter"), (0, 3, 0)),
        (("1", "2", "backspace", "enter"), (0, 1, 0)),
        (("2", "right"), (0, 1, 0)),
    ],
)
def test_keys_lead(keys: tuple[str, ...], there: tuple[int, int, int]) -> None:
    assert place(player(TWO_GAMES, *keys)) == there


def test_play_goes_on_by_itself_until_the_end_or_a_step_by_hand_and_then_begins_again() -> None:
    shown = player(TWO_GAMES, "3", "enter", "space")
    ticks = 0
    while shown.playing:
        shown.tick()
        ticks += 1
    assert (ticks, shown.is_at_end) == (4, True)
    assert press(shown, "space", "tab").playing and shown.page == 0
    assert not press(shown, "right").playing


@few
@given(st.integers(0, 1000), st.data())
def test_a_spoilt_record_is_walked_through_to_its_end(seed: int, data: st.DataObject) -> None:
    text = (FAULTY, SCHOOL, text_of(game_of(seed)), text_of(school_of(seed)))[seed % 4]
    spoilt = list(text)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(spoilt) - 1))
        spoilt[at] = data.draw(st.sampled_from('0123456789SD!=?+-.()[]"{} \n\x1b\u202e99999'))
    shown = press(player("".join(spoilt)), *data.draw(st.sampled_from([[], ["tab"]])))
    for still in walk(shown):
        assert middle(still)
        assert "\x1b" not in "".join(picture(shown))
