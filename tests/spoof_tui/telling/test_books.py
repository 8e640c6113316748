"""Rulebook and options: nothing is cited, named or changed that they do not explain."""

from __future__ import annotations

from enum import Enum
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from protocol.errors import Reason
from protocol.rules.options import (
    BIDDING_OPTIONS,
    BIDDING_PRESETS,
    GUESSING_OPTIONS,
    PRESETS,
    GuessingRules,
    written,
)
from protocol.rules.words import Verdict
from spoof_tui.telling import rule_options as said
from spoof_tui.telling.rulebook import Rulebook, cited, difference, rulebook
from spoof_tui.ui.rulebook import literal
from tests.helpers.offenders import offenders

CITED = sorted({each.clause for each in (*Reason, *Verdict)})
OPTIONS = {**BIDDING_OPTIONS, **GUESSING_OPTIONS}
EVERY = list(dict.fromkeys(
    (option, value) for rules in PRESETS.values() for option in rules.options
    for value in said.option_values(option)
))  # fmt: skip


def clauses(book: Rulebook) -> list[str]:
    return [each.text for chapter in (*book.chapters, book.customs) for each in chapter.clauses]


# The book


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_of_the_game_is_in_its_book_in_order_and_in_whole_sentences(
    preset: str,
) -> None:
    is_guessing = isinstance(PRESETS[preset], GuessingRules)
    own = [f"H{n}" for n in range(1, 14)] if is_guessing else [f"R{n}" for n in range(1, 16)]
    book = rulebook(PRESETS[preset])
    assert list(book.clauses) == [*own, *(f"G{n}" for n in range(1, 10)), "S4", "S5"]
    for text in clauses(book):
        assert text[0].isupper() or not text[0].isalpha(), text
        assert text.endswith((".", "”")) and "  " not in text and "{" not in text, text


def in_the_book(preset: str, mark: str) -> None:
    rules = PRESETS[preset]
    is_foreign = mark.startswith("H") and not isinstance(rules, GuessingRules)
    book = rulebook(PRESETS["hollywood"] if is_foreign else rules)
    assert cited(mark, rules) in book.clauses


def test_whatever_the_program_cites_is_in_the_book_of_the_game() -> None:
    assert offenders(in_the_book, product(PRESETS, CITED)) == []
    assert [cited("R3", PRESETS[each]) for each in ("milan", "hollywood")] == ["R3", "H4"]


@pytest.mark.parametrize(("preset", "option"), list(product(BIDDING_PRESETS, BIDDING_OPTIONS)))
def test_every_difference_stands_beside_one_clause(preset: str, option: str) -> None:
    book = rulebook(PRESETS[preset])
    told = [text for chapter in (*book.chapters, book.customs)
            for each in chapter.clauses for text in each.differs]  # fmt: skip
    text = difference(PRESETS[preset], option)
    assert told.count(text) == (1 if text else 0)


# Options


def test_every_value_has_words_of_its_own() -> None:
    for say in (said.option_words, said.value_label):
        assert len({(option, say(option, value)) for option, value in EVERY}) == len(EVERY)
    for option, kinds in OPTIONS.items():
        if kinds is not None:
            assert issubclass(kinds, Enum)
            assert said.option_values(option) == [kind.value for kind in kinds]


@given(st.sampled_from(sorted(PRESETS)), st.lists(st.sampled_from(EVERY), max_size=5))
def test_a_title_tells_every_change_and_nothing_else(
    preset: str, changes: list[tuple[str, str]]
) -> None:
    rules = PRESETS[preset]
    for option, value in changes:
        if option in rules.options:
            rules = rules.with_option(option, value)
    told = said.rules_title(rules).split(", but ", 1)[-1].split(", ")
    for option in rules.options:
        words = said.option_words(option, written(getattr(rules, option)))
        assert (words in told) == said.is_change(rules, option)


# In Markdown


@given(
    st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S"]), max_size=40)
    | st.sampled_from(["*a*", "[x](http://a.b)", "www.a.de", "a@b.de", "`x`", "<b>"])
)
def test_every_sign_is_read_as_it_stands_in_markdown(text: str) -> None:
    tokens = MarkdownIt("gfm-like").parseInline(literal(text))[0].children or []
    assert {token.type for token in tokens} <= {"text", "text_special"}, tokens
    assert "".join(token.content for token in tokens) == text
