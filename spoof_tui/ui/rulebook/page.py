"""The rulebook as a page to read: the presets side by side, and one of them below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from textual.strip import Strip

from protocol.rules.options import PRESETS, Rules
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit
from spoof_tui.ui.canvas.page import Row, draw_bar, draw_rows, entry, most_top, paragraph
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.wording.clauses import Chapter, Clause, rulebook
from spoof_tui.ui.wording.options import preset_name

WIDEST: Final = 84
"""Columns of text at most: longer lines are hard to read."""

_COLUMN: Final = 7
"""Columns of the clause numbers."""

_HEAD: Final = 2
_FOOT: Final = 2


def shelf(rules: Rules | None) -> list[Rules]:
    """The books to compare: the one in force first if it is none of the presets."""
    presets = list(PRESETS.values())
    return presets if rules is None or not rules.changes else [rules, *presets]


def rows(rules: Rules, width: int) -> list[Row]:
    """The whole book in rows of `width` columns."""
    book = rulebook(rules)
    star = glyphs().star
    title = book.title if rules.changes else ""
    page = [*paragraph(title, width, palette.BOLD), *paragraph(book.about, width)]
    if any(clause.differs for chapter in (*book.chapters, book.customs)
           for clause in chapter.clauses):  # fmt: skip
        legend = _("{star} stands where the rulebooks of this game differ.").format(star=star)
        page += paragraph(legend, width, palette.QUIET)
    for chapter in book.chapters:
        page += _chapter(chapter, _COLUMN, width)
    names = max(cell_len(clause.mark) for clause in book.customs.clauses)
    return [*page, *_chapter(book.customs, min(names + 3, width // 3), width)]


def _chapter(chapter: Chapter, column: int, width: int) -> list[Row]:
    heading = [
        ("── ", palette.BORDER),
        (chapter.title, palette.STRONG),
        (" " + "─" * (width - 4 - cell_len(chapter.title)), palette.BORDER),
    ]
    page = [Row(), Row(heading, chapter.clauses[0].mark)]
    for clause in chapter.clauses:
        page += _clause(clause, column, width)
    return page


def _clause(clause: Clause, column: int, width: int) -> list[Row]:
    star = glyphs().star if clause.differs else " "
    label = [(star + " ", palette.BRIGHT), (clause.mark, palette.BOLD)]
    page = entry(label, clause.text, column, width, palette.TEXT, clause.mark)
    for text in clause.differs:
        page += entry([], text, column, width, palette.QUIET, clause.mark)
    return page


def text_width(width: int) -> int:
    """The columns of text on a screen of `width`."""
    return min(width - 4, WIDEST)


def room(height: int) -> int:
    """The rows of text on a screen of `height`."""
    return max(height - _HEAD - _FOOT, 1)


def draw_book(
    books: Sequence[Rules], chosen: int, page: Sequence[Row], top: int, width: int, height: int
) -> list[Strip]:
    """The screen: whose rules, the page from row `top` on, and the keys."""
    sheet = Sheet(width, height)
    left = (width - text_width(width)) // 2
    _draw_shelf(sheet, books, chosen, left)
    rows = page[top : top + room(height)]
    draw_rows(sheet, left, _HEAD, rows)
    draw_bar(sheet, width - 1, _HEAD, room(height), top, len(page))
    _draw_keys(sheet, page, top, left)
    return sheet.lines()


def _draw_shelf(sheet: Sheet, books: Sequence[Rules], chosen: int, x: int) -> None:
    sheet.put(0, 1, "─" * sheet.width, palette.BORDER)
    for index, rules in enumerate(books):
        title = preset_name(rules.preset)
        if rules.changes:
            title = _("This table")
        is_chosen = index == chosen
        title = fit(title, sheet.width - x)
        sheet.put(x, 0, title, palette.STRONG if is_chosen else palette.QUIET)
        if is_chosen:
            sheet.put(x, 1, "━" * cell_len(title), palette.BRIGHT)
        x += cell_len(title) + 4


def _draw_keys(sheet: Sheet, page: Sequence[Row], top: int, x: int) -> None:
    signs = glyphs()
    keys = [
        ("Esc", _("back")),
        (f"{signs.left} {signs.right}", _("another rulebook")),
        (f"{signs.up} {signs.down} PgUp PgDn", _("read on")),
    ]
    y = sheet.height - 1
    for key, words in keys:
        if x + cell_len(key) + 1 + cell_len(words) <= sheet.width:
            x = sheet.put(x, y, key, palette.KEY)
            x = sheet.put(x + 1, y, words, palette.QUIET) + 3
    end = most_top(page, room(sheet.height))
    part = f"{100 * top // end} %" if end else ""
    if x + len(part) + 2 <= sheet.width:
        sheet.put(sheet.width - 2 - len(part), y, part, palette.QUIET)
