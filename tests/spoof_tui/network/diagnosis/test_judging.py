"""What observations mean: cases with all their findings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code
from spoof_tui.network.diagnosis.judging import judge
from spoof_tui.network.diagnosis.observations import Attempt, Observations
from spoof_tui.network.probe import Failure
from tests.spoof_tui.network.diagnosis.seen import read, told

OF_THIS_MACHINE = (
    Code.SENDING_FORBIDDEN, Code.OWN_FIREWALL, Code.OWN_FIREWALL_BLOCKS_GUESTS, Code.FIREWALL_ON,
)  # fmt: skip

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_seen_means_this(case: dict[str, Any]) -> None:
    assert [told(each) for each in judge(read("", case["seen"]))] == case["found"]


def test_every_code_is_found_in_a_case_and_is_spelled_like_its_name() -> None:
    found = {line.split()[1] for case in CASES for line in case["found"]}
    assert found == {code.value for code in Code}
    assert all(code.value == code.name.lower().replace("_", "-") for code in Code)


def test_what_is_wrong_on_this_machine_is_found_with_its_name() -> None:
    for case in CASES:
        for each in judge(replace(read("", case["seen"]), machine="oak")):
            assert each.machine == ("oak" if each.code in OF_THIS_MACHINE else "")


def test_a_table_that_answers_at_several_addresses_is_told_once() -> None:
    seen = [(1, b"one"), (2, b"two"), (3, b"one"), (4, b""), (5, b"")]
    attempts = [Attempt(Address(f"10.0.0.{n}", 7763), None, table=table) for n, table in seen]
    silent = Attempt(Address("10.0.0.9", 7763), Failure.SILENT, table=b"three")
    tables = Observations(attempts=(*attempts, silent)).tables
    assert [each.host for each in tables] == ["10.0.0.1", "10.0.0.2", "10.0.0.4", "10.0.0.5"]
