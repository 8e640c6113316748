"""What the lobby says of a table."""

from dataclasses import replace

import pytest

from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import State
from spoof_tui.network.found_table import FoundTable
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.lobby.drawing import draw_lobby
from spoof_tui.ui.lobby.menu import Entry
from tests.spoof_tui.ui.lobbies import found, strange
from tests.spoof_tui.ui.lobby.test_drawing import lines, lobby, row_of, words


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (found(locked=False), "open"),
        (found(locked=True), "code"),
        (found(state=State.PLAYING), "playing"),
        (found(seats=3, taken=3), "full"),
        (replace(found(), is_awaited=True), "slow"),
    ],
)
def test_the_state_of_a_table_is_a_word(table: FoundTable, state: str) -> None:
    view = lobby(table)
    assert lines(view)[row_of(view, "Maria's table")].split()[-1] == state


def test_many_changes_of_the_rules_are_all_told() -> None:
    rules = "milan cap=5 zero=first-action starter=ender stake=drinks gloating=fined"
    said = words(lobby(found(rules=rules)))
    assert "gloating is fined, played for drinks" in said


def test_another_version_is_greyed_with_both_versions() -> None:
    view = lobby(strange(), selected=Entry.PLAY)
    assert "10.0.0.9:7763" in words(view) and "other version" in words(view)
    said = words(lobby(strange()))
    assert "Spoof 4.2.0 with protocol 7" in said
    assert f"yours is Spoof {PROGRAM} with protocol {PROTOCOL}" in said
    row = draw_lobby(view, 80, 24).lines[row_of(view, "10.0.0.9")]
    styles = [piece.style for piece in row if piece.text.strip()]
    assert {style.color.name for style in styles if style and style.color} == {palette.FAINT}


def test_two_tables_of_one_name_are_told_apart_by_host_and_address() -> None:
    said = words(lobby(found(1), found(2, host="Olha"), selected=1))
    assert "by Olha · 10.0.0.2" in said
    assert "10.0.0.1" not in words(lobby(found(1), found(2, name="Other"), selected=0))


def test_a_full_table_offers_to_be_watched() -> None:
    assert "w watches it" in words(lobby(found(seats=3, taken=3), selected=0))
    assert "w watches it" not in words(lobby(found(seats=3, taken=2), selected=0))
