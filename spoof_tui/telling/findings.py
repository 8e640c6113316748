"""What a finding means to a player, and what can be done about it on this system."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.telling.sentences import sentence
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import show
from spoof_tui.text.texts import texts


@dataclass(frozen=True, slots=True)
class FindingText:
    """The text of a finding."""

    means: str
    """What is wrong, in one short sentence without technical words."""
    seen: str
    """How the program knows, in a sentence."""
    todo: str
    """What to do about it; may name a command of this system."""


def allowing(firewall: Firewall | None, port: int = DEFAULT_PORT) -> str:
    """Advice, without a full stop, after a sentence that names the machine: how to let Spoof
    through its firewall, by a command.

    `firewall` is None if it is not known which one is active.
    """
    if firewall is None:
        return _("allow Spoof in its firewall settings: TCP and UDP port {port}").format(port=port)
    command = SHELL_COMMANDS[firewall.kind].format(port=port)
    return _("let Spoof through its firewall: {command}").format(command=command)


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
"""For each firewall the shell command that opens {port}."""


def hotspot() -> str:
    """Advice, a clause without a full stop, that helps on any network: use a phone's hotspot."""
    return _("everybody joins the hotspot of one phone (it needs no internet)")


def one_machine() -> str:
    """Advice for when only one machine can be reached, as a clause without a full stop: play there
    over ssh."""
    return _("everybody logs in to one computer over ssh and starts spoof there")


_VERSION_CELLS: Final = 16
_MACHINE_CELLS: Final = 18


def told(finding: Finding) -> FindingText:
    """The text of a finding, in the player's language."""
    section, values = finding.code.value, _values(finding)
    words = (texts("findings").point(section, name) for name in _names(finding))
    return FindingText(*(each.format(**values) for each in words))


def in_the_way(findings: Sequence[Finding]) -> tuple[str, str] | tuple[()]:
    """What the first bad finding means, and what to do about it; empty if none is bad.

    `findings` has the worst first.
    """
    worst = next((each for each in findings if each.severity), None)
    return (told(worst).means, sentence(told(worst).todo)) if worst else ()


def _names(finding: Finding) -> Iterator[str]:
    """The names under which the three texts of a finding stand in the file of texts."""
    of_ipv4 = finding.code is Code.NO_IPV4 and finding.address is not None
    on_darwin = finding.code is Code.SENDING_FORBIDDEN and sys.platform == "darwin"
    yield "means"
    yield "seen-of-ipv4" if of_ipv4 else "seen"
    yield "todo-darwin" if on_darwin else "todo"


def _values(finding: Finding) -> dict[str, object]:
    address, figure, names = finding.address, finding.figure or 0, finding.names
    machine = finding.machine
    port = address.port if address else DEFAULT_PORT
    return {
        "address": address.text if address else "",
        "host": address.host if address else "?",
        "at": f" ({address.host})" if address else "",
        "port": port,
        "machine": f" ({show(ForeignText(machine), _MACHINE_CELLS)})" if machine else "",
        "names": ", ".join(names) or _("none"),
        "adapter": names[0] if names else "?",
        "better": names[0] if names else "?",
        "networks": ", ".join(names[1:]),
        "people": _peopled(finding),
        "name": finding.firewall.kind.value if finding.firewall else "?",
        "allow": allowing(finding.firewall, port),
        "let_in": _on_hosts_machine(port),
        "hotspot": hotspot(),
        "ways": f"{hotspot()}; {_('or')} {one_machine()}",
        "theirs": show(ForeignText(finding.version), _VERSION_CELLS),
        "own": f"{PROTOCOL} ({PROGRAM})",
        "seconds": f"{figure:.1f}",
        "part": round(100 * figure),
    }


def _peopled(finding: Finding) -> str:
    """A clause on which of several networks the other players are."""
    heard = finding.names[: round(finding.figure or 0)]
    if not heard:
        return _("your friends are on one of these networks, perhaps not on the one you think")
    return _("other players are heard on {networks}").format(networks=", ".join(heard))


def _on_hosts_machine(port: int) -> str:
    return _(
        "have the host allow port {port} (`spoof doctor` says how), or let somebody else open a"
        " table"
    ).format(port=port)
