"""The rulebook: every clause, in the words of the rules that are played by."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import Reason
from protocol.rules.options import (
    PRESETS,
    GuessingRules,
    Rules,
)
from protocol.rules.outcome import Verdict
from spoof_tui.ui.wording.clauses import cited, rulebook
from spoof_tui.ui.wording.options import changeable, option_values
from tests.helpers.offenders import offenders

CITED = sorted({each.clause for each in (*Reason, *Verdict)})
NUMBERS = {
    "bidding": [f"R{n}" for n in range(1, 16)] + [f"G{n}" for n in range(1, 10)] + ["S4", "S5"],
    "guessing": [f"H{n}" for n in range(1, 14)] + [f"G{n}" for n in range(1, 10)] + ["S4", "S5"],
}


def book_text(rules: str) -> str:
    book = rulebook(Rules.parse(rules))
    chapters = (*book.chapters, book.customs)
    return "\n".join(clause.text for chapter in chapters for clause in chapter.clauses)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_of_the_game_is_in_its_book_in_order(preset: str) -> None:
    game = "guessing" if isinstance(PRESETS[preset], GuessingRules) else "bidding"
    assert list(rulebook(PRESETS[preset]).clauses) == NUMBERS[game]


def in_the_book(preset: str, mark: str) -> None:
    rules = PRESETS[preset]
    is_foreign = mark.startswith("H") and not isinstance(rules, GuessingRules)
    book = rulebook(PRESETS["hollywood"] if is_foreign else rules)
    assert cited(mark, rules) in book.clauses


def test_whatever_the_program_cites_is_in_the_book_of_the_game() -> None:
    assert offenders(in_the_book, product(PRESETS, CITED)) == []


def test_a_clause_of_the_bidding_game_is_cited_as_it_is_there() -> None:
    assert cited("R3", PRESETS["milan"]) == "R3"
    assert cited("R3", PRESETS["hollywood"]) == "H4"
    assert cited("G2", PRESETS["hollywood"]) == "G2"


@pytest.mark.parametrize("preset", PRESETS)
def test_the_book_speaks_in_whole_sentences(preset: str) -> None:
    book = rulebook(PRESETS[preset])
    for chapter in (*book.chapters, book.customs):
        for each in chapter.clauses:
            assert each.text[0].isupper() or not each.text[0].isalpha(), each
            assert each.text.endswith((".", "”")), each
            assert "  " not in each.text and "{" not in each.text, each


@given(st.data())
def test_every_change_of_an_option_changes_the_book(data: st.DataObject) -> None:
    rules: Rules = data.draw(st.sampled_from(list(PRESETS.values())))
    option = data.draw(st.sampled_from(changeable(rules)))
    values = data.draw(st.permutations(list(option_values(option))).map(lambda all: all[:2]))
    one, other = (rules.with_option(option, value).text for value in values)
    assert book_text(one) != book_text(other)
