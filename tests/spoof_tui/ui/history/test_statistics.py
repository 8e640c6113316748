"""The page of statistics."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from spoof_tui.history.index import consult
from spoof_tui.history.queries import Rival
from spoof_tui.history.statistics import Readable, Score, Statistics, statistics
from spoof_tui.storage import paths
from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.ui.history.pictures import length
from spoof_tui.ui.history.statistics import statistics_lines
from tests.helpers.histories import fill


@cache
def many() -> Statistics:
    """Those of many games, which are read once."""
    fill(paths.state_folder(), 250)
    return consult(statistics())[0]


@pytest.fixture
def told() -> Statistics:
    return many()


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


def page(told: Statistics, width: int = 78) -> str:
    return "\n".join(
        "".join(text for text, _tone in line) for line in statistics_lines(told, width)
    )


@pytest.mark.parametrize("width", [40, 57, 77, 120])
def test_no_line_is_wider_than_the_page(told: Statistics, width: int, language: str) -> None:
    for line in statistics_lines(told, width):
        assert length(line) <= width, line


def test_everything_has_its_picture(told: Statistics) -> None:
    text = page(told)
    for title in (
        "Places",
        "Your bids against what was there",
        "Your guesses against what was there",
        "Your calls, cliffs, spoofs and zeros by their odds",
        "How readable you are",
        "Who to watch out for",
        "The Law of Cliff",
        "Hoovers",
    ):
        assert f"\n{title}\n" in text
    assert text.startswith(f"Games\n250 games, {told.won} won")


@pytest.mark.parametrize("width", [57, 77])
def test_large_numbers_are_told_whole(told: Statistics, width: int) -> None:
    rival = Rival("Somebody of a long name", 54321, 43210, 98765, 87654)
    many = replace(told, all_cliffs=Score(23456, 34567), steady=Score(1, 2), rivals=(rival,))
    text = page(many, width)
    assert "23456 of 34567" in text and "43210 of 54321  −98765 +87654" in text


def test_who_has_not_played_reads_that(told: Statistics) -> None:
    assert page(replace(told, games=0)) == "There is no finished game of yours yet."


def test_one_game_is_enough_for_a_page(state: Path) -> None:
    fill(state, 1)
    text = page(consult(statistics())[0])
    assert "1 game, " in text and "more rounds to see what your first words" in text


@pytest.mark.parametrize(
    ("bits", "verdict"),
    [(0.0, "closed book"), (0.1, "hard to read"), (0.3, "can be read"), (0.9, "open book")],
)
def test_how_readable_i_am_is_said_in_words(told: Statistics, bits: float, verdict: str) -> None:
    text = page(replace(told, readable=Readable(100, 0.5, 0.3, bits)))
    assert verdict in " ".join(text.split())


@pytest.mark.parametrize(
    ("cliffs", "words"),
    [
        (Score(3, 4), "Too few cliffs"),
        (Score(80, 100), "the Law holds"),
        (Score(50, 100), "no more"),
        (Score(20, 100), "does not hold"),
    ],
)
def test_the_law_of_cliff_is_measured(told: Statistics, cliffs: Score, words: str) -> None:
    text = page(replace(told, all_cliffs=cliffs, steady=Score(50, 100)))
    assert words in " ".join(text.split())


def test_no_colour_is_needed_to_tell_parts(told: Statistics) -> None:
    assert "█ " in page(told) and "▓ " in page(told) and "│" in page(told)
