"""What a table is, asked without its log."""

from __future__ import annotations

import pytest

from protocol.errors import Reason
from protocol.rules.words import Bid, Ending
from protocol.table.state import Move, Phase, Table
from protocol.table.statements import Measure
from tests.protocol.stories import GRACE, Story, refused, signing_key


def key(who: int) -> bytes:
    return signing_key(who).public


def keys(*who: int) -> tuple[bytes, ...]:
    return tuple(map(key, who))


def speaking(clock: int = 0) -> Story:
    return Story(3, clock=clock).start(0, 1, 2).toss(0, 1, 2).fists(1, 0, 2)


@pytest.mark.parametrize(
    ("story", "who"),
    [
        (Story(3), ()),
        (Story(3).start(0, 1, 2).toss(1), (0, 2)),
        (Story(3).start(0, 1, 2).toss(0, 1, 2).fists_of({2: 1}), (0, 1)),
        (speaking(), (0,)),
        (speaking().say(Bid(1), Ending.CALL).witness(0), (2,)),
        (speaking().say(Bid(1), Ending.CALL).open(2), (0, 1)),
    ],
)
def test_a_table_waits_for_those_who_owe_a_move(story: Story, who: tuple[int, ...]) -> None:
    assert story.table.waiting_for == keys(*who)


def test_others_may_play_on_without_somebody_only_once_it_is_away() -> None:
    story = speaking()
    assert story.table.play_on_from(key(0)) is None
    gone = story.away(0).table
    assert gone.play_on_from(key(0)) == gone.time + GRACE * 1000
    assert gone.play_on_from(key(1)) is None
    assert story.pause().table.play_on_from(key(0)) is None


def test_the_clock_runs_for_a_choice_and_stands_still_in_a_pause() -> None:
    story = speaking(clock=30)
    ends = story.table.time_up_from(key(0))
    assert ends is not None
    assert story.table.out_of_time(ends - 1) == ()
    assert story.table.out_of_time(ends) == keys(0)
    assert story.pause().table.out_of_time(ends) == ()
    assert speaking().table.time_up_from(key(0)) is None


def test_a_seat_that_is_free_leaves_no_vote_behind_but_those_that_refuse_it() -> None:
    story = Story(4).vote(Measure.MUTE, 1, 0).vote(Measure.BAR, 0, 1).vote(Measure.MUTE, 0, 2)
    votes = story.table.without_seat(key(0)).votes
    assert votes == {(Measure.BAR, key(0)): frozenset(keys(1))}


def test_a_seat_can_be_taken_away_between_rounds_only() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    assert story.table.is_between_rounds
    assert not story.fists_of({0: 1}).table.is_between_rounds


def test_who_is_barred_is_refused_once_its_seat_is_free() -> None:
    story = speaking().decide(Measure.BAR, 1)
    assert story.table.barred == {key(1)} and story.table.refused == frozenset()
    assert Story(3).decide(Measure.BAR, 1).table.refused == {key(1)}


def moved(table: Table, who: int, *, timed: bool = True) -> Move:
    return Move(table, key(who), table.head.length + 1, table.time, timed=timed)


def test_a_move_is_of_somebody_who_sits_and_plays() -> None:
    with refused(Reason.NO_SEAT):
        moved(Story(2).table, 5).seat()
    with refused(Reason.NO_GAME):
        moved(Story(2).table, 0).playing()
    with refused(Reason.NOT_PLAYING):
        moved(speaking().sit(5).table, 5).playing()
    assert moved(speaking().table, 2).playing()[1] == 2


def test_a_game_that_moves_on_begins_a_turn_and_its_end_an_era() -> None:
    table = speaking().table
    assert table.game is not None
    after = moved(table, 0).with_game(table.game, Phase.SPEAKING)
    assert (after.turn, after.era) == (table.head.length + 1, table.era)
    over = moved(table, 0).with_game(table.game, Phase.GATHERING)
    assert over.era == table.head.length + 1
    assert moved(table, 0).within_turn(table.game).turn == table.turn


def test_without_a_time_nothing_is_too_soon() -> None:
    table = speaking().table
    assert moved(table, 0).is_before(table.time + 1)
    assert not moved(table, 0).is_before(table.time)
    assert not moved(table, 0, timed=False).is_before(table.time + 1)
