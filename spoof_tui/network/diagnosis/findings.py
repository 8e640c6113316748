"""What an examination finds, as values that a program can read; the sentences are in `telling`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.observations import Firewall


class Severity(IntEnum):
    """How serious a finding is."""

    NOTE = 0
    """Good to know: everything works."""
    WARNING = 1
    """Some tables may be impossible to find or to reach."""
    PROBLEM = 2
    """Tables cannot be found or reached."""


class Code(Enum):
    """The kind of a finding; the values do not change from one version to the next.

    Among equally severe findings, the one that explains the others comes first here.
    """

    NO_CARRIER = "no-carrier"
    NO_ADDRESS = "no-address"
    CAPTIVE = "captive"
    SENDING_FORBIDDEN = "sending-forbidden"
    NO_IPV4 = "no-ipv4"
    NO_IPV6 = "no-ipv6"
    VPN = "vpn"
    ISOLATED = "isolated"
    OWN_FIREWALL = "own-firewall"
    OWN_FIREWALL_BLOCKS_GUESTS = "own-firewall-blocks-guests"
    OTHER_VERSION = "other-version"
    HOST_REFUSES = "host-refuses"
    HOST_SILENT = "host-silent"
    TABLE_FULL = "table-full"
    OTHER_ADDRESS = "other-address"
    NO_TABLE = "no-table"
    NOT_A_TABLE = "not-a-table"
    SLOW_LINK = "slow-link"
    TABLE_HANGS = "table-hangs"
    OTHER_NETWORK = "other-network"
    NOBODY_THERE = "nobody-there"
    NAME_UNKNOWN = "name-unknown"
    DISCOVERY_FILTERED = "discovery-filtered"
    LOSSY_LINK = "lossy-link"
    PORT_TAKEN = "port-taken"
    SEVERAL_NETWORKS = "several-networks"
    FIREWALL_ON = "firewall-on"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that an examination of the network has found."""

    code: Code
    severity: Severity
    address: Address | None = None
    """The address that the finding is about; None if it is not about one."""
    names: tuple[str, ...] = ()
    """The adapters, networks, machines or players that the finding is about, depending on the
    code."""
    figure: float | None = None
    """Seconds, a fraction or a number, depending on the code; None if the code has no figure. For
    several networks it is the number of those on which others are heard, which come first in
    `names`."""
    version: str = ""
    """Protocol and program version of the table; empty unless the code is about that."""
    firewall: Firewall | None = None
    """The firewall of this machine, if one is known."""
    machine: str = ""
    """The name of this machine on its network, if what keeps it from others is found on it; may be
    empty."""
