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
    """A network adapter of this machine, other than loopback."""

    name: str
    interfaces: tuple[Interface, ...]
    """Its addresses; empty if it has none."""
    is_virtual: bool = False
    """Whether it belongs to containers, virtual machines or a tunnel."""
    has_carrier: bool | None = None
    """Whether it is plugged in; None if the system does not say."""

    @property
    def networks(self) -> tuple[IPv4Interface, ...]:
        """The IPv4 addresses of this adapter, without link-local ones (169.254.x.x), which a
        machine gives itself if it gets no other."""
        four = (each for each in self.interfaces if isinstance(each, IPv4Interface))
        return tuple(each for each in four if not each.is_link_local)

    @property
    def has_ipv6(self) -> bool:
        """Whether it has any IPv6 address."""
        return any(isinstance(each, IPv6Interface) for each in self.interfaces)


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of trying to connect to an address."""

    address: Address
    failure: Failure | None = None
    """Why no table greeted; None if one did."""
    protocol: int = 0
    """Version of the table's protocol; 0 if none greeted."""
    program: str = ""
    """Version of the table's program."""
    seconds: float | None = None
    """Seconds that a round trip took; None if there was no connection."""
    table: bytes = b""
    """The first bytes of the id of the table there; empty if unknown."""
    is_heard: bool = False
    """Whether a beacon of a table at this address was heard."""
    is_public: bool = False
    """Whether that beacon came by multicast or broadcast, and not only in answer to this
    machine."""
    is_near: bool = False
    """Whether the address is on a network of this machine."""
    is_there: bool | None = None
    """Whether the machine answers ARP requests on its network; None if the system does not say."""


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """The quality of the link to a table, measured by questions in single datagrams."""

    asked: int
    answered: int
    """Number of questions that were answered in time."""
    round_trip: float | None
    """Median seconds from a question to its answer; None if there was none."""

    @property
    def loss(self) -> float:
        """The share of the questions that were not answered; 0 if none were asked."""
        return (self.asked - self.answered) / self.asked if self.asked else 0.0


class FirewallKind(Enum):
    """The firewalls that users know by name."""

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
    """Hosts of other machines that ask for tables."""
    visitors: frozenset[str] = frozenset()
    """Hosts of other machines that have connected."""


@dataclass(frozen=True, slots=True)
class Observations:
    """Everything that an examination has seen; by default nothing was observed."""

    adapters: tuple[Adapter, ...] = ()
    target: Address | None = None
    """The address that the player typed; None if they typed none."""
    attempts: tuple[Attempt, ...] = ()
    """One attempt for each address at which a table may be."""
    has_asked: bool = False
    """Whether a question to everybody could be sent."""
    hears_itself: bool = False
    """Whether that question came back to this machine, as it does unless something drops it."""
    answered: frozenset[str] = frozenset()
    """Hosts of other machines that answered the question."""
    others: frozenset[str] = frozenset()
    """Hosts of other machines on which somebody was heard playing or looking for a table."""
    is_forbidden: bool = False
    """Whether the system refused to send."""
    detours: tuple[tuple[str, str], ...] = ()
    """Networks of this machine that it reaches through an adapter of another network: the network,
    and the name of that adapter."""
    is_intercepted: bool = False
    """Whether an address that nobody has answers with a web page."""
    shares_port: bool = True
    """Whether the port of the beacons could be opened beside other programs."""
    firewall: Firewall | None = None
    machine: str = ""
    """The name of this machine on its network; may be empty."""
    figures: LinkFigures | None = None
    """The quality of the link to the target; None if it was not measured."""
    hosting: OwnTable | None = None
    """What the table that this program hosts has noticed; None if there is none."""

    @property
    def reached(self) -> tuple[Attempt, ...]:
        """The attempts at which a table greeted."""
        return tuple(each for each in self.attempts if each.failure is None)

    @property
    def tables(self) -> tuple[Address, ...]:
        """One address of each table that greeted: the first at which it did."""
        found: dict[object, Address] = {}
        for each in self.reached:
            found.setdefault(each.table or each.address, each.address)
        return tuple(found.values())
