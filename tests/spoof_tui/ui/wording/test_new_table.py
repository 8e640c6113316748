"""What is said when too many are gone at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.views import TableView
from protocol.wire.new_table import Offer
from spoof_tui.ui.wording import new_table
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import playing


@pytest.fixture(scope="module")
def table() -> MemoryTable:
    return playing(5)


def view(table: MemoryTable, *agreed: int, wait: int = 0, me: int = 0) -> TableView:
    """What a player sees who is asked to go along with the second one."""
    keys = [client.guest.key for client in table.clients]
    agreements = tuple(bytes(64) if who in agreed else None for who in range(2))
    offer = Offer(keys[0], bytes(32), tuple(keys[:2]), agreements, wait)
    return replace(table.clients[me].view, new_table=offer)


def test_one_sentence_asks_and_names_one_key(table: MemoryTable) -> None:
    assert new_table.words(view(table), None) == (
        "3 of 5 are gone. Carry the game on at a new table? Press y. 0 of 2 agree."
    )


def test_before_the_grace_time_is_over_it_says_when(table: MemoryTable) -> None:
    waiting = view(table, wait=42)
    assert new_table.words(waiting, None) == (
        "3 of 5 are gone. In 0:42 you can carry on at a new table."
    )
    assert not new_table.is_asked(waiting) and "0:42" in new_table.too_soon(waiting)


def test_who_has_agreed_is_told_how_to_take_it_back(table: MemoryTable) -> None:
    agreed = view(table, 0)
    assert new_table.has_agreed(agreed)
    assert "y takes it back. 1 of 2 agree." in new_table.words(agreed, None)


def test_who_is_not_among_them_is_asked_nothing(table: MemoryTable) -> None:
    other = view(table, me=4)
    assert not new_table.is_asked(other) and "Press" not in new_table.words(other, None)


def test_between_games_there_is_no_game_to_carry_on() -> None:
    assert "Go on at a new table? Press y." in new_table.words(view(MemoryTable(5)), None)


def test_who_has_gone_along_may_stay(table: MemoryTable) -> None:
    gone = replace(table.clients[0].view, went_along=True)
    assert "Press r to stay" in new_table.words(gone, None)
    assert new_table.is_urgent(gone, None)


def test_who_comes_late_is_told_where_the_game_went(table: MemoryTable) -> None:
    card = replace(table.host.card, host=ForeignText("Olha\x1b[2J"))
    said = new_table.words(table.clients[4].view, card)
    assert "Olha" in said and "\x1b" not in said and "Press y to go there." in said


def test_where_nothing_is_offered_nothing_is_said(table: MemoryTable) -> None:
    plain = table.clients[0].view
    assert new_table.words(plain, None) == "" and not new_table.is_urgent(plain, None)
