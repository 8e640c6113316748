"""The search of the manual: finds the passages that answer a question, best first.

A word counts most in a heading, in the name of a page or in a phrase of keywords that the question
has as a whole; and the fewer sections have it, the more it counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
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


Phrases = tuple[frozenset[str], ...]
"""Keywords: the words of each phrase between commas."""


@dataclass(frozen=True, slots=True)
class _Section:
    topic: str
    heading: Heading | None
    title: frozenset[str]
    """The words of its heading; at the beginning of a page, those of the page's title."""
    phrases: Phrases
    """The keywords of its heading or title."""
    blocks: tuple[Block, ...]
    texts: tuple[frozenset[str], ...]
    keywords: tuple[Phrases, ...]
    """For each block, its own words and its keywords."""

    @property
    def vocabulary(self) -> frozenset[str]:
        return self.title.union(*self.phrases, *self.texts, *(w for k in self.keywords for w in k))


Sense = Mapping[str, float]
"""The words that a typed word may stand for, with how well each fits, up to 1."""

_WHOLE: Final = 1.0
_INFLECTED: Final = 0.7
_MISSPELT: Final = 0.5
_PART: Final = 0.2
"""How well another word fits than the typed one, which fits fully: with another ending or one that
means the same, with a slip of the keys, or one that has the typed word as a part."""

_SIMILAR: Final = 0.81
"""How similar a word must be to one that stands nowhere to be what was meant: a letter wrong in
six is similar enough, a letter wrong in five is not."""

_IN_HEADING: Final = 3.0
_IN_PAGE_TITLE: Final = 2.0
_IN_KEYWORDS: Final = 3.0
"""Weight of a word in a phrase of keywords that is all in the question, and less for each word of
the phrase that is not; its weight in a text is 1."""

_NEWS: Final = 0.3
"""How much a section of the page of changes counts: what is new is said on another page, too."""

_MOST: Final = 5
"""The most passages found for several words; for a single word there is no limit."""

_ASKED: Final = """
a am an and any anywhere are as at be by can can't could did didn't do does doesn't don't else for
friend friends from get happens has have how i i'm i've if in is isn't it it's its know me mean
means much my need of on or our please possible should some somebody someone tell that the their
them there there's they this to too use very want was way we we'll what when where which while who
why will with won't would you your
або але будь в вона вони він де для до друг друга друзям друзі друзів дуже з за занадто знати
значить знає й ким коли куди ласка мене мені ми можна можу моя моє мої мій на не ні означає
потрібно про та те ти то треба у хочу хто це чи чого чому що щоб я як яка яке який якщо які є і із
"""
_QUESTION_WORDS: Final = frozenset(_ASKED.split())
"""Words of a question that do not tell its subject; ignored unless there are no others."""

_ALIKE: Final = """
table room lobby
host admin administrator owner moderator
quit leave exit close
game match
players people persons users
phone telephone mobile smartphone cellphone
kick remove throw expel
slow lag laggy latency
стіл кімната кімнату кімнати кімнаті столу столі
господар адмін адміністратор
вийти піти покинути вихід
телефон смартфон мобільний мобільного
"""
_SYNONYMS: Final = {
    word: frozenset(line.split()) for line in _ALIKE.splitlines() for word in line.split()
}
"""What players call by another word than the manual: each word with all that mean the same."""


def search(query: str, language: str | None = None) -> list[Passage]:
    """The passages that match a question best, the best first; empty if none does."""
    sections = list(_sections(language or i18n.spoken()))
    words = _telling(words_of(query))
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
    plain = re.sub("[’ʼ`]", "'", text.casefold())
    found = re.findall(r"[^\W_]+(?:'[^\W_]+)*", plain)
    return [word.removesuffix("'s") for word in found]


def _sense(word: str, known: Set[str]) -> Sense:
    alike = _SYNONYMS.get(word, frozenset()) & known
    fits = {each: _INFLECTED for each in known if each in alike or _have_one_stem(word, each)}
    if word in known:
        return {**fits, word: _WHOLE}
    if parts := {} if fits else {each: _PART for each in known if _is_part(word, each)}:
        return parts
    swapped = [each for each in known if len(word) > 3 and sorted(each) == sorted(word)]
    close = [*swapped, *get_close_matches(word, known, cutoff=_SIMILAR)]
    return {**dict.fromkeys(close, _MISSPELT), **fits}


def _is_part(word: str, of: str) -> bool:
    return (len(word) > 3 and word in of) or (len(word) == 3 and of.startswith(word))


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
    titles = _fits(senses, section.title, section.phrases, weight, weight)
    scores = []
    for text, keywords in zip(section.texts, section.keywords, strict=True):
        fits = _fits(senses, text, keywords, 1.0, _IN_KEYWORDS)
        scores.append((sum(map(max, fits, titles)), sum(fits)))
    score = max((best for best, _alone in scores), default=sum(titles))
    if section.topic == "changes" and section.heading:
        score *= _NEWS
    ranked = sorted(zip(scores, section.blocks, strict=True), key=lambda each: -each[0][1])
    least = ranked[0][0][1] / 2 if ranked and len(senses) > 1 else 0.0
    blocks = tuple(block for (_best, alone), block in ranked if alone and alone >= least)
    if not blocks or (section.heading and sum(titles) >= ranked[0][0][1]):
        blocks = section.blocks
    return score, Passage(section.topic, section.heading, blocks)


def _fits(
    senses: Sequence[Sense], words: Set[str], phrases: Phrases, in_words: float, in_phrase: float
) -> list[float]:
    """How well each typed word fits words or a phrase of keywords, with these weights."""
    best = [in_words * _fit(sense, words) for sense in senses]
    for phrase in phrases:
        fits = [_fit(sense, phrase) for sense in senses]
        share = min(1.0, sum(map(bool, fits)) / len(phrase))
        best = [max(old, in_phrase * share * new) for old, new in zip(best, fits, strict=True)]
    return best


def _fit(sense: Sense, words: Set[str]) -> float:
    return max((fit for word, fit in sense.items() if word in words), default=0.0)


def _sections(language: str) -> Iterator[_Section]:
    for topic in TOPICS:
        read = page(topic, language)
        heading: Heading | None = None
        title, keywords = f"{' '.join(read.names)} {read.about}", read.keywords
        blocks: list[Block] = []
        for block in read.blocks:
            if isinstance(block, Heading):
                yield _section(topic, heading, title, keywords, blocks)
                heading, title, keywords, blocks = block, block.text, block.keywords, []
            else:
                blocks.append(block)
        yield _section(topic, heading, title, keywords, blocks)


def _section(
    topic: str, heading: Heading | None, title: str, keywords: str, blocks: Sequence[Block]
) -> _Section:
    return _Section(
        topic,
        heading,
        frozenset(words_of(title)),
        _phrases(keywords),
        tuple(blocks),
        tuple(frozenset(words_of(text_of(each))) for each in blocks),
        tuple(_phrases(each.keywords) for each in blocks),
    )


def _phrases(keywords: str) -> Phrases:
    """The phrases of keywords, without the words that a question is stripped of, too."""
    found = [words_of(phrase) for phrase in keywords.split(",")]
    return tuple(frozenset(_telling(words)) for words in found if words)


def _telling(words: Sequence[str]) -> Sequence[str]:
    """Those words that tell the subject of a question; all of them if none does."""
    return [word for word in words if word not in _QUESTION_WORDS] or words
