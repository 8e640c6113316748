"""Draws conclusions from observations of the network, as a pure function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from protocol.version import PROTOCOL
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.diagnosis.observations import (
    Adapter,
    Attempt,
    Observations,
)
from spoof_tui.network.probe import Failure

SLOW: Final = 0.3
"""Seconds per round trip from which on a link feels slow to a player."""

LOSSY: Final = 0.1
"""The share of lost datagrams from which on a link counts as lossy."""

HEAVY: Final = 0.2
"""The share of lost datagrams that explains a failed connection, for which two or three packets are
sent."""

MIN_ASKED: Final = 5
"""Minimum number of questions from which a loss rate can be estimated."""

_SILENCES: Final = (Failure.SILENT, Failure.UNREACHABLE)
_PLACES: Final = {code: place for place, code in enumerate(Code)}


def judge(seen: Observations) -> tuple[Finding, ...]:
    """The findings from these observations, the worst and likeliest first; empty if all is well.

    Each code comes once for each address or set of names that it is about.
    """
    if network := _without_network(seen):
        return network
    findings = [
        *_of_addresses(seen),
        *_of_isolation(seen),
        *_of_sending(seen),
        *_of_routes(seen),
        *_of_discovery(seen),
        *_of_hosting(seen),
        *_of_link(seen),
        *_of_machine(seen),
    ]
    findings += _of_silence(seen, findings)
    return tuple(sorted(dict.fromkeys(findings), key=_rank))


def _rank(finding: Finding) -> tuple[int, int]:
    return -finding.severity, _PLACES[finding.code]


# This machine's network


def is_on_network(adapters: Sequence[Adapter]) -> bool:
    """Whether a machine with these adapters is on any network."""
    return any(each.interfaces and each.has_carrier is not False for each in adapters)


def _without_network(seen: Observations) -> tuple[Finding, ...]:
    """A finding if this machine is not on a network; then nothing else can be known."""
    outer = [each for each in seen.adapters if not each.is_virtual]
    if is_on_network(seen.adapters) or (seen.target and seen.target.is_loopback):
        return ()
    names = tuple(each.name for each in outer or seen.adapters)
    plugged = [each for each in seen.adapters if each.has_carrier]
    code = Code.NO_ADDRESS if plugged else Code.NO_CARRIER
    return (Finding(code, Severity.PROBLEM, names=names),)


def _of_addresses(seen: Observations) -> Iterator[Finding]:
    """Findings that this machine lacks IPv4 or IPv6."""
    target = _number(seen.target)
    has_four = any(each.networks for each in seen.adapters)
    if not has_four and isinstance(target, IPv4Address) and not target.is_loopback:
        yield Finding(Code.NO_IPV4, Severity.PROBLEM, seen.target)
    elif not has_four and seen.adapters and not _has_success(seen):
        yield Finding(Code.NO_IPV4, Severity.WARNING)
    is_six = target is not None and target.version == 6 and not target.is_loopback
    if is_six and seen.adapters and not any(each.has_ipv6 for each in seen.adapters):
        yield Finding(Code.NO_IPV6, Severity.PROBLEM, seen.target)


def _of_routes(seen: Observations) -> Iterator[Finding]:
    if seen.detours and not _has_success(seen):
        networks, adapters = zip(*seen.detours, strict=True)
        names = tuple(dict.fromkeys((*adapters, *networks)))
        yield Finding(Code.VPN, Severity.PROBLEM, names=names)
    several = [each for each in seen.adapters if each.networks and not each.is_virtual]
    networks_here = {str(one.network) for each in several for one in each.networks}
    if len(several) > 1 and len(networks_here) > 1 and not _has_success(seen):
        # Those on which somebody is heard come first.
        several.sort(key=lambda each: not _is_peopled(each, seen))
        peopled = sum(_is_peopled(each, seen) for each in several)
        names = tuple(f"{each.name} {each.networks[0].with_prefixlen}" for each in several)
        yield Finding(Code.SEVERAL_NETWORKS, Severity.NOTE, names=names, figure=peopled)


def _is_peopled(adapter: Adapter, seen: Observations) -> bool:
    """Whether another machine is heard on a network of an adapter."""
    near = [host for host in seen.others if host.endswith(f"%{adapter.name}")]
    numbers = [_number(Address(host, 1)) for host in seen.others if "%" not in host]
    return bool(near) or any(n in one.network for n in numbers if n for one in adapter.interfaces)


def _of_sending(seen: Observations) -> Iterator[Finding]:
    """Findings that datagrams cannot leave this machine or reach it."""
    severity = Severity.WARNING if _has_success(seen) else Severity.PROBLEM
    if seen.is_forbidden:
        yield Finding(
            Code.SENDING_FORBIDDEN, severity, firewall=seen.firewall, machine=seen.machine
        )
    elif seen.has_asked and seen.shares_port and not seen.hears_itself:
        yield Finding(Code.OWN_FIREWALL, severity, firewall=seen.firewall, machine=seen.machine)


def _of_discovery(seen: Observations) -> Iterator[Finding]:
    """A finding if the network does not pass on what is sent to everybody."""
    far = [each for each in seen.reached if not _is_own(each.address, seen)]
    is_heard = bool(seen.answered) or any(each.is_public for each in far)
    if far and seen.has_asked and seen.hears_itself and not is_heard:
        yield Finding(Code.DISCOVERY_FILTERED, Severity.WARNING, far[0].address)


# Other machines


def _of_hosting(seen: Observations) -> Iterator[Finding]:
    for attempt in seen.attempts:
        if found := _of_attempt(attempt, seen):
            yield found
    hosting = seen.hosting
    if hosting is None:
        return
    # A machine may look for tables with one family of addresses and connect with the other.
    shut_out = [] if hosting.visitors else sorted(hosting.lookers, key=lambda each: ":" in each)
    if shut_out:
        yield Finding(
            Code.OWN_FIREWALL_BLOCKS_GUESTS,
            Severity.WARNING,
            Address(shut_out[0], hosting.port),
            tuple(shut_out),
            firewall=seen.firewall,
            machine=seen.machine,
        )


def _of_attempt(attempt: Attempt, seen: Observations) -> Finding | None:
    """Why no table greets at an address; None if one does, or another finding explains it."""
    is_target = attempt.address == seen.target
    severity = Severity.PROBLEM if is_target or attempt.is_heard else Severity.WARNING
    if attempt.failure is None:
        if attempt.protocol in (0, PROTOCOL):
            return None
        version = f"{attempt.protocol} ({attempt.program})"
        return Finding(Code.OTHER_VERSION, severity, attempt.address, version=version)
    if not is_target and (_is_another_way(attempt, seen) or attempt in _isolated(seen)):
        return None
    if _is_explained(attempt, seen):
        return None
    code = _why(attempt, seen)
    names: tuple[str, ...] = ()
    if code is Code.OTHER_ADDRESS:
        names = tuple(each.address.text for each in _elsewhere(attempt, seen))
    elif code is Code.OTHER_NETWORK:
        names = tuple(str(one.network) for each in seen.adapters for one in each.networks)
    return Finding(code, severity, attempt.address, names)


def _why(attempt: Attempt, seen: Observations) -> Code:
    """The code for an address at which no table greets."""
    failure = attempt.failure
    if failure is Failure.BUSY:
        return Code.TABLE_FULL
    if failure is Failure.NO_TABLE:
        return Code.CAPTIVE if seen.is_intercepted else Code.NOT_A_TABLE
    if _elsewhere(attempt, seen):
        return Code.OTHER_ADDRESS
    if failure is Failure.REFUSED:
        return Code.HOST_REFUSES if attempt.is_heard else Code.NO_TABLE
    if attempt.seconds is not None:
        return Code.TABLE_HANGS
    if attempt.is_heard:
        return Code.HOST_SILENT
    return _why_silent(attempt, seen)


def _why_silent(attempt: Attempt, seen: Observations) -> Code:
    """The code for an address that is silent, and from which no table was heard."""
    if attempt.is_there:
        return Code.HOST_SILENT
    number = _number(attempt.address)
    if number is None and attempt.failure is Failure.UNREACHABLE:
        return Code.NAME_UNKNOWN
    if number is not None and not attempt.is_near:
        return Code.CAPTIVE if seen.is_intercepted else Code.OTHER_NETWORK
    return Code.NOBODY_THERE


def _elsewhere(attempt: Attempt, seen: Observations) -> list[Attempt]:
    """The successful attempts at other addresses of the same table, or of the same machine."""

    def is_same(other: Attempt) -> bool:
        same_table = bool(other.table) and other.table == attempt.table
        same_host = other.address.host == attempt.address.host
        are_own = _is_own(other.address, seen) and _is_own(attempt.address, seen)
        return same_table or same_host or are_own

    found: dict[object, Attempt] = {}
    for each in filter(is_same, seen.reached):
        found.setdefault(each.table or each.address, each)
    return list(found.values())


def _is_another_way(attempt: Attempt, seen: Observations) -> bool:
    """Whether the same table greets at another address, or was tried there before."""
    if _elsewhere(attempt, seen):
        return True
    before = seen.attempts[: seen.attempts.index(attempt)]
    return bool(attempt.table) and any(each.table == attempt.table for each in before)


def _is_explained(attempt: Attempt, seen: Observations) -> bool:
    """Whether another finding explains why an address is silent."""
    # Something that answers at another address would perhaps have answered here, too.
    enough = LOSSY if _elsewhere(attempt, seen) else HEAVY
    if attempt.failure is Failure.SILENT and _loses(seen, enough):
        return True
    number = _number(attempt.address)
    if number is None or attempt.failure not in _SILENCES or attempt.is_heard:
        return False
    has_four = any(each.networks for each in seen.adapters)
    has_six = any(each.has_ipv6 for each in seen.adapters)
    lacks_family = not (has_four if number.version == 4 else has_six)
    return lacks_family or bool(seen.detours) or seen.is_forbidden


def _unreachable(seen: Observations) -> dict[bytes, Attempt]:
    """The attempts at tables that send beacons to everybody but cannot be connected to, by the
    first bytes of the table id."""
    silent = [each for each in seen.attempts if each.is_public and each.failure in _SILENCES]
    return {each.table: each for each in silent if each.seconds is None}


def _isolated(seen: Observations) -> list[Attempt]:
    """The attempts whose failure is explained by `ISOLATED`."""
    return list(_unreachable(seen).values()) if _is_isolated(seen) else []


def _is_isolated(seen: Observations) -> bool:
    """Whether several tables are heard, but none can be reached."""
    return len(_unreachable(seen)) > 1 and _has_no_success(seen)


def _of_isolation(seen: Observations) -> Iterator[Finding]:
    if _is_isolated(seen):
        hosts = sorted({each.address.host for each in _unreachable(seen).values()})
        yield Finding(Code.ISOLATED, Severity.PROBLEM, names=tuple(hosts))


def _of_silence(seen: Observations, found: Sequence[Finding]) -> Iterator[Finding]:
    """A finding if nothing at all is heard and no other finding explains it."""
    is_known = any(each.severity for each in found)
    nobody = not seen.answered and _has_no_success(seen)
    if seen.is_intercepted and nobody and not any(each.code is Code.CAPTIVE for each in found):
        yield Finding(Code.CAPTIVE, Severity.PROBLEM)
    elif nobody and not is_known and not seen.attempts and seen.hosting is None:
        yield Finding(Code.QUIET, Severity.NOTE)


# The link and the machine


def _of_link(seen: Observations) -> Iterator[Finding]:
    figures = seen.figures
    measured = [each.seconds for each in seen.attempts if each.seconds is not None]
    if figures and figures.round_trip is not None:
        measured.append(figures.round_trip)
    if measured and min(measured) >= SLOW:
        yield Finding(Code.SLOW_LINK, Severity.WARNING, seen.target, figure=min(measured))
    if figures and _loses(seen, LOSSY):
        is_in_vain = figures.loss >= HEAVY and _has_no_success(seen)
        severity = Severity.PROBLEM if is_in_vain else Severity.WARNING
        yield Finding(Code.LOSSY_LINK, severity, seen.target, figure=figures.loss)


def _loses(seen: Observations, part: float) -> bool:
    """Whether at least this part of the packets to the target is lost; False if too few questions
    were asked."""
    figures = seen.figures
    # A datagram for this machine alone is heard by only one of its programs.
    is_here = seen.target is not None and _is_own(seen.target, seen)
    if is_here or not figures or figures.asked < MIN_ASKED:
        return False
    return bool(figures.answered) and figures.loss >= part


def _of_machine(seen: Observations) -> Iterator[Finding]:
    """Other findings about this machine: its port, and its firewall."""
    if not seen.shares_port:
        yield Finding(Code.PORT_TAKEN, Severity.WARNING)
    if seen.firewall and seen.firewall.is_on and not _has_success(seen):
        yield Finding(Code.FIREWALL_ON, Severity.NOTE, firewall=seen.firewall, machine=seen.machine)


# Reading observations


def _has_success(seen: Observations) -> bool:
    """Whether what was wanted works: a table answers at the target, or without a target anywhere
    else."""
    found = [each for each in seen.reached if each.protocol in (0, PROTOCOL)]
    if seen.target is not None:
        return any(each.address == seen.target for each in found)
    visited = seen.hosting is not None and bool(seen.hosting.visitors)
    return visited or any(not _is_own(each.address, seen) for each in found)


def _has_no_success(seen: Observations) -> bool:
    return not any(not _is_own(each.address, seen) for each in seen.reached)


def _is_own(address: Address, seen: Observations) -> bool:
    number = _number(address)
    if number is None:
        return address.host == "localhost"
    own = {one.ip for each in seen.adapters for one in each.interfaces}
    return number.is_loopback or number in own


def _number(address: Address | None) -> IPv4Address | IPv6Address | None:
    """The number of an address; None for a name, or without an address."""
    try:
        return ip_address(address.host) if address else None
    except ValueError:
        return None
