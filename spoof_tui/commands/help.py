"""`spoof help [TOPIC]`: what there is to know, by topics."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from spoof_tui.commands.printing import Parser, suggest
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.storage.paths import state_folder
from spoof_tui.text.i18n import _
from spoof_tui.ui.acts.table_keys import all_keys
from spoof_tui.ui.wording.manual import Block, Entry, topic_about, topic_blocks, topic_names

WIDEST: Final = 88
"""Columns of text at most, however wide the terminal is."""

_NARROWEST: Final = 40
_GAP: Final = 2


def main(words: Sequence[str]) -> int:
    """Print a topic, the help of a command, or the list of topics; 2 if there is no such one."""
    given = parser().parse_args(words)
    width = min(max(shutil.get_terminal_size().columns, _NARROWEST), WIDEST)
    if given.topic is None:
        lines = overview(width)
    elif given.topic in COMMANDS and given.topic not in topic_names():
        import_module(f"spoof_tui.commands.{given.topic}").parser().print_help()
        return 0
    elif (topic := topic_called(given.topic)) is not None:
        lines = page(topic, width)
    else:
        known = ", ".join(topic_names().values())
        text = _("spoof help: no topic is called {topic!r}; there are: {known}")
        print(text.format(topic=given.topic, known=known), file=sys.stderr)
        return 2
    for line in lines:
        print(line.rstrip())
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be said behind `spoof help`."""
    parser = Parser(prog="spoof help", description=_("Tell what there is to know, by topics."))
    topic = parser.add_argument(
        "topic", nargs="?", metavar="TOPIC", help=_("a topic, or a command; none lists the topics")
    )
    suggest(topic, [*topic_names(), *COMMANDS])
    return parser


def topic_called(name: str) -> str | None:
    """The topic of this name, in English or in the language that is spoken."""
    wanted = name.casefold()
    for topic, translated in topic_names().items():
        if wanted in (topic, translated.casefold()):
            return topic
    return None


def overview(width: int) -> Iterator[str]:
    """The topics, and what each tells."""
    yield _("Topics of spoof help:")
    entries = [Entry(name, topic_about(topic)) for topic, name in topic_names().items()]
    yield from _listed(entries, width)
    yield ""
    yield from textwrap.wrap(
        _("`spoof help TOPIC` tells about one, `spoof COMMAND --help` about a command."), width
    )


def page(topic: str, width: int) -> Iterator[str]:
    """A topic in lines of at most `width` columns."""
    yield f"{topic_names()[topic]}: {topic_about(topic)}"
    blocks = topic_blocks(topic, _shortened(state_folder()), _has_wall(), all_keys())
    waiting: list[Entry] = []
    for block in [*blocks, ""]:
        if isinstance(block, Entry):
            waiting.append(block)
            continue
        if waiting:
            yield ""
            yield from _listed(waiting, width)
            waiting = []
        yield from _paragraph(block, width)


def _has_wall() -> bool | None:
    """Whether the programs of visitors are walled in here; None where there are no doors."""
    if sys.platform == "win32":
        return None
    from spoof_tui.door.confinement import has_wall

    return has_wall()


def _paragraph(block: Block, width: int) -> Iterator[str]:
    if block:
        yield ""
        yield from textwrap.wrap(str(block), width)


def _listed(entries: Sequence[Entry], width: int) -> Iterator[str]:
    column = max(len(entry.name) for entry in entries) + 2 * _GAP
    for entry in entries:
        yield from textwrap.wrap(
            entry.text,
            width,
            initial_indent=f"{' ' * _GAP}{entry.name}".ljust(column),
            subsequent_indent=" " * column,
        )


def _shortened(path: Path) -> str:
    """The path with the home directory as ~."""
    try:
        return str(Path("~") / path.relative_to(Path.home()))
    except ValueError:
        return str(path)
