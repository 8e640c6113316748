"""Names that the program gives: to people on their first run, and to bots."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import count, cycle, islice
from typing import Final

from spoof_tui.text.i18n import N_, _

MAX_CELLS: Final = 12
"""Maximum width of these names in cells, so that a small seat can show them whole."""

_TEMPERS: Final = (
    N_("Bold"), N_("Brave"), N_("Brisk"), N_("Calm"), N_("Deft"), N_("Fair"), N_("Fond"),
    N_("Glad"), N_("Happy"), N_("Jolly"), N_("Keen"), N_("Kind"), N_("Lucky"), N_("Mild"),
    N_("Merry"), N_("Neat"), N_("Noble"), N_("Proud"), N_("Quick"), N_("Quiet"), N_("Sly"),
    N_("Spry"), N_("Sunny"), N_("Swift"), N_("Warm"), N_("Wily"), N_("Witty"), N_("Wise"),
)  # fmt: skip

_ANIMALS: Final = (
    N_("Badger"), N_("Beaver"), N_("Bison"), N_("Crane"), N_("Crow"), N_("Dove"), N_("Falcon"),
    N_("Ferret"), N_("Finch"), N_("Fox"), N_("Gecko"), N_("Hare"), N_("Heron"), N_("Ibis"),
    N_("Lark"), N_("Lynx"), N_("Magpie"), N_("Marten"), N_("Mole"), N_("Moose"), N_("Otter"),
    N_("Owl"), N_("Puffin"), N_("Raven"), N_("Robin"), N_("Seal"), N_("Stoat"), N_("Swan"),
    N_("Tern"), N_("Wren"),
)  # fmt: skip

COINS: Final = (
    N_("Copper"), N_("Crown"), N_("Denar"), N_("Dime"), N_("Dinar"), N_("Drachma"), N_("Ducat"),
    N_("Farthing"), N_("Florin"), N_("Groat"), N_("Guinea"), N_("Hryvnia"), N_("Kopiyka"),
    N_("Krona"), N_("Nickel"), N_("Obol"), N_("Penny"), N_("Shilling"), N_("Talent"), N_("Tanner"),
    N_("Thaler"), N_("Zloty"),
)  # fmt: skip
"""The coins that bots are named after; each stands for a character."""


def friendly_name(rng: random.Random) -> str:
    """A random name for a person in the current language, such as Brisk Otter: two words, at most
    `MAX_CELLS` cells."""
    return " ".join(_(template) for template in (rng.choice(_TEMPERS), rng.choice(_ANIMALS)))


def bot_names(amount: int, rng: random.Random, taken: Iterable[str] = ()) -> list[str]:
    """`amount` names for bots, all different and, ignoring case, none in `taken`.

    Bots are named after coins in the current language, so that they can be told from people at a
    glance. When the coins run out, they are numbered: Penny 2.
    """
    names = list(taken)
    coins = [_(template) for template in rng.sample(COINS, len(COINS))]
    pool = sorted(coins, key=lambda name: free_name(name, names) != name)
    for name in islice(cycle(pool), amount):
        names.append(free_name(name, names))
    return names[len(names) - amount :]


def free_name(name: str, taken: Iterable[str]) -> str:
    """`name`, or if it is in `taken` (ignoring case), `name` with the first free number: Cliffer
    2."""
    used = {each.casefold() for each in taken}
    names = (f"{name} {number}" if number > 1 else name for number in count(1))
    return next(each for each in names if each.casefold() not in used)
