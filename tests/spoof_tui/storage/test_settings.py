"""The player's settings, and which values are not believed."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.limits import MAX_NAME
from protocol.rules import options
from spoof_tui.bots.levels import Level
from spoof_tui.storage import paths
from spoof_tui.storage import settings as stored
from spoof_tui.storage.settings import (
    LEVELS,
    MAX_BOTS,
    MAX_SEEN,
    PRESETS,
    Animation,
    Bell,
    Practice,
    Settings,
)
from spoof_tui.text.i18n import LANGUAGES
from tests.spoof_tui.storage.failing_disk import room_for

names = st.text(st.characters(categories=("L", "N", "P", "S")), max_size=MAX_NAME // 4)
chosen = st.builds(
    Settings,
    name=names,
    confirm_endings=st.booleans(),
    language=st.none() | st.sampled_from(sorted(LANGUAGES)),
    theme=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    motion=st.sampled_from(Animation),
    bell=st.sampled_from(Bell),
    cover_keys=st.booleans(),
    plain=st.booleans(),
    practice=st.builds(
        Practice, st.sampled_from(PRESETS), st.integers(1, MAX_BOTS), st.sampled_from(LEVELS)
    ),
    seen=st.frozensets(st.text("abc", max_size=MAX_SEEN), max_size=9),
)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=50),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)
KEYS = (
    "name", "confirm_endings", "language", "theme", "motion", "bell", "cover_keys", "plain", "seen",
)  # fmt: skip
PLAYED = st.fixed_dictionaries({}, optional=dict.fromkeys(("preset", "bots", "level"), junk))
shared_state = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@shared_state
@given(chosen)
def test_whatever_is_chosen_survives(settings: Settings) -> None:
    settings.save()
    assert Settings.load() == settings
    assert paths.chosen_language() == settings.language
    assert stored.trouble() == ""


@shared_state
@given(st.dictionaries(st.sampled_from(KEYS), junk), PLAYED | junk)
def test_whatever_is_written_there_what_is_read_could_have_been_chosen(
    raw: dict[str, object], practice: object
) -> None:
    written = {**raw, "practice": practice, "colour": "blue"}
    paths.settings_path().write_text(json.dumps(written), "utf-8")
    read = Settings.load()
    assert read.practice.preset in PRESETS and read.practice.level in LEVELS
    assert 1 <= read.practice.bots <= MAX_BOTS
    assert isinstance(read.motion, Animation) and isinstance(read.bell, Bell)
    assert all(isinstance(each, str) for each in read.seen)
    assert all(
        isinstance(flag, bool) for flag in (read.confirm_endings, read.cover_keys, read.plain)
    )


WRONG: dict[str, list[object]] = {
    "language": ["tlh", 7, ["uk"], {}],
    "name": [3, "\x1b[31m", "a\nb", "x" * (MAX_NAME + 1)],
    "seen": ["hide", {"a": 1}, [3, "x" * (MAX_SEEN + 1)]],
    "confirm_endings": ["no", 0],
}


@pytest.mark.parametrize(("key", "value"), [(key, each) for key in WRONG for each in WRONG[key]])
def test_what_could_not_be_chosen_is_passed_over_and_the_rest_is_read(
    key: str, value: object
) -> None:
    paths.settings_path().write_text(json.dumps({"theme": "night", key: value}))
    assert Settings.load() == Settings(theme="night")


def test_where_there_is_no_room_the_settings_stay_as_they_were() -> None:
    Settings("Ann").save()
    with room_for(9), pytest.raises(OSError, match="large"):
        Settings("Bohdan").save()
    assert Settings.load() == Settings("Ann")


def test_the_presets_and_levels_are_those_of_the_game() -> None:
    assert tuple(options.PRESETS) == PRESETS
    assert tuple(level.value for level in Level) == LEVELS
    assert options.MAX_PLAYERS - 1 == MAX_BOTS
