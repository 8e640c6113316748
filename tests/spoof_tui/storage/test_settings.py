"""What the player chose, and what is not believed of it."""

import json
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from protocol.limits import MAX_NAME
from spoof_tui.storage import paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.settings import Settings

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(path: Path, *parts: bytes) -> Frames:
    path.write_bytes(b"".join(parts))
    return Frames(path)


def test_settings_survive() -> None:
    Settings("Марія 🪙", confirm_endings=False).save()
    assert Settings.load() == Settings("Марія 🪙", confirm_endings=False)


def test_the_language_survives() -> None:
    Settings("Ann", language="uk").save()
    assert Settings.load().language == paths.chosen_language() == "uk"


def test_without_a_choice_there_is_no_language() -> None:
    Settings("Ann").save()
    assert Settings.load().language is paths.chosen_language() is None


@pytest.mark.parametrize("language", ["tlh", 7, ["uk"], {}])
def test_a_language_that_is_not_spoken_here_is_passed_over(state: Path, language: object) -> None:
    (state / "settings.json").write_text(json.dumps({"name": "Ann", "language": language}))
    assert Settings.load() == Settings("Ann")


def test_missing_settings_are_the_defaults() -> None:
    assert Settings.load() == Settings("", confirm_endings=True)


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", "null", '"name"', "\x00\xff", '{"name": 3, "confirm_endings": "no"}']
)
def test_broken_settings_count_as_none(state: Path, text: str) -> None:
    (state / "settings.json").write_text(text, "latin-1")
    assert Settings.load() == Settings()


def test_unknown_settings_are_passed_over(state: Path) -> None:
    (state / "settings.json").write_text(json.dumps({"name": "Ann", "colour": "blue"}))
    assert Settings.load() == Settings("Ann")


@pytest.mark.parametrize("name", ["\ud800", "\x1b[31m", "a\nb", "x" * (MAX_NAME + 1)])
def test_a_name_that_others_could_not_be_told_counts_as_none(state: Path, name: str) -> None:
    (state / "settings.json").write_text(json.dumps({"name": name}))
    assert Settings.load() == Settings()


def test_a_directory_in_the_place_of_the_settings_is_no_crash(state: Path) -> None:
    (state / "settings.json").mkdir()
    assert Settings.load() == Settings()
    with pytest.raises(OSError, match="settings"):
        Settings("Ann").save()
