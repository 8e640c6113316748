"""The screen of the rulebook, which compares the rulebooks of all presets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.style import Style
from textual.widgets import Markdown, Static

from protocol.rules.options import PRESETS, Rules
from spoof_tui.acts.act import Act, label, labels
from spoof_tui.telling.rulebook import Chapter, Clause, rulebook
from spoof_tui.telling.titles import preset_name
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui import dialogs
from spoof_tui.ui.canvas.cells import labels_within
from spoof_tui.ui.dialogs.labels import clickable_line, key_line
from spoof_tui.ui.dialogs.reading import Pages
from spoof_tui.ui.dialogs.rows import HELP, ActScreen, bindings

_SIGNS: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|&~.:@-])")


def literal(text: str) -> str:
    """The text escaped for Markdown, so that it is shown unchanged."""
    return _SIGNS.sub(r"\\\1", text)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a heading of a book."""

    text: str
    """The text, in Markdown."""
    mark: str = ""
    """The clause that the block belongs to, the same in every book; for a heading, the first below
    it."""


def shelf(rules: Rules | None) -> list[Rules]:
    """The rules whose books can be compared: the presets, and before them `rules` unless these are
    a preset."""
    presets = list(PRESETS.values())
    return presets if rules is None or not rules.changes else [rules, *presets]


def title(rules: Rules) -> str:
    """The name of a book among the others."""
    return _("This table") if rules.changes else preset_name(rules.preset)


def blocks(rules: Rules) -> list[Block]:
    """All blocks of the book of these rules."""
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
    mark = clause.mark if clause.mark[-1:].isdigit() else f"{clause.mark}:"
    own = f"{literal(star)}**{literal(mark)}** {literal(clause.text)}"
    return "\\\n".join([own, *(f"*{literal(text)}*" for text in clause.differs)])


_BESIDE: Final = 4
"""Cells at both ends of a line that stay free."""


RULEBOOK: Final[tuple[Act[None, RulebookScreen], ...]] = (
    Act(
        id="next-book", key="right", also=("tab",), about=lambda: _("another rulebook"),
        label=label(20, lambda: _("another rulebook"), caption=lambda: "← →"),
        do=lambda c, _rest: c.turn(1),
    ),
    Act(
        id="previous-book", key="left", about=lambda: _("the previous rulebook"),
        do=lambda c, _rest: c.turn(-1),
    ),
    Act(
        id="down", key="down", about=lambda: _("read on"),
        label=label(10, lambda: _("read on"), caption=lambda: "↑ ↓"),
        do=lambda c, _rest: c.scroll(1),
    ),
    Act(id="up", key="up", about=lambda: _("read back"), do=lambda c, _rest: c.scroll(-1)),
    Act(id="leaf", key="space", about=lambda: _("the next page"), do=lambda c, _rest: c.leaf()),
    HELP,
    Act(
        id="back", key="escape", also=("q", "h", "enter"), about=lambda: _("back"),
        label=label(30, lambda: _("back")), do=lambda c, _rest: c.close(),
    ),
)  # fmt: skip


class RulebookScreen(ActScreen):
    """Shows all rules in words; left and right go to the other presets."""

    CSS_PATH = [
        Path(__file__).with_name("rulebook.tcss"),
        Path(dialogs.__file__).with_name("markdown.tcss"),
    ]
    ACTS = RULEBOOK
    BINDINGS = [*bindings(RULEBOOK)]

    def __init__(self, rules: Rules | None = None) -> None:
        """Open the book of `rules`, such as those of a table; None opens that of the first
        preset."""
        super().__init__()
        self._books = shelf(rules)
        self._open = self._books.index(rules) if rules in self._books else 0
        self._blocks = blocks(self._books[self._open])
        self._sought: list[str] | None = None
        """Clauses to look for in a newly opened book; None if none is being opened.

        The first of them that it has is scrolled to the top once it is drawn.
        """

    def compose(self) -> ComposeResult:
        """Create the names of the books, the open book, and the keys."""
        yield clickable_line("shelf")
        with Pages():
            yield Markdown(self._text(), open_links=False)
        yield clickable_line("keys")

    def _text(self) -> str:
        return "\n\n".join(block.text for block in self._blocks)

    def on_resize(self) -> None:
        """Show as many names of books, and as many keys, as fit into the new width."""
        self.query_one("#shelf", Static).update(self._shelf())
        self.query_one("#keys", Static).update(
            key_line(labels_within(labels(RULEBOOK, None), self._room()))
        )

    def _shelf(self) -> Content:
        """The names of the books side by side; if not all fit, the open one and some after it."""
        books = [
            Content.styled(title(rules), "bold $accent" if place == self._open else "$quiet")
            .stylize(Style.from_meta({"@click": f"screen.open({place})"}))
            for place, rules in enumerate(self._books)
        ]  # fmt: skip
        gap, first = Content("    "), 0
        while first < self._open and gap.join(books[first:]).cell_length > self._room():
            first += 1
        while len(books) > first + 1 and gap.join(books[first:]).cell_length > self._room():
            books.pop()
        return gap.join(books[first:])

    def _room(self) -> int:
        return self.size.width - _BESIDE

    def turn(self, by: int) -> None:
        """Open the book `by` places further on."""
        self.call_next(self.action_open, (self._open + by) % len(self._books))

    async def action_open(self, place: int) -> None:
        """Open the book with this index at the clause that is at the top now, or at the next one it
        has."""
        if self._sought is None:
            self._sought = self._marks_in_sight()
        self._open, self._blocks = place, blocks(self._books[place])
        self.query_one("#shelf", Static).update(self._shelf())
        await self.query_one(Markdown).update(self._text())
        self.call_after_refresh(self._find, self._blocks)

    def _marks_in_sight(self) -> list[str]:
        """The clauses from the top row on; empty at the beginning of the book."""
        top = self.query_one(Pages).scroll_offset.y
        if not top:
            return []
        children = zip(self.query_one(Markdown).children, self._blocks, strict=True)
        return [block.mark for child, block in children
                if block.mark and child.virtual_region.bottom > top]  # fmt: skip

    def _find(self, read: Sequence[Block]) -> None:
        if read is not self._blocks or self._sought is None:
            return  # Another book has been opened meanwhile, and may not be there yet.
        children = self.query_one(Markdown).children
        places = {block.mark: child for child, block in zip(children, read, strict=True)}
        found = next((places[mark] for mark in self._sought if mark in places), None)
        self._sought = None
        top = found.virtual_region.y if found else 0
        self.query_one(Pages).scroll_to(y=top, animate=False, immediate=True)

    def scroll(self, by: int) -> None:
        """Scroll by `by` rows."""
        self.query_one(Pages).action_read(by)

    def leaf(self) -> None:
        """Scroll on by a screenful."""
        self.query_one(Pages).action_leaf(1)

    def close(self) -> None:
        """Return to the previous screen."""
        self.dismiss(None)
