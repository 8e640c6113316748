"""What a machine says of itself: made-up files, and this machine."""

from __future__ import annotations

from ipaddress import IPv4Interface
from pathlib import Path

import pytest

from spoof_tui.network.diagnosis import machine
from spoof_tui.network.diagnosis.observations import Adapter, Firewall, FirewallKind

ARP = """IP address       HW type     Flags       HW address            Mask     Device
10.77.0.1        0x1         0x2         aa:bb:cc:dd:ee:ff     *        eth0
10.77.0.2        0x1         0x0         00:00:00:00:00:00     *        eth0
10.77.0.3        0x1         0x6         aa:bb:cc:dd:ee:ff     *        eth0
"""


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return root


@pytest.mark.parametrize(
    ("host", "answer"),
    [("10.77.0.1", True), ("10.77.0.2", False), ("10.77.0.3", None), ("10.77.0.4", None)],
)
def test_a_neighbour_has_answered_or_not(host: str, answer: bool | None, tmp_path: Path) -> None:
    assert machine.is_there(host, put(tmp_path, "proc/net/arp", ARP)) is answer


def test_a_system_that_lists_no_neighbours_says_nothing_of_them(tmp_path: Path) -> None:
    assert machine.is_there("10.77.0.1", tmp_path) is None


@pytest.mark.parametrize(
    ("name", "text", "tools", "firewall"),
    [
        ("etc/ufw/ufw.conf", "ENABLED=yes\n", [], Firewall(FirewallKind.UFW, is_on=True)),
        ("etc/ufw/ufw.conf", "ENABLED=no\n", ["nft"], Firewall(FirewallKind.NFTABLES)),
        (
            "sys/fs/cgroup/system.slice/firewalld.service/x",
            "",
            [],
            Firewall(FirewallKind.FIREWALLD, is_on=True),
        ),
        ("etc/hosts", "", ["iptables"], Firewall(FirewallKind.IPTABLES)),
        ("etc/hosts", "", [], None),
    ],
)
def test_the_firewall_is_known_by_what_everybody_may_read(
    name: str, text: str, tools: list[str], firewall: Firewall | None, tmp_path: Path
) -> None:
    def which(tool: str) -> str | None:
        return tool if tool in tools else None

    assert machine.own_firewall(put(tmp_path, name, text), "linux", which) == firewall


def test_other_systems_have_a_firewall_of_their_own() -> None:
    assert machine.own_firewall(platform="win32") == Firewall(FirewallKind.WINDOWS)
    assert machine.own_firewall(platform="darwin") == Firewall(FirewallKind.MACOS)


def test_an_adapter_that_is_turned_off_has_no_carrier(tmp_path: Path) -> None:
    root = put(tmp_path, "sys/class/net/on/carrier", "1\n")
    put(root, "sys/class/net/out/carrier", "0\n")
    (root / "sys/class/net/off").mkdir()
    said = [machine._has_carrier(name, root) for name in ("on", "out", "off", "strange")]
    assert said == [True, False, False, None]


def test_loopback_is_no_adapter() -> None:
    found = [one for each in machine.own_adapters() for one in each.interfaces]
    assert not any(each.ip.is_loopback for each in found)


def test_the_way_to_an_own_address_leads_through_its_own_adapter() -> None:
    loopback = Adapter("lo", (IPv4Interface("127.0.0.1/8"),))
    assert machine.adapter_towards("127.0.0.1", [loopback]) is loopback
    assert machine.adapter_towards("127.0.0.1", []) is None
    assert machine.adapter_towards("fe80::1%nowhere9", [loopback]) is None


def test_a_network_that_is_reached_by_another_adapter_is_a_detour() -> None:
    lost = Adapter("wlan0", (IPv4Interface("127.200.0.1/16"),))
    tunnel = Adapter("wg0", (IPv4Interface("127.0.0.1/32"),), is_virtual=True)
    assert machine.detours([lost, tunnel]) == (("127.200.0.0/16", "wg0"),)
    assert machine.detours([tunnel]) == ()


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("10.0.0.9", True),
        ("10.1.0.9", False),
        ("fe80::9%eth0", True),
        ("a-name", False),
    ],
)
def test_an_address_is_near_on_an_own_network(host: str, is_near: bool) -> None:
    adapter = Adapter("eth0", (IPv4Interface("10.0.0.5/24"),))
    assert machine.is_near(host, [adapter]) is is_near


def test_the_port_of_mdns_is_shared_here() -> None:
    assert isinstance(machine.shares_mdns(), bool)
