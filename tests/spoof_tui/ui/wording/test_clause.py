"""Where the rule sets differ, beside the clause in which they do."""

import pytest

from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    PRESETS,
    Rules,
)
from spoof_tui.ui.wording.clause import difference
from spoof_tui.ui.wording.clauses import rulebook


@pytest.mark.parametrize(
    ("rules", "option", "told"),
    [
        ("bid-spoof", "cap", "Milan: no cap; here cap 3"),
        ("milan", "cap", "Bid Spoof, Three Coins: cap 3; here no cap"),
        ("milan cap=5", "cap", "Milan: no cap; Bid Spoof, Three Coins: cap 3; here cap 5"),
        ("bid-spoof", "starter", "Three Coins: the caller opens the next round;"
         " here the loser opens after a call"),
        ("bid-spoof", "cliff_starter", ""),
        ("hollywood", "impossible", ""),
        ("hollywood impossible=allow", "impossible",
         "Hollywood: impossible calls are fined; here impossible calls are allowed"),
    ],
)  # fmt: skip
def test_what_differs_from_the_other_presets_is_told(rules: str, option: str, told: str) -> None:
    assert difference(Rules.parse(rules), option) == told


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
@pytest.mark.parametrize("option", BIDDING_OPTIONS)
def test_every_difference_stands_beside_one_clause(preset: str, option: str) -> None:
    book = rulebook(PRESETS[preset])
    told = [text for chapter in (*book.chapters, book.customs)
            for each in chapter.clauses for text in each.differs]  # fmt: skip
    text = difference(PRESETS[preset], option)
    assert told.count(text) == (1 if text else 0)
