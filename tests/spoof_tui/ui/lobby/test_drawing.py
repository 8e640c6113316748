"""The lobby's drawing: every line that matters, at every size of terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spoof_tui.network.found_table import FoundTable
from spoof_tui.ui.lobby.drawing import LobbyView, draw_lobby, window
from spoof_tui.ui.lobby.menu import Entry, Field
from tests.spoof_tui.ui.lobbies import found, strange

SIZES = [(80, 24), (60, 20), (200, 50), (140, 40), (40, 12), (20, 5), (1, 1)]


def lines(view: LobbyView, width: int = 80, height: int = 24) -> list[str]:
    return [strip.text for strip in draw_lobby(view, width, height).lines]


def text(view: LobbyView, width: int = 80, height: int = 24) -> str:
    return "\n".join(lines(view, width, height))


def words(view: LobbyView, width: int = 80, height: int = 24) -> str:
    """The text without frames and line breaks."""
    return " ".join(text(view, width, height).replace("█", " ").split())


def lobby(*tables: FoundTable, **fields: object) -> LobbyView:
    selected = 0 if tables else Entry.PLAY
    return LobbyView(**{"name": "Brisk Otter", "tables": tables, "selected": selected} | fields)  # type: ignore[arg-type]


def row_of(view: LobbyView, words: str, width: int = 80, height: int = 24) -> int:
    return next(y for y, line in enumerate(lines(view, width, height)) if words in line)


def test_foreign_text_is_cleaned_and_never_markup() -> None:
    evil = "[b]\x1b[31m\u202eBob[/]\n"
    said = text(lobby(found(name=evil, host=evil)))
    assert "▶ [b][31mBob[/]" in said
    assert "by [b][31mBob[/] " in said
    assert not {"\x1b", "\u202e"} & set(said)


def test_ones_own_name_passes_the_gate_too() -> None:
    assert " e a[2Jb " in text(LobbyView(name="a\x1b[2Jb"))
    assert " e ? " in text(LobbyView(name="\ud800"))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("view", [lobby(), lobby(found(), strange()), lobby(trouble="No. " * 40)])
def test_the_drawing_fills_every_terminal_exactly(view: LobbyView, width: int, height: int) -> None:
    drawn = lines(view, width, height)
    assert [cell_len(line) for line in drawn] == [width] * height


def test_every_row_knows_what_a_click_on_it_is_about() -> None:
    view = lobby(found(1), found(2, name="Other"))
    drawing = draw_lobby(view, 80, 24)
    assert drawing.at(30, row_of(view, "Other")) == 1
    assert drawing.at(30, row_of(view, "Join by address")) is Entry.JOIN
    assert drawing.at(30, 0) is None


def test_the_keys_and_the_values_of_the_first_line_can_be_clicked() -> None:
    drawing, below = draw_lobby(lobby(), 80, 24), lines(lobby())[23]
    assert drawing.at(below.index("quit"), 23) == "q"
    assert drawing.at(below.index("? help"), 23) == "question_mark"
    row = row_of(lobby(), "Play now")
    line = lines(lobby())[row]
    assert drawing.at(line.index("medium"), row) is Field.LEVEL
    assert drawing.at(line.index("Milan"), row) is Field.RULES


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(0, 11), st.integers(5, 30))
def test_the_window_shows_the_selected_and_as_many_as_fit(
    heights: list[int], place: int, room: int
) -> None:
    selected = place % len(heights)
    first, last = window(heights, selected, room)
    assert first <= selected < last
    assert sum(heights[first:last]) <= room
    assert last == len(heights) or sum(heights[first : last + 1]) > room


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_key_is_told_whole_or_not_at_all(width: int) -> None:
    last = lines(lobby(found(), name="A player with a name"), width)[-1]
    known = {"w watch", "h rules", "e A player with a name", "u українська", "o options",
             "? help", "q quit"}  # fmt: skip
    assert set(last.strip().split("  ")) <= known


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_search_fills_every_terminal_exactly(width: int, height: int) -> None:
    for view in (lobby(found(), search="\x1b[2J" * 9), lobby(search="", selected=None)):
        assert [cell_len(line) for line in lines(view, width, height)] == [width] * height
