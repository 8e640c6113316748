"""The slate: what keys do on it, and what it shows."""

import pytest

from protocol.errors import Reason
from protocol.rules.words import Drink, Offence
from protocol.table.statements import AwardFine, LiftFine, Order
from protocol.views import TableView
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.sentences import AWARDED
from spoof_tui.ui.table.dialogs.slate import SlateControls, choice_dialog, is_chairman, lines
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school, by_call


def chairman_of(table: MemoryTable) -> GuestSide:
    return next(client for client in table.clients if is_chairman(client.view))


def said(view: TableView, width: int = 72) -> list[str]:
    return [line.text.plain for line in lines(view, seat_names(view), width)]


def fined(*offences: Offence) -> tuple[MemoryTable, GuestSide]:
    """A table whose chairman has fined the first seat; the table, and the chairman."""
    table = a_school()
    chairman = chairman_of(table)
    for offence in offences:
        key = chairman.view.seats[0].key
        table.act(chairman, chairman.guest.propose(AwardFine(key, offence)))
    return table, chairman


# Keys


def test_the_chairman_is_asked_what_a_fine_is_for() -> None:
    view = chairman_of(a_school()).view
    offered = SlateControls(bright=1).press("enter", view)
    assert offered == [AwardFine(view.seats[1].key, offence) for offence in AWARDED]
    asked = choice_dialog(view, offered)
    assert [each.label.split()[0] for each in asked.choices] == list("12345678")


def test_nobody_else_fines_or_lifts() -> None:
    table, chairman = fined(Offence.GLOATING)
    other = next(each for each in table.clients if each is not chairman)
    for bright in (0, len(other.view.seats)):
        controls = SlateControls(bright=bright)
        assert not controls.press("enter", other.view)
        assert controls.error is not None and controls.error.reason is Reason.NOT_CHAIRMAN


def test_the_fine_that_is_bright_is_lifted_the_newest_stands_first() -> None:
    _table, chairman = fined(Offence.GLOATING, Offence.REFUSING)
    view = chairman.view
    seats = len(view.seats)
    assert SlateControls(bright=seats).press("enter", view) == [LiftFine(1)]
    assert SlateControls(bright=seats + 1).press("enter", view) == [LiftFine(0)]


@pytest.mark.parametrize("key", ["v", "enter"])
def test_no_key_does_anything_at_an_empty_table_or_where_only_rounds_are_kept(key: str) -> None:
    empty = MemoryTable(1, "hollywood", start_when=2, sit=False).clients[0].view
    rounds = at("choosing", rules="milan stake=drinks").clients[0].view
    assert rounds.counts_rounds
    for view in (empty, rounds):
        controls = SlateControls()
        assert not controls.press(key, view) and said(view)
        assert controls.error is None or view is empty


def test_who_left_first_orders() -> None:
    left, pays = by_call(a_school((1, 1), 2, 3))
    assert SlateControls().press("enter", left.view) == [Order(drink) for drink in Drink]
    assert SlateControls().press("enter", pays.view)[:1] != [Order(Drink.PORT)]


# What it shows


@pytest.mark.parametrize("width", [44, 54, 72])
def test_no_player_or_fine_is_wider_than_its_room(width: int) -> None:
    _table, chairman = fined(Offence.LEFT_AFTER_LOSS, *[Offence.OTHER] * 20)
    view = chairman.view
    page = [line for line in lines(view, seat_names(view), width) if line.is_bright]
    assert len(page) == len(view.seats) + len(view.slate.fines)
    assert max(line.text.cell_length for line in page) <= width
