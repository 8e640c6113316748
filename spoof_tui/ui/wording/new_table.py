"""What is said when too many are gone and the game can go on at a new table (G8)."""

from __future__ import annotations

from protocol.table.fold import Phase
from protocol.views import NewTableOffer, TableView
from protocol.wire.messages import Card
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.safe_text import show
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.absence import STALE, duration

_NAME_CELLS = 30
"""Cells of a foreign name in a sentence."""


def is_asked(view: TableView) -> bool:
    """Whether this player can agree now to go on at a new table."""
    offer, seat = view.new_table, view.my_seat
    return offer is not None and not offer.wait and seat is not None and seat.key in offer.along


def has_agreed(view: TableView) -> bool:
    """Whether this player has agreed to that."""
    offer, seat = view.new_table, view.my_seat
    return offer is not None and seat is not None and seat.key in offer.agreed


def is_urgent(view: TableView, continued: Card | None) -> bool:
    """Whether nothing else at this table matters now."""
    # Where there is a host, and it offers a new table, it takes nothing at this one.
    is_stuck = view.new_table is not None and view.link not in STALE
    return continued is not None or view.went_along or is_asked(view) or is_stuck


def words(view: TableView, continued: Card | None) -> str:
    """What is said of a new table; empty if there is none.

    `continued` is the one where the game went without this player.
    """
    if continued is not None:
        return _went_on(continued)
    if view.went_along:
        return _("You have gone along to a new table. Looking for it … Press r to stay here.")
    offer = view.new_table
    return "" if offer is None else _offered(offer, view)


def _offered(offer: NewTableOffer, view: TableView) -> str:
    seats = len(measures.sitting(view))
    gone = seats - len(offer.along)
    text = ngettext("{gone} of {seats} is gone.", "{gone} of {seats} are gone.", gone)
    text = text.format(gone=gone, seats=seats)
    if offer.wait:
        later = _("In {time} you can carry on at a new table.")
        return f"{text} {later.format(time=duration(offer.wait))}"
    if not is_asked(view):
        return f"{text} {_('The players here may carry on at a new table.')}"
    if has_agreed(view):
        question = _("You want to carry on at a new table; y takes it back.")
    elif view.phase is Phase.GATHERING:
        question = _("Go on at a new table? Press y.")
    else:
        question = _("Carry the game on at a new table? Press y.")
    agree = _("{count} of {all} agree.").format(count=len(offer.agreed), all=len(offer.along))
    return f"{text} {question} {agree}"


def _went_on(card: Card) -> str:
    text = _("The game goes on at a new table of {name}. Press y to go there.")
    return text.format(name=show(card.host, _NAME_CELLS))


def too_soon(view: TableView) -> str:
    """Why one cannot agree yet."""
    wait = view.new_table.wait if view.new_table else 0
    return _("You can decide on that in {time}.").format(time=duration(wait))
