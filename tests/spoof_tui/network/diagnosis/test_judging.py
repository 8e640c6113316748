"""What observations mean: one named case for each trouble, and laws for all of them."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Interface, IPv6Interface

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Severity
from spoof_tui.network.diagnosis.judging import judge
from spoof_tui.network.diagnosis.observations import (
    Adapter,
    Attempt,
    Firewall,
    FirewallKind,
    Hosting,
    LinkFigures,
    Observations,
    Way,
)
from spoof_tui.network.probe import Failure
from tests.spoof_tui.network.diagnosis.seen import (
    ALONE,
    ANOTHER,
    GREETED,
    HOST,
    OTHER,
    TABLE,
    WAYS,
    WELL,
    WIFI,
)

SILENT = replace(GREETED, failure=Failure.SILENT, seconds=None)
REFUSED = replace(GREETED, failure=Failure.REFUSED, seconds=None)
UNHEARD = Attempt(HOST, Failure.SILENT, is_near=True)
TYPED = replace(ALONE, target=HOST)
HERE = Address("127.0.0.1", 7763)
FAR = Address("10.9.9.9", 7763)


def first(seen: Observations) -> Code | None:
    return next((each.code for each in judge(seen)), None)


def codes(seen: Observations) -> list[Code]:
    return [each.code for each in judge(seen)]


# All is well


@pytest.mark.parametrize(
    "seen",
    [
        WELL,
        replace(WELL, target=HOST),
        replace(WELL, sent=frozenset({Way.GROUP, Way.EVERYBODY})),
        replace(WELL, returned=frozenset({Way.EVERYBODY})),
        replace(WELL, adapters=(WIFI, Adapter("docker0", (), is_virtual=True))),
        replace(WELL, adapters=(WIFI, Adapter("eth0", (), has_carrier=False))),
        replace(WELL, detours=(("192.168.1.0/24", "wg0"),)),
        replace(WELL, is_intercepted=True),
        replace(WELL, figures=LinkFigures(10, 10, 0.02)),
        replace(
            WELL, hosting=Hosting(7763, frozenset({"192.168.1.9"}), frozenset({"192.168.1.9"}))
        ),
        replace(WELL, firewall=Firewall(FirewallKind.UFW, is_on=True)),
        replace(ALONE, hosting=Hosting(7763)),
        replace(ALONE, target=HERE, adapters=(), attempts=(replace(GREETED, address=HERE),)),
        replace(
            ALONE,
            target=HERE,
            attempts=(replace(GREETED, address=HERE),),
            figures=LinkFigures(10, 7, 0.1),
        ),
    ],
)
def test_a_network_on_which_all_is_well_has_no_finding(seen: Observations) -> None:
    assert judge(seen) == ()


def test_where_nobody_is_heard_only_that_is_noted() -> None:
    assert codes(ALONE) == [Code.QUIET]


# Each trouble by itself


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        (replace(ALONE, adapters=()), Code.NO_CARRIER),
        (replace(ALONE, adapters=(replace(WIFI, has_carrier=False),)), Code.NO_CARRIER),
        (replace(ALONE, adapters=(replace(WIFI, interfaces=()),)), Code.NO_ADDRESS),
        (replace(ALONE, returned=frozenset()), Code.OWN_FIREWALL),
        (replace(TYPED, returned=frozenset(), attempts=(UNHEARD,)), Code.OWN_FIREWALL),
        (replace(ALONE, sent=frozenset(), is_forbidden=True), Code.SENDING_FORBIDDEN),
        (replace(TYPED, attempts=(replace(UNHEARD, is_there=True),)), Code.HOST_SILENT),
        (replace(ALONE, attempts=(SILENT,)), Code.HOST_SILENT),
        (replace(TYPED, attempts=(SILENT,)), Code.HOST_SILENT),
        (replace(ALONE, attempts=(REFUSED,)), Code.HOST_REFUSES),
        (replace(TYPED, attempts=(Attempt(HOST, Failure.REFUSED),)), Code.NO_TABLE),
        (replace(TYPED, attempts=(replace(UNHEARD, is_there=False),)), Code.NOBODY_THERE),
        (replace(TYPED, attempts=(UNHEARD,)), Code.NOBODY_THERE),
        (replace(TYPED, attempts=(Attempt(HOST, Failure.BUSY, seconds=0.1),)), Code.TABLE_FULL),
        (replace(TYPED, attempts=(Attempt(HOST, Failure.NO_TABLE),)), Code.NOT_A_TABLE),
        (replace(TYPED, attempts=(replace(UNHEARD, seconds=0.1),)), Code.TABLE_HANGS),
        (replace(WELL, attempts=(replace(GREETED, protocol=99),)), Code.OTHER_VERSION),
        (replace(ALONE, is_intercepted=True), Code.CAPTIVE),
        (replace(ALONE, detours=(("192.168.1.0/24", "wg0"),)), Code.VPN),
        (replace(ALONE, shares_port=False), Code.PORT_TAKEN),
        (replace(ALONE, shares_mdns=False), Code.MDNS_TAKEN),
        (replace(WELL, stalled=3.0), Code.SLEPT),
        (replace(WELL, clock_moved=-3600.0), Code.CLOCK_MOVED),
        (replace(WELL, attempts=(replace(GREETED, seconds=0.8),)), Code.SLOW_LINK),
        (replace(WELL, target=HOST, figures=LinkFigures(10, 7, 0.1)), Code.LOSSY_LINK),
        (replace(ALONE, hosting=Hosting(9999)), Code.PORT_TAKEN),
        (replace(ALONE, hosting=Hosting(7763, apart=(("Ben", "Cy"),))), Code.GUESTS_APART),
    ],
)
def test_a_trouble_is_found_first(seen: Observations, code: Code) -> None:
    assert first(seen) is code


def test_what_a_sleeping_machine_missed_was_not_lost() -> None:
    lossy = replace(WELL, target=HOST, figures=LinkFigures(10, 7, 0.1))
    assert codes(replace(lossy, stalled=3.0)) == [Code.SLEPT]
    assert first(replace(lossy, stalled=1.0)) is Code.LOSSY_LINK


@pytest.mark.parametrize("connected", [None, 0.1])
def test_where_many_packets_are_lost_nothing_else_explains_that_an_address_is_silent(
    connected: float | None,
) -> None:
    lost = Attempt(OTHER, Failure.SILENT, seconds=connected, table=GREETED.table)
    alone = replace(WELL, target=OTHER, attempts=(lost,))
    few, many = (replace(alone, figures=LinkFigures(20, 20 - n, 0.1)) for n in (3, 4))
    assert codes(few)[0] is not Code.LOSSY_LINK
    assert codes(many)[0] is Code.LOSSY_LINK
    assert judge(many)[0].severity is Severity.PROBLEM


def test_a_call_that_was_lost_on_the_way_asks_for_no_other_address() -> None:
    lost = Attempt(OTHER, Failure.SILENT, table=GREETED.table)
    typed = replace(WELL, target=OTHER, attempts=(lost, GREETED))
    assert codes(replace(typed, figures=LinkFigures(20, 19, 0.1))) == [Code.OTHER_ADDRESS]
    assert codes(replace(typed, figures=LinkFigures(20, 18, 0.1))) == [Code.LOSSY_LINK]


def test_a_name_that_nobody_has_is_told() -> None:
    where = Address("annas-laptop", 7763)
    unknown = replace(TYPED, target=where, attempts=(Attempt(where, Failure.UNREACHABLE),))
    assert first(unknown) is Code.NAME_UNKNOWN


def test_an_address_of_another_network_is_told_with_the_own_ones() -> None:
    seen = replace(TYPED, target=FAR, attempts=(Attempt(FAR, Failure.SILENT),))
    finding = judge(seen)[0]
    assert (finding.code, finding.names) == (Code.OTHER_NETWORK, ("192.168.1.0/24",))


def test_a_sign_in_page_explains_a_far_silence() -> None:
    seen = replace(TYPED, target=FAR, attempts=(Attempt(FAR, Failure.SILENT),), is_intercepted=True)
    assert codes(seen) == [Code.CAPTIVE]


def test_a_typed_port_that_is_wrong_leads_to_the_right_one() -> None:
    wrong = Attempt(Address(HOST.host, 9), Failure.REFUSED, is_near=True)
    seen = replace(WELL, target=wrong.address, attempts=(wrong, GREETED))
    assert judge(seen)[0].names == (HOST.text,)
    assert codes(seen) == [Code.OTHER_ADDRESS]


def test_a_table_that_answers_elsewhere_is_not_missed_at_its_other_address() -> None:
    link_local = replace(GREETED, address=Address("fe80::20%wlan0", 7763), failure=Failure.SILENT)
    assert judge(replace(WELL, attempts=(GREETED, link_local))) == ()


def test_one_table_at_two_addresses_is_told_once() -> None:
    link_local = replace(SILENT, address=Address("fe80::20%wlan0", 7763))
    assert codes(replace(ALONE, attempts=(SILENT, link_local))) == [Code.HOST_SILENT]


def test_two_tables_that_are_heard_and_silent_mean_that_devices_are_kept_apart() -> None:
    other = replace(SILENT, address=OTHER, table=ANOTHER)
    assert codes(replace(ALONE, attempts=(SILENT, other))) == [Code.ISOLATED]
    assert first(replace(WELL, attempts=(GREETED, other))) is Code.HOST_SILENT


def test_a_network_that_hides_tables_is_told_when_an_address_answers() -> None:
    reached = replace(GREETED, is_public=False)
    assert codes(replace(TYPED, attempts=(reached,))) == [Code.DISCOVERY_FILTERED]


@pytest.mark.parametrize(
    ("way", "code"),
    [(Way.EVERYBODY, Code.MULTICAST_FILTERED), (Way.GROUP, Code.BROADCAST_FILTERED)],
)
def test_a_way_that_leads_nowhere_is_noted(way: Way, code: Code) -> None:
    finding = judge(replace(WELL, answered={way: frozenset({HOST.host})}))[0]
    assert (finding.code, finding.severity) == (code, Severity.NOTE)


def test_a_family_of_addresses_that_is_missing_explains_a_silence() -> None:
    six = replace(WIFI, interfaces=(IPv6Interface("fe80::5%wlan0/64"),))
    four = replace(WIFI, interfaces=(IPv4Interface("192.168.1.5/24"),))
    where = Address("fd00::1", 7763)
    lost = Attempt(where, Failure.UNREACHABLE)
    assert codes(replace(TYPED, adapters=(six,), attempts=(UNHEARD,))) == [Code.NO_IPV4]
    assert codes(replace(TYPED, adapters=(four,), target=where, attempts=(lost,))) == [Code.NO_IPV6]
    assert first(replace(ALONE, adapters=(six,))) is Code.NO_IPV4
    assert judge(replace(WELL, adapters=(six,))) == ()


def test_several_networks_are_named() -> None:
    cable = replace(WIFI, name="eth0", interfaces=(IPv4Interface("10.0.0.7/8"),))
    finding = judge(replace(ALONE, adapters=(WIFI, cable)))[0]
    assert finding.code is Code.SEVERAL_NETWORKS
    assert finding.names == ("wlan0 192.168.1.5/24", "eth0 10.0.0.7/8")
    assert finding.figure == 0


@pytest.mark.parametrize("other", ["10.0.0.9", "fe80::9%eth0"])
def test_of_several_networks_those_come_first_on_which_others_are(other: str) -> None:
    cable = replace(WIFI, name="eth0", interfaces=(IPv4Interface("10.0.0.7/8"),))
    finding = judge(replace(ALONE, adapters=(WIFI, cable), others=frozenset({other})))[0]
    assert finding.names[0] == "eth0 10.0.0.7/8" and finding.figure == 1


def test_who_looks_for_tables_and_does_not_come_is_kept_out() -> None:
    four, six = "192.168.1.8", "fe80::8%wlan0"
    hosting = Hosting(7763, frozenset({six, four}))
    finding = judge(replace(ALONE, hosting=hosting))[0]
    assert (finding.code, finding.names) == (Code.OWN_FIREWALL_BLOCKS_GUESTS, (four, six))
    came = Hosting(7763, frozenset({six, four}), frozenset({"fe80::9%wlan0"}))
    assert judge(replace(ALONE, hosting=came)) == ()


def test_a_firewall_that_is_on_is_noted_while_nobody_has_come() -> None:
    ufw = Firewall(FirewallKind.UFW, is_on=True)
    assert codes(replace(ALONE, hosting=Hosting(7763), firewall=ufw)) == [Code.FIREWALL_ON]
    visited = Hosting(7763, visitors=frozenset({HOST.host}))
    assert judge(replace(ALONE, hosting=visited, firewall=ufw)) == ()


# Laws

attempts = st.builds(
    Attempt,
    address=st.sampled_from([HOST, OTHER, FAR, Address("fe80::1%wlan0", 7763), Address("x", 1)]),
    failure=st.none() | st.sampled_from(Failure),
    protocol=st.integers(0, 3),
    program=st.text(max_size=3),
    seconds=st.none() | st.floats(0, 5),
    table=st.sampled_from([b"", TABLE, ANOTHER]),
    is_heard=st.booleans(),
    is_public=st.booleans(),
    is_near=st.booleans(),
    is_there=st.none() | st.booleans(),
)
hosts = st.frozensets(st.sampled_from([HOST.host, OTHER.host, FAR.host]))
observations = st.builds(
    Observations,
    adapters=st.lists(
        st.sampled_from(
            [WIFI, replace(WIFI, has_carrier=False), Adapter("tun0", WIFI.interfaces, True)]
        )
    ).map(tuple),
    target=st.none() | st.sampled_from([HOST, OTHER, FAR, Address("x", 1)]),
    attempts=st.lists(attempts, max_size=4).map(tuple),
    sent=st.frozensets(st.sampled_from(Way)),
    returned=st.frozensets(st.sampled_from(Way)),
    others=hosts,
    answered=st.dictionaries(st.sampled_from(Way), hosts),
    is_forbidden=st.booleans(),
    detours=st.lists(st.just(("192.168.1.0/24", "wg0")), max_size=1).map(tuple),
    is_intercepted=st.booleans(),
    shares_mdns=st.booleans(),
    shares_port=st.booleans(),
    firewall=st.none() | st.just(Firewall(FirewallKind.UFW, is_on=True)),
    figures=st.none() | st.just(LinkFigures(10, 5, 0.4)),
    hosting=st.none() | st.builds(Hosting, st.just(7763), hosts, hosts),
)


@given(observations)
def test_the_worst_comes_first_and_nothing_twice(seen: Observations) -> None:
    findings = judge(seen)
    assert [each.severity for each in findings] == sorted(
        (each.severity for each in findings), reverse=True
    )
    assert len(set(findings)) == len(findings)


@given(observations)
def test_without_a_network_of_its_own_a_machine_blames_nobody_else(seen: Observations) -> None:
    if first(seen) in (Code.NO_CARRIER, Code.NO_ADDRESS):
        assert len(judge(seen)) == 1


@given(observations)
def test_whoever_reaches_the_table_has_no_problem_with_it(seen: Observations) -> None:
    there = replace(seen, adapters=(WIFI,), target=HOST, attempts=(GREETED,), hosting=None)
    assert all(each.severity < Severity.PROBLEM for each in judge(there))


@given(observations)
def test_what_is_silent_is_always_explained(seen: Observations) -> None:
    typed = replace(seen, target=HOST, attempts=(UNHEARD,))
    assert any(each.severity is Severity.PROBLEM for each in judge(typed))


def test_the_ways_of_a_healthy_network_are_all_of_them() -> None:
    assert frozenset(Way) == WAYS
