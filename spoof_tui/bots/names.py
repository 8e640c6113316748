"""Friendly names for people who have not chosen one, and for bots."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import count
from typing import Final

MAX_CELLS: Final = 12
"""No name given here is wider, so that a small seat can show it whole."""

_TEMPERS: Final = (
    "Bold", "Brave", "Brisk", "Calm", "Deft", "Fair", "Fond", "Glad", "Happy", "Jolly",
    "Keen", "Kind", "Lucky", "Mild", "Merry", "Neat", "Noble", "Proud", "Quick", "Quiet",
    "Sly", "Spry", "Sunny", "Swift", "Warm", "Wily", "Witty", "Wise",
)  # fmt: skip

_ANIMALS: Final = (
    "Badger", "Beaver", "Bison", "Crane", "Crow", "Dove", "Falcon", "Ferret", "Finch", "Fox",
    "Gecko", "Hare", "Heron", "Ibis", "Lark", "Lynx", "Magpie", "Marten", "Mole", "Moose",
    "Otter", "Owl", "Puffin", "Raven", "Robin", "Seal", "Stoat", "Swan", "Tern", "Wren",
)  # fmt: skip

_COINS: Final = (
    "Copper", "Crown", "Denar", "Dime", "Dinar", "Drachma", "Ducat", "Farthing", "Florin",
    "Groat", "Guinea", "Hryvnia", "Kopiyka", "Krona", "Nickel", "Obol", "Penny", "Shilling",
    "Talent", "Tanner", "Thaler", "Zloty",
)  # fmt: skip


def friendly_name(rng: random.Random) -> str:
    """A name for a person, such as Brisk Otter: two words, at most `MAX_CELLS` cells."""
    return f"{rng.choice(_TEMPERS)} {rng.choice(_ANIMALS)}"


def bot_names(amount: int, rng: random.Random, taken: Iterable[str] = ()) -> list[str]:
    """As many names for bots, all different and none in `taken`, whatever the case.

    Bots are called after coins, so that they are told from people at a glance. When the coins
    run out, they are numbered: Penny 2.
    """
    used = {name.casefold() for name in taken}
    pool = rng.sample(_COINS, len(_COINS))
    names = [name for name in pool if name.casefold() not in used][:amount]
    for number in count(2):
        if len(names) == amount:
            return names
        numbered = (f"{name} {number}" for name in pool)
        free = [name for name in numbered if name.casefold() not in used]
        names += free[: amount - len(names)]
    raise AssertionError("numbers never run out")


def free_name(name: str, taken: Iterable[str]) -> str:
    """This name, or with the first number that makes it none of those `taken`: Cliffer 2."""
    used = {each.casefold() for each in taken}
    names = (f"{name} {number}" if number > 1 else name for number in count(1))
    return next(each for each in names if each.casefold() not in used)
