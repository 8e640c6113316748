"""The clauses of the bidding game say what its options say."""

import pytest

from protocol.rules.options import (
    PRESETS,
    START_COINS,
    Rules,
)
from spoof_tui.ui.wording.clauses import rulebook


def test_the_book_says_three_as_the_rules_do() -> None:
    assert START_COINS == 3
    assert "three coins" in rulebook(PRESETS["milan"]).clauses["R1"].text


@pytest.mark.parametrize(
    ("rules", "mark", "words"),
    [
        ("milan", "R8", "no cap"),
        ("bid-spoof", "R8", "The cap is 3"),
        ("milan cap=5", "R8", "The cap is 5"),
        ("milan", "R10", "Only the opening word"),
        ("three-coins", "R10", "your first word"),
        ("milan", "R14", "the player who lost the coin"),
        ("three-coins", "R14", "the player who called"),
        ("milan", "R14", "the nearest loser"),
        ("three-coins", "R14", "After a right zero, the player who said it"),
        ("milan", "R4", "may turn the direction"),
        ("three-coins", "R4", "always goes clockwise"),
        ("milan", "R15", "crap"),
        ("three-coins", "R15", "The lot"),
        ("milan", "R11", "shown first"),
        ("three-coins", "R11", "together"),
    ],
)
def test_a_clause_says_what_the_options_say(rules: str, mark: str, words: str) -> None:
    assert words in rulebook(Rules.parse(rules)).clauses[mark].text
