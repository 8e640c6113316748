"""What leaving means: for a player, for a host, and for the table."""

from __future__ import annotations

from spoof_tui.ui.table import leaving as parting
from spoof_tui.ui.table.leaving import LeavingChoice, Parting
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at


def test_who_plays_is_missed_and_who_watches_is_not() -> None:
    table = at("speaking")
    assert parting.is_missed(table.clients[0].view, hosts=False)
    assert not parting.is_missed(table.add(sit=False).view, hosts=False)
    assert not parting.is_missed(at("gathering").clients[0].view, hosts=False)


def test_a_host_is_missed_by_whoever_sits_there() -> None:
    assert parting.is_missed(MemoryTable(2).clients[0].view, hosts=True)
    assert not parting.is_missed(MemoryTable(1).clients[0].view, hosts=True)


def test_a_host_gives_the_table_to_a_seat_that_is_here_and_can_host_it() -> None:
    table = MemoryTable(4)
    keys = [client.guest.key for client in table.clients]
    table.cut(table.clients[2])
    ways = parting.ways(table.clients[0].view, frozenset(keys[:3]), hosts=True)
    assert ways == (Parting(LeavingChoice.MOVE, keys[1]), Parting(LeavingChoice.CLOSE))


def test_who_does_not_host_has_one_way_to_leave() -> None:
    view = at("speaking").clients[0].view
    [way] = parting.ways(view, frozenset(seat.key for seat in view.seats), hosts=False)
    assert parting.words(way, view) == "goes on without you"
    meaning = parting.meaning(way, view)
    assert "Your seat and your coins are kept" in meaning and "for 1:00" in meaning


def test_every_way_of_a_host_says_what_becomes_of_the_table() -> None:
    view = at("speaking").clients[0].view
    heir = Parting(LeavingChoice.MOVE, view.seats[1].key)
    assert parting.words(heir, view) == "moves to Player2"
    assert "moves to Player2’s program" in parting.meaning(heir, view)
    close = Parting(LeavingChoice.CLOSE)
    assert parting.words(close, view) == "closes for everybody"
    assert "nobody can take it over" in parting.meaning(close, view)
