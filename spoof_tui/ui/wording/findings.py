"""What a finding means to a player, and what can be done about it on this system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.version import PROGRAM
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.network.diagnosis.observations import Firewall, FirewallKind
from spoof_tui.text.i18n import _
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


def sentence(text: str) -> str:
    """A part of what is told, as a sentence of its own."""
    return text[:1].upper() + text[1:]


def where(finding: Finding) -> str:
    """The address that a finding is about."""
    return finding.address.text if finding.address else ""


def names(finding: Finding) -> str:
    """The names that it is about."""
    return ", ".join(finding.names)


def tried_to_connect(finding: Finding) -> str:
    """What was tried to find out about an address."""
    return _("connect to {address}").format(address=where(finding))


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


def ways_out() -> str:
    """What is left when nothing else helps."""
    return f"{hotspot()}; {_('or')} {one_machine()}"


# This machine's network


def _no_carrier(finding: Finding) -> Told:
    return Told(
        _("This computer is not connected to any network."),
        _("looked at the network adapters"),
        _("none is plugged in or connected: {names}").format(names=names(finding) or _("none")),
        _("your cable is out, or Wi-Fi is off; it is nobody else’s fault"),
        _("join the Wi-Fi that your friends are on; without one, {hotspot}").format(
            hotspot=hotspot()
        ),
    )


def _no_address(finding: Finding) -> Told:
    return Told(
        _("This computer has no address on its network."),
        _("looked at the network adapters"),
        _("connected, but without an address: {names}").format(names=names(finding)),
        _("the network has not let you in yet, or nobody there gives out addresses"),
        _("leave the network and join it again; if that does not help, {hotspot}").format(
            hotspot=hotspot()
        ),
    )


def _no_ipv4(finding: Finding) -> Told:
    if finding.address is None:
        seen = _("no IPv4 address on any adapter, only IPv6")
    else:
        seen = _("no IPv4 address here, and {address} is one").format(address=where(finding))
    return Told(
        _("Your network speaks only the newer kind of address."),
        _("looked at the addresses of this computer"),
        seen,
        _("a table whose computer has only an IPv4 address is out of reach"),
        _("ask the host for an address with colons, and type it in brackets: [fe80::1%eth0]"),
    )


def _no_ipv6(finding: Finding) -> Told:
    return Told(
        _("Your network does not know this kind of address."),
        _("looked at the addresses of this computer"),
        _("no IPv6 address here, and {address} is one").format(address=where(finding)),
        _("that address cannot be reached from here"),
        _("ask the host for an address of four numbers, such as 192.168.1.20"),
    )


def _vpn(finding: Finding) -> Told:
    adapter, *networks = finding.names
    return Told(
        _("A VPN has taken over the route to your own network."),
        _("asked the system for the way to {networks}").format(networks=", ".join(networks)),
        _("it leads through {adapter}").format(adapter=adapter),
        _("what is meant for your friends goes into the tunnel"),
        _("turn the VPN off, or have it leave the local network alone"),
    )


def _sending_forbidden(finding: Finding) -> Told:
    todo = "{command}"
    if sys.platform == "darwin":
        todo = _(
            "System Settings, Privacy & Security, Local Network: allow your terminal, and start "
            "Spoof again"
        )
    return Told(
        _("This computer does not let Spoof use the network."),
        _("asked the network for tables"),
        _("the system refused to send"),
        _("a firewall or a privacy setting of this computer forbids it"),
        todo.format(command=allowing(finding.firewall)),
    )


def _own_firewall(finding: Finding) -> Told:
    return Told(
        _("A firewall on this computer hides the tables from you."),
        _("asked the network for tables, and listened for our own question"),
        _("nothing came back, not even to this computer (UDP {port})").format(port=DEFAULT_PORT),
        _("your firewall drops what others tell you; your table is hidden from them, too"),
        allowing(finding.firewall),
    )


def _own_firewall_blocks(finding: Finding) -> Told:
    port = finding.address.port if finding.address else DEFAULT_PORT
    return Told(
        _("Somebody sees your table but cannot get to it."),
        _("waited for guests (TCP {port})").format(port=port),
        _("{names} is looking for tables here, but no connection came").format(
            names=names(finding)
        ),
        _("most likely your firewall keeps guests out"),
        allowing(finding.firewall, port),
    )


def _firewall_on(finding: Finding) -> Told:
    name = finding.firewall.kind.value if finding.firewall else "?"
    return Told(
        _("The firewall of this computer is on."),
        _("looked at its settings"),
        _("{name} is in force").format(name=name),
        _("it may keep guests away from a table of yours"),
        allowing(finding.firewall),
    )


# What the network does


def _multicast_filtered(finding: Finding) -> Told:
    return Told(
        _("Your network forwards less than others do, but tables are still found."),
        _("asked for tables in two ways"),
        _("answers to broadcast, none to multicast"),
        _("an access point drops multicast; Spoof does without it"),
        _("nothing"),
    )


def _broadcast_filtered(finding: Finding) -> Told:
    return Told(
        _("Your network forwards less than others do, but tables are still found."),
        _("asked for tables in two ways"),
        _("answers to multicast, none to broadcast"),
        _("an access point drops broadcast; Spoof does without it"),
        _("nothing"),
    )


def _discovery_filtered(finding: Finding) -> Told:
    return Told(
        _("This network hides tables from each other’s lists."),
        _("asked everybody for tables, and {address} directly").format(address=where(finding)),
        _("that one answers, but nobody answers multicast or broadcast"),
        _("the network drops what is meant for everybody; addresses work"),
        _("join by address: spoof join {address}").format(address=where(finding)),
    )


def _isolated(finding: Finding) -> Told:
    return Told(
        _("This network keeps its devices apart."),
        _("connect to {names}").format(names=names(finding)),
        _("all of them are heard, but none can be reached"),
        _("the access point isolates its guests, as in hotels and trains"),
        ways_out(),
    )


def _captive(finding: Finding) -> Told:
    return Told(
        _("This network wants you to sign in first."),
        _("connect to an address that nobody has (192.0.2.1)"),
        _("somebody answers in its place"),
        _("a sign-in page stands between you and everybody else"),
        _("open a web page and sign in; if that does not help, {hotspot}").format(
            hotspot=hotspot()
        ),
    )


def _several_networks(finding: Finding) -> Told:
    return Told(
        _("This computer is on several networks at once."),
        _("looked at the addresses of this computer, and listened on each"),
        names(finding),
        _peopled(finding),
        _(
            "compare it with the address on the host’s screen: the same beginning means the same "
            "network"
        ),
    )


def _peopled(finding: Finding) -> str:
    """Which of several networks the others are on."""
    heard = finding.names[: round(finding.figure or 0)]
    if not heard:
        return _("your friends are on one of them, perhaps not the one you think")
    return _("others are heard on {networks}").format(networks=", ".join(heard))


def _quiet(finding: Finding) -> Told:
    return Told(
        _("No table can be heard on this network."),
        _("asked everybody for tables, by multicast and broadcast"),
        _("nobody answered; nothing is wrong with this computer"),
        _("nobody has opened a table, or the network keeps devices apart"),
        _("ask the host for the address on their screen: spoof join ADDRESS"),
    )


TELLERS_HERE: Final[Mapping[Code, Callable[[Finding], Told]]] = {
    Code.NO_CARRIER: _no_carrier,
    Code.NO_ADDRESS: _no_address,
    Code.SENDING_FORBIDDEN: _sending_forbidden,
    Code.NO_IPV4: _no_ipv4,
    Code.NO_IPV6: _no_ipv6,
    Code.VPN: _vpn,
    Code.ISOLATED: _isolated,
    Code.OWN_FIREWALL: _own_firewall,
    Code.OWN_FIREWALL_BLOCKS_GUESTS: _own_firewall_blocks,
    Code.CAPTIVE: _captive,
    Code.DISCOVERY_FILTERED: _discovery_filtered,
    Code.MULTICAST_FILTERED: _multicast_filtered,
    Code.BROADCAST_FILTERED: _broadcast_filtered,
    Code.SEVERAL_NETWORKS: _several_networks,
    Code.FIREWALL_ON: _firewall_on,
    Code.QUIET: _quiet,
}
"""The functions that put these findings into words."""


_VERSION_CELLS: Final = 16


# Other machines


def _host_refuses(finding: Finding) -> Told:
    return Told(
        _("A table was heard, but its computer turns you away."),
        tried_to_connect(finding),
        _("the table announced itself, but the connection is refused"),
        _("the table has just closed, or a firewall on the host’s computer keeps you out"),
        _("ask the host whether the table is still open; if it is, {let_in}").format(
            let_in=_on_hosts_machine(finding)
        ),
    )


def _host_silent(finding: Finding) -> Told:
    return Told(
        _("A table is there, but its computer does not let you in."),
        tried_to_connect(finding),
        _("the computer is there, but the connection is not answered (TCP)"),
        _("a firewall on the host’s computer drops what comes in"),
        _on_hosts_machine(finding),
    )


def _on_hosts_machine(finding: Finding) -> str:
    port = finding.address.port if finding.address else DEFAULT_PORT
    return _(
        "have the host allow port {port} (`spoof doctor` says how), or let somebody else open a"
        " table"
    ).format(port=port)


def _no_table(finding: Finding) -> Told:
    return Told(
        _("That computer is there, but no table is open on it."),
        tried_to_connect(finding),
        _("the connection is refused at once"),
        _("the table has closed, or the number after the colon has changed"),
        _("compare it with the address on the host’s screen, including anything after a colon"),
    )


def _other_address(finding: Finding) -> Told:
    better = finding.names[0] if finding.names else "?"
    return Told(
        _("That table answers at another address."),
        tried_to_connect(finding),
        _("it answers at {names}").format(names=names(finding)),
        _("there is another way to its computer, or the number after the colon is wrong"),
        _("join there: spoof join {address}").format(address=better),
    )


def _not_a_table(finding: Finding) -> Told:
    return Told(
        _("Something else answers there, not a table."),
        tried_to_connect(finding),
        _("it accepts the connection, but does not speak Spoof"),
        _("another program has that address, or something is in between"),
        _("compare it with the address on the host’s screen"),
    )


def _table_full(finding: Finding) -> Told:
    return Told(
        _("That table cannot take another connection."),
        tried_to_connect(finding),
        _("it answers, but says that it is full"),
        _("it is serving as many as it can"),
        _("try again in a minute"),
    )


def _table_hangs(finding: Finding) -> Told:
    return Told(
        _("The table’s computer answers, but the table does not."),
        tried_to_connect(finding),
        _("the connection is made, but nothing is said"),
        _("the program there is stopped or its computer is overloaded"),
        _("ask the host to look at their screen"),
    )


def _other_network(finding: Finding) -> Told:
    here = names(finding) or _("none")
    return Told(
        _("That address belongs to another network than yours."),
        tried_to_connect(finding),
        _("no answer; your own network: {networks}").format(networks=here),
        _("the two of you are on different networks, or the host is gone"),
        _("join the same Wi-Fi; without one, {hotspot}").format(hotspot=hotspot()),
    )


def _nobody_there(finding: Finding) -> Told:
    return Told(
        _("No computer answers at that address."),
        tried_to_connect(finding),
        _("nothing, not even a refusal"),
        _("it has another address, it is off, or this network keeps devices apart"),
        _("compare with the address on the host’s screen; then {ways}").format(ways=ways_out()),
    )


def _name_unknown(finding: Finding) -> Told:
    return Told(
        _("Nobody here is called {host}.").format(
            host=finding.address.host if finding.address else "?"
        ),
        _("look that name up"),
        _("no address"),
        _("the network does not know the names of its computers"),
        _("type the numbers on the host’s screen instead"),
    )


def _guests_apart(finding: Finding) -> Told:
    return Told(
        _("If you leave, the table cannot move."),
        _("had the players’ programs try to reach each other"),
        _("{names} cannot reach each other").format(names=names(finding)),
        _("everybody reaches you, so you can play, but nobody else could host"),
        _("stay until the game is over, or pause it before you go"),
    )


def _other_version(finding: Finding) -> Told:
    theirs = show(ForeignText(finding.version), _VERSION_CELLS)
    return Told(
        _("A table is there, but it runs another version."),
        tried_to_connect(finding),
        _("it speaks {theirs}, you have {own}").format(theirs=theirs, own=PROGRAM),
        _("both sides need the same version"),
        _("update the older one of the two"),
    )


# The link, the ports, the clock


def _slow_link(finding: Finding) -> Told:
    seconds = f"{finding.figure or 0:.1f}"
    return Told(
        _("The network is slow: {seconds} s there and back.").format(seconds=seconds),
        _("timed the connection"),
        _("{seconds} s for a round trip").format(seconds=seconds),
        _("everything works, only more slowly"),
        _("wait a little longer, or move closer to the access point"),
    )


def _lossy_link(finding: Finding) -> Told:
    part = round(100 * (finding.figure or 0))
    return Told(
        _("The network loses {part} % of what is sent.").format(part=part),
        _("asked the table’s computer again and again (UDP)"),
        _("{part} % of the questions got no answer").format(part=part),
        _("messages arrive late now and then; nothing is lost for good"),
        _("move closer to the access point"),
    )


def _port_taken(finding: Finding) -> Told:
    port = round(finding.figure or DEFAULT_PORT)
    if port == DEFAULT_PORT:
        return Told(
            _("Another program is in the way of finding tables."),
            _("listen where tables announce themselves (UDP {port})").format(port=port),
            _("another program does not share it"),
            _("some tables may not be found"),
            _("close that program, or join by address"),
        )
    return Told(
        _("Your table has a longer address than usual."),
        _("listen on port {port}").format(port=DEFAULT_PORT),
        _("another program, or another table, has it; yours listens on {port}").format(port=port),
        _("to type the address, people need all of it; the list shows the table anyway"),
        _("nothing, if the others see it"),
    )


def _mdns_taken(finding: Finding) -> Told:
    return Told(
        _("One of two ways to find tables is blocked."),
        _("listen to mDNS (UDP 5353)"),
        _("another program does not share it"),
        _("tables are still found the other way"),
        _("nothing"),
    )


def _slept(finding: Finding) -> Told:
    return Told(
        _("This computer was suspended or overloaded for a while."),
        _("watched the clock"),
        _("nothing ran for {seconds} s").format(seconds=f"{finding.figure or 0:.1f}"),
        _("it was asleep, suspended or overloaded"),
        _("look again"),
    )


def _clock_moved(finding: Finding) -> Told:
    return Told(
        _("This computer’s clock was changed."),
        _("watched the clock"),
        _("it moved by {seconds} s").format(seconds=f"{finding.figure or 0:+.0f}"),
        _("games are not affected: they use another clock"),
        _("nothing"),
    )


TELLERS_THERE: Final[Mapping[Code, Callable[[Finding], Told]]] = {
    Code.OTHER_VERSION: _other_version,
    Code.HOST_REFUSES: _host_refuses,
    Code.HOST_SILENT: _host_silent,
    Code.TABLE_FULL: _table_full,
    Code.OTHER_ADDRESS: _other_address,
    Code.NO_TABLE: _no_table,
    Code.NOT_A_TABLE: _not_a_table,
    Code.SLOW_LINK: _slow_link,
    Code.TABLE_HANGS: _table_hangs,
    Code.OTHER_NETWORK: _other_network,
    Code.NOBODY_THERE: _nobody_there,
    Code.NAME_UNKNOWN: _name_unknown,
    Code.GUESTS_APART: _guests_apart,
    Code.LOSSY_LINK: _lossy_link,
    Code.PORT_TAKEN: _port_taken,
    Code.MDNS_TAKEN: _mdns_taken,
    Code.SLEPT: _slept,
    Code.CLOCK_MOVED: _clock_moved,
}
"""The functions that put these findings into words."""


_TELLERS = {**TELLERS_HERE, **TELLERS_THERE}


def told(finding: Finding) -> Told:
    """A finding in words, in the player's language."""
    return _TELLERS[finding.code](finding)
