"""The clauses of the guessing game say what its options say."""

import re

import pytest

from protocol.rules.options import (
    PRESETS,
    Rules,
)
from spoof_tui.ui.wording.clauses import rulebook


@pytest.mark.parametrize(
    ("rules", "mark", "words"),
    [
        ("hollywood", "H7", "fined when the fists open"),
        ("hollywood impossible=refuse", "H7", "refuses"),
        ("hollywood impossible=allow", "H7", "allowed"),
        ("hollywood", "H11", "moves on clockwise"),
        ("hollywood first_caller=toss", "H11", "A toss"),
    ],
)
def test_a_clause_says_what_the_options_say(rules: str, mark: str, words: str) -> None:
    assert words in rulebook(Rules.parse(rules)).clauses[mark].text


def test_the_names_of_the_calls_are_in_the_book_and_none_is_invented() -> None:
    names = next(
        c.text for c in rulebook(PRESETS["hollywood"]).customs.clauses if "Neves" in c.text
    )
    assert re.findall(r"\d+", names) == ["0", "1", "2", "3", "4", "5", "7", "8", "12", "13", "16"]
