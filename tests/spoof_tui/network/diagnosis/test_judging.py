"""What observations mean: cases with all that is found in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from spoof_tui.network.diagnosis.findings import Code
from spoof_tui.network.diagnosis.judging import judge
from tests.spoof_tui.network.diagnosis.seen import read, told

CASES = json.loads(Path(__file__).with_name("cases.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_seen_means_this(case: dict[str, Any]) -> None:
    assert [told(each) for each in judge(read("", case["seen"]))] == case["found"]


def test_every_code_is_found_in_a_case_and_is_spelled_like_its_name() -> None:
    found = {line.split()[1] for case in CASES for line in case["found"]}
    assert found == {code.value for code in Code}
    assert all(code.value == code.name.lower().replace("_", "-") for code in Code)
