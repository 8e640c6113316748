"""The lobby's list without a screen: what stays selected as tables come and go."""

from operator import attrgetter

from hypothesis import given
from hypothesis import strategies as st

from protocol.wire.messages import State
from spoof_tui.network.probe import FoundTable
from spoof_tui.ui.lobby.menu import Menu, MenuRow, has_room, is_called
from tests.spoof_tui.ui.lobbies import found, strange


def table(number: int, state: int) -> FoundTable:
    if state == 3:
        return strange(number)
    return found(number, state=State.PLAYING if state == 1 else State.GATHERING,
                 seats=3, taken=3 if state == 2 else 1)  # fmt: skip


identity = attrgetter("identity")
lists = st.lists(st.builds(table, st.integers(1, 5), st.integers(0, 3)), max_size=5,
                 unique_by=identity).map(tuple)  # fmt: skip
steps = st.lists(lists | st.sampled_from([-99, -1, 1, 99]) | st.booleans(), max_size=12)


@given(steps)
def test_one_line_is_always_selected_and_it_is_on_the_list(
    happened: list[tuple[FoundTable, ...] | int | bool],
) -> None:
    menu = Menu()
    for each in happened:
        if isinstance(each, bool):
            menu.offer(may_continue=each)
        elif isinstance(each, int):
            menu.move(each)
        else:
            menu.follow(each)
        assert menu.selected in menu.items


@given(lists, lists)
def test_only_the_player_selects_a_table_and_open_ones_come_first(
    before: tuple[FoundTable, ...], after: tuple[FoundTable, ...]
) -> None:
    menu, chosen = Menu(), Menu()
    chosen.choose(MenuRow.JOIN)
    for tables in (before, after):
        menu.follow(tables)
        chosen.follow(tables)
        assert menu.selected is MenuRow.PLAY
        assert chosen.selected is MenuRow.JOIN
        open_ones = [each for each in tables if has_room(each)]
        assert list(menu.tables[: len(open_ones)]) == open_ones
        assert sorted(map(tables.index, menu.tables)) == list(range(len(tables)))


@given(lists, lists, st.integers(0, 20))
def test_what_the_player_selected_stays_selected_while_it_is_there(
    before: tuple[FoundTable, ...], after: tuple[FoundTable, ...], place: int
) -> None:
    menu = Menu()
    menu.follow(before)
    menu.move(place)
    selected, table = menu.selected, menu.table
    menu.follow(after)
    if table is None:
        assert menu.selected is selected
    elif identity(table) in map(identity, after):
        assert menu.table and identity(menu.table) == identity(table)
    else:
        assert menu.selected is MenuRow.PLAY


def test_what_cannot_be_continued_any_more_is_not_selected() -> None:
    menu = Menu()
    menu.offer(may_continue=True)
    menu.choose(MenuRow.CONTINUE)
    menu.offer(may_continue=False)
    assert menu.selected is MenuRow.PLAY


def test_the_list_begins_with_my_tables_and_ends_with_what_nobody_can_join() -> None:
    full, playing, room, mine, other = table(1, 2), table(2, 1), table(3, 0), table(4, 1), strange()
    menu = Menu()
    menu.own(frozenset({(4).to_bytes(32, "big")}))
    menu.follow((other, full, playing, room, mine))
    assert menu.tables == (mine, room, playing, full, other)


@given(lists, lists, st.sampled_from(["", "0", "1", "maria", "zz"]), st.integers(-3, 3))
def test_while_a_table_is_looked_for_only_tables_of_that_name_are_selected(
    before: tuple[FoundTable, ...], after: tuple[FoundTable, ...], search: str, by: int
) -> None:
    menu = Menu()
    menu.follow(before)
    menu.look_for(search)
    menu.follow(after)
    menu.move(by)
    assert all(is_called(each, search) for each in menu.tables)
    assert menu.selected in menu.items or menu.table is None
    menu.look_for(None)
    assert set(map(identity, menu.tables)) == set(map(identity, after))


def test_a_search_finds_the_host_too_whatever_the_capitals() -> None:
    assert is_called(found(name="Night train", host="Maria"), "T TR")
    assert is_called(found(name="Night train", host="Maria"), " mari")
    assert not is_called(found(name="Night train", host="Maria"), "bar")
    assert is_called(strange(9), "0.9")
