"""The list of tables, and its order."""

from __future__ import annotations

from dataclasses import replace

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROTOCOL
from spoof_tui.network.addresses import Address
from spoof_tui.network.endpoints import Endpoint, Origin
from spoof_tui.network.found_table import FoundTable, awaited, place_of
from tests.protocol.greetings import CARD

WHERE = Address("10.0.0.1", 7763)


def test_names_are_in_order_and_what_speaks_another_version_comes_last() -> None:
    small, great = (
        FoundTable(WHERE, replace(CARD, name=ForeignText(name)), PROTOCOL, "1")
        for name in ("anchor", "Bell")
    )
    strange = FoundTable(WHERE, None, 99, "9")
    assert sorted([strange, great, small], key=place_of) == [small, great, strange]


def test_a_table_that_only_introduced_itself_says_so() -> None:
    row = awaited(Endpoint((WHERE,), Origin.BEACON), CARD)
    assert (row.address, row.card, row.is_awaited) == (WHERE, CARD, True)
