"""The measures in the words of `spoof verify`."""

from __future__ import annotations

import pytest

from protocol.table.statements import Measure
from spoof_tui.ui.wording.verify_measures import asked, carried


@pytest.mark.parametrize("words", [asked, carried])
def test_every_measure_has_a_sentence_of_its_own(words: object) -> None:
    assert callable(words)
    told = [words(measure) for measure in Measure]
    assert len(set(told)) == len(Measure) and all(each.endswith(".") for each in told)
