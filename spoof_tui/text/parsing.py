"""Reads words and numbers that a user types, and suggests what was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from spoof_tui.text.i18n import _

T = TypeVar("T")

_WHOLE: Final = re.compile(r"[+-]?[0-9]+")
_QUOTED: Final = 20
"""Maximum characters of a typed number that a sentence quotes."""


def meant(text: str, words: Iterable[str]) -> str:
    """ "Did you mean …?" with the word most like `text`; empty if none is similar."""
    near = nearest(text, words)
    return _("Did you mean {word}?").format(word=near) if near else ""


def nearest(text: str, words: Iterable[str]) -> str:
    """The word of `words` most like `text`, in capitals or not; empty if none is similar."""
    known = {folded(word): word for word in words}
    return next((known[near] for near in difflib.get_close_matches(folded(text), known, 1)), "")


def folded(name: str) -> str:
    """A name in a form for comparison: lower case, with a plain apostrophe."""
    return name.casefold().replace("’", "'")


def called(name: str, things: Iterable[T], title: Callable[[T], str]) -> list[T]:
    """The things whose title is `name`, ignoring case; if there is none, those whose title contains
    it."""
    wanted, titles = folded(name), [(each, folded(title(each))) for each in things]
    exact = [each for each, known in titles if known == wanted]
    return exact or [each for each, known in titles if wanted in known]


def one_of(text: str, words: Iterable[str]) -> str:
    """The word of `words` that `text` is, in capitals or not; raises `ValueError` with a sentence
    that lists them if it is none."""
    words = list(words)
    for word in words:
        if folded(word) == folded(text):
            return word
    wrong = _("{text} is not one of {words}.").format(text=repr(text), words=", ".join(words))
    raise ValueError(f"{wrong} {meant(text, words)}".rstrip())


def whole(least: int, most: int) -> Callable[[str], int]:
    """A function that reads a whole number from `least` to `most`.

    It raises `ValueError` with a sentence.
    """

    def read(text: str) -> int:
        if not _WHOLE.fullmatch(text):
            raise ValueError(_("{text!r} is not a whole number").format(text=text[:_QUOTED]))
        if len(text) > _QUOTED or not least <= int(text) <= most:
            number = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
            sentence = _("{number} is out of range ({least} to {most})")
            raise ValueError(sentence.format(number=number, least=least, most=most))
        return int(text)

    return read
