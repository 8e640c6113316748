"""Every state of the screens looks as it did when somebody last looked at it and accepted it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

import pytest

from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from tests.helpers import golden
from tests.helpers.states import states


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language to draw in."""
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


def test_every_screen_looks_as_it_was_accepted(
    language: str, request: pytest.FixtureRequest
) -> None:
    accepts = request.config.getoption("--update")
    legend, folder = golden.Legend(grows=accepts), golden.FOLDER / language
    shown = {name: golden.told(draw, legend) for name, draw in states().items()}
    if accepts:
        golden.keep(folder, shown)
    kept = {path.stem: path.read_text("utf-8") for path in folder.glob("*.txt")}
    changes = [
        "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), name, lineterm=""))
        for name in sorted(kept | shown)
        if (old := kept.get(name, "")) != (new := shown.get(name, ""))
    ]
    assert not changes, "look at it, and accept it by --update -n 0:\n" + "\n".join(changes)
