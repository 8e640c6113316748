"""The manual: pages of Markdown in `spoof_tui/docs/`, one folder for each language.

A page begins with `# name, other name: what it is about`. It uses only headings, paragraphs, lists,
tables and fenced blocks. A comment at the end of a title, a heading or a block is not shown; it
holds further phrases, with commas between them, by which the search (`search`) finds that part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from spoof_tui.text import i18n

FOLDER: Final = Path(__file__).parent.parent / "docs"

TOPICS: Final = (
    "playing", "rules", "lore", "hosting", "network", "ssh", "security", "keys", "plain", "bots",
    "records", "commands", "themes", "platforms", "files", "changes",
)  # fmt: skip
"""File names of the pages without ending, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    keywords: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    keywords: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One point of a list."""

    text: str
    keywords: str = ""


@dataclass(frozen=True, slots=True)
class Definition:
    """One row of a table: a name, and its meaning."""

    name: str
    text: str
    keywords: str = ""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block, whose lines are shown unchanged."""

    lines: tuple[str, ...]
    keywords: str = ""


Block = Heading | Paragraph | Item | Definition | CodeBlock


@dataclass(frozen=True, slots=True)
class ManualPage:
    names: tuple[str, ...]
    """Its names in its language; lists show the first."""
    about: str
    blocks: tuple[Block, ...]
    keywords: str = ""


def text_of(block: Block) -> str:
    """The words of a block as one text, without its layout."""
    match block:
        case Definition(name, text):
            return f"{name} {text}"
        case CodeBlock(lines):
            return " ".join(lines)
        case _:
            return block.text


def page(topic: str, language: str | None = None) -> ManualPage:
    """The page of a topic in a language; by default in the current one."""
    return _read(topic, language or i18n.spoken())


@cache
def _read(topic: str, language: str) -> ManualPage:
    title, _, body = (FOLDER / language / f"{topic}.md").read_text("utf-8").partition("\n")
    title, keywords = _parted(title.removeprefix("# "))
    names, _, about = title.partition(": ")
    return ManualPage(tuple(names.split(", ")), about, tuple(_blocks(body)), keywords)


def _blocks(body: str) -> Iterator[Block]:
    for part in re.split(r"\n\n+", body.strip()):
        lines = part.splitlines()
        if part.startswith("```"):
            yield CodeBlock(tuple(lines[1:-1]))
        elif part.startswith("#"):
            yield Heading(*_parted(part.lstrip("# ")))
        elif part.startswith("|"):
            for line in lines[2:]:
                name, text = line.strip("| ").split(" | ")
                text, keywords = _parted(text)
                yield Definition(_plain(name).replace("`", ""), text, keywords)
        elif part.startswith("- "):
            for item in re.split(r"\n- ", part[2:]):
                yield Item(*_parted(item))
        else:
            yield Paragraph(*_parted(part))


def _parted(text: str) -> tuple[str, str]:
    """Split Markdown into its plain text and the keywords in its comment."""
    text, _, keywords = text.partition("<!--")
    return _plain(text), keywords.removesuffix("-->").strip()


def _plain(text: str) -> str:
    """The text without line breaks and emphasis; code marks stay, so that commands stand out."""
    return _STRESSED.sub(lambda m: m[1] or m[2], " ".join(text.split()))


_STRESSED: Final = re.compile(r"(`[^`]*`)|\*+([^*]+)\*+")
