"""Findings about this machine and its network, in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Final

from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.diagnosis.findings import Code, Finding
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.told import Told, names, where
from spoof_tui.ui.wording.ways_out import allowing, hotspot, ways_out

# The own network


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
        _("A VPN has taken the way to your own network."),
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
        _("asked the network for tables, and listened to the own question"),
        _("nothing came back, not even to this computer (UDP {port})").format(port=DEFAULT_PORT),
        _("your firewall drops what others tell you; your table is hidden from them, too"),
        allowing(finding.firewall),
    )


def _own_firewall_blocks(finding: Finding) -> Told:
    port = finding.address.port if finding.address else DEFAULT_PORT
    return Told(
        _("Somebody sees your table but cannot get to it."),
        _("waited for guests (TCP {port})").format(port=port),
        _("{names} looks for tables here, and no connection came").format(names=names(finding)),
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
        _("Your network passes on less than others, and tables are found all the same."),
        _("asked for tables in two ways"),
        _("answers to broadcast, none to multicast"),
        _("an access point drops multicast; Spoof does without it"),
        _("nothing"),
    )


def _broadcast_filtered(finding: Finding) -> Told:
    return Told(
        _("Your network passes on less than others, and tables are found all the same."),
        _("asked for tables in two ways"),
        _("answers to multicast, none to broadcast"),
        _("an access point drops broadcast; Spoof does without it"),
        _("nothing"),
    )


def _discovery_filtered(finding: Finding) -> Told:
    return Told(
        _("This network hides tables from each other’s lists."),
        _("asked everybody for tables, and {address} alone").format(address=where(finding)),
        _("that one answers, and nobody answers to multicast or broadcast"),
        _("the network drops what is meant for everybody; addresses work"),
        _("join by address: spoof join {address}").format(address=where(finding)),
    )


def _isolated(finding: Finding) -> Told:
    return Told(
        _("This network keeps its devices apart."),
        _("connect to {names}").format(names=names(finding)),
        _("all of them are heard, and none can be reached"),
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
        _("compare with the address on the host’s screen: the same beginning is the same network"),
    )


def _peopled(finding: Finding) -> str:
    """On which of several networks the others are."""
    heard = finding.names[: round(finding.figure or 0)]
    if not heard:
        return _("your friends are on one of them, and maybe not the one that you think")
    return _("others are heard on {networks}").format(networks=", ".join(heard))


def _quiet(finding: Finding) -> Told:
    return Told(
        _("No table is heard on this network."),
        _("asked everybody for tables, by multicast and broadcast"),
        _("nobody answered; nothing is wrong with this computer"),
        _("nobody has opened a table, or the network keeps devices apart"),
        _("ask the host for the address on their screen: spoof join ADDRESS"),
    )


TELLERS: Final[Mapping[Code, Callable[[Finding], Told]]] = {
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
"""Puts each of these findings into words."""
