"""What a finding means to a player, and what can be done about it on this system."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM, PROTOCOL
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.telling.sentences import sentence
from spoof_tui.text.i18n import N_, _
from spoof_tui.text.safe_text import show


@dataclass(frozen=True, slots=True)
class Told:
    """A finding in words."""

    means: str
    """What is wrong, in one short sentence without technical words."""
    seen: str
    """By what that is known."""
    todo: str
    """What to do; may name a command of this system."""


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
"""The command that opens the port in each firewall."""


def hotspot() -> str:
    """The way out on any network."""
    return _("everybody joins the hotspot of one phone (it needs no internet)")


def one_machine() -> str:
    """The way out if only one machine can be reached."""
    return _("everybody logs in to one computer over ssh and starts spoof there")


_VERSION_CELLS: Final = 16

_TOLD: Final[Mapping[Code, Told]] = {
    # This machine's network
    Code.NO_CARRIER: Told(
        N_("This computer is not connected to any network."),
        N_("no network adapter is plugged in or connected: {names}"),
        N_("join the Wi-Fi that your friends are on; without one, {hotspot}"),
    ),
    Code.NO_ADDRESS: Told(
        N_("This computer has no address on its network."),
        N_("connected, but without an address: {names}"),
        N_("leave the network and join it again; if that does not help, {hotspot}"),
    ),
    Code.NO_IPV4: Told(
        N_("Your network uses only the newer kind of address."),
        N_("no IPv4 address on any adapter, only IPv6"),
        N_("ask the host for an address with colons, and type it in brackets: [fe80::1%eth0]"),
    ),
    Code.NO_IPV6: Told(
        N_("Your network does not know this kind of address."),
        N_("no IPv6 address here, and {address} is one"),
        N_("ask the host for an address of four numbers, such as 192.168.1.20"),
    ),
    Code.VPN: Told(
        N_("A VPN has taken over the route to your own network."),
        N_("the way to {networks} leads through {adapter}"),
        N_("turn the VPN off, or have it leave the local network alone"),
    ),
    Code.SENDING_FORBIDDEN: Told(
        N_("This computer does not let Spoof use the network."),
        N_("the system refused to send"),
        "{allow}",
    ),
    Code.OWN_FIREWALL: Told(
        N_("A firewall on this computer hides the tables from you."),
        N_("what was sent to everybody did not come back to this computer (UDP {port})"),
        "{allow}",
    ),
    Code.OWN_FIREWALL_BLOCKS_GUESTS: Told(
        N_("Somebody sees your table but cannot get to it."),
        N_("{names} is looking for tables here, but has not connected (TCP {port})"),
        "{allow}",
    ),
    Code.FIREWALL_ON: Told(
        N_("The firewall of this computer may keep guests from your table."),
        N_("{name} is in force"),
        "{allow}",
    ),
    # What the network does
    Code.DISCOVERY_FILTERED: Told(
        N_("This network hides tables from each other’s lists."),
        N_("{address} answers, but nobody answers multicast or broadcast"),
        N_("join by address: spoof join {address}"),
    ),
    Code.ISOLATED: Told(
        N_("This network keeps its devices apart."),
        N_("{names}: all of them are heard, but none can be reached"),
        "{ways}",
    ),
    Code.CAPTIVE: Told(
        N_("This network wants you to sign in first."),
        N_("somebody answers at an address that nobody has (192.0.2.1)"),
        N_("open a web page and sign in; if that does not help, {hotspot}"),
    ),
    Code.SEVERAL_NETWORKS: Told(
        N_("This computer is on several networks at once."),
        "{names}; {people}",
        N_(
            "compare it with the address on the host’s screen: the same beginning means the same "
            "network"
        ),
    ),
    Code.QUIET: Told(
        N_("No table can be heard on this network."),
        N_("nobody answers multicast or broadcast; nothing is wrong with this computer"),
        N_("ask the host for the address on their screen: spoof join ADDRESS"),
    ),
    # Other machines
    Code.HOST_REFUSES: Told(
        N_("A table was heard, but its computer turns you away."),
        N_("{address} announces a table, but refuses the connection"),
        N_("ask the host whether the table is still open; if it is, {let_in}"),
    ),
    Code.HOST_SILENT: Told(
        N_("A table is there, but its computer does not let you in."),
        N_("{address} is there, but does not answer the connection (TCP)"),
        "{let_in}",
    ),
    Code.NO_TABLE: Told(
        N_("That computer is there, but no table is open on it."),
        N_("{address} refuses the connection at once"),
        N_("compare it with the address on the host’s screen, including anything after a colon"),
    ),
    Code.OTHER_ADDRESS: Told(
        N_("That table answers at another address."),
        N_("no table at {address}, but one at {names}"),
        N_("join there: spoof join {better}"),
    ),
    Code.NOT_A_TABLE: Told(
        N_("Something else answers there, not a table."),
        N_("{address} accepts the connection, but does not speak Spoof"),
        N_("compare it with the address on the host’s screen"),
    ),
    Code.TABLE_FULL: Told(
        N_("That table cannot take another connection."),
        N_("{address} answers, but says that it is full"),
        N_("try again in a minute"),
    ),
    Code.TABLE_HANGS: Told(
        N_("The table’s computer answers, but the table does not."),
        N_("{address} accepts the connection, but says nothing"),
        N_("ask the host to look at their screen"),
    ),
    Code.OTHER_NETWORK: Told(
        N_("That address belongs to another network than yours."),
        N_("no answer from {address}; your own network: {names}"),
        N_("join the same Wi-Fi; without one, {hotspot}"),
    ),
    Code.NOBODY_THERE: Told(
        N_("No computer answers at that address."),
        N_("nothing from {address}, not even a refusal"),
        N_("compare with the address on the host’s screen; then {ways}"),
    ),
    Code.NAME_UNKNOWN: Told(
        N_("Nobody here is called {host}."),
        N_("this network knows no address of that name"),
        N_("type the numbers on the host’s screen instead"),
    ),
    Code.OTHER_VERSION: Told(
        N_("A table is there, but it runs another version."),
        N_("{address} speaks protocol {theirs}, this program {own}"),
        N_("update the older one of the two"),
    ),
    # The link, the ports, the clock
    Code.SLOW_LINK: Told(
        N_("The network is slow, but everything works."),
        N_("{seconds} s for a round trip"),
        N_("wait a little longer, or move closer to the access point"),
    ),
    Code.LOSSY_LINK: Told(
        N_("The network loses some of what is sent."),
        N_("{address}: {part}% of the questions got no answer (UDP)"),
        N_("move closer to the access point"),
    ),
    Code.PORT_TAKEN: Told(
        N_("Another program is in the way of finding tables."),
        N_("it listens where tables announce themselves, and does not share that (UDP {port})"),
        N_("close that program, or join by address"),
    ),
}
"""The words of each finding; `_values` says what is filled in."""


def told(finding: Finding) -> Told:
    """A finding in words, in the player's language."""
    words = _template(finding)
    values = _values(finding)
    return Told(*(_(template).format(**values) for template in astuple(words)))


