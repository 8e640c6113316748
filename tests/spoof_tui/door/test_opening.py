"""How a door announces itself."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.door.program import DoorFailed, DoorOpened, line_of, missing, read_line
from spoof_tui.visiting import DOOR_VARIABLE


@given(st.integers(1, 65535), st.text())
def test_what_is_said_is_read(port: int, text: str) -> None:
    for said in (DoorOpened(port, text), DoorFailed(text)):
        assert read_line(line_of(said).encode()) == said


@given(st.binary(max_size=200))
def test_anything_else_is_a_failure(line: bytes) -> None:
    assert isinstance(read_line(line), DoorFailed)


def test_where_there_can_be_no_door_a_sentence_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing() is None
    with monkeypatch.context() as once:
        once.setattr(sys, "platform", "win32")
        assert "Linux or macOS" in (missing() or "")
    monkeypatch.setenv(DOOR_VARIABLE, "host")
    assert "You are playing through a door" in (missing() or "")
