"""What can be asked of the history."""

from pathlib import Path

import pytest

from spoof_tui.history.index import consult
from spoof_tui.history.queries import (
    EVENING_GAP,
    Filter,
    ListedGame,
    Result,
    evening,
    evenings,
    games,
    rivals,
    years,
)
from tests.helpers.histories import COMPANY, fill, played_game

HOUR = 3600 * 1000


def listed(
    place: int | None = 1, *, preset: str = "milan", finished: int = 0, event: str = "Night train"
) -> ListedGame:
    people = "Ada\nBoris\nCleo"
    return ListedGame(1, "stem", finished, event, preset, preset, 1, 5, 3, place, people)


@pytest.mark.parametrize(
    ("place", "preset", "result"),
    [
        (1, "milan", Result.WON),
        (2, "milan", Result.LOST),
        (3, "milan", Result.LOST),
        (1, "hollywood", Result.WON),
        (2, "hollywood", Result.WON),
        (3, "hollywood", Result.LOST),
        (None, "milan", Result.WATCHED),
    ],
)
def test_how_a_game_went_is_told_by_the_place(
    place: int | None, preset: str, result: Result
) -> None:
    assert listed(place, preset=preset).result is result


@pytest.mark.parametrize(
    ("wanted", "fits"),
    [
        (Filter(), True),
        (Filter(preset="milan"), True),
        (Filter(preset="hollywood"), False),
        (Filter(people="bor"), True),
        (Filter(people=" NIGHT "), True),
        (Filter(people="Dmytro"), False),
        (Filter(result=Result.WON), True),
        (Filter(result=Result.LOST), False),
        (Filter("milan", "Cleo", Result.WATCHED), False),
    ],
)
def test_all_that_is_said_has_to_fit(wanted: Filter, fits: bool) -> None:
    assert wanted.fits(listed()) is fits


def test_an_evening_is_the_games_of_one_table_in_one_go() -> None:
    times = [0, HOUR, HOUR + EVENING_GAP, HOUR + 2 * EVENING_GAP + 1]
    found = [listed(finished=each) for each in reversed(times)]
    assert [len(each.games) for each in evenings(found)] == [1, 3]
    first = evenings(found)[1].games
    assert [game.finished for game in first] == times[:3]


def test_two_tables_of_one_night_are_two_evenings() -> None:
    mixed = [listed(finished=each, event="AB"[each % 2]) for each in range(6, 0, -1)]
    assert [(each.event, len(each.games)) for each in evenings(mixed)] == [("A", 3), ("B", 3)]


def test_the_table_of_an_evening_has_everybody_the_best_first(state: Path) -> None:
    fill(state, 10)
    found, _answer = consult(evening(1))
    assert found is not None and len(found.games) == 5
    names = [player.name.raw for player in played_game(0).players]
    assert {each.name for each in found.table} == set(names)
    assert [each.won for each in found.table] == sorted(
        (each.won for each in found.table), reverse=True
    )
    assert sum(each.won for each in found.table) == 5
    assert sum(each.chips or 0 for each in found.table) == 0
    assert [each.name for each in found.table if each.is_me] == ["Ada"]


def test_an_evening_that_never_was_is_none(state: Path) -> None:
    assert consult(evening(3))[0] is None


def test_who_beats_me_most_comes_first(state: Path) -> None:
    fill(state, 60)
    found, _answer = consult(rivals)
    assert {each.name for each in found} == set(COMPANY[1:])
    for each in found:
        assert 0 <= each.ahead <= each.games
    sure = [(each.ahead + 1) / (each.games + 2) for each in found]
    assert sure == sorted(sure, reverse=True)


def test_the_years_are_counted_by_months(state: Path) -> None:
    fill(state, 60)
    found, _answer = consult(years)
    assert sum(games for _month, games, _won in found.months) == 60
    won = sum(game.result is Result.WON for game in consult(games)[0])
    assert sum(won for _month, _games, won in found.months) == won
