"""Where keys lead in a recording of games."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.views import FistState
from spoof_tui.ui.replay.drawing import still_of
from spoof_tui.ui.replay.player import PACES, SLICE, USUAL_PACE, Player
from spoof_tui.ui.replay.reader import Recording
from spoof_tui.ui.table.middle import middle
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
def test_no_view_of_a_shut_fist_holds_its_hand(text: str) -> None:
    shown = player(text)
    for still in walk(shown):
        assert still.view is not None
        if shown.round is None or shown.is_count:
            continue
        assert {seat.hand for seat in still.view.seats} == {None}
        assert FistState.OPEN not in {seat.fist for seat in still.view.seats}
        assert still.view.last is None and still.showing is None


@few
@given(GAMES)
def test_open_hands_are_open_all_along(text: str) -> None:
    shown = press(player(text), "o")
    for still in walk(shown):
        if shown.round is None or shown.is_count or still.view is None:
            continue
        hands = {place: seat.hand for place, seat in enumerate(still.view.seats)}
        open_ones = {place: hand for place, hand in hands.items() if hand is not None}
        assert open_ones == shown.round.hands


@few
@given(GAMES)
def test_all_words_of_the_record_appear_in_order(text: str) -> None:
    shown = player(text)
    heard: list[object] = []
    for still in walk(shown):
        if shown.round is not None and 0 < shown.step <= shown.round.words and still.view:
            heard.append((shown.page, still.view.words[-1]))
    said = [
        (page, word)
        for page, recorded in enumerate(shown.record.rounds, 1)
        for word in (recorded.said.words if recorded.said else ())
    ]
    assert heard == said


@very_few
@given(GAMES, st.integers(0, 1000))
def test_every_key_leads_to_a_place_that_is_there(text: str, seed: int) -> None:
    chance = random.Random(seed)
    shown = player(text + "\n" + TWO_GAMES)
    keys = [*"0123456789o+-[]hjkl", "right", "left", "up", "down", "home", "end", "enter"]
    keys += ["space", "pageup", "pagedown", "plus", "minus", "left_square_bracket", "f5"]
    keys += ["right_square_bracket", "backspace"]
    for _ in range(30):
        press(shown, chance.choice(keys))
        assert 0 <= shown.page <= len(shown.record.rounds) + shown.record.is_whole
        assert 0 <= shown.step < shown.steps
        assert picture(shown)


def test_a_round_has_its_fists_its_words_and_its_count() -> None:
    shown = player(TWO_GAMES, "down")
    steps = [place(shown)]
    for _ in range(5):
        press(shown, "right")
        steps.append(place(shown))
    assert steps == [(0, 1, 0), (0, 1, 1), (0, 1, 2), (0, 1, 3), (0, 1, 4), (0, 2, 0)]


@pytest.mark.parametrize(
    ("keys", "there"),
    [
        (("2", "enter"), (0, 2, 0)),
        (("2", "enter", "right", "up"), (0, 1, 0)),
        (("2", "enter", "left"), (0, 1, 4)),
        (("pagedown", "pagedown", "pageup"), (0, 1, 0)),
        (("end",), (0, 4, 0)),
        (("end", "right"), (0, 4, 0)),
        (("end", "left"), (0, 3, 3)),
        (("end", "home"), (0, 0, 0)),
        (("left",), (0, 0, 0)),
        (("up",), (0, 0, 0)),
        (("right_square_bracket",), (1, 0, 0)),
        (("right_square_bracket", "right_square_bracket"), (1, 0, 0)),
        (("right_square_bracket", "end", "left_square_bracket"), (0, 0, 0)),
        (("left_square_bracket",), (0, 0, 0)),
        (("0", "enter"), (0, 0, 0)),
        (("9", "9", "enter"), (0, 3, 0)),
        (("1", "2", "backspace", "enter"), (0, 1, 0)),
        (("2", "right"), (0, 1, 0)),
    ],
)
def test_keys_lead(keys: tuple[str, ...], there: tuple[int, int, int]) -> None:
    assert place(player(TWO_GAMES, *keys)) == there


def test_a_round_that_is_not_there_is_told_with_how_many_there_are() -> None:
    assert player(TWO_GAMES, "9", "enter").remark == "This game has 3 rounds."
    assert player(TWO_GAMES, "right_square_bracket", "9", "enter").remark == (
        "This game has 1 round."
    )


def test_the_ends_of_the_file_are_told() -> None:
    assert "first game" in player(TWO_GAMES, "left_square_bracket").remark
    shown = player(TWO_GAMES, "right_square_bracket", "right_square_bracket")
    assert "last game" in shown.remark
    assert press(shown, "o").remark == ""


def test_play_goes_on_by_itself_and_stops_at_the_end() -> None:
    shown = player(TWO_GAMES, "3", "enter", "space")
    ticks = 0
    while shown.playing:
        shown.tick()
        ticks += 1
    assert (ticks, shown.is_at_end) == (4, True)


def test_play_at_the_end_begins_again() -> None:
    shown = player(TWO_GAMES, "end", "space")
    assert shown.playing and shown.page == 0


def test_a_step_by_hand_stops_the_play_and_open_hands_do_not() -> None:
    shown = player(TWO_GAMES, "space", "o")
    assert shown.playing
    assert not press(shown, "right").playing
    place_before = place(shown)
    shown.tick()
    assert place(shown) == place_before


def test_speed_changes_within_its_limits_and_a_count_lasts_longer() -> None:
    shown = player(TWO_GAMES, "down")
    assert shown.seconds == PACES[USUAL_PACE]
    assert press(shown, "plus").seconds < PACES[USUAL_PACE]
    assert press(shown, *["minus"] * 20).seconds == PACES[-1]
    assert press(shown, *["equals_sign"] * 20).seconds == PACES[0]
    press(shown, "right", "right", "right")
    word = shown.seconds
    assert press(shown, "right").seconds > word


def test_a_long_file_is_read_in_slices_and_another_key_changes_the_mind() -> None:
    def long_file() -> Iterator[bytes]:
        yield b'[Rules "milan"]\n[Seats "S:S D:D"]\n[Result "*"]\n\n'
        for number in range(1, 5 * SLICE):
            yield f"{number}. Smax (S3 D3) . = S3 D3\n".encode()

    shown = Player(Recording(long_file))
    shown.work()
    shown.press("end")
    assert (shown.is_reading, shown.page) == (True, 0)
    assert "Reading" in "\n".join(picture(shown))
    shown.press("down")
    assert (shown.is_reading, shown.page) == (False, 1)
    shown.press("end")
    slices = 0
    while shown.is_reading:
        shown.work()
        slices += 1
    assert 2 < slices < 20 and len(shown.record.rounds) == 5 * SLICE - 1


@few
@given(st.integers(0, 1000), st.data())
def test_a_spoilt_record_is_walked_through_to_its_end(seed: int, data: st.DataObject) -> None:
    text = (FAULTY, SCHOOL, text_of(game_of(seed)), text_of(school_of(seed)))[seed % 4]
    spoilt = list(text)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(spoilt) - 1))
        spoilt[at] = data.draw(st.sampled_from('0123456789SD!=?+-.()[]"{} \n\x1b\u202e99999'))
    shown = press(player("".join(spoilt)), *data.draw(st.sampled_from([[], ["o"]])))
    for still in walk(shown):
        assert middle(still)
        assert "\x1b" not in "".join(picture(shown))


def test_a_frame_before_anything_is_read_says_so() -> None:
    shown = Player(Recording(lambda: iter([TWO_GAMES.encode()])))
    still = still_of(shown)
    assert still.view is None and "Reading" in middle(still).above
