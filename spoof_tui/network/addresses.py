"""Addresses as people write them, and the addresses of this machine."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import (
    AddressValueError,
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
)
from typing import TYPE_CHECKING, Final

from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from ifaddr import Adapter

DEFAULT_PORT: Final = 7763
"""The default port of a table: SPOF on the keys of a telephone."""

_MAX_PORT: Final = 65535
_NAME: Final = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?:\.[A-Za-z0-9_-]{1,63})*\.?")
_MAX_NAME: Final = 253
"""Maximum characters of a host name (RFC 1035)."""

_SCOPE: Final = re.compile(r"[A-Za-z0-9._-]+")
"""The name of an adapter after the `%` in a link-local IPv6 address."""

_SCOPE_SHIFT: Final = 96
_SCOPE_BYTES: Final = 0xFFFF << _SCOPE_SHIFT
"""Bits that are always zero in a link-local address (RFC 4291), so that some systems store the
adapter there."""

_ONE_NETWORK: Final = 64
"""Bits of an IPv6 address that identify its network."""

_VIRTUAL: Final = re.compile(
    r"^(docker|br-|bridge\d{3}|veth|virbr|vmnet|vboxnet|lxc|lxd|podman|cni|cali|flannel|kube"
    r"|tun|tap|utun|wg|ppp|ipsec|tailscale|zt|awdl|llw)"
    r"|hyper-v|virtual|vmware|vpn|wsl|wintun|wireguard|tap-",
    re.IGNORECASE,
)
"""Names of adapters of containers, virtual machines and tunnels, through which few others reach a
table."""


Interface = IPv4Interface | IPv6Interface
"""An address of this machine with its network; only a link-local IPv6 one names its adapter."""


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """A host, by name or number, and a port. Raises `ValueError` with a sentence if either is
    invalid."""

    host: str
    """A name in ASCII, an IPv4 address, or an IPv6 address without brackets."""
    port: int

    def __post_init__(self) -> None:
        if not 1 <= self.port <= _MAX_PORT:
            sentence = _("A port is a number from 1 to {most}, not {port!r}.")
            raise ValueError(sentence.format(most=_MAX_PORT, port=self.port))
        object.__setattr__(self, "host", _checked(self.host))

    @classmethod
    def parse(cls, text: str, default_port: int = DEFAULT_PORT) -> Address:
        """The address written as `host`, `host:port`, `[IPv6]:port` or a bare IPv6 address; raises
        `ValueError` with a sentence."""
        host, port = _split(text.strip())
        if port is None:
            return cls(host, default_port)
        if not (port.isascii() and port.isdigit() and len(port) <= len(str(_MAX_PORT))):
            sentence = _("A port is a number from 1 to {most}, not {port!r}.")
            raise ValueError(sentence.format(most=_MAX_PORT, port=port))
        return cls(host, int(port))

    @property
    def text(self) -> str:
        """The address as `host:port`, with brackets round an IPv6 address."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the address means this machine itself, on whichever machine it is used."""
        return self.host in ("localhost", "::1") or self.host.startswith("127.")

    @property
    def short(self) -> str:
        """The shortest text that `parse` reads as this address."""
        if self.port != DEFAULT_PORT:
            return self.text
        return f"[{self.host}]" if ":" in self.host else self.host


def _split(text: str) -> tuple[str, str | None]:
    """Host and port of a written address; None in place of the port if there is none. Raises
    `ValueError`."""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or rest[:1] not in ("", ":"):
            raise ValueError(_("An address in brackets ends with ] or ]:port."))
        return host, rest[1:] if rest else None
    if text.count(":") > 1:
        return text, None
    host, colon, port = text.partition(":")
    return host, port if colon else None


def _checked(host: str) -> str:
    """The canonical spelling of `host`; raises `ValueError` if it is not valid."""
    if not host:
        raise ValueError(_("Type the host’s name or IP address."))
    try:
        number = str(ipaddress.ip_address(host))
    except ValueError:
        return _checked_name(host)
    __, percent, scope = number.partition("%")
    if percent and not _SCOPE.fullmatch(scope):
        raise _nobody(host)
    return number


def _checked_name(host: str) -> str:
    name = _in_ascii(host)
    # A name that ends in a number would be read as an IPv4 address in one of its odd spellings.
    ends_in_number = name.rstrip(".").rpartition(".")[2].isdigit()
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME or ends_in_number:
        raise _nobody(host)
    return name


def _nobody(host: str) -> ValueError:
    return ValueError(_("{host!r} is not a valid address.").format(host=host))


