"""Where a table listens."""

from ipaddress import IPv4Interface, IPv6Interface

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
    place_of,
    scoped_addresses,
    zone_of,
)

PORTS = st.integers(1, 65535)
HOSTS = st.one_of(
    st.ip_addresses().map(str),
    st.from_regex(r"[a-z][a-z0-9-]{0,20}(\.[a-z][a-z0-9]{1,5}){0,3}", fullmatch=True),
)


@given(HOSTS, PORTS)
def test_an_address_is_read_as_it_was_written(host: str, port: int) -> None:
    address = Address(host, port)
    assert Address.parse(address.text) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("10.0.0.5", Address("10.0.0.5", DEFAULT_PORT)),
        ("10.0.0.5:99", Address("10.0.0.5", 99)),
        ("  pier.local  ", Address("pier.local", DEFAULT_PORT)),
        ("pier:7763", Address("pier", 7763)),
        ("::1", Address("::1", DEFAULT_PORT)),
        ("0:0::1", Address("::1", DEFAULT_PORT)),
        ("[fe80::1%eth0]:80", Address("fe80::1%eth0", 80)),
        ("[::1]", Address("::1", DEFAULT_PORT)),
        ("Bücher.local", Address("xn--bcher-kva.local", DEFAULT_PORT)),
    ],
)
def test_addresses_as_people_write_them(text: str, address: Address) -> None:
    assert Address.parse(text) == address


def test_the_default_port_can_be_another() -> None:
    assert Address.parse("pier", 80) == Address("pier", 80)


@pytest.mark.parametrize("text", ["pier:0", "pier:65536", "pier:", "pier:-1", "pier:²", "[::1]:x"])
def test_a_port_out_of_range_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^A port is a number from 1 to 65535, not .*\.$"):
        Address.parse(text)


@pytest.mark.parametrize("text", ["", "  ", ":7763", "[]:7763"])
def test_an_address_without_a_host_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^An address needs the name or number"):
        Address.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "10.0.0",
        "10.0.0.256",
        "1.2.3.4.",
        "two words",
        "\x1b[31m",
        "fe80::1%\x1b[31m",
        "-x",
        "a..b",
        "é..b",
        ".",
        "a" * 64,
        "a." * 130,
        "1:2:3",
    ],
)
def test_what_no_computer_can_be_called_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^No computer can be called .*\.$"):
        Address.parse(text)


@pytest.mark.parametrize("text", ["[::1", "[::1]7763"])
def test_an_open_bracket_is_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"^An address in brackets"):
        Address.parse(text)


@given(st.text(max_size=40))
def test_any_text_is_an_address_or_a_sentence(text: str) -> None:
    try:
        address = Address.parse(text)
    except ValueError as error:
        assert str(error).endswith(".")
    else:
        assert address.text.isascii()
        assert address.text.isprintable()


def adapters(**addresses: str) -> list[ifaddr.Adapter]:
    return [
        ifaddr.Adapter(
            name, name, [ifaddr.IP(address, 24, name), ifaddr.IP(("::1", 0, 0), 64, name)]
        )
        for name, address in addresses.items()
    ]


def test_containers_and_tunnels_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    present = adapters(
        lo="127.0.0.1", docker0="172.17.0.1", tun0="10.8.0.2", eth1="169.254.1.1", eth0="10.0.0.5"
    )
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: present)
    assert own_addresses() == ("10.0.0.5", "169.254.1.1", "172.17.0.1", "10.8.0.2")


def test_loopback_counts_when_it_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters(lo="127.0.0.1"))
    assert own_addresses() == ("127.0.0.1", "::1")


def of_link(*zones: str) -> list[IPv6Interface]:
    return [IPv6Interface(f"fe80::5%{zone}/64") for zone in zones]


def test_an_address_of_one_link_is_tried_on_every_link() -> None:
    interfaces: list[Interface] = [IPv4Interface("10.0.0.5/24"), *of_link("eth0", "wlan0", "eth0")]
    typed = Address.parse("[fe80::9]:80")
    assert scoped_addresses(typed, interfaces) == (
        Address("fe80::9%eth0", 80),
        Address("fe80::9%wlan0", 80),
    )
    assert scoped_addresses(typed, interfaces[:1]) == (typed,)


@pytest.mark.parametrize("text", ["10.0.0.9", "pier", "2001:db8::9", "fe80::9%eth0"])
def test_any_other_address_has_one_way(text: str) -> None:
    assert scoped_addresses(Address.parse(text), of_link("eth1")) == (Address.parse(text),)


@pytest.mark.parametrize(("number", "scope"), [("fe80::5", 4242), ("fe80:1092::5", 0)])
def test_an_adapter_without_a_name_has_its_number(
    number: str, scope: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some systems write it into the address."""
    fe80 = ifaddr.IP((number, 0, scope), 64, "eth0")
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: [ifaddr.Adapter("eth0", "eth0", [fe80])])
    assert [zone_of(each) for each in all_interfaces()] == ["4242"]
    assert own_addresses() == ("fe80::5",)


def test_no_adapter_is_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", list)
    assert own_interfaces() == ()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::2", True),
    ],
)
def test_a_network_of_ipv6_is_one_place(one: str, other: str, is_same: bool) -> None:
    assert (place_of(one) == place_of(other)) is is_same
