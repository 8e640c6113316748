"""What this machine says about itself: its adapters, routes, neighbours and firewall.

Whatever a system does not tell without special rights is None, and leads to no finding.
"""

from __future__ import annotations

import ipaddress
import shutil
import socket
import sys
from collections.abc import Callable, Sequence
from ipaddress import IPv4Interface, IPv4Network
from pathlib import Path
from typing import Final

from spoof_tui import system
from spoof_tui.network import addresses
from spoof_tui.network.addresses import DEFAULT_PORT, Interface
from spoof_tui.network.diagnosis.observations import Adapter, Firewall, FirewallKind
from spoof_tui.network.mdns import port_is_shared

_ROOT: Final = Path("/")
_COMPLETE: Final = 0x2
_PERMANENT: Final = 0x4
"""Flags of neighbours in `/proc/net/arp`: one that has answered, one that was never asked."""

_MIN_HOSTS: Final = 4
"""Networks with fewer addresses have no neighbours: they are point-to-point."""


def own_adapters(root: Path = _ROOT) -> tuple[Adapter, ...]:
    """The adapters of this machine except loopback. Raises `OSError`; the first call is slow."""
    import ifaddr

    found = []
    for adapter in ifaddr.get_adapters(include_unconfigured=True):
        interfaces = addresses.interfaces_of(adapter)
        is_loopback = interfaces and all(each.ip.is_loopback for each in interfaces)
        if is_loopback or adapter.name in ("lo", "lo0"):
            continue
        name = str(adapter.nice_name)
        is_virtual, has_carrier = addresses.is_virtual(adapter), _has_carrier(name, root)
        found.append(Adapter(name, tuple(interfaces), is_virtual, has_carrier))
    return tuple(found)


def _has_carrier(name: str, root: Path) -> bool | None:
    """Whether an adapter is plugged in, as Linux says."""
    folder = root / "sys" / "class" / "net" / name
    if not folder.is_dir():
        return None
    try:
        return (folder / "carrier").read_text().strip() == "1"
    except OSError:
        return False  # it is turned off


def adapter_towards(host: str, adapters: Sequence[Adapter]) -> Adapter | None:
    """The adapter through which this machine reaches an address; None if it does not.
    Sends nothing."""
    source = _source_towards(host)
    near = (each for each in adapters for one in each.interfaces if _is_at(one, source))
    return next(near, None)


def _is_at(interface: Interface, source: str) -> bool:
    return str(interface.ip).partition("%")[0] == source


def _source_towards(host: str) -> str:
    bare, _percent, zone = host.partition("%")
    family = socket.AF_INET6 if ":" in bare else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            if family is socket.AF_INET6:
                trial.connect((bare, DEFAULT_PORT, 0, system.zone_index(zone) if zone else 0))
            else:
                trial.connect((bare, DEFAULT_PORT))
            return str(trial.getsockname()[0]).partition("%")[0]
    except (OSError, OverflowError):
        return ""


def detours(adapters: Sequence[Adapter]) -> tuple[tuple[str, str], ...]:
    """This machine's networks that are reached through another adapter, with its name."""
    found = []
    for adapter in adapters:
        if adapter.is_virtual or adapter.has_carrier is False:
            continue
        for interface in adapter.networks:
            if interface.network.num_addresses < _MIN_HOSTS:
                continue
            other = adapter_towards(_neighbour_in(interface), adapters)
            if other is None or not _is_on(other, interface.network):
                found.append((str(interface.network), other.name if other else "?"))
    return tuple(found)


def _is_on(adapter: Adapter, network: IPv4Network) -> bool:
    return any(each.network == network for each in adapter.networks)


def _neighbour_in(interface: IPv4Interface) -> str:
    """An address of the same network that another machine may have."""
    first = interface.network.network_address + 1
    return str(first + 1 if first == interface.ip else first)


def is_near(host: str, adapters: Sequence[Adapter]) -> bool:
    """Whether an address is on a network of this machine."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return number.is_link_local or any(
        number in one.network for each in adapters for one in each.interfaces
    )


def is_there(host: str, root: Path = _ROOT) -> bool | None:
    """Whether the machine at an address of the local network has just answered an ARP request.

    To be asked after something was sent there.
    """
    try:
        lines = (root / "proc" / "net" / "arp").read_text().splitlines()[1:]
    except OSError:
        return None
    known = {words[0]: int(words[2], 16) for line in lines if len(words := line.split()) >= 3}
    flags = known.get(host, _PERMANENT)
    return None if flags & _PERMANENT else bool(flags & _COMPLETE)


def shares_mdns() -> bool:
    """Whether the port of mDNS can be shared with other programs."""
    return port_is_shared()


def own_firewall(
    root: Path = _ROOT,
    platform: str = sys.platform,
    which: Callable[[str], str | None] = shutil.which,
) -> Firewall | None:
    """The firewall of this machine, as far as any user may know; None if none is seen."""
    if platform == "win32":
        return Firewall(FirewallKind.WINDOWS)
    if platform == "darwin":
        return Firewall(FirewallKind.MACOS)
    ufw = root / "etc" / "ufw" / "ufw.conf"
    if ufw.exists() and "ENABLED=yes" in _read(ufw).replace(" ", ""):
        return Firewall(FirewallKind.UFW, is_on=True)
    if (root / "sys/fs/cgroup/system.slice/firewalld.service").exists():
        return Firewall(FirewallKind.FIREWALLD, is_on=True)
    tools = {"nft": FirewallKind.NFTABLES, "iptables": FirewallKind.IPTABLES}
    found = (kind for tool, kind in tools.items() if which(tool) or which(f"/usr/sbin/{tool}"))
    kind = next(found, None)
    return Firewall(kind) if kind else None


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""
