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


def test_a_tunnel_is_named_with_the_network_that_it_took() -> None:
    words = TELLERS[Code.VPN](Finding(Code.VPN, Severity.PROBLEM, names=("wg0", "10.0.0.0/8")))
    assert "wg0" in words.seen
    assert "10.0.0.0/8" in words.tried


def test_every_code_is_told_in_one_place() -> None:
    assert not set(TELLERS) & set(findings_there.TELLERS)
    assert set(TELLERS) | set(findings_there.TELLERS) == set(Code)
