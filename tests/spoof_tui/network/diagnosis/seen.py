"""Observations of a network, as they are written in `cases.json`."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_interface
from typing import Any, Final

from protocol.version import PROTOCOL
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.diagnosis.observations import (
    Adapter,
    Attempt,
    Firewall,
    FirewallKind,
    LinkFigures,
    Observations,
    OwnTable,
)
from spoof_tui.network.probe import Failure

WIFI: Final = Adapter(
    "wlan0", (ip_interface("192.168.1.5/24"), ip_interface("fe80::5%wlan0/64")), has_carrier=True
)
HOST: Final = Address("192.168.1.20", 7763)
GREETED: Final = Attempt(
    HOST, None, PROTOCOL, "0.2.0", 0.01, b"one",
    is_heard=True, is_public=True, is_near=True, is_there=True,
)  # fmt: skip
ALONE: Final = Observations(adapters=(WIFI,), has_asked=True, hears_itself=True)
"""Nobody else is there."""

WELL: Final = replace(ALONE, attempts=(GREETED,), answered=frozenset({HOST.host}))
"""A table is on the network, and everything leads to it."""

LIKE: Final[dict[str, Any]] = {
    "well": WELL,
    "alone": ALONE,
    "greeted": GREETED,
    "unheard": Attempt(HOST),
    "wlan0": WIFI,
    "other": Adapter("", ()),
}


def read(field: str, value: Any) -> Any:
    """The value under this name in a case."""
    match field, value:
        case (("target" | "address"), str()):
            return Address.parse(value)
        case (("adapters" | "attempts" | "interfaces" | "detours"), list()):
            return tuple(read("", each) for each in value)
        case (("others" | "lookers" | "visitors" | "answered"), list()):
            return frozenset(value)
        case "hosting", dict():
            return OwnTable(**{name: read(name, each) for name, each in value.items()})
        case "firewall", [kind, is_on]:
            return Firewall(FirewallKind[kind], is_on)
        case "figures", list():
            return LinkFigures(*value)
        case "failure", str():
            return Failure[value]
        case "table", str():
            return value.encode()
        case "", str() if "/" in value:
            return ip_interface(value)
        case "", list():
            return tuple(value)
        case _, dict():
            changes = {name: read(name, each) for name, each in value.items() if name != "like"}
            return replace(LIKE[value["like"]], **changes)
    return value


def told(finding: Finding) -> str:
    """A finding as one line."""
    words = (
        finding.severity.name.lower(),
        finding.code.value,
        finding.address.text if finding.address else None,
        ", ".join(finding.names) or None,
        None if finding.figure is None else f"{finding.figure:g}",
        finding.version or None,
        finding.firewall.kind.value if finding.firewall else None,
    )
    return " ".join(filter(None, words))
