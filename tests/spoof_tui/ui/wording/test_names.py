"""What the seats are called: safe, short, and no two alike."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from protocol.table.statements import Leave
from spoof_tui.ui.wording.names import NAME_CELLS, distinct, name_of, seat_names
from tests.helpers.tables import MemoryTable

nasty = st.text(st.sampled_from("aA 2\x1b\u202e\u200d中e\u0301[/]"), min_size=1, max_size=20)


def named(*names: str) -> tuple[str, ...]:
    return distinct([ForeignText(name) for name in names])


def test_names_are_shown_as_they_are() -> None:
    assert named("Maria", "Олена", "Jo") == ("Maria", "Олена", "Jo")


def test_equal_names_are_numbered() -> None:
    assert named("Ann", "Bob", "Ann", "Ann") == ("Ann", "Bob", "Ann 2", "Ann 3")


def test_names_that_become_equal_when_cut_are_numbered() -> None:
    first, second = named("Maximiliana the Great", "Maximiliana the Grey")
    assert first != second
    assert second.endswith(" 2")


def test_nobody_can_take_the_number_of_another() -> None:
    assert len(set(named("Ann", "Ann", "Ann 2", "Ann 2"))) == 4


def test_a_name_of_nothing_visible_is_still_a_name() -> None:
    shown = named("\u202e", "\x1b", " ")
    assert all(shown)
    assert len(set(shown)) == 3


@given(st.lists(nasty, min_size=1, max_size=9))
def test_names_are_safe_short_and_different(names: list[str]) -> None:
    shown = named(*names)
    assert all(name.isprintable() and cell_len(name) <= NAME_CELLS for name in shown)
    assert len(set(shown)) == len(names)


def test_everybody_who_ever_sat_has_a_name() -> None:
    table = MemoryTable(2)
    key = table.clients[1].guest.key
    table.act(table.clients[1], table.clients[1].guest.state(Leave()))
    view = table.clients[0].view
    assert seat_names(view) == ("Player1",)
    assert name_of(view, key) == "Player2"
    assert name_of(view, bytes(32)) == "?"


def test_somebody_at_the_table_is_called_the_same_everywhere() -> None:
    table = MemoryTable(1)
    table.add(name="Player1")
    view = table.clients[0].view
    assert [name_of(view, seat.key) for seat in view.seats] == list(seat_names(view))
