"""What a program begins with."""

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import PRESETS
from protocol.table.fold import Phase
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.hosted_table import TablePlan
from spoof_tui.runtime.launch import Launch, first_settings
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.settings import Settings


def test_a_first_name_is_made_up_once() -> None:
    name = first_settings().name
    assert name and first_settings().name == name == Settings.load().name


THERE = Address("10.0.0.7", 7763)
OWN = SavedTable(b"table", ForeignText("The Crown"), 0, Phase.GATHERING, 0, 0, host=b"me")


@pytest.mark.parametrize(
    ("launch", "opens"),
    [
        (Launch(), False),
        (Launch(practice=True), True),
        (Launch(plan=TablePlan("The Crown", "Anna", PRESETS["milan"])), True),
        (Launch(saved=OWN), True),
        (Launch(saved=OWN, address=THERE), False),
        (Launch(saved=replace(OWN, seat=b"me")), False),
        (Launch(address=THERE), False),
    ],
)
def test_a_table_is_opened_unless_somebody_else_hosts_it(launch: Launch, opens: bool) -> None:
    assert launch.opens is opens
