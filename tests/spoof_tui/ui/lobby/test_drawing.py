"""The lobby's drawing: every line that matters, at every size of terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spoof_tui.network.found_table import FoundTable
from spoof_tui.storage.settings import Practice
from spoof_tui.ui.lobby.drawing import WIDEST, LobbyView, draw_lobby, window
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


def test_an_empty_lobby_is_a_menu_with_the_game_as_its_first_line() -> None:
    said = words(lobby())
    assert "▶ Play now ← 3 bots → medium Milan Enter" in said
    assert "Learn by playing guided, three minutes l" in said
    assert "Open a table friends on this network will see it n" in said
    assert "Join by address a" in said
    assert "Looking for tables on this network. This list fills by itself." in said


def test_what_is_played_at_once_stands_on_its_line_in_words() -> None:
    assert "Play now three bots, one minute p" in words(lobby(selected=Entry.LEARN))
    chosen = Practice("hollywood", 1, "hard")
    said = words(lobby(practice=chosen, selected=Entry.LEARN))
    assert "Play now 1 bot · hard · Hollywood p" in said


@pytest.mark.parametrize("field", list(Field))
def test_arrows_stand_at_the_value_that_they_change(field: Field) -> None:
    value = {Field.BOTS: "3 bots", Field.LEVEL: "medium", Field.RULES: "Milan"}[field]
    assert f"← {value} →" in text(lobby(field=field))
    assert f"← {value} →" in text(lobby(field=field), 40, 12)


def test_after_a_while_without_a_table_the_address_is_told_of() -> None:
    assert "A friend" not in words(lobby())
    assert "Press a and type its address." in words(lobby(has_waited=True))


def test_trouble_stands_in_the_empty_list_with_what_helps() -> None:
    said = words(lobby(trouble="This computer has no network at all."))
    assert "This computer has no network at all. A friend’s table is missing? Press a" in said


def test_trouble_stands_below_a_list() -> None:
    assert "No network." in lines(lobby(found(), trouble="No network."))[21]


def test_a_table_is_a_line_with_its_name_rules_host_seats_and_state() -> None:
    line = lines(lobby(found()))[row_of(lobby(found()), "Maria's table")]
    assert " ".join(line.split()) == "▶ Maria's table Milan · by Maria ●●●○○○○○○ code"


def test_of_the_selected_table_more_is_said_below_it() -> None:
    said = words(lobby(found(rules="milan cap=5 zero=first-action")))
    assert "Milan, but cap 5, zero as first word · 3 of 9 seats taken · asks for the code" in said
    assert "cap 5" not in words(lobby(found(rules="milan cap=5"), selected=Entry.PLAY))


def test_foreign_text_is_cleaned_and_never_markup() -> None:
    evil = "[b]\x1b[31m\u202eBob[/]\n"
    said = text(lobby(found(name=evil, host=evil)))
    assert "▶ [b][31mBob[/]" in said
    assert "by [b][31mBob[/] " in said
    assert not {"\x1b", "\u202e"} & set(said)


def test_ones_own_name_passes_the_gate_too() -> None:
    assert " e a[2Jb " in text(LobbyView(name="a\x1b[2Jb"))
    assert " e ? " in text(LobbyView(name="\ud800"))


def test_more_tables_than_fit_are_counted_on_the_rule() -> None:
    tables = [found(number, name=f"Table {number}") for number in range(1, 9)]
    at_the_start = text(lobby(*tables), height=20)
    assert f"↓ {8 - at_the_start.count('Table ')} more" in at_the_start
    at_the_end = text(lobby(*tables, selected=7), height=20)
    assert f"↑ {8 - at_the_end.count('Table ')} more" in at_the_end
    assert "▶ Table 8" in at_the_end


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("view", [lobby(), lobby(found(), strange()), lobby(trouble="No. " * 40)])
def test_the_drawing_fills_every_terminal_exactly(view: LobbyView, width: int, height: int) -> None:
    drawn = lines(view, width, height)
    assert [cell_len(line) for line in drawn] == [width] * height


@pytest.mark.parametrize(("width", "height"), SIZES[:5])
def test_everything_is_there_at_every_useful_size(width: int, height: int) -> None:
    said = words(lobby(found()), width, height)
    ways = ("Play now", "Learn by playing", "Open a table", "Join by address")
    assert all(way in said for way in ways)
    assert "▶ Maria's table" in said and "code" in said
    assert "o options ? help q quit" in said


def test_a_wide_terminal_shows_it_in_the_middle() -> None:
    rule = next(line for line in lines(lobby(), 200, 50) if "─ Tables" in line)
    assert len(rule.strip()) == WIDEST
    assert rule.index("─") == 200 - 1 - rule.rindex("─")


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


def test_what_can_be_continued_is_a_line_of_its_own() -> None:
    view = lobby(entries=tuple(Entry), continued="Pier", broke_off="game 1, round 2, just now")
    assert "Continue “Pier” game 1, round 2, just now c" in words(view)
    assert "Continue" not in words(lobby())


@pytest.mark.parametrize("width", [80, 60, 40])
def test_a_key_is_told_whole_or_not_at_all(width: int) -> None:
    last = lines(lobby(found(), name="A player with a name"), width)[-1]
    known = {"w watch", "h rules", "e A player with a name", "u українська", "o options",
             "? help", "q quit"}  # fmt: skip
    assert set(last.strip().split("  ")) <= known


def test_trouble_and_a_table_to_continue_are_both_told() -> None:
    view = lobby(found(), trouble="No network.", entries=tuple(Entry), continued="Pier")
    assert "No network." in words(view) and "Continue “Pier”" in words(view)


@pytest.mark.parametrize("width", [100, 80, 60])
def test_a_seat_that_is_kept_is_told_on_the_line_of_its_table(width: int) -> None:
    view = lobby(found(), seats_kept=frozenset({(1).to_bytes(32, "big")}), selected=Entry.PLAY)
    line = " ".join(lines(view, width)[row_of(view, "Maria's table", width)].split())
    assert "your seat is kept" in line
    assert "seat is kept" not in words(lobby(found()))


def test_a_search_shows_what_is_typed_and_how_many_are_called_that() -> None:
    said = words(lobby(found(), search="mar", total=300))
    assert "/mar_ 1 of 300" in said and "Enter join Esc all tables" in said
    none = words(lobby(search="zz", selected=None, total=300))
    assert "/zz_ 0 of 300" in none and "is called that" in none and "▶" not in none


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_search_fills_every_terminal_exactly(width: int, height: int) -> None:
    for view in (lobby(found(), search="\x1b[2J" * 9), lobby(search="", selected=None)):
        assert [cell_len(line) for line in lines(view, width, height)] == [width] * height
