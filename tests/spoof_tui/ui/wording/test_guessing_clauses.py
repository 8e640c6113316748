"""The clauses of the guessing game say what its options say."""

import re

from protocol.rules.options import (
    PRESETS,
)
from spoof_tui.ui.wording.clauses import rulebook


def test_the_names_of_the_calls_are_in_the_book_and_none_is_invented() -> None:
    names = next(
        c.text for c in rulebook(PRESETS["hollywood"]).customs.clauses if "Neves" in c.text
    )
    assert re.findall(r"\d+", names) == ["0", "1", "2", "3", "4", "5", "7", "8", "12", "13", "16"]
