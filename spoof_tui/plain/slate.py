"""What can be put on the slate: drinks, a chairman, fines, each as an offer with a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from protocol.encoding.codec import Message
from protocol.rules.words import Drink
from protocol.table.statements import AwardFine, Elect, LiftFine, Order
from protocol.views import TableView
from spoof_tui.plain.offers import Offer
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.names import name_of
from spoof_tui.ui.wording.sentences import AWARDED, drink_name, offence_name


def slate_offers(view: TableView, state: Callable[[Message], None]) -> list[Offer]:
    """What the player may put on the slate now, the drinks first; `state` says it."""

    def offer(words: str, statement: Message) -> Offer:
        return Offer(words, lambda: state(statement))

    return [offer(words, statement) for words, statement in _possible(view)]


def _possible(view: TableView) -> Iterator[tuple[str, Message]]:
    seat = view.my_seat
    if seat is None:
        return
    if view.may_order:
        yield from ((drink_name(drink), Order(drink)) for drink in Drink)
    for each in view.seats:
        text = _("want {name} for chairman")
        yield text.format(name=name_of(view, each.key)), Elect(each.key)
    if seat.key == view.chairman:
        yield from _of_chairman(view)


def _of_chairman(view: TableView) -> Iterator[tuple[str, Message]]:
    for index, fine in enumerate(view.slate.fines):
        if not fine.lifted:
            text = _("lift the fine of {name} for {what}")
            values = {"name": name_of(view, fine.key), "what": offence_name(fine.offence)}
            yield text.format(**values), LiftFine(index)
    for each in view.seats:
        for offence in AWARDED:
            text = _("fine {name} for {what}")
            values = {"name": name_of(view, each.key), "what": offence_name(offence)}
            yield text.format(**values), AwardFine(each.key, offence)
