"""The command that makes pictures."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.helpers import pictures, raster
from tests.helpers.sheet import MODES
from tests.helpers.states import SIZES, states


def test_every_state_and_every_size_mode_and_language_has_its_pictures() -> None:
    chosen = list(pictures.chosen())
    assert {name for name, *_ in chosen} == set(states())
    assert {size for _, size, *_ in chosen} == set(SIZES)
    assert {how for *_, how, _ in chosen} == set(MODES)
    assert {language for *_, language in chosen} == {"en", "uk"}


async def test_without_pillow_a_dialog_is_drawn_as_svg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raster, "is_here", lambda: False)
    (first, *_rest) = await pictures.dialogs("en", (80, 24))
    name = pictures.save(first, tmp_path)
    ElementTree.parse(tmp_path / name)
    assert name == "rounds-80x24-felt-en.svg" and name in pictures.contact_sheet([name])
