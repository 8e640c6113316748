"""What a door says of itself."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.door import opening
from spoof_tui.door.opening import DoorFailed, DoorOpened, host_of, line_of, missing, read_line
from spoof_tui.visiting import DOOR_VARIABLE


@given(st.integers(1, 65535), st.text())
def test_what_is_said_is_read(port: int, text: str) -> None:
    for said in (DoorOpened(port, text), DoorFailed(text)):
        assert read_line(line_of(said).encode()) == said


@given(st.binary(max_size=200))
def test_anything_else_is_a_failure(line: bytes) -> None:
    assert isinstance(read_line(line), DoorFailed)


def test_the_command_names_the_port_unless_it_is_the_usual_one() -> None:
    assert DoorOpened(2222, "").invitation("10.0.0.1") == "ssh -p 2222 10.0.0.1"
    assert DoorOpened(22, "").invitation("10.0.0.1") == "ssh 10.0.0.1"


def test_the_host_of_an_address_is_what_ssh_takes() -> None:
    assert host_of("[fe80::1]:7763") == "fe80::1"
    assert host_of("10.0.0.1:7763") == "10.0.0.1"


def test_without_the_library_a_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing() is None
    monkeypatch.setattr(opening, "find_spec", lambda name: None)
    assert "spoof-tui[ssh]" in (missing() or "")


def test_windows_has_no_terminals_to_give_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert "Linux or macOS" in (missing() or "")


def test_behind_a_door_there_is_no_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, "host")
    assert "You play by ssh" in (missing() or "")
