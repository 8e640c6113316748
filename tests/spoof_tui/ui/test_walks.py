"""What only Textual draws looks as it did when somebody last looked at it and accepted it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from tests.helpers import golden
from tests.helpers.walks import SIZES, WALKS, Walk


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language to walk in."""
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


@pytest.mark.parametrize("walk", WALKS, ids=lambda walk: walk.__name__)
async def test_every_dialog_looks_as_it_was_accepted(
    walk: Walk, language: str, request: pytest.FixtureRequest
) -> None:
    legend = golden.Legend(grows=golden.accepts(request))
    taken = await walk()
    shown = {name: golden.told(taken[name].__getitem__, legend, SIZES) for name in taken}
    golden.check(request, golden.FOLDER / language / walk.__name__, shown)
