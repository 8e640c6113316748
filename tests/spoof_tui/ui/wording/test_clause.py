"""Where the rule sets differ, beside the clause in which they do."""

import pytest

from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    PRESETS,
)
from spoof_tui.ui.wording.clause import difference
from spoof_tui.ui.wording.clauses import rulebook


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
@pytest.mark.parametrize("option", BIDDING_OPTIONS)
def test_every_difference_stands_beside_one_clause(preset: str, option: str) -> None:
    book = rulebook(PRESETS[preset])
    told = [text for chapter in (*book.chapters, book.customs)
            for each in chapter.clauses for text in each.differs]  # fmt: skip
    text = difference(PRESETS[preset], option)
    assert told.count(text) == (1 if text else 0)
