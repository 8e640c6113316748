"""What an examination of the network has seen: plain values, which tests can make up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from ipaddress import IPv4Interface, IPv6Interface
from typing import TYPE_CHECKING

from spoof_tui.network.addresses import Address, Interface

if TYPE_CHECKING:
    from spoof_tui.network.probe import Failure


@dataclass(frozen=True, slots=True)
class Adapter:
    """One network that this machine is on; not loopback."""

    name: str
    interfaces: tuple[Interface, ...]
    """Its addresses; empty if it has none."""
    is_virtual: bool = False
    """Whether it belongs to containers, virtual machines or a tunnel."""
    has_carrier: bool | None = None
    """Whether it is plugged in; None if the system does not say."""

    @property
    def networks(self) -> tuple[IPv4Interface, ...]:
        """Its IPv4 addresses, except those that the machine gave itself for lack of a
        better one."""
        four = (each for each in self.interfaces if isinstance(each, IPv4Interface))
        return tuple(each for each in four if not each.is_link_local)

    @property
    def has_ipv6(self) -> bool:
        """Whether it has any IPv6 address."""
        return any(isinstance(each, IPv6Interface) for each in self.interfaces)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of connecting to an address."""

    address: Address
    failure: Failure | None = None
    """Why no table greeted; None if one did."""
    protocol: int = 0
    """Version of the table's protocol; 0 if none greeted."""
    program: str = ""
    """Version of the table's program."""
    seconds: float | None = None
    """How long a round trip took; None if there was no connection."""
    table: bytes = b""
    """The first bytes of the id of the table there; empty if unknown."""
    is_heard: bool = False
    """Whether a table at this address was heard by datagrams."""
    is_public: bool = False
    """Whether it was heard by multicast or broadcast."""
    is_near: bool = False
    """Whether the address is on a network of this machine."""
    is_there: bool | None = None
    """Whether the machine itself answers on its network; None if the system does not say."""


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """The quality of the link to the table, measured by single questions."""

    asked: int
    answered: int
    """How many of them were answered in time."""
    round_trip: float | None
    """Median seconds from a question to its answer; None if there was none."""

    @property
    def loss(self) -> float:
        """The share of the questions that were not answered."""
        return (self.asked - self.answered) / self.asked if self.asked else 0.0


class FirewallKind(Enum):
    """A firewall that a user knows by name."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"
    IPTABLES = "iptables"
    MACOS = "macOS"
    WINDOWS = "Windows"


@dataclass(frozen=True, slots=True)
class Firewall:
    """The firewall of this machine."""

    kind: FirewallKind
    is_on: bool | None = None
    """Whether it is active; None if that cannot be told without the rights to change it."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """What this program's table has noticed about other machines."""

    port: int
    """The port it listens on."""
    lookers: frozenset[str] = frozenset()
    """Other machines that ask for tables."""
    visitors: frozenset[str] = frozenset()
    """Other machines that have connected."""


@dataclass(frozen=True, slots=True)
class Observations:
    """Everything that was seen. By default a field says that all is well."""

    adapters: tuple[Adapter, ...] = ()
    target: Address | None = None
    """The address that somebody typed."""
    attempts: tuple[Attempt, ...] = ()
    """One for each address at which a table may be."""
    has_asked: bool = False
    """Whether a question to everybody could be sent."""
    hears_itself: bool = False
    """Whether it came back to this machine, as it does unless something drops it."""
    answered: frozenset[str] = frozenset()
    """Other machines that answered it."""
    others: frozenset[str] = frozenset()
    """Other machines on which somebody was heard playing or looking for a table."""
    is_forbidden: bool = False
    """Whether the system refused to send."""
    detours: tuple[tuple[str, str], ...] = ()
    """Networks of this machine that are reached through another adapter: the network, and which."""
    is_intercepted: bool = False
    """Whether a web page comes from an address that nobody can have."""
    shares_port: bool = True
    """Whether the port on which tables and lobbies notice each other can be shared with other
    programs."""
    firewall: Firewall | None = None
    figures: LinkFigures | None = None
    """The link to the target; None if nothing was measured."""
    hosting: OwnTable | None = None
    """The table that this program hosts."""

    @property
    def reached(self) -> tuple[Attempt, ...]:
        """Where a table greets."""
        return tuple(each for each in self.attempts if each.failure is None)

    @property
    def tables(self) -> tuple[Address, ...]:
        """The first address at which each table answered."""
        found: dict[object, Address] = {}
        for each in self.reached:
            found.setdefault(each.table or each.address, each.address)
        return tuple(found.values())
