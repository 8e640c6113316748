"""What a finding means to a player, and what can be done about it on this system."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.telling.sentences import sentence
from spoof_tui.text.i18n import N_, _
from spoof_tui.text.safe_text import show


@dataclass(frozen=True, slots=True)
class Told:
    """A finding in words."""

    headline: str
    """What is wrong, in one short sentence without technical words."""
    tried: str
    seen: str
    means: str
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

_CONNECT: Final = N_("connect to {address}")
"""What was tried to find out about an address."""

_TOLD: Final[Mapping[Code, Told]] = {
    # This machine's network
    Code.NO_CARRIER: Told(
        N_("This computer is not connected to any network."),
        N_("looked at the network adapters"),
        N_("none is plugged in or connected: {names}"),
        N_("your cable is out, or Wi-Fi is off; it is nobody else’s fault"),
        N_("join the Wi-Fi that your friends are on; without one, {hotspot}"),
    ),
    Code.NO_ADDRESS: Told(
        N_("This computer has no address on its network."),
        N_("looked at the network adapters"),
        N_("connected, but without an address: {names}"),
        N_("the network has not let you in yet, or nobody there gives out addresses"),
        N_("leave the network and join it again; if that does not help, {hotspot}"),
    ),
    Code.NO_IPV4: Told(
        N_("Your network uses only the newer kind of address."),
        N_("looked at the addresses of this computer"),
        N_("no IPv4 address on any adapter, only IPv6"),
        N_("a table whose computer has only an IPv4 address is out of reach"),
        N_("ask the host for an address with colons, and type it in brackets: [fe80::1%eth0]"),
    ),
    Code.NO_IPV6: Told(
        N_("Your network does not know this kind of address."),
        N_("looked at the addresses of this computer"),
        N_("no IPv6 address here, and {address} is one"),
        N_("that address cannot be reached from here"),
        N_("ask the host for an address of four numbers, such as 192.168.1.20"),
    ),
    Code.VPN: Told(
        N_("A VPN has taken over the route to your own network."),
        N_("asked the system for the way to {networks}"),
        N_("it leads through {adapter}"),
        N_("what is meant for your friends goes into the tunnel"),
        N_("turn the VPN off, or have it leave the local network alone"),
    ),
    Code.SENDING_FORBIDDEN: Told(
        N_("This computer does not let Spoof use the network."),
        N_("asked the network for tables"),
        N_("the system refused to send"),
        N_("a firewall or a privacy setting of this computer forbids it"),
        "{allow}",
    ),
    Code.OWN_FIREWALL: Told(
        N_("A firewall on this computer hides the tables from you."),
        N_("asked the network for tables, and listened for our own question"),
        N_("nothing came back, not even to this computer (UDP {port})"),
        N_("your firewall drops what others tell you; your table is hidden from them, too"),
        "{allow}",
    ),
    Code.OWN_FIREWALL_BLOCKS_GUESTS: Told(
        N_("Somebody sees your table but cannot get to it."),
        N_("waited for guests (TCP {port})"),
        N_("{names} is looking for tables here, but has not connected"),
        N_("most likely your firewall keeps guests out"),
        "{allow}",
    ),
    Code.FIREWALL_ON: Told(
        N_("The firewall of this computer is on."),
        N_("looked at its settings"),
        N_("{name} is in force"),
        N_("it may keep guests away from a table of yours"),
        "{allow}",
    ),
    # What the network does
    Code.MULTICAST_FILTERED: Told(
        N_("Your network forwards less than others do, but tables are still found."),
        N_("asked for tables in two ways"),
        N_("answers to broadcast, none to multicast"),
        N_("an access point drops multicast; Spoof does without it"),
        N_("nothing"),
    ),
    Code.BROADCAST_FILTERED: Told(
        N_("Your network forwards less than others do, but tables are still found."),
        N_("asked for tables in two ways"),
        N_("answers to multicast, none to broadcast"),
        N_("an access point drops broadcast; Spoof does without it"),
        N_("nothing"),
    ),
    Code.DISCOVERY_FILTERED: Told(
        N_("This network hides tables from each other’s lists."),
        N_("asked everybody for tables, and {address} directly"),
        N_("that one answers, but nobody answers multicast or broadcast"),
        N_("the network drops multicast and broadcast; joining by address works"),
        N_("join by address: spoof join {address}"),
    ),
    Code.ISOLATED: Told(
        N_("This network keeps its devices apart."),
        N_("connect to {names}"),
        N_("all of them are heard, but none can be reached"),
        N_("the access point isolates its guests, as in hotels and trains"),
        "{ways}",
    ),
    Code.CAPTIVE: Told(
        N_("This network wants you to sign in first."),
        N_("connect to an address that nobody has (192.0.2.1)"),
        N_("somebody answers in its place"),
        N_("a sign-in page stands between you and everybody else"),
        N_("open a web page and sign in; if that does not help, {hotspot}"),
    ),
    Code.SEVERAL_NETWORKS: Told(
        N_("This computer is on several networks at once."),
        N_("looked at the addresses of this computer, and listened on each"),
        "{names}",
        "{people}",
        N_(
            "compare it with the address on the host’s screen: the same beginning means the same "
            "network"
        ),
    ),
    Code.QUIET: Told(
        N_("No table can be heard on this network."),
        N_("asked everybody for tables, by multicast and broadcast"),
        N_("nobody answered; nothing is wrong with this computer"),
        N_("nobody has opened a table, or the network keeps devices apart"),
        N_("ask the host for the address on their screen: spoof join ADDRESS"),
    ),
    # Other machines
    Code.HOST_REFUSES: Told(
        N_("A table was heard, but its computer turns you away."),
        _CONNECT,
        N_("the table announced itself, but the connection is refused"),
        N_("the table has just closed, or a firewall on the host’s computer keeps you out"),
        N_("ask the host whether the table is still open; if it is, {let_in}"),
    ),
    Code.HOST_SILENT: Told(
        N_("A table is there, but its computer does not let you in."),
        _CONNECT,
        N_("the computer is there, but the connection is not answered (TCP)"),
        N_("a firewall on the host’s computer drops what comes in"),
        "{let_in}",
    ),
    Code.NO_TABLE: Told(
        N_("That computer is there, but no table is open on it."),
        _CONNECT,
        N_("the connection is refused at once"),
        N_("the table has closed, or the number after the colon has changed"),
        N_("compare it with the address on the host’s screen, including anything after a colon"),
    ),
    Code.OTHER_ADDRESS: Told(
        N_("That table answers at another address."),
        _CONNECT,
        N_("it answers at {names}"),
        N_("there is another way to its computer, or the number after the colon is wrong"),
        N_("join there: spoof join {better}"),
    ),
    Code.NOT_A_TABLE: Told(
        N_("Something else answers there, not a table."),
        _CONNECT,
        N_("it accepts the connection, but does not speak Spoof"),
        N_("another program has that address, or something is in between"),
        N_("compare it with the address on the host’s screen"),
    ),
    Code.TABLE_FULL: Told(
        N_("That table cannot take another connection."),
        _CONNECT,
        N_("it answers, but says that it is full"),
        N_("it is serving as many as it can"),
        N_("try again in a minute"),
    ),
    Code.TABLE_HANGS: Told(
        N_("The table’s computer answers, but the table does not."),
        _CONNECT,
        N_("the connection is made, but nothing is said"),
        N_("the program there is stopped or its computer is overloaded"),
        N_("ask the host to look at their screen"),
    ),
    Code.OTHER_NETWORK: Told(
        N_("That address belongs to another network than yours."),
        _CONNECT,
        N_("no answer; your own network: {names}"),
        N_("the two of you are on different networks, or the host is gone"),
        N_("join the same Wi-Fi; without one, {hotspot}"),
    ),
    Code.NOBODY_THERE: Told(
        N_("No computer answers at that address."),
        _CONNECT,
        N_("nothing, not even a refusal"),
        N_("it has another address, it is off, or this network keeps devices apart"),
        N_("compare with the address on the host’s screen; then {ways}"),
    ),
    Code.NAME_UNKNOWN: Told(
        N_("Nobody here is called {host}."),
        N_("look that name up"),
        N_("no address"),
        N_("the network does not know the names of its computers"),
        N_("type the numbers on the host’s screen instead"),
    ),
    Code.OTHER_VERSION: Told(
        N_("A table is there, but it runs another version."),
        _CONNECT,
        N_("it speaks {theirs}, you have {own}"),
        N_("both sides need the same version"),
        N_("update the older one of the two"),
    ),
    # The link, the ports, the clock
    Code.SLOW_LINK: Told(
        N_("The network is slow: {seconds} s there and back."),
        N_("timed the connection"),
        N_("{seconds} s for a round trip"),
        N_("everything works, only more slowly"),
        N_("wait a little longer, or move closer to the access point"),
    ),
    Code.LOSSY_LINK: Told(
        N_("The network loses {part}% of what is sent."),
        N_("asked the table’s computer again and again (UDP)"),
        N_("{part}% of the questions got no answer"),
        N_("messages arrive late now and then; nothing is lost for good"),
        N_("move closer to the access point"),
    ),
    Code.PORT_TAKEN: Told(
        N_("Your table has a longer address than usual."),
        N_("listen on port {usual}"),
        N_("another program, or another table, has it; yours listens on {port}"),
        N_("to type the address, people need all of it; the list shows the table anyway"),
        N_("nothing, if the others see it"),
    ),
    Code.MDNS_TAKEN: Told(
        N_("One of two ways to find tables is blocked."),
        N_("listen to mDNS (UDP 5353)"),
        N_("another program does not share it"),
        N_("tables are still found the other way"),
        N_("nothing"),
    ),
    Code.SLEPT: Told(
        N_("This computer was suspended or overloaded for a while."),
        N_("watched the clock"),
        N_("nothing ran for {seconds} s"),
        N_("it was asleep, suspended or overloaded"),
        N_("look again"),
    ),
    Code.CLOCK_MOVED: Told(
        N_("This computer’s clock was changed."),
        N_("watched the clock"),
        N_("it moved by {seconds} s"),
        N_("games are not affected: they use another clock"),
        N_("nothing"),
    ),
}
"""The words of each finding; `_values` says what is filled in."""

_DISCOVERY_PORT_TAKEN: Final = Told(
    N_("Another program is in the way of finding tables."),
    N_("listen where tables announce themselves (UDP {port})"),
    N_("another program does not share it"),
    N_("some tables may not be found"),
    N_("close that program, or join by address"),
)
"""The words of `PORT_TAKEN` if it is the port at which tables announce themselves."""


def told(finding: Finding) -> Told:
    """A finding in words, in the player's language."""
    words = _template(finding)
    values = _values(finding)
    return Told(*(_(template).format(**values) for template in astuple(words)))


def in_the_way(findings: Sequence[Finding]) -> tuple[str, str] | tuple[()]:
    """The worst of the findings as a headline, and what to do about it; empty if none is bad."""
    worst = next((each for each in findings if each.severity), None)
    return (told(worst).headline, sentence(told(worst).todo)) if worst else ()


def _template(finding: Finding) -> Told:
    """The words of a finding before anything is filled in."""
    code, words = finding.code, _TOLD[finding.code]
    if code is Code.PORT_TAKEN and (finding.figure or DEFAULT_PORT) == DEFAULT_PORT:
        return _DISCOVERY_PORT_TAKEN
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
        "port": round(figure or port) if finding.code is Code.PORT_TAKEN else port,
        "usual": DEFAULT_PORT,
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
        "own": PROGRAM,
        "seconds": f"{figure:+.0f}" if finding.code is Code.CLOCK_MOVED else f"{figure:.1f}",
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
