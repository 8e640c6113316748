"""The lobby's drawing: every line that matters, at every size of terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import State
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.discovery import FoundTable
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.lobby.drawing import USUAL_PORT, WIDEST, LobbyView, draw_lobby, window
from tests.spoof_tui.ui.lobbies import found, strange

SIZES = [(80, 24), (60, 20), (200, 50), (140, 40), (40, 12), (20, 5), (1, 1)]


def lines(view: LobbyView, width: int = 80, height: int = 24) -> list[str]:
    return [strip.text for strip in draw_lobby(view, width, height).lines]


def text(view: LobbyView, width: int = 80, height: int = 24) -> str:
    return "\n".join(lines(view, width, height))


def words(view: LobbyView, width: int = 80, height: int = 24) -> str:
    """The text without frames and line breaks."""
    return " ".join(text(view, width, height).replace("│", " ").split())


def lobby(*tables: FoundTable, **fields: object) -> LobbyView:
    selected = 0 if tables else None
    return LobbyView(**{"name": "Brisk Otter", "tables": tables, "selected": selected} | fields)  # type: ignore[arg-type]


def test_an_empty_lobby_says_what_is_done_and_what_to_press() -> None:
    said = words(lobby())
    assert "You are Brisk Otter e rename" in said
    assert "No open tables found yet." in said
    assert "on this network and on this computer" in said
    assert "n open a table" in said and "p play now against three bots" in said
    assert "a join a table by its address" in said
    assert "Enter" not in said


def test_the_usual_port_is_the_one_that_tables_use() -> None:
    assert USUAL_PORT == DEFAULT_PORT


def test_trouble_stands_in_the_empty_list_and_puts_the_address_first() -> None:
    said = words(lobby(trouble="This computer has no network at all."))
    assert "No table has been found. This computer has no network at all." in said
    assert said.index("a join a table") < said.index("n open a table")


def test_trouble_stands_below_a_list() -> None:
    assert "No network." in lines(lobby(found(), trouble="No network."))[21]


def test_a_table_shows_its_name_seats_host_rules_and_state() -> None:
    said = text(lobby(found(rules="milan cap=5 zero=first-action")))
    assert "▶ Maria's table" in said
    assert "●●●○○○○○○ 3 of 9" in said
    assert "by Maria · asks for a code · Milan, but cap" in said
    assert "zero as first word" in said
    assert "waits for players" in said


def test_an_open_table_is_said_to_be_open() -> None:
    assert "by Maria · open to all · Milan" in text(lobby(found(locked=False)))


def test_a_running_game_and_a_full_table_are_said() -> None:
    assert "a game is on" in text(lobby(found(state=State.PLAYING)))
    assert "every seat is taken" in text(lobby(found(seats=3, taken=3)))


def test_many_changes_of_the_rules_are_all_told() -> None:
    rules = "milan cap=5 zero=first-action starter=ender stake=drinks gloating=fined"
    said = words(lobby(found(rules=rules)))
    assert "gloating is fined, played for drinks" in said


def test_another_version_is_greyed_with_both_versions() -> None:
    drawing = draw_lobby(lobby(strange()), 80, 24)
    said = words(lobby(strange()))
    assert "10.0.0.9:7763" in said
    assert "Spoof 4.2.0 with protocol 7" in said
    assert f"yours is Spoof {PROGRAM} with protocol {PROTOCOL}" in said
    styles = {
        piece.style.color.name
        for y in drawing.tables
        for piece in drawing.lines[y]
        if piece.style and piece.style.color and piece.text.strip(" │▶")
    }
    assert styles == {palette.FAINT}


def test_foreign_text_is_cleaned_and_never_markup() -> None:
    evil = "[b]\x1b[31m\u202eBob[/]\n"
    said = text(lobby(found(name=evil, host=evil)))
    assert "▶ [b][31mBob[/]" in said
    assert "by [b][31mBob[/] ·" in said
    assert not {"\x1b", "\u202e"} & set(said)


def test_ones_own_name_passes_the_gate_too() -> None:
    assert "You are a[2Jb " in text(LobbyView(name="a\x1b[2Jb"))
    assert "You are ?" in text(LobbyView(name="\ud800"))


def test_the_option_and_its_state_are_shown() -> None:
    assert "o confirm words: on" in text(lobby())
    assert "o confirm words: off" in text(lobby(confirm_endings=False))


def test_more_tables_than_fit_are_counted_in_the_frame() -> None:
    tables = [found(number, name=f"Table {number}") for number in range(1, 9)]
    assert "↓ 3 more" in text(lobby(*tables), height=20)
    at_the_end = text(lobby(*tables, selected=7), height=20)
    assert "↑ 3 more" in at_the_end and "▶ Table 8" in at_the_end


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("view", [lobby(), lobby(found(), strange()), lobby(trouble="No. " * 40)])
def test_the_drawing_fills_every_terminal_exactly(view: LobbyView, width: int, height: int) -> None:
    drawn = lines(view, width, height)
    assert [cell_len(line) for line in drawn] == [width] * height


@pytest.mark.parametrize(("width", "height"), SIZES[:4])
def test_everything_is_there_at_every_useful_size(width: int, height: int) -> None:
    said = words(lobby(found()), width, height)
    keys = ("Enter sit down", "n new table", "p practise", "a by address", "? help", "q quit")
    assert all(key in said for key in keys)
    assert "Maria's table" in said and "waits for players" in said


def test_a_wide_terminal_shows_it_in_the_middle() -> None:
    frame = next(line for line in lines(lobby(), 200, 50) if "╭─ Tables" in line)
    assert len(frame.strip()) == WIDEST
    assert frame.index("╭") == 200 - 1 - frame.rindex("╮")


def test_a_row_knows_its_table() -> None:
    drawing = draw_lobby(lobby(found(1), found(2, name="Other")), 80, 24)
    row = next(y for y, line in enumerate(drawing.lines) if "Other" in line.text)
    assert drawing.tables[row] == drawing.tables[row + 1] == 1
    assert 0 not in drawing.tables


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(0, 11), st.integers(5, 30))
def test_the_window_shows_the_selected_and_as_many_as_fit(
    heights: list[int], place: int, room: int
) -> None:
    selected = place % len(heights)
    first, last = window(heights, selected, room)
    assert first <= selected < last
    assert sum(heights[first:last]) <= room
    assert last == len(heights) or sum(heights[first : last + 1]) > room


def test_what_can_be_continued_is_offered_and_what_broke_off_is_told() -> None:
    said = words(lobby(found(), kept=2, reminder="c continues “Pier”: game 1, round 2, just now"))
    assert "c continue a table" in said and "c continues “Pier”" in said
    assert "c continue" not in words(lobby(found()))


def test_a_narrow_lobby_leaves_out_what_is_told_elsewhere() -> None:
    said = words(lobby(found(), kept=2), 60, 20)
    assert "c continue a table" not in said
    assert all(key in said for key in ("Enter sit down", "w watch", "? help", "q quit"))


def test_trouble_comes_before_the_reminder() -> None:
    view = lobby(found(), trouble="No network.", kept=1, reminder="c continues “Pier”")
    assert "No network." in words(view) and "c continues" not in words(view)
