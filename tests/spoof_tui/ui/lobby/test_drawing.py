"""The lobby's drawing: it fills every terminal, and foreign text breaks nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from spoof_tui.network.probe import FoundTable
from spoof_tui.storage.settings import Practice
from spoof_tui.telling.titles import preset_name
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.lobby.drawing import LobbyView, practice_values
from spoof_tui.ui.lobby.menu import MenuField, MenuRow
from spoof_tui.visiting import DOOR_VARIABLE
from tests.helpers.pages import on_a_page
from tests.spoof_tui.ui.lobbies import found, strange


def sheet(view: LobbyView, width: int = 80, height: int = 24) -> Sheet:
    return Part(Place(0, 0, width, height), view).sheet()


def lines(view: LobbyView, width: int = 80, height: int = 24) -> list[str]:
    return [row.strip().text for row in sheet(view, width, height).rows]


def lobby(*tables: FoundTable, **fields: object) -> LobbyView:
    selected = 0 if tables else MenuRow.PLAY
    return LobbyView(**{"name": "Brisk Otter", "tables": tables, "selected": selected} | fields)  # type: ignore[arg-type]


VIEWS = (
    lobby(), lobby(found(), strange()), lobby(trouble="No. " * 40), lobby(search="", selected=None),
    lobby(found(), search="\x1b[2J" * 9), lobby(found(), *(found(each) for each in range(2, 40))),
)  # fmt: skip


@given(st.sampled_from(VIEWS), st.integers(1, 200), st.integers(1, 60))
def test_the_drawing_fills_every_terminal_exactly_and_each_key_is_whole(
    view: LobbyView, width: int, height: int
) -> None:
    drawn = lines(view, width, height)
    assert [cell_len(line) for line in drawn] == [width] * height
    known = {"i watch", "/ find", "h rules", "g games",
             "u українська", "o options", "x network", "? help", "q quit", "",
             "Enter join", "Esc all tables"}  # fmt: skip
    if width > 30 and height > 3:
        assert set(drawn[-1].strip().split("  ")) <= known
        assert view.search is not None or "q quit" in drawn[-1]
    if width > 36 and height > 9 and view.search is None:
        assert any("▶" in line for line in drawn)


@pytest.mark.parametrize("width", [40, 45, 60, 80])
@pytest.mark.parametrize("field", MenuField)
def test_the_setting_that_the_arrows_change_is_shown_with_them_at_every_width(
    language: str, field: MenuField, width: int
) -> None:
    practice = Practice("three-coins")
    drawn = lines(lobby(practice=practice, field=field, has_played=True), width)
    row = next(row for row in drawn if row.lstrip().startswith("▶"))
    told = practice_values(practice) | {MenuField.RULES: preset_name(practice.preset)}
    assert told[field] in row and row.index("←") < row.index(told[field]) < row.index("→")


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_is_told_of_no_key(view: LobbyView) -> None:
    with on_a_page():
        drawn = lines(view, 45, 40)
    last_words = {line.split()[-1] for line in drawn if line.strip()}
    assert not last_words & {"Enter", *"pbnay"}


def test_a_visitor_is_not_told_to_type_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    # One that no table was heard at would be refused.
    view = lobby(has_waited=True)
    assert any("type its address" in line for line in lines(view))
    monkeypatch.setenv(DOOR_VARIABLE, "host")
    assert not any("type its address" in line for line in lines(view))


@given(st.sampled_from(list(MenuRow)), st.integers(20, 36), st.integers(3, 10))
def test_a_screen_that_is_too_small_for_a_table_says_so_above_the_way_that_is_selected(
    entry: MenuRow, width: int, height: int
) -> None:
    head, *drawn = lines(lobby(entries=tuple(MenuRow), selected=entry), width, height)
    assert ("36 × 10" in head) is (width < 36 or height < 10)
    assert any(line.startswith(" ▶") for line in drawn[:-1]) and drawn[-1].rstrip().endswith(
        "q quit"
    )


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("Other", "1"), ("Join by address", "a"), ("medium", "level"),
        ("Three Coins", "rules"), ("Play now", "p"), ("quit", "q"),
        ("? help", "question_mark"), ("← 3 bots", "left"), ("3 bots", "bots"),
        ("→   medium", "right"), ("x network", "x"),
        ("▄", ""),
    ],
)  # fmt: skip
def test_what_is_written_can_be_clicked(words: str, target: str) -> None:
    view = lobby(found(1), found(2, name="Other"), selected=MenuRow.PLAY)
    y, line = next((y, line) for y, line in enumerate(lines(view)) if words in line)
    styles = sheet(view).rows[y].styles
    assert palette.pressed_by(styles[line.index(words)]) == target
    assert palette.pressed_by(styles[79]) == ""
