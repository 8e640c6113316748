"""Where a table listens."""

from ipaddress import IPv4Interface, IPv6Interface
from typing import Any

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.network.addresses import (
    DEFAULT_PORT,
    Address,
    Interface,
    all_interfaces,
    own_addresses,
    own_interfaces,
    own_scoped_addresses,
    place_of,
    scoped_addresses,
    zone_of,
)
from tests.spoof_tui.network.air import adapter
from tests.spoof_tui.network.cases import cases

HOSTS = st.one_of(
    st.ip_addresses().map(str),
    st.from_regex(r"[a-z][a-z0-9-]{0,20}(\.[a-z][a-z0-9]{1,5}){0,3}", fullmatch=True),
)


@given(st.builds(Address, HOSTS, st.integers(1, 65535) | st.just(DEFAULT_PORT)))
def test_an_address_is_read_as_it_was_written(address: Address) -> None:
    assert Address.parse(address.text, 1) == address
    assert Address.parse(address.short) == address
    assert len(address.short) <= len(address.text)


@cases("read")
def test_addresses_as_people_write_them(case: dict[str, Any]) -> None:
    for text in case["texts"]:
        if isinstance(case["read"], list):
            assert Address.parse(text) == Address(*case["read"])
        else:
            with pytest.raises(ValueError, match=case["read"]):
                Address.parse(text)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    try:
        address = Address.parse(text)
    except ValueError as error:
        assert str(error).endswith(".")
    else:
        assert address.text.isascii() and address.text.isprintable()


# This machine


@cases("own")
def test_the_own_addresses_are_in_the_order_in_which_others_reach_them(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    adapters = [adapter(name, *hosts) for name, hosts in case["adapters"].items()]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    assert list(own_addresses()) == case["addresses"]
    assert len(own_interfaces()) == len(case["addresses"])


@pytest.mark.parametrize(("number", "scope"), [("fe80::5", 4242), ("fe80:1092::5", 0)])
def test_an_adapter_without_a_name_has_its_number(
    number: str, scope: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems write it into the address."""
    fe80 = ifaddr.IP((number, 0, scope), 64, "eth0")
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [ifaddr.Adapter("eth0", "eth0", [fe80])])
    assert [zone_of(each) for each in all_interfaces()] == ["4242"]
    assert own_addresses() == ("fe80::5",)
    assert own_scoped_addresses(Address("fe80::9", 80)) == (Address("fe80::9%4242", 80),)
    assert own_scoped_addresses(Address("pier", 80)) == (Address("pier", 80),)


@cases("scoped")
def test_an_address_of_one_link_is_tried_on_every_link(case: dict[str, Any]) -> None:
    interfaces: list[Interface] = [IPv4Interface("10.0.0.5/24")]
    interfaces += [IPv6Interface(f"fe80::5%{zone}/64") for zone in case["zones"]]
    found = scoped_addresses(Address(case["host"], 80), interfaces)
    assert found == tuple(Address(each, 80) for each in case["hosts"])


@cases("places")
def test_a_network_of_ipv6_is_one_place(case: dict[str, Any]) -> None:
    assert (place_of(case["one"]) == place_of(case["other"])) is case["is_same"]
