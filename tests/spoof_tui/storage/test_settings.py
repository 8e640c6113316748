"""What the player chose, and what is not believed of it."""

import json
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import MAX_NAME
from protocol.rules import options
from spoof_tui.bots.levels import Level
from spoof_tui.storage import paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.settings import (
    LEVELS,
    MAX_BOTS,
    PRESETS,
    Bell,
    Motion,
    Practice,
    Settings,
)

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
    Settings("Ann").save()
    assert Settings.load() == Settings("Ann")


def test_everything_that_is_chosen_survives() -> None:
    chosen = Settings(
        "Ann",
        motion=Motion.NONE,
        bell=Bell.ALL,
        cover_keys=True,
        plain=True,
        practice=Practice("hollywood", 8, "hard"),
        seen=frozenset({"hide", "raise"}),
    )
    chosen.save()
    assert Settings.load() == chosen


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)
KEYS = (
    "name",
    "confirm_endings",
    "language",
    "theme",
    "motion",
    "bell",
    "cover_keys",
    "plain",
    "seen",
)
PLAYED = st.fixed_dictionaries({}, optional=dict.fromkeys(("preset", "bots", "level"), junk))


@given(st.dictionaries(st.sampled_from(KEYS), junk), PLAYED | junk)
def test_whatever_is_written_there_the_settings_are_ones_that_could_be_chosen(
    raw: dict[str, object], practice: object
) -> None:
    read = Settings._from({**raw, "practice": practice})
    assert read.practice.preset in PRESETS and read.practice.level in LEVELS
    assert 1 <= read.practice.bots <= MAX_BOTS
    assert isinstance(read.motion, Motion) and isinstance(read.bell, Bell)
    assert all(isinstance(each, str) for each in read.seen)


def test_the_presets_and_levels_are_those_of_the_game() -> None:
    assert tuple(options.PRESETS) == PRESETS
    assert tuple(level.value for level in Level) == LEVELS
    assert options.MAX_PLAYERS - 1 == MAX_BOTS
