"""A finished game in up to four lines of plain text for pasting; without address or join code."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.limits import MAX_NAME
from protocol.views import TableView
from spoof_tui.telling.story import boldest_bluff, headline, places, sharpest_doubt
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show


def postcard(view: TableView, names: Sequence[str]) -> tuple[str, ...]:
    """Lines on the table, the places, the boldest bluff and the sharpest call of a finished game.

    Players are named, none is "you"; a line with nothing to say is left out.
    """
    past = view.past
    rounds = ngettext("{count} round", "{count} rounds", len(past)).format(count=len(past))
    first, *others = (names[seat] for seat in places(past, len(past[-1].outcome.coins)))
    told = f"★ {first}, {', '.join(others)}"
    if view.is_guessing:
        told = headline(view, names)
    lines = [f"SPOOF · {show(view.table_name, MAX_NAME)} · {rounds}", told]
    if bluff := boldest_bluff(past):
        text = _("Boldest: {name} bid {bid} with only {total} in the fists; nobody called.")
        lines.append(text.format(name=names[bluff.seat], bid=bluff.bid, total=bluff.total))
    if doubt := sharpest_doubt(past):
        text = _("Sharpest: {name} called a bid of {bid} with {total} in the fists.")
        lines.append(text.format(name=names[doubt.seat], bid=doubt.bid, total=doubt.total))
    return tuple(lines)
