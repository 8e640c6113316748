"""How to invite somebody."""

from __future__ import annotations

import pytest
from textual.content import Content

from spoof_tui.door.opening import DoorOpened
from spoof_tui.ui.table import invitation_dialog
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


def qr(drawn: list[str], text: str) -> list[Content]:
    drawn.append(text)
    return []


def test_a_door_is_in_the_words_and_in_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(invitation_dialog, "qr_lines", lambda text: qr(drawn, text))
    scene = Scene(address="192.168.1.20:7763", code="K7M4Q", door=DoorOpened(2222, "SHA256:abc"))
    page = invitation_page(scene, 73).plain
    assert "ssh -p 2222 192.168.1.20" in page and "SHA256:abc" in page
    assert drawn == [f"{LINE}\nssh -p 2222 192.168.1.20"]
    assert "ssh" in invitation_page(SCENE, 73).plain and drawn[1:] == [LINE]
