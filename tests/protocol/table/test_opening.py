"""What opens a table, and how its rules are written."""

from dataclasses import replace
from typing import Any

import pytest

from protocol.encoding.codec import pack, read_message, unpack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.rules.options import Rules
from protocol.table.announcements import HOSTS
from protocol.table.opening import TableContinued, TableOpened, table_of

OPENED = TableOpened(
    1, bytes(32), ForeignText("name"), Rules.parse("milan cap=5"), 9, True, 60, 0, bytes(32)
)
CONTINUED = TableContinued(OPENED, bytes(32), 7, bytes(32), None, None, (), ())

FIELDS = ["table-opened", 1, bytes(32), "name", "milan cap=5", 9, True, 60, 0, bytes(32)]


def test_it_is_written_field_by_field() -> None:
    assert unpack(pack(OPENED.packable())) == tuple(FIELDS)
    assert read_message(HOSTS, tuple(FIELDS)) == OPENED


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (4, "whist"),
        (4, "milan\n"),
        (4, "milan cap=05"),
        (4, "milan " + "cap=3 " * 99),
        (5, 1),
        (5, 10),
        (6, 1),
        (7, 4),
        (8, 601),
    ],
)
def test_a_field_that_does_not_fit_is_malformed(place: int, value: Any) -> None:
    raw = [*FIELDS[:place], value, *FIELDS[place + 1 :]]
    with pytest.raises(Malformed):
        read_message(HOSTS, tuple(raw))


def test_either_first_entry_says_what_kind_of_table_it_is() -> None:
    assert table_of(OPENED) == table_of(CONTINUED) == OPENED
    assert table_of(replace(CONTINUED, opened=replace(OPENED, seats=3))).seats == 3
