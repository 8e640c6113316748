"""The page of an evening."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spoof_tui.history.index import consult
from spoof_tui.history.queries import Evening, evening
from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.ui.history.evening import evening_lines
from spoof_tui.ui.history.pictures import length
from tests.helpers.histories import fill


@pytest.fixture
def told(state: Path) -> Evening:
    fill(state, 10)
    found = consult(evening())[0]
    assert found is not None
    return found


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


def page(told: Evening | None, width: int = 78) -> list[str]:
    return ["".join(text for text, _tone in line) for line in evening_lines(told, width)]


def test_everybody_has_a_line_with_their_places(told: Evening) -> None:
    lines = page(told)
    assert lines[0].startswith("Night train, the evening of 2016-01-0")
    assert lines[1].startswith("5 games · ")
    for each in told.table:
        (line,) = [line for line in lines if line.startswith(each.name)]
        assert line.rstrip().endswith(" ".join(map(str, each.places)))
    assert any(line.startswith("Ada (you)") for line in lines)


def test_chips_fines_and_drinks_are_shown_where_there_are_any(told: Evening) -> None:
    bare = [replace(each, chips=None, fines=0, rounds_paid=None, coins=0) for each in told.table]
    heads = page(replace(told, table=tuple(bare)))[3]
    assert heads.split() == ["won", "games", "places"]
    rich = [replace(each, chips=-2, fines=3, rounds_paid=1, coins=4) for each in told.table]
    heads, first = page(replace(told, table=tuple(rich)))[3:5]
    assert heads.split() == ["won", "games", "coins", "chips", "paid", "fines", "places"]
    assert " 4 " in first and " −2 " in first and " 3 " in first


@pytest.mark.parametrize("width", [40, 57, 77, 120])
def test_no_line_is_wider_than_the_page(told: Evening, width: int, language: str) -> None:
    long = [replace(each, places=each.places * 20, name=each.name * 5) for each in told.table]
    for shown in (told, replace(told, table=tuple(long))):
        for line in evening_lines(shown, width):
            assert length(line) <= width, line


def test_an_evening_that_never_was_is_told() -> None:
    assert page(None) == ["There is no such evening."]
