"""Introduces the characters that bots play in a game against bots."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.bots.characters import of_coin
from spoof_tui.text.i18n import _


def introductions(names: Sequence[str], me: int | None) -> str:
    """A sentence on each bot with a character, saying how it plays, by its coin's name; empty if
    there are none.

    `me` is the player's own seat; None for somebody who watches.
    """
    told = [
        f"{name} {who.habit}"
        for seat, name in enumerate(names)
        if seat != me and (who := of_coin(name))
    ]
    return _("How they play: {players}.").format(players=", ".join(told)) if told else ""
