"""The names of presets, bots and calls; imports little, since the lobby's first frame needs
them."""

from __future__ import annotations

from typing import Final

from spoof_tui.text.i18n import _, ngettext


def preset_name(preset: str) -> str:
    """The name of a preset in the player's language."""
    return {
        "milan": _("Milan"),
        "bid-spoof": _("Bid Spoof"),
        "three-coins": _("Three Coins"),
        "hollywood": _("Hollywood"),
    }[preset]


def level_name(level: str) -> str:
    """The name of a level of bots, in the player's language."""
    return {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}[level]


def bots(count: int) -> str:
    """ "1 bot", "3 bots": how many bots there are."""
    return ngettext("{count} bot", "{count} bots", count).format(count=count)


NAMED: Final = (0, 1, 2, 3, 4, 5, 7, 8, 12, 13, 16)
"""The numbers whose calls have a known name."""


def call_name(number: int) -> str:
    """The traditional name of a call; empty if none is known."""
    return {
        0: _("Spoof"),
        1: _("Dirty Digit"),
        2: _("Absent Friends"),
        3: _("Flowers"),
        4: _("Skins"),
        5: _("Titanic"),
        7: _("Neves"),
        8: _("Harry"),
        12: _("Imperial"),
        13: _("Baker’s"),
        16: _("She Was"),
    }.get(number, "")


def call_words(number: int) -> str:
    """A call as it is said: its name and its number, or the number alone."""
    name = call_name(number)
    return f"{name} ({number})" if name else str(number)
