"""The manual: pages of Markdown in `spoof_tui/docs/`, one folder for each language.

A page begins with `# name, other name: what it is about`. It uses only headings, paragraphs, lists,
tables and fenced blocks.
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
"""The pages in the order in which they are listed, by file name."""


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """One point of a list."""

    text: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One row of a table: a name, and what it is."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """Lines that are shown as they are."""

    lines: tuple[str, ...]


Block = Heading | Paragraph | Item | Definition | CodeBlock


@dataclass(frozen=True, slots=True)
class ManualPage:
    names: tuple[str, ...]
    """Its names in its language; the first is the one that is listed."""
    about: str
    blocks: tuple[Block, ...]


def page(topic: str, language: str | None = None) -> ManualPage:
    """The page in this language; by default, in the current one."""
    return _read(topic, language or i18n.spoken())


@cache
def _read(topic: str, language: str) -> ManualPage:
    title, _, body = (FOLDER / language / f"{topic}.md").read_text("utf-8").partition("\n")
    names, _, about = title.removeprefix("# ").partition(": ")
    return ManualPage(tuple(names.split(", ")), about, tuple(_blocks(body)))


def _blocks(body: str) -> Iterator[Block]:
    for part in re.split(r"\n\n+", body.strip()):
        lines = part.splitlines()
        if part.startswith("```"):
            yield CodeBlock(tuple(lines[1:-1]))
        elif part.startswith("#"):
            yield Heading(part.lstrip("# "))
        elif part.startswith("|"):
            for line in lines[2:]:
                name, text = line.strip("| ").split(" | ")
                yield Definition(_plain(name).replace("`", ""), _plain(text))
        elif part.startswith("- "):
            for item in re.split(r"\n- ", part[2:]):
                yield Item(_plain(item))
        else:
            yield Paragraph(_plain(part))


def _plain(text: str) -> str:
    """Without line breaks and emphasis; code marks stay, so that commands stand out."""
    return _STRESSED.sub(lambda m: m[1] or m[2], " ".join(text.split()))


_STRESSED: Final = re.compile(r"(`[^`]*`)|\*+([^*]+)\*+")
