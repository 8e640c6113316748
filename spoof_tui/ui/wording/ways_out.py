"""What can be done where the network is in the way, on this system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.text.i18n import _


def allowing(firewall: Firewall | None, port: int = DEFAULT_PORT) -> str:
    """How to let Spoof through the firewall of this machine: a command, or where to click."""
    if firewall is None:
        return _("let Spoof through your firewall: TCP and UDP port {port}").format(port=port)
    command = SHELL_COMMANDS[firewall.kind].format(port=port)
    return _("let Spoof through your firewall: {command}").format(command=command)


SHELL_COMMANDS: Final[Mapping[FirewallKind, str]] = {
    FirewallKind.UFW: "sudo ufw allow {port}",
    FirewallKind.FIREWALLD: "sudo firewall-cmd --add-port={port}/tcp --add-port={port}/udp",
    FirewallKind.NFTABLES: (
        "sudo nft insert rule inet filter input meta l4proto {{ tcp, udp }} th dport {port} accept"
    ),
    FirewallKind.IPTABLES: (
        "for p in tcp udp; do sudo iptables -I INPUT -p $p --dport {port} -j ACCEPT; done"
    ),
    FirewallKind.MACOS: (
        "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp "
        '"$(readlink -f "$(command -v python3)")"'
    ),
    FirewallKind.WINDOWS: (
        "New-NetFirewallRule -DisplayName Spoof -Direction Inbound -Action Allow -Program "
        "(Get-Command python).Source"
    ),
}
"""What opens the port in each firewall, as it is typed there."""


def hotspot() -> str:
    """The way out of every network."""
    return _("everybody joins the hotspot of one phone (it needs no internet)")


def one_machine() -> str:
    """The way out where only one machine can be reached."""
    return _("everybody logs in to one computer by ssh and starts spoof there")


def ways_out() -> str:
    """What is left when nothing else helps."""
    return f"{hotspot()}; {_('or')} {one_machine()}"
