"""Pictures of numbers: as wide as they are told, and told apart without colours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.ui.history.pictures import (
    Line,
    Tone,
    bar,
    beside,
    columns,
    curve,
    left,
    length,
    right,
    stacked_bar,
)

shares = st.floats(-0.5, 1.5)
widths = st.integers(4, 60)


def text(line: Line) -> str:
    return "".join(piece for piece, _tone in line)


@pytest.fixture(params=["C.UTF-8", "C"])
def locale(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the terminal has more than ASCII."""
    monkeypatch.setenv("LANG", request.param)
    return str(request.param)


@given(shares, widths, st.none() | st.floats(0, 1))
def test_a_bar_is_as_wide_as_it_is_told(share: float, width: int, mark: float | None) -> None:
    assert length(bar(share, width, mark=mark)) == width


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), widths)
def test_the_parts_of_a_bar_fill_it(parts: list[int], width: int) -> None:
    assert length(stacked_bar(parts, width)) == (width if sum(parts) else 0)


def test_a_bar_is_filled_to_its_share() -> None:
    assert text(bar(0.5, 10)) == "█████░░░░░"
    assert text(bar(0.55, 10)) == "█████▌░░░░"
    assert text(bar(0.5, 10, mark=0.0)) == "│████░░░░░"
    assert text(bar(0.5, 10, mark=1.0)) == "█████░░░░│"


def test_what_is_there_at_all_is_seen() -> None:
    assert text(bar(0.001, 10)).startswith("▌")
    (top, *_rest) = columns([("a", 1000.0, Tone.TEXT), ("b", 1.0, Tone.TEXT)], 1, width=1)
    assert text(top) == "█ ▁ "


def test_ascii_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "C")
    lines = [
        bar(0.55, 10, mark=0.2),
        stacked_bar([3, 2, 1], 12),
        *columns([("1", 2.0, Tone.GOOD), ("2", 1.0, Tone.BAD)], 3),
        *curve([0.1, 0.9, 0.5], 10, 3),
    ]
    assert all(text(line).isascii() for line in lines)
    assert text(lines[0]) == "##|###...." and text(lines[1]) == "######====--"


def test_columns_stand_on_their_labels(locale: str) -> None:
    lines = columns([("-1", 2.0, Tone.GOOD), ("0", 4.0, Tone.COIN)], 4)
    assert len(lines) == 6
    assert text(lines[-1]) == " -1   0"
    assert [text(line)[4] != " " for line in lines[:4]] == [True] * 4
    assert [text(line)[0] != " " for line in lines[:4]] == [False, False, True, True]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=200), st.integers(1, 40), st.integers(1, 5))
def test_a_curve_is_as_large_as_it_is_told(values: list[float], width: int, height: int) -> None:
    lines = curve(values, width, height)
    assert len(lines) == height
    assert {length(line) for line in lines} == {width}


def test_a_curve_goes_up_where_the_values_do() -> None:
    top, bottom = curve([0.0, 0.0, 1.0, 1.0], 4, 2)
    assert (text(top), text(bottom)) == ("  ██", "  ██")


def test_text_is_brought_to_a_width() -> None:
    assert (left("abc", 5), left("abcdef", 3), right("7", 3)) == ("abc  ", "abc", "  7")


def test_two_stacks_stand_beside_each_other() -> None:
    first: list[Line] = [(("ab", Tone.TEXT),)]
    second: list[Line] = [(("c", Tone.TEXT),), (("d", Tone.TEXT),)]
    assert [text(line) for line in beside(first, second, 4)] == ["ab  c", "    d"]