def in_the_way(findings: Sequence[Finding]) -> tuple[str, str] | tuple[()]:
    """What the worst of the findings means, and what to do about it; empty if none is bad."""
    worst = next((each for each in findings if each.severity), None)
    return (told(worst).means, sentence(told(worst).todo)) if worst else ()


def _template(finding: Finding) -> Told:
    """The words of a finding before anything is filled in."""
    code, words = finding.code, _TOLD[finding.code]
    if code is Code.NO_IPV4 and finding.address is not None:
        return replace(words, seen=N_("no IPv4 address here, and {address} is one"))
    if code is Code.SENDING_FORBIDDEN and sys.platform == "darwin":
        todo = N_(
            "System Settings, Privacy & Security, Local Network: allow your terminal, and start "
            "Spoof again"
        )
        return replace(words, todo=todo)
    return words


def _values(finding: Finding) -> dict[str, object]:
    address, figure, names = finding.address, finding.figure or 0, finding.names
    port = address.port if address else DEFAULT_PORT
    return {
        "address": address.text if address else "",
        "host": address.host if address else "?",
        "port": port,
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
    """Which of several networks the others are on."""
    heard = finding.names[: round(finding.figure or 0)]
    if not heard:
        return _("your friends are on one of them, perhaps not the one you think")
    return _("others are heard on {networks}").format(networks=", ".join(heard))


def _on_hosts_machine(port: int) -> str:
    return _(
        "have the host allow port {port} (`spoof doctor` says how), or let somebody else open a"
        " table"
    ).format(port=port)
