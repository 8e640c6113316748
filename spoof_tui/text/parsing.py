"""Reads words and numbers that a user types, and suggests what was meant."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import TypeVar

from spoof_tui.text.i18n import _

T = TypeVar("T")


def meant(text: str, words: Iterable[str]) -> str:
    """ "Did you mean …?" with the word most like `text`; empty if none is similar."""
    near = nearest(text, words)
    return _("Did you mean {word}?").format(word=near) if near else ""


def nearest(text: str, words: Iterable[str]) -> str:
    """The word of `words` most like `text`; empty if none is similar."""
    return next(iter(difflib.get_close_matches(text, list(words), 1)), "")


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
    """`text`, if it is one of `words`; otherwise raises `ValueError` with a sentence that lists
    them."""
    words = list(words)
    if text in words:
        return text
    wrong = _("{text} is not one of {words}.").format(text=repr(text), words=", ".join(words))
    raise ValueError(f"{wrong} {meant(text, words)}".rstrip())


def whole(least: int, most: int) -> Callable[[str], int]:
    """A function that reads a whole number from `least` to `most`.

    It raises `ValueError` with a sentence.
    """

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise ValueError(_("{text!r} is not a number").format(text=text[:20]))
        if not least <= int(text) <= most:
            sentence = _("{number} is out of range ({least} to {most})")
            raise ValueError(sentence.format(number=int(text), least=least, most=most))
        return int(text)

    return read
