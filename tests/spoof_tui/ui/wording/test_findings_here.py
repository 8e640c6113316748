"""Findings about this machine, in words."""

from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.ui.wording import findings_there
from spoof_tui.ui.wording.findings_here import TELLERS


def test_own_firewall_is_opened_by_its_own_command() -> None:
    firewall = Firewall(FirewallKind.UFW, is_on=True)
    words = TELLERS[Code.OWN_FIREWALL](
        Finding(Code.OWN_FIREWALL, Severity.PROBLEM, firewall=firewall)
    )
    assert words.todo == "let Spoof through your firewall: sudo ufw allow 7763"


def test_every_code_is_told_in_one_place() -> None:
    assert not set(TELLERS) & set(findings_there.TELLERS)
    assert set(TELLERS) | set(findings_there.TELLERS) == set(Code)
