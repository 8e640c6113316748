"""`spoof help [TOPIC]`: the manual, a page for each topic."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby, product
from typing import Final

from spoof_tui.commands.printing import Parser, complain, hanging, page_width
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.storage.paths import short, state_folder
from spoof_tui.telling.manual import wall
from spoof_tui.text.documents import (
    TOPICS,
    Block,
    CodeBlock,
    Definition,
    Heading,
    Item,
    Paragraph,
    page,
)
from spoof_tui.text.i18n import LANGUAGES, _

_GAP: Final = 2


def main(words: Sequence[str]) -> int:
    """Print a page, the help of a command, or what the pages say about a word; 2 if
    nothing fits."""
    given: str | None = parser().parse_args(words).topic
    width = page_width()
    if given is None:
        lines = list(overview(width))
    elif (topic := topic_called(given)) is not None:
        lines = list(told(topic, width))
    elif given in COMMANDS:
        import_module(f"spoof_tui.commands.{given}").parser().print_help()
        return 0
    elif not (lines := list(found(given, width))):
        known = ", ".join(page(each).names[0] for each in TOPICS)
        text = _("nothing is said about {topic!r}; the topics are: {known}")
        complain(text.format(topic=given, known=known))
        return 2
    for line in lines:
        print(line.rstrip())
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof help`."""
    parser = Parser(prog="spoof help", description=_("The manual, by topics."))
    parser.add(
        "topic",
        nargs="?",
        metavar="TOPIC",
        help=_("a topic, a command, or a word to look for; without one, the topics are listed"),
        suggests=[*TOPICS, *COMMANDS],
    )
    return parser


def topic_called(name: str) -> str | None:
    """The topic with this name, in any language."""
    for topic, language in product(TOPICS, LANGUAGES):
        if name.casefold() in page(topic, language).names:
            return topic
    return None


def overview(width: int) -> Iterator[str]:
    """The topics, one per line."""
    yield _("Topics of spoof help:")
    yield from _rows([Definition(page(each).names[0], page(each).about) for each in TOPICS], width)
    yield ""
    yield from textwrap.wrap(
        _(
            "`spoof help TOPIC` shows one of them, `spoof help WORD` whatever mentions a word, and "
            "`spoof COMMAND --help` the options of a command."
        ),
        width,
    )


def told(topic: str, width: int) -> Iterator[str]:
    """A page in lines of at most `width` columns."""
    yield from _title(topic, width)
    yield from _laid_out([*_of_this_system(topic), *page(topic).blocks], width)


def found(word: str, width: int) -> Iterator[str]:
    """Every part of a page that contains this word, and every section with it in the heading."""
    wanted = word.casefold()
    for topic in TOPICS:
        blocks = list(_mentioning(wanted, page(topic).blocks))
        if blocks or wanted in page(topic).about.casefold():
            yield from _title(topic, width)
            yield from _laid_out(blocks, width)
            yield ""


def _mentioning(wanted: str, blocks: Iterable[Block]) -> Iterator[Block]:
    is_inside = False
    for block in blocks:
        has_it = wanted in _text(block).casefold()
        if isinstance(block, Heading):
            is_inside = has_it
        if has_it or is_inside:
            yield block


def _title(topic: str, width: int) -> Iterator[str]:
    names, about = page(topic).names, page(topic).about
    yield from textwrap.wrap(f"{names[0]}: {about}", width)


def _text(block: Block) -> str:
    match block:
        case Definition(name, text):
            return f"{name} {text}"
        case CodeBlock(lines):
            return " ".join(lines)
        case _:
            return block.text


def _of_this_system(topic: str) -> Iterator[Block]:
    if topic == "files":
        yield Paragraph(_("On this computer: {folder}").format(folder=short(state_folder())))
    elif topic == "ssh" and sys.platform != "win32":
        from spoof_tui.door.confinement import has_wall

        yield Paragraph(wall(has_wall()))


def _laid_out(blocks: Iterable[Block], width: int) -> Iterator[str]:
    for kind, group in groupby(blocks, type):
        yield ""
        if kind is Definition:
            yield from _rows([each for each in group if isinstance(each, Definition)], width)
            continue
        for number, block in enumerate(group):
            if number and kind is not Item:
                yield ""
            yield from _lines(block, width)


def _lines(block: Block, width: int) -> Iterator[str]:
    match block:
        case Heading(text):
            yield text.upper()
        case CodeBlock(lines):
            yield from (f"{' ' * _GAP}{line}" for line in lines)
        case Item(text):
            yield from hanging(text, width, "- ", "  ")
        case Paragraph(text):
            yield from hanging(text, width)


def _rows(entries: Sequence[Definition], width: int) -> Iterator[str]:
    """A table of two columns; a name that is too long for its column gets a line of its own."""
    column = min(max(len(entry.name) for entry in entries) + 2 * _GAP, width // 3)
    for entry in entries:
        name = f"{' ' * _GAP}{entry.name}".ljust(column)
        if len(name.rstrip()) + _GAP > column:
            yield name
            name = " " * column
        yield from hanging(entry.text, width, name, " " * column)
