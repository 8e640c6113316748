"""`spoof help [WORDS]`: the manual, a page for each topic."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module, resources
from itertools import groupby, product
from typing import Final

from spoof_tui.commands.printing import Parser, complain, hanging, page_width, print_line
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
from spoof_tui.text.search import search

_GAP: Final = 2


_PAGES_OF: Final = {
    "play": "playing", "learn": "playing", "host": "hosting", "join": "playing",
    "history": "records", "stats": "records", "replay": "records", "review": "records",
    "check": "records", "verify": "security", "doctor": "network", "door": "ssh",
    "bot": "bots", "arena": "bots", "completion": "commands", "rules": "rules",
}  # fmt: skip
"""For each command the topic of the page about it."""

_REFERENCES: Final = {
    "engines": ("spoof_tui", "bots/ENGINES.md"),
    "notation": ("protocol", "NOTATION.md"),
    "protocol": ("protocol", "README.md"),
    "wire": ("protocol", "WIRE.md"),
    "entries": ("protocol", "TABLE.md"),
    "bytes": ("protocol", "BYTES.md"),
    "discovery": ("protocol", "DISCOVERY.md"),
    "failover": ("protocol", "FAILOVER.md"),
    "registry": ("protocol", "REGISTRY.md"),
}
"""Pages for programmers, printed unchanged: for each name a package and a file in it."""


def main(words: Sequence[str]) -> int:
    """Print a page, the help of a command, or what the manual says about some words.

    Returns 2 if nothing is found.
    """
    given = " ".join(parser().parse_args(words).words)
    width = page_width()
    if not given:
        lines = list(overview(width))
    elif (topic := topic_called(given)) is not None:
        lines = list(told(topic, width))
    elif given in COMMANDS:
        import_module(f"spoof_tui.commands.{given}").parser().print_help()
        lines = (
            ["", *_leads([f"spoof help {page(_PAGES_OF[given]).names[0]}"], width)]
            if given in _PAGES_OF
            else []
        )
    elif given.casefold() in _REFERENCES:
        lines = reference(given.casefold()).splitlines()
    elif not (lines := list(found(given, width))):
        known = ", ".join(page(each).names[0] for each in TOPICS)
        text = _("the manual says nothing about {topic!r}; its topics are: {known}")
        complain(text.format(topic=given, known=known))
        return 2
    for line in lines:
        print_line(line.rstrip(), sys.stdout)
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof help`."""
    parser = Parser(prog="spoof help", description=_("The manual, by topics."))
    parser.add(
        "words",
        nargs="*",
        metavar="TOPIC",
        help=_("a topic, a command, or words to look for; without any, the topics are listed"),
        suggests=[*TOPICS, *_REFERENCES, *COMMANDS],
    )
    return parser


def topic_called(name: str) -> str | None:
    """The topic whose page has this name in any language; None if there is none."""
    for topic, language in product(TOPICS, LANGUAGES):
        if name.casefold() in page(topic, language).names:
            return topic
    return None


def overview(width: int) -> Iterator[str]:
    """The list of topics in lines of at most `width` columns."""
    yield _("Topics of spoof help:")
    yield from _rows([Definition(page(each).names[0], page(each).about) for each in TOPICS], width)
    yield ""
    yield from textwrap.wrap(
        _("For programmers, in English: {pages}.").format(pages=", ".join(_REFERENCES)), width
    )
    yield ""
    yield from textwrap.wrap(
        _(
            "`spoof help TOPIC` shows a topic, `spoof help WORDS` finds the answer to a "
            "question, and `spoof COMMAND --help` lists the options of a command."
        ),
        width,
    )


def told(topic: str, width: int) -> Iterator[str]:
    """The page of a topic in lines of at most `width` columns."""
    yield from _title(topic, width)
    yield from _laid_out([*_of_this_system(topic), *page(topic).blocks], width)
    if commands := [name for name in COMMANDS if _PAGES_OF.get(name) == topic]:
        yield ""
        yield from _leads([f"spoof {name} --help" for name in commands], width)


def reference(name: str) -> str:
    """The text of a page for programmers, in Markdown."""
    package, path = _REFERENCES[name]
    return resources.files(package).joinpath(path).read_text("utf-8")


def found(words: str, width: int) -> Iterator[str]:
    """The passages of the manual that match these words, best first, as lines."""
    for passage in search(words):
        yield from _title(passage.topic, width)
        heading = [passage.heading] if passage.heading else []
        blocks = passage.blocks or page(passage.topic).blocks
        yield from _laid_out([*heading, *blocks], width)
        yield ""


def _leads(commands: Sequence[str], width: int) -> list[str]:
    """Lines that begin with "See also" and name these commands."""
    names = ", ".join(f"`{each}`" for each in commands)
    return hanging(_("See also: {commands}").format(commands=names), width)


def _title(topic: str, width: int) -> Iterator[str]:
    names, about = page(topic).names, page(topic).about
    yield from textwrap.wrap(f"{names[0]}: {about}", width)


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
    """A table of two columns as lines; a name too long for its column gets a line of its own."""
    column = min(max(len(entry.name) for entry in entries) + 2 * _GAP, width // 3)
    for entry in entries:
        name = f"{' ' * _GAP}{entry.name}".ljust(column)
        if len(name.rstrip()) + _GAP > column:
            yield name
            name = " " * column
        yield from hanging(entry.text, width, name, " " * column)
