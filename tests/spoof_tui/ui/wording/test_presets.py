"""What presets and bots are called."""

import pytest

from spoof_tui.storage.settings import LEVELS, PRESETS
from spoof_tui.ui.wording.presets import bots, level_name, preset_name


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_has_a_name(preset: str) -> None:
    assert preset_name(preset) != preset


def test_every_level_has_a_name_of_its_own() -> None:
    assert len({level_name(level) for level in LEVELS}) == len(LEVELS)


def test_bots_are_counted() -> None:
    assert [bots(1), bots(3)] == ["1 bot", "3 bots"]
