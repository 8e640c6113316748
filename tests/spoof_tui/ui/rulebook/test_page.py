"""The rulebook as a page."""

import pytest

from protocol.rules.options import PRESETS, Rules
from spoof_tui.ui.rulebook.page import blocks, shelf, title
from spoof_tui.ui.wording.clauses import rulebook
from spoof_tui.ui.wording.markdown import literal


def said(rules: str) -> str:
    return "\n\n".join(block.text for block in blocks(Rules.parse(rules)))


@pytest.mark.parametrize("preset", PRESETS)
def test_no_word_of_the_book_is_lost(preset: str) -> None:
    book = rulebook(PRESETS[preset])
    for chapter in (*book.chapters, book.customs):
        for clause in chapter.clauses:
            assert literal(clause.text) in said(preset), clause
            assert all(literal(text) in said(preset) for text in clause.differs)


def test_every_clause_has_its_block() -> None:
    marks = {block.mark for block in blocks(PRESETS["milan"])}
    assert set(rulebook(PRESETS["milan"]).clauses) <= marks


def test_a_star_marks_what_differs() -> None:
    texts = {block.mark: block.text for block in blocks(PRESETS["milan"])}
    assert texts["R8"].startswith("★ **R8**")
    assert texts["R7"].startswith("**R7**")
    assert literal("Bid Spoof, Three Coins: cap 3; here no cap") in said("milan")
    assert "★" not in said("hollywood")


def test_a_changed_rule_set_stands_before_the_presets() -> None:
    assert shelf(None) == shelf(PRESETS["bid-spoof"]) == list(PRESETS.values())
    changed = Rules.parse("milan cap=5")
    assert shelf(changed) == [changed, *PRESETS.values()]
    assert [title(rules) for rules in shelf(changed)][:2] == ["This table", "Milan"]
    assert said("milan cap=5").startswith("**Milan, but cap 5**")
