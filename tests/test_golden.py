"""Every state of the screens looks as it did when somebody last accepted it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.text import documents, i18n
from spoof_tui.text.i18n import LANGUAGES
from tests.helpers import golden, wordings
from tests.helpers.states import scenes, states


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language to draw in: a scene keeps some sentences as they were first shown."""
    i18n.install(request.param)
    _forget()
    yield request.param
    i18n.install("en")
    _forget()


def _forget() -> None:
    states.cache_clear()
    scenes.cache_clear()


def test_every_screen_looks_as_it_was_accepted(
    language: str, request: pytest.FixtureRequest
) -> None:
    legend = golden.Legend(grows=golden.accepts(request))
    shown = {name: golden.told(draw, legend, golden.SIZES) for name, draw in states().items()}
    golden.check(request, golden.FOLDER / language, shown)


def test_every_word_reads_as_it_was_accepted(language: str, request: pytest.FixtureRequest) -> None:
    golden.check(request, golden.FOLDER / language / "texts", wordings.texts())


def test_the_page_of_keys_has_the_acts_as_they_were_accepted(
    language: str, request: pytest.FixtureRequest
) -> None:
    path = documents.FOLDER / language / "keys.md"
    now = wordings.keys_page(path.read_text("utf-8"))
    if golden.accepts(request):
        path.write_text(now, "utf-8")
    assert path.read_text("utf-8") == now
