"""Observations of a network on which all is well, to be spoiled by tests."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv6Interface

from protocol.version import PROTOCOL
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.observations import Adapter, Attempt, Observations, Way

WIFI = Adapter(
    "wlan0",
    (IPv4Interface("192.168.1.5/24"), IPv6Interface("fe80::5%wlan0/64")),
    has_carrier=True,
)
HOST = Address("192.168.1.20", 7763)
OTHER = Address("192.168.1.21", 7763)
TABLE, ANOTHER = b"one", b"two"

GREETED = Attempt(
    HOST,
    protocol=PROTOCOL,
    program="0.2.0",
    seconds=0.01,
    table=TABLE,
    is_heard=True,
    is_public=True,
    is_near=True,
    is_there=True,
    through="wlan0",
)
WAYS = frozenset(Way)
WELL = Observations(
    adapters=(WIFI,),
    attempts=(GREETED,),
    sent=WAYS,
    returned=WAYS,
    answered={way: frozenset({HOST.host}) for way in Way},
)
"""A table is on the network, and everything leads to it."""

ALONE = Observations(adapters=(WIFI,), sent=WAYS, returned=WAYS)
"""Nobody else is there."""
