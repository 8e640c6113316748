"""The rulebook as Markdown: whose rules, and every clause as a block of its own."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.rules.options import PRESETS, Rules
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.wording.clause import Chapter, Clause
from spoof_tui.ui.wording.clauses import rulebook
from spoof_tui.ui.wording.markdown import literal
from spoof_tui.ui.wording.presets import preset_name


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page: a paragraph or a heading."""

    text: str
    """In Markdown."""
    mark: str = ""
    """The clause that it belongs to, the same in every book; of a heading, the first below."""


def shelf(rules: Rules | None) -> list[Rules]:
    """The books to compare: the one in force first if it is none of the presets."""
    presets = list(PRESETS.values())
    return presets if rules is None or not rules.changes else [rules, *presets]


def title(rules: Rules) -> str:
    """The name of a book on the shelf."""
    return _("This table") if rules.changes else preset_name(rules.preset)


def blocks(rules: Rules) -> list[Block]:
    """The whole book."""
    book = rulebook(rules)
    chapters = (*book.chapters, book.customs)
    page = [Block(f"**{literal(book.title)}**")] if rules.changes else []
    page.append(Block(literal(book.about)))
    if any(clause.differs for chapter in chapters for clause in chapter.clauses):
        legend = _("{star} marks where the rulebooks of this game differ.")
        page.append(Block(f"*{literal(legend.format(star=glyphs().star))}*"))
    return page + [block for chapter in chapters for block in _chapter(chapter)]


def _chapter(chapter: Chapter) -> list[Block]:
    heading = Block(f"## {literal(chapter.title)}", chapter.clauses[0].mark)
    return [heading, *(Block(_clause(clause), clause.mark) for clause in chapter.clauses)]


def _clause(clause: Clause) -> str:
    star = f"{glyphs().star} " if clause.differs else ""
    own = f"{literal(star)}**{literal(clause.mark)}** {literal(clause.text)}"
    return "\\\n".join([own, *(f"*{literal(text)}*" for text in clause.differs)])
