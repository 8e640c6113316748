"""The lines of the pages: none is wider than the page, and what numbers are said in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.style import Style

from spoof_tui.acts.act import labels
from spoof_tui.history.index import consult
from spoof_tui.history.queries import Evening, ListedGame, evening
from spoof_tui.history.statistics import Readable, Score, Statistics, statistics
from spoof_tui.storage import paths
from spoof_tui.ui.canvas.cells import labels_within
from spoof_tui.ui.dialogs.labels import key_line
from spoof_tui.ui.history.game_list import game_line
from spoof_tui.ui.history.pictures import (
    Ink,
    bar,
    curve,
    length,
    stacked_bar,
)
from spoof_tui.ui.history.screen import HISTORY, Tab
from spoof_tui.ui.history.statistics import evening_lines, statistics_lines
from tests.helpers.histories import fill

GAME = ListedGame(
    1, "stem", 1_700_000_000_000, "Night train", "milan", "milan", 1, 5, 3, 1,
    "Ada\nBoris\nCleo",
)  # fmt: skip


@cache
def read() -> tuple[Statistics, Evening]:
    """The pages of many games, which are read once."""
    fill(paths.state_folder(), 250)
    found = consult(evening())[0]
    assert found is not None
    return consult(statistics())[0], found


def text(*lines: Iterable[tuple[str, Ink]]) -> str:
    return "\n".join("".join(piece for piece, _tone in line) for line in lines)


@pytest.mark.parametrize("width", [40, 77])
def test_no_line_is_wider_than_the_page(language: str, width: int) -> None:
    told, last = read()
    long = [replace(each, places=each.places * 20, name=each.name * 5) for each in last.table]
    names = "\n".join(["Somebody of a long name"] * 9)
    crowd = GAME._replace(names=names, event="A very long name " * 4, place=9, preset="calvinball")
    lines = [
        *statistics_lines(told, width), *evening_lines(last, width), game_line(crowd, width),
        *evening_lines(replace(last, table=tuple(long)), width),
    ]  # fmt: skip
    assert max(map(length, lines)) <= width
    assert "calvi" in text(game_line(crowd, width))


VERDICTS = {
    "closed book": {"readable": Readable(100, 0.5, 0.3, 0.049)},
    "can be read": {"readable": Readable(100, 0.5, 0.3, 0.349)},
    "open book": {"readable": Readable(30, 0.5, 0.3, 0.35)},
    "Play 2 more rounds": {"readable": Readable(28, 0.5, 0.3, 0.9)},
    "Too few cliffs": {"all_cliffs": Score(7, 9)},
    "the Law of Cliff holds": {"all_cliffs": Score(8, 10), "steady": Score(50, 100)},
    "does not hold": {"all_cliffs": Score(44, 100), "steady": Score(50, 100)},
}


@pytest.mark.parametrize("words", VERDICTS)
def test_what_the_numbers_mean_is_said_in_words(words: str) -> None:
    told = replace(read()[0], **VERDICTS[words])  # type: ignore[arg-type]
    assert words in " ".join(text(*statistics_lines(told, 78)).split())


# Above and below the pages


@pytest.mark.parametrize("page", list(Tab))
def test_the_keys_fit_and_the_way_back_is_always_there(page: Tab) -> None:
    known = labels(HISTORY, page)
    whole = key_line(known).plain
    for width in range(20, 117):
        shown = key_line(labels_within(known, width)).plain
        assert shown.endswith("Esc back") and len(shown) <= max(width, 22)
        assert shown == whole or len(whole) > width


@pytest.mark.parametrize("page", list(Tab))
def test_every_key_that_is_shown_can_be_clicked(page: Tab) -> None:
    line = key_line(labels(HISTORY, page))
    clicked = {str(span.style.meta["@click"]) for span in line.spans
               if isinstance(span.style, Style) and span.style.meta}  # fmt: skip
    told = {act.key for act in HISTORY if act.is_listed(page) and act.id != "help"}
    assert clicked == {f"app.simulate_key({key!r})" for key in told}


# Pictures

widths = st.integers(4, 60)


@given(
    st.floats(-0.5, 1.5), widths, st.none() | st.floats(0, 1),
    st.lists(st.integers(0, 50), min_size=1, max_size=9),
    st.lists(st.floats(0, 1), min_size=1, max_size=200), st.integers(1, 5),
)  # fmt: skip
def test_pictures_are_as_large_as_they_are_told(
    share: float, width: int, mark: float | None, parts: list[int], values: list[float], height: int
) -> None:
    assert length(bar(share, width, mark=mark)) == width
    assert length(stacked_bar(parts, width)) == (width if sum(parts) else 0)
    assert [length(line) for line in curve(values, width, height)] == [width] * height


def test_a_bar_is_filled_to_its_share() -> None:
    shown = [bar(0.5, 10), bar(0.55, 10), bar(0.5, 10, mark=0.0), bar(0.5, 10, mark=1.0)]
    assert [text(line) for line in shown] == [
        "█████░░░░░", "█████▌░░░░", "│████░░░░░", "█████░░░░│"
    ]  # fmt: skip
    assert text(bar(0.001, 10)).startswith("▌") and text(bar(0.0, 10)) == "░" * 10
