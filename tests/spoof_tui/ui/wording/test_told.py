"""Parts that many findings share."""

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.ui.wording.told import names, tried_to_connect, where

FINDING = Finding(Code.NO_TABLE, Severity.PROBLEM, Address("10.0.0.1", 7), ("a", "b"))


def test_what_a_finding_is_about() -> None:
    assert where(FINDING) == "10.0.0.1:7"
    assert names(FINDING) == "a, b"
    assert tried_to_connect(FINDING) == "connect to 10.0.0.1:7"
    assert where(Finding(Code.QUIET, Severity.NOTE)) == ""
