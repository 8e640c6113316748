"""Who the bots of a game against bots are."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.bots.characters import of_coin
from spoof_tui.text.i18n import _


def introductions(names: Sequence[str], me: int | None) -> str:
    """The characters at the table, by the names of the seats; empty if there are none."""
    told = [
        f"{name}: {who.name.lower()}"
        for seat, name in enumerate(names)
        if seat != me and (who := of_coin(name))
    ]
    return _("At the table: {players}.").format(players=", ".join(told)) if told else ""
