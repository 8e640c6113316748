"""Leaving a table in plain lines: at once, or after a question to whom others would miss."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from protocol.views import TableView
from spoof_tui.plain.offers import Offer, chosen, offer_lines
from spoof_tui.text.i18n import _
from spoof_tui.ui.table import leaving
from spoof_tui.ui.table.leaving import Parting

if TYPE_CHECKING:
    from spoof_tui.plain.table import PlainTable


class Leaving:
    """Asks once, before somebody leaves whom the others would miss."""

    def __init__(self, table: PlainTable) -> None:
        self._table = table
        self._offers: list[Offer] = []
        """The ways to leave that were told."""

    def ask(self) -> None:
        """Leave, or ask how."""
        table, view = self._table, self._table.view
        hosts = table.client.is_host and not table.is_practice
        if view is None or table.is_over or not leaving.is_missed(view, hosts=hosts):
            table.house.leave_table()
            return
        table.answer = self._answer
        heirs = table.client.heirs if hosts else frozenset[bytes]()
        ways = leaving.ways(view, heirs, hosts=hosts)
        self._offers = [
            Offer(_meaning(each, view), partial(table.house.leave_table, each.heir))
            for each in ways
        ]
        if table.is_practice:
            table.tell(_("Press q again to give this game up."))
            return
        head = _("Leave the table? Type a number to leave so, q for the first, Enter to stay.")
        table.tell(*offer_lines(head, self._offers))

    def _answer(self, text: str) -> None:
        typed = text.strip().casefold()
        if typed in ("q", "quit", "yes", _("yes").casefold()):
            typed = "1"
        if not chosen(typed, self._offers):
            self._table.tell(_("You stay."))
            self._table.ask_again()


def _meaning(parting: Parting, view: TableView) -> str:
    """What a way to leave means, without a full stop."""
    told = leaving.meaning(parting, view)
    text = _("The table {what}.").format(what=leaving.words(parting, view))
    return (told or text).rstrip(".")
