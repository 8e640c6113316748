"""Where this program keeps its files."""

import json
from pathlib import Path

import pytest

from spoof_tui.storage.paths import (
    STATE_VARIABLE,
    chosen_language,
    read_settings,
    settings_path,
    state_folder,
)


def test_the_state_is_where_the_variable_says(state: Path) -> None:
    assert state_folder() == state
    assert settings_path() == state / "settings.json"


@pytest.mark.parametrize("named", [None, ""])
def test_without_the_variable_it_is_a_folder_of_this_user_and_this_program(
    monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    monkeypatch.delenv(STATE_VARIABLE)
    if named is not None:
        monkeypatch.setenv(STATE_VARIABLE, named)
    assert state_folder().is_absolute()
    assert "spoof" in state_folder().parts


def test_to_ask_for_a_place_makes_none(state: Path) -> None:
    assert (state_folder(), settings_path(), read_settings()) == (state, settings_path(), {})
    assert list(state.iterdir()) == []


@pytest.mark.parametrize("written", [b"", b"[]", b"3", b"{", b"\xff\xfe", b'{"a": 1'])
def test_settings_that_cannot_be_read_say_nothing(written: bytes) -> None:
    settings_path().write_bytes(written)
    assert (read_settings(), chosen_language()) == ({}, None)


def test_settings_are_what_was_written() -> None:
    settings_path().write_text(json.dumps({"name": "Марія", "language": "uk"}), "utf-8")
    assert read_settings() == {"name": "Марія", "language": "uk"}
    assert chosen_language() == "uk"


@pytest.mark.parametrize("language", [None, 3, ["uk"]])
def test_a_language_that_is_no_text_was_not_chosen(language: object) -> None:
    settings_path().write_text(json.dumps({"language": language}))
    assert chosen_language() is None
