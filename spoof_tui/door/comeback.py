"""The word by which a guest without an ssh key comes back: a door makes it, their screen shows it.

It is kept nowhere but in the memory of the door and of the guest's own program: on the disk is a
hash of it, which names the guest's folder.
"""

from __future__ import annotations

import secrets
from typing import Final

from protocol.crypto.join_code import ALPHABET

LENGTH: Final = 12
"""Letters and digits of a word: 26**12 are 56 bits."""

_GROUP: Final = 4

MAX_GUESSES: Final = 3
"""Words that may be tried on one connection."""

GUESS_DELAY: Final = 1.0
"""Seconds that a wrong word costs."""


def new_word() -> str:
    """A word that nobody has had."""
    letters = [secrets.choice(ALPHABET) for _ in range(LENGTH)]
    return "-".join("".join(letters[at : at + _GROUP]) for at in range(0, LENGTH, _GROUP))


def read_word(typed: str) -> str:
    """The word that somebody typed: in any case, with blanks or dashes anywhere or nowhere."""
    letters = "".join(filter(str.isalnum, typed.upper()))[: LENGTH + 1]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))
