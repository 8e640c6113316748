"""Findings about other machines, in words."""

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.ui.wording.findings_there import TELLERS

WHERE = Address("fe80::1%eth0", 7763)


def test_an_address_is_told_as_it_is_typed() -> None:
    words = TELLERS[Code.HOST_SILENT](Finding(Code.HOST_SILENT, Severity.PROBLEM, WHERE))
    assert "[fe80::1%eth0]:7763" in words.tried


def test_figures_are_told() -> None:
    slow = TELLERS[Code.SLOW_LINK](Finding(Code.SLOW_LINK, Severity.WARNING, figure=1.25))
    lossy = TELLERS[Code.LOSSY_LINK](Finding(Code.LOSSY_LINK, Severity.WARNING, figure=0.3))
    assert "1.2 s" in slow.headline
    assert "30 %" in lossy.headline


def test_a_version_that_somebody_made_up_is_harmless() -> None:
    finding = Finding(Code.OTHER_VERSION, Severity.PROBLEM, WHERE, version="\x1b]0;x\x07 9")
    assert "\x1b" not in TELLERS[Code.OTHER_VERSION](finding).seen
