"""A seat whose player came through a door, by ssh: what everybody is told of it."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.names import seat_names

MARK = "@"
"""Stands behind the name of such a player, as in an address of ssh."""


def came(before: TableView | None, view: TableView) -> Iterator[str]:
    """A sentence for each player who has just sat down and came through a door."""
    sat = {seat.key for seat in before.seats} if before else set()
    for seat, name in zip(view.seats, seat_names(view), strict=True):
        if not seat.through_door or seat.key in sat:
            continue
        if seat.is_me:
            yield _(
                "You play by ssh, on somebody else’s machine: whoever runs it could look at your "
                "hand."
            )
        elif before:
            text = _(
                "{name} plays by ssh, on somebody else’s machine: whoever runs it could look at "
                "that hand."
            )
            yield text.format(name=name)


def legend() -> str:
    """What the mark means."""
    return _("{mark} plays by ssh: whoever runs that machine could look at that hand.").format(
        mark=MARK
    )


def seen_by_others() -> str:
    """What a judgement of a log says below such a player."""
    return _("came by ssh: whoever ran that machine could look at the hands of this seat")
