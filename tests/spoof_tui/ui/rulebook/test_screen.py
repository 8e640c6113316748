"""The rulebook as a page."""

from __future__ import annotations

import pytest

from protocol.rules.options import PRESETS, Rules
from spoof_tui.telling.rulebook import rulebook
from spoof_tui.ui.rulebook import blocks, literal, shelf, title


def said(rules: str) -> str:
    return "\n\n".join(block.text for block in blocks(Rules.parse(rules)))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_has_its_block_and_no_word_of_the_book_is_lost(preset: str) -> None:
    book = rulebook(PRESETS[preset])
    for chapter in (*book.chapters, book.customs):
        for clause in chapter.clauses:
            assert literal(clause.text) in said(preset), clause
            assert all(literal(text) in said(preset) for text in clause.differs)
    texts = {block.mark: block.text for block in blocks(PRESETS[preset])}
    assert set(book.clauses) <= set(texts)
    for mark, clause in book.clauses.items():
        assert texts[mark].startswith("★ **" if clause.differs else "**")


def test_a_changed_rule_set_stands_before_the_presets() -> None:
    assert shelf(None) == shelf(PRESETS["bid-spoof"]) == list(PRESETS.values())
    changed = Rules.parse("milan cap=5")
    assert shelf(changed) == [changed, *PRESETS.values()]
    assert [title(rules) for rules in shelf(changed)][:2] == ["This table", "Milan"]
    assert said("milan cap=5").startswith("**Milan, but cap 5**")
