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
"""Values, by name, that a text depends on; they are compared as strings."""


@dataclass(frozen=True, slots=True)
class Point:
    """A named text in a file of texts."""

    name: str
    facts: tuple[str, ...]
    """The facts in brackets after its name."""
    text: str
    """The text as it stands in the file, with its braces."""


@dataclass(frozen=True, slots=True)
class Section:
    """Points under a heading. Names of sections need not be unique."""

    name: str
    title: str
    points: tuple[Point, ...]


class Texts:
    """The contents of one file of texts."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections: Final = tuple(sections)
        self._points = {
            (each.name, point.name): point for each in sections for point in each.points
        }

    def point(self, section: str, name: str) -> str:
        """The text of a point as it stands in the file; raises `KeyError` if there is no such
        point."""
        return self._points[section, name].text

    def title(self, section: str) -> str:
        """The title of the section of this name."""
        return next(each.title for each in self.sections if each.name == section)

    def ways(self, section: str, name: str) -> tuple[str, ...]:
        """The texts of all points of this name in a section: several ways to say the same."""
        found = (point for each in self.sections if each.name == section for point in each.points)
        return tuple(i18n.respelt(point.text) for point in found if point.name == name)

    def sentence(self, name: str, facts: Facts) -> str:
        """The point called `name` in the section `sentences`, under these facts."""
        return self.said(self.point("sentences", name), facts)

    def said(self, text: str, facts: Facts) -> str:
        """`text` with its braces resolved under these facts; raises `KeyError` for a fact that is
        missing."""

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
    """The file of texts called `name` in a language; by default in the current one."""
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
