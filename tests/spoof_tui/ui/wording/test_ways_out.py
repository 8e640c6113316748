"""What can be done, by the system."""

import pytest

from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.ui.wording.ways_out import allowing, hotspot, one_machine, ways_out


@pytest.mark.parametrize("kind", FirewallKind)
def test_every_firewall_has_a_command(kind: FirewallKind) -> None:
    command = allowing(Firewall(kind), 4242)
    by_program = kind in (FirewallKind.MACOS, FirewallKind.WINDOWS)
    assert ("4242" in command) is not by_program
    assert command.count("{") == command.count("}")


def test_an_unknown_firewall_is_told_what_to_let_through() -> None:
    assert "4242" in allowing(None, 4242)


def test_two_ways_out_are_left() -> None:
    assert hotspot() in ways_out()
    assert one_machine() in ways_out()
