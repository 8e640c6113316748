"""The clauses of the bidding game say what its options say."""

from protocol.rules.options import (
    PRESETS,
    START_COINS,
)
from spoof_tui.ui.wording.clauses import rulebook


def test_the_book_says_three_as_the_rules_do() -> None:
    assert START_COINS == 3
    assert "three coins" in rulebook(PRESETS["milan"]).clauses["R1"].text
