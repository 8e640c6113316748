"""A long evening with everything switched on: does it bore, and is everything seen?"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

import pytest

from protocol.rules.house import Pronouncement
from protocol.views import TableView
from spoof_tui.ui.table.controls import Controls
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.wheel import Gestures
from spoof_tui.ui.wording.house import wordings
from tests.simulation.company import CompanyEvening
from tests.spoof_tui.ui.table.scenes import catch_up, drawn, text

EVENING = 7200.0
"""Seconds of virtual time."""

SHORT = 60.0

MAX_OF_LINE = 8
"""How often somebody may say the same in two hours: once in a quarter of an hour."""

TOLD: Final = re.compile(r"\b\d+\b|●+|\b(?:call|cliff|spoof|zero)\b")
"""Words and coins, as the felt shows them."""


class Onlooker:
    """Looks at the felt whenever something happens, with and without what is not a move."""

    def __init__(self) -> None:
        self._scene = Scene(controls=Controls())
        self.looks = self.gestures = 0

    def look(self, view: TableView) -> None:
        """No number, no ending word and no coin may be covered."""
        scene = self._scene
        scene.look(view)
        catch_up(scene)
        self.looks += 1
        if not scene.gestures.shown:
            return
        self.gestures += 1
        busy = text(drawn(scene)["ring"])
        scene.gestures = Gestures(scene.gestures.heard)
        for told in TOLD.finditer(text(drawn(scene)["ring"])):
            assert busy[slice(*told.span())] == told[0], busy


@pytest.mark.parametrize(
    "seconds", [SHORT, pytest.param(EVENING, marks=pytest.mark.long)], ids=["short", "evening"]
)
def test_an_evening_with_everything_on_hides_nothing_and_is_no_bore(seconds: float) -> None:
    onlooker = Onlooker()
    evening = CompanyEvening(1, onlooker.look)
    evening.play(seconds)
    assert onlooker.looks and onlooker.gestures
    assert evening.twice == []
    assert max(evening.remarks.values(), default=0) <= MAX_OF_LINE
    for what in Pronouncement:
        said = Counter({text: n for (kind, text), n in evening.house.items() if kind == what.name})
        ways = len(wordings(what, is_guessing=False))
        assert max(said.values(), default=0) <= said.total() // ways + 1
