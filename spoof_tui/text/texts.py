"""Texts that depend on facts: files of Markdown in `spoof_tui/docs/texts/`, one for each language.

A file has sections, `## name` or `## name: title`, of points, `- name: text` or
`- name [fact, other fact]: text`; points of one name are ways to say the same. In a text

- `{fact=value: words}` is said if the fact has that value, `{fact!=value: words}` if it has not;
- `{fact}` is the fact's value;
- `{=name}` is the text of that point in the section `sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from spoof_tui.text import i18n
from spoof_tui.text.documents import FOLDER

Facts = Mapping[str, object]
"""What a text depends on; values are compared as strings."""


@dataclass(frozen=True, slots=True)
class Point:
    """One text with a name."""

    name: str
    facts: tuple[str, ...]
    """The facts that it is listed under."""
    text: str
    """As it stands in the file."""


@dataclass(frozen=True, slots=True)
class Section:
    """Some points under a name, which need not be unique, and a title."""

    name: str
    title: str
    points: tuple[Point, ...]


class Texts:
    """One file."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections: Final = tuple(sections)
        self._points = {
            (each.name, point.name): point for each in sections for point in each.points
        }

    def point(self, section: str, name: str) -> str:
        """A text that depends on nothing; raises `KeyError` if there is none of this name."""
        return self._points[section, name].text

    def title(self, section: str) -> str:
        """The title of the section of this name."""
        return next(each.title for each in self.sections if each.name == section)

    def ways(self, section: str, name: str) -> tuple[str, ...]:
        """All points of this name in a section, as several ways to say one thing."""
        found = (point for each in self.sections if each.name == section for point in each.points)
        return tuple(i18n.respelt(point.text) for point in found if point.name == name)

    def sentence(self, name: str, facts: Facts) -> str:
        """The point of this name among the sentences."""
        return self.said(self.point("sentences", name), facts)

    def said(self, text: str, facts: Facts) -> str:
        """A text of this file under these facts; raises `KeyError` for one that is not among
        them."""

        def chosen(found: re.Match[str]) -> str:
            sentence, fact, unlike, value, words = found.groups()
            if sentence:
                return self.sentence(sentence, facts)
            if words is None:
                return str(facts[fact])
            return self.said(words, facts) if (str(facts[fact]) != value) == bool(unlike) else ""

        return " ".join(i18n.respelt(_BRACES.sub(chosen, text)).split())


_BRACES: Final = re.compile(
    r"\{(?:=([^{}]+)|([\w-]+)(?:(!?)=([\w-]+): ((?:[^{}]|\{[^{}]*\})*))?)\}"
)
_POINT: Final = re.compile(r"([^:\[]+?)(?: \[([^\]]*)\])?: (.*)", re.DOTALL)


def texts(name: str, language: str | None = None) -> Texts:
    """The texts of this name in a language; by default, in the current one."""
    return _read(name, language or i18n.spoken())


@cache
def _read(name: str, language: str) -> Texts:
    page = FOLDER.joinpath("texts", f"{name}.{language}.md").read_text("utf-8")
    return Texts([_section(part) for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]])


def _section(part: str) -> Section:
    head, _, body = part.partition("\n")
    name, _, title = head.partition(": ")
    return Section(name, title, tuple(map(_point, re.split(r"^- ", body, flags=re.MULTILINE)[1:])))


def _point(text: str) -> Point:
    found = _POINT.fullmatch(text.strip())
    assert found, text
    name, facts, words = found.groups()
    return Point(name, tuple(facts.split(", ")) if facts else (), " ".join(words.split()))
