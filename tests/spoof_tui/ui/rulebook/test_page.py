"""The rulebook as a page."""

import pytest
from rich.cells import cell_len

from protocol.rules.options import PRESETS, Rules
from spoof_tui.ui.rulebook.page import draw_book, room, rows, shelf, text_width
from spoof_tui.ui.wording.clauses import rulebook


def words(rules: str, width: int) -> str:
    page = rows(Rules.parse(rules), width)
    return " ".join("".join(text for text, _look in row.pieces) for row in page)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("width", [36, 56, 76, 84])
def test_no_word_of_the_book_is_lost_at_any_width(preset: str, width: int) -> None:
    said = words(preset, width).split()
    book = rulebook(PRESETS[preset])
    for chapter in (*book.chapters, book.customs):
        for clause in chapter.clauses:
            assert set(clause.text.split()) <= set(said), clause
    page = rows(PRESETS[preset], width)
    assert max(sum(cell_len(text) for text, _look in row.pieces) for row in page) <= width


def test_every_clause_has_its_rows() -> None:
    anchors = {row.anchor for row in rows(PRESETS["milan"], 76)}
    assert set(rulebook(PRESETS["milan"]).clauses) <= anchors


def test_a_star_marks_what_differs() -> None:
    page = ["".join(text for text, _look in row.pieces) for row in rows(PRESETS["milan"], 76)]
    assert next(line for line in page if " R8 " in line).startswith("★ R8")
    assert next(line for line in page if " R7 " in line).startswith("  R7")
    assert "Bid Spoof, Three Coins: cap 3; here no cap" in words("milan", 76)
    assert "★" not in words("hollywood", 76)


def test_a_changed_rule_set_stands_before_the_presets() -> None:
    assert shelf(None) == shelf(PRESETS["bid-spoof"]) == list(PRESETS.values())
    changed = Rules.parse("milan cap=5")
    assert shelf(changed) == [changed, *PRESETS.values()]
    assert words("milan cap=5", 76).startswith("Milan, but cap 5 ")


@pytest.mark.parametrize(("width", "height"), [(40, 12), (80, 24), (120, 36)])
def test_the_screen_is_filled_and_says_whose_rules_these_are(width: int, height: int) -> None:
    books = shelf(Rules.parse("milan cap=5"))
    page = rows(books[0], text_width(width))
    lines = [strip.text for strip in draw_book(books, 0, page, 0, width, height)]
    assert len(lines) == height and {cell_len(line) for line in lines} == {width}
    assert "This table" in lines[0] and "Milan" in lines[0]
    assert "━" * len("This table") in lines[1]
    assert "Esc back" in lines[-1]
    assert width < 80 or lines[-1].endswith("0 %  ")
    assert sum(bool(line.strip(" ▐")) for line in lines[2:-2]) <= room(height)
