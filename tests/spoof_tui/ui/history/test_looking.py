"""What takes long about the history, as a thread does it."""

import sqlite3
from pathlib import Path

import pytest

from spoof_tui.history.index import consult
from spoof_tui.history.queries import games
from spoof_tui.ui.history.looking import Look, Stopped, look, record_path, reviewed, verified
from tests.helpers.histories import fill


def nothing(_done: int, _all: int) -> None:
    """Nobody looks."""


def test_what_is_found_is_handed_over(state: Path) -> None:
    fill(state, 2)
    assert look(lambda _connection: 7, nothing) == Look((7,))


def test_nothing_is_a_finding_too(state: Path) -> None:
    assert look(lambda _connection: None, nothing) == Look((None,))


def test_what_fails_is_a_sentence(state: Path) -> None:
    def fails(_connection: sqlite3.Connection) -> None:
        raise OSError(28, "No space left on device")

    assert look(fails, nothing) == Look((), "The history cannot be read: No space left on device")


def test_whoever_is_gone_gets_nothing(state: Path) -> None:
    fill(state, 1)

    def stop(_done: int, _all: int) -> None:
        raise Stopped

    assert look(games, stop) == Look()


def test_a_record_is_where_the_game_is_from(state: Path) -> None:
    (path,) = fill(state, 1)
    (game,) = consult(games)[0]
    assert record_path(game) == path


def test_a_school_is_not_reviewed(state: Path) -> None:
    fill(state, 25)
    school = next(game for game in consult(games)[0] if game.is_guessing)
    assert reviewed(school) == ["There is no bidding game in it that can be judged."]
    other = next(game for game in consult(games)[0] if not game.is_guessing)
    assert "What to learn:" in reviewed(other) or len(reviewed(other)) > 3
    assert reviewed(other._replace(place=None)) == ["You did not play in this game."]


def test_what_is_not_there_cannot_be_verified(state: Path) -> None:
    fill(state, 1)
    (game,) = consult(games)[0]
    with pytest.raises(OSError):
        verified(game)
