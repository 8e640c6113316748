"""How to invite somebody."""

from __future__ import annotations

import pytest

from spoof_tui.ui.table.invitation_dialog import invitation_page
from spoof_tui.ui.table.scene import Scene

SCENE = Scene(address="192.168.1.20:7763", code="K7M4Q")
LINE = "spoof join 192.168.1.20 K7M4Q"


@pytest.mark.parametrize("width", [36, 50, 73])
def test_the_line_and_its_picture_are_there_in_any_width(width: int) -> None:
    page = invitation_page(SCENE, width)
    assert "K7M4Q" in page.plain and "192.168.1.20" in page.plain
    assert "▀▀▀" in page.plain
    assert max(line.cell_length for line in page.split("\n")) <= max(width, 33)


def test_in_a_wide_dialog_the_line_is_whole() -> None:
    assert LINE in invitation_page(SCENE, 73).plain


def test_without_colours_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spoof_tui.ui.table.invitation_dialog.has_pixels", lambda: False)
    page = invitation_page(SCENE, 73)
    assert LINE in page.plain and "▀" not in page.plain


def test_an_open_table_has_no_code_to_tell() -> None:
    page = invitation_page(Scene(address="10.0.0.1:80"), 73)
    assert "code" not in page.plain.replace("picture", "")
    assert "spoof join 10.0.0.1:80" in page.plain