def _in_ascii(host: str) -> str:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return ""


def own_interfaces() -> tuple[Interface, ...]:
    """The addresses of this machine, those that others are most likely to reach first.

    Loopback is included only if there is nothing else; empty if there is nothing at all. Raises
    `OSError`. The first call imports ifaddr, which is slow: see `mdns.load`.
    """
    interfaces = all_interfaces()
    outer = tuple(interface for interface in interfaces if not interface.ip.is_loopback)
    return outer or interfaces


def all_interfaces() -> tuple[Interface, ...]:
    """The addresses of this machine as in `own_interfaces`, but always with loopback. Raises
    `OSError`."""
    import ifaddr

    ranked = [
        (is_virtual(adapter), interface.is_link_local, interface.version, place, interface)
        for place, adapter in enumerate(ifaddr.get_adapters())
        for interface in interfaces_of(adapter)
    ]
    return tuple(interface for *_, interface in sorted(ranked))


def own_addresses() -> tuple[str, ...]:
    """The addresses of `own_interfaces`, without the names of adapters, which mean nothing to other
    computers. Raises `OSError`."""
    return tuple(unscoped(interface) for interface in own_interfaces())


def unscoped(interface: Interface) -> str:
    """The address alone, without the adapter, whose name has a meaning on this machine only."""
    return str(interface.ip).partition("%")[0]


def scoped_addresses(address: Address, interfaces: Sequence[Interface]) -> tuple[Address, ...]:
    """`address` itself, or for a link-local one without an adapter, one address for each adapter in
    `interfaces`."""
    if not is_of_unknown_link(address.host):
        return (address,)
    zones = dict.fromkeys(zone for interface in interfaces if (zone := zone_of(interface)))
    return tuple(Address(f"{address.host}%{zone}", address.port) for zone in zones) or (address,)


def own_scoped_addresses(address: Address) -> tuple[Address, ...]:
    """`address` itself, or for a link-local one without an adapter, one address for each adapter of
    this machine."""
    if not is_of_unknown_link(address.host):
        return (address,)
    try:
        return scoped_addresses(address, own_interfaces())
    except OSError:
        return (address,)


def is_of_unknown_link(host: str) -> bool:
    """Whether `host` is a link-local IPv6 address that names no adapter."""
    try:
        number = IPv6Address(host)
    except ValueError:
        return False
    return number.is_link_local and number.scope_id is None


def zone_of(interface: Interface) -> str | None:
    """The adapter that a link-local IPv6 address names; None for any other address."""
    return interface.scope_id if isinstance(interface, IPv6Interface) else None


def interfaces_of(adapter: Adapter) -> list[Interface]:
    """The addresses of an adapter, with their networks."""
    return [_interface(ip.ip, ip.network_prefix) for ip in adapter.ips]


def _interface(ip: str | tuple[str, int, int], prefix: int) -> Interface:
    if isinstance(ip, str):
        return IPv4Interface(f"{ip}/{prefix}")
    from spoof_tui import system

    number, scope = _unpacked(IPv6Address(ip[0]), ip[2])
    zone = f"%{system.zone(scope)}" if number.is_link_local else ""
    return IPv6Interface(f"{number}{zone}/{prefix}")


def _unpacked(number: IPv6Address, scope: int) -> tuple[IPv6Address, int]:
    """The address, and the number of its adapter, which systems such as macOS may store inside the
    address."""
    inside = int(number) & _SCOPE_BYTES if number.is_link_local else 0
    return IPv6Address(int(number) - inside), scope or inside >> _SCOPE_SHIFT


def is_virtual(adapter: Adapter) -> bool:
    """Whether an adapter belongs to containers, virtual machines or a tunnel."""
    names = {str(adapter.nice_name), *(str(ip.nice_name) for ip in adapter.ips)}
    return any(_VIRTUAL.search(name) for name in names)


def is_public(host: str) -> bool:
    """Whether `host` is an IPv4 address that means the same machine when it is used on another
    one."""
    try:
        number = IPv4Address(host)
    except AddressValueError:
        return False
    return not (number.is_loopback or number.is_unspecified or number.is_multicast)


def place_of(host: str) -> str:
    """The key by which requests from `host` are counted when they are limited per address.

    All IPv6 addresses of a network count as one, because one machine can use any of them.
    """
    try:
        number = IPv6Address(host.partition("%")[0])
    except AddressValueError:
        return host
    return str(number.ipv4_mapped or IPv6Network((number, _ONE_NETWORK), strict=False))
