"""The head of the lobby."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.lobby.banner import banner_rows, draw_banner


def drawn(width: int, height: int) -> list[str]:
    sheet = Sheet(width, height)
    draw_banner(sheet, banner_rows(height))
    return [line.text for line in sheet.lines()]


@pytest.mark.parametrize(("height", "rows"), [(12, 1), (20, 5), (24, 8), (40, 12)])
def test_a_higher_terminal_has_a_higher_banner(height: int, rows: int) -> None:
    lines = drawn(80, height)
    assert [bool(line.strip()) for line in lines] == [y < rows for y in range(height)]


def test_a_motto_is_told_whole_or_a_shorter_one_is() -> None:
    assert "How many coins are in all the fists? Bid, bluff, call." in "\n".join(drawn(80, 24))
    narrow = "\n".join(drawn(40, 24))
    assert "Bid, bluff, call." in narrow and "How many" not in narrow


@given(st.integers(1, 200), st.integers(1, 60))
def test_a_banner_leaves_room_below_it(width: int, height: int) -> None:
    lines = drawn(width, height)
    assert len(lines) == height
    assert banner_rows(height) <= max(height // 2, 1)
