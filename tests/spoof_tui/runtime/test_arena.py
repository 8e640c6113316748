"""A tournament in one process and in several: the same games, and nothing is left behind."""

from pathlib import Path

import pytest

from protocol.rules.options import Rules
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import PLANS, ScoreTally, TournamentResult
from spoof_tui.runtime.arena import Cast, Tournament, is_player, results
from spoof_tui.runtime.engine import EngineFailed
from tests.spoof_tui.runtime.engines import PLAYS, engine

PLAYERS = ("random", "small", "value")

needs_pool = pytest.mark.beyond_wine("processes of concurrent.futures: one reads for ever")
"""Its pool stands still there with a function that does nothing, too."""

IN_ONE_OR_TWO = [1, pytest.param(2, marks=needs_pool)]
"""Numbers of processes."""


def played(tournament: Tournament, games: int, jobs: int) -> list[TournamentResult]:
    """All results."""
    return list(results(tournament, games, jobs))


KNOWN = [*PLANS, *(level.value for level in Level), "engine:./a -x", "miser", "miser:hard"]
UNKNOWN = ["", "godlike", "engine", "engine: ", "Hard", "miser:", "small:hard"]


def test_a_player_is_known_by_name() -> None:
    assert [name for name in (*KNOWN, *UNKNOWN) if is_player(name)] == KNOWN


@needs_pool
def test_several_processes_play_the_same_games_as_one() -> None:
    tournament = Tournament(PLAYERS, "milan", seed=3, date="2026-11-21")
    alone = played(tournament, 9, jobs=1)
    assert [result.number for result in alone] == list(range(9))
    assert played(tournament, 9, jobs=2) == alone


@pytest.mark.parametrize("jobs", IN_ONE_OR_TWO)
def test_an_engine_that_fails_ends_the_tournament(jobs: int, tmp_path: Path) -> None:
    players = ("random", f"engine:{engine(tmp_path, '    sys.exit(5)')}")
    with pytest.raises(EngineFailed, match=r"is restarted\. .* status 5"):
        list(results(Tournament(players, "milan", 1), 9, jobs))


@pytest.mark.parametrize("jobs", IN_ONE_OR_TWO)
def test_what_an_engine_is_forgiven_is_told_with_its_game(jobs: int, tmp_path: Path) -> None:
    ends = "    if len(ask.get('past', ())) == 0 and ask['ask'] == 'hand':\n        sys.exit(5)\n"
    players = ("random", f"engine:{engine(tmp_path, ends + PLAYS)}")
    for each in played(Tournament(players, "milan", 1), 3, jobs):
        (sentence,) = each.lapses
        assert "it ended with status 5" in sentence and sentence.endswith("is restarted.")


@pytest.mark.parametrize("jobs", IN_ONE_OR_TWO)
def test_engines_go_by_names_of_their_own(jobs: int, tmp_path: Path) -> None:
    command = f"engine:{engine(tmp_path)}"
    match = Tournament(("random", command, command), "milan", 1, date="2026-11-21")
    games, tally = played(match, 4, jobs), ScoreTally(match.players, Rules.parse("milan"))
    for each in games:
        tally.add(each)
    assert {row.name: (row.player, row.seats) for row in tally.rows} == {
        "random": ("random", 1),
        "Doubter": (command, 2),
    }
    assert all(":Doubter-2" in each.record and "engine" not in each.record for each in games)


def test_no_engine_outlives_one_that_cannot_be_started(tmp_path: Path) -> None:
    players = (f"engine:{engine(tmp_path)}", "engine:/no/such/program")
    with pytest.raises(EngineFailed), Cast(Tournament(players, "milan", 1)):
        pass


@needs_pool
def test_a_process_for_which_there_is_no_game_is_not_waited_for() -> None:
    assert len(played(Tournament(("easy", "random"), "milan", 1), 2, jobs=2)) == 2
