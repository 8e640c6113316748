"""The search of the manual: finds the passages that answer a question, best first.

A word counts most in a heading, in the name of a page or among the keywords of a block; and the
fewer sections have it, the more it counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from spoof_tui.text import i18n
from spoof_tui.text.documents import TOPICS, Block, Heading, page, text_of


@dataclass(frozen=True, slots=True)
class Passage:
    topic: str
    heading: Heading | None
    """The heading of the section; None for the beginning of the page."""
    blocks: tuple[Block, ...]
    """The whole section if its heading matches; otherwise the matching blocks, best first."""


@dataclass(frozen=True, slots=True)
class _Section:
    topic: str
    heading: Heading | None
    title: frozenset[str]
    """The words of its heading; at the beginning of a page, those of the page's title."""
    blocks: tuple[Block, ...]
    texts: tuple[frozenset[str], ...]
    keywords: tuple[frozenset[str], ...]
    """For each block, its own words and its keywords."""

    @property
    def vocabulary(self) -> frozenset[str]:
        return self.title.union(*self.texts, *self.keywords)


Sense = Mapping[str, float]
"""The words that a typed word may stand for, with how well each fits, up to 1."""

_WHOLE: Final = 1.0
_INFLECTED: Final = 0.7
_PART: Final = 0.2
"""How well a word fits that has the typed one as a part; an exact match is 1."""

_IN_HEADING: Final = 3.0
_IN_PAGE_TITLE: Final = 2.0
_IN_KEYWORDS: Final = 3.0
"""Weight of a word among the keywords; its weight in a text is 1."""

_MOST: Final = 5
"""The most passages found for several words; for a single word there is no limit."""

_ASKED: Final = """
a an and are as at be by can could do does for from get happens has have how i i'm if in is it its
me mean means my of on or our should some somebody someone that the their them there this to use
was we what when where which while who why will with without would you your
або але в він вона вони де для до є за з і й із коли ким куди мене мені ми мій моє мої моя на не ні
про та те ти то у хто це чи чого чому що щоб я як яка яке який які
"""
_QUESTION_WORDS: Final = frozenset(_ASKED.split())
"""Words of a question that do not tell its subject; ignored unless there are no others."""


def search(query: str, language: str | None = None) -> list[Passage]:
    """The passages that match a question best, the best first; empty if none does."""
    sections = list(_sections(language or i18n.spoken()))
    words = words_of(query)
    words = [word for word in words if word not in _QUESTION_WORDS] or words
    known = frozenset[str]().union(*(each.vocabulary for each in sections))
    weighted = []
    for sense in filter(None, (_sense(word, known) for word in words)):
        count = sum(not sense.keys().isdisjoint(each.vocabulary) for each in sections)
        weight = math.log(1 + len(sections) / count)
        weighted.append({word: fit * weight for word, fit in sense.items()})
    found = sorted((_judged(each, weighted) for each in sections), key=lambda each: -each[0])
    answers = [(score, passage) for score, passage in found if score]
    if len(weighted) > 1:
        answers = [each for each in answers[:_MOST] if each[0] >= answers[0][0] / 2]
    return [passage for _score, passage in answers]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without "'s"."""
    found = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.casefold())
    return [word.replace("’", "'").removesuffix("'s") for word in found]


def _sense(word: str, known: Set[str]) -> Sense:
    fits = {each: _INFLECTED for each in known if _have_one_stem(word, each)}
    if word in known:
        fits[word] = _WHOLE
    return fits or {each: _PART for each in known if len(word) > 2 and word in each}


def _have_one_stem(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if long == f"{short}s":
        return True
    stem = next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]),
        len(short),
    )
    return stem >= 4 and len(short) - stem <= 2 and len(long) - stem <= 3


def _judged(section: _Section, senses: Sequence[Sense]) -> tuple[float, Passage]:
    """The score of a section for a question, and its passage to show."""
    weight = _IN_HEADING if section.heading else _IN_PAGE_TITLE
    titles = [weight * _fit(sense, section.title) for sense in senses]
    scores = []
    for text, keywords in zip(section.texts, section.keywords, strict=True):
        fits = [max(_fit(each, text), _IN_KEYWORDS * _fit(each, keywords)) for each in senses]
        scores.append((sum(map(max, fits, titles)), sum(fits)))
    score = max((best for best, _alone in scores), default=sum(titles))
    ranked = sorted(zip(scores, section.blocks, strict=True), key=lambda each: -each[0][1])
    blocks = tuple(block for (_best, alone), block in ranked if alone)
    if not blocks or (section.heading and sum(titles) >= ranked[0][0][1]):
        blocks = section.blocks
    return score, Passage(section.topic, section.heading, blocks)


def _fit(sense: Sense, words: Set[str]) -> float:
    return max((fit for word, fit in sense.items() if word in words), default=0.0)


def _sections(language: str) -> Iterator[_Section]:
    for topic in TOPICS:
        read = page(topic, language)
        heading: Heading | None = None
        title = f"{' '.join(read.names)} {read.about} {read.keywords}"
        blocks: list[Block] = []
        for block in read.blocks:
            if isinstance(block, Heading):
                yield _section(topic, heading, title, blocks)
                heading, title, blocks = block, f"{block.text} {block.keywords}", []
            else:
                blocks.append(block)
        yield _section(topic, heading, title, blocks)


def _section(topic: str, heading: Heading | None, title: str, blocks: Sequence[Block]) -> _Section:
    return _Section(
        topic,
        heading,
        frozenset(words_of(title)),
        tuple(blocks),
        tuple(frozenset(words_of(text_of(each))) for each in blocks),
        tuple(frozenset(words_of(each.keywords)) for each in blocks),
    )
