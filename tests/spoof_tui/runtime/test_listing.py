"""The list of the lobby: the player's own tables stay on it for a while when they fall silent."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from protocol.table.fold import Phase
from spoof_tui.network.probe import FoundTable
from spoof_tui.runtime.listing import STEADY, TableList
from spoof_tui.runtime.saved_tables import SavedTable
from tests.spoof_tui.ui.lobbies import found, strange

MINE, OTHER = found(1), found(2)


def seat_at(table: FoundTable, *, has_seat: bool = True) -> SavedTable:
    assert table.card
    card, host = table.card, b"h" * 32
    return SavedTable(card.table, card.name, 0, Phase.SPEAKING, 1, 1, host, has_seat=has_seat)


def listing(*kept: SavedTable) -> TableList:
    tables = TableList()
    tables.keep(kept, 0.0)
    return tables


def state(tables: TableList) -> tuple[tuple[FoundTable, ...], float | None]:
    return tables.tables, tables.due


def test_a_table_of_mine_stays_on_the_list_until_it_has_been_silent_for_long() -> None:
    tables = listing(seat_at(MINE))
    tables.follow((OTHER, MINE), 100.0)
    assert state(tables) == ((OTHER, MINE), None)
    tables.follow((), 105.0)
    assert state(tables) == ((MINE,), 105.0 + STEADY)
    tables.look_again(105.0 + STEADY - 0.1)
    assert state(tables) == ((MINE,), 105.0 + STEADY)
    tables.look_again(105.0 + STEADY)
    assert state(tables) == ((), None)


def test_a_table_of_mine_that_answers_again_is_listed_as_it_is_now() -> None:
    tables, elsewhere = listing(seat_at(MINE)), found(1, host="Bob")
    tables.follow((MINE,), 0.0)
    tables.follow((), 5.0)
    tables.follow((replace(elsewhere, address=OTHER.address),), 10.0)
    assert [each.card and each.card.host.raw for each in tables.tables] == ["Bob"]
    tables.follow((), 10.0 + STEADY)
    assert tables.tables


def test_what_is_hosted_here_without_a_seat_goes_at_once() -> None:
    tables = listing(seat_at(MINE, has_seat=False))
    tables.follow((MINE,), 0.0)
    tables.follow((), 1.0)
    assert tables.tables == ()


@given(st.lists(st.tuples(st.lists(st.integers(1, 4), unique=True), st.floats(0.0, 60.0))))
def test_the_list_is_what_answers_and_own_tables_that_did_so_of_late(
    steps: list[tuple[list[int], float]],
) -> None:
    tables, at, last = listing(seat_at(MINE)), 0.0, -STEADY
    for numbers, pause in steps:
        at += pause
        was_here = MINE in tables.tables and tables.due is None
        last = at if was_here or 1 in numbers else last
        here = (*map(found, numbers), strange())
        tables.follow(here, at)
        assert tables.tables[: len(here)] == here
        rest = tables.tables[len(here) :]
        assert rest == ((MINE,) if 1 not in numbers and at < last + STEADY else ())
        assert (tables.due is None) is (not rest)
