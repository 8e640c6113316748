"""What a machine says about itself: made-up files, and this machine."""

from __future__ import annotations

from ipaddress import IPv4Interface
from pathlib import Path

import pytest

from spoof_tui.network.diagnosis import examining
from spoof_tui.network.diagnosis.observations import Adapter, Firewall, FirewallKind

ARP = """IP address       HW type     Flags       HW address            Mask     Device
10.77.0.1        0x1         0x2         aa:bb:cc:dd:ee:ff     *        eth0
10.77.0.2        0x1         0x0         00:00:00:00:00:00     *        eth0
10.77.0.3        0x1         0x6         aa:bb:cc:dd:ee:ff     *        eth0
"""
UFW, NFT = "etc/ufw/ufw.conf", Firewall(FirewallKind.NFTABLES)
FIREWALLD = "sys/fs/cgroup/system.slice/firewalld.service/x"
ETH0 = Adapter("eth0", (IPv4Interface("10.0.0.5/24"),))


def put(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return root


def test_a_neighbour_has_answered_or_not(tmp_path: Path) -> None:
    hosts = [f"10.77.0.{number}" for number in (1, 2, 3, 4)]
    assert [examining.is_there(each, tmp_path) for each in hosts] == [None] * 4
    put(tmp_path, "proc/net/arp", ARP)
    assert [examining.is_there(each, tmp_path) for each in hosts] == [True, False, None, None]


@pytest.mark.parametrize(
    ("platform", "name", "text", "tools", "firewall"),
    [
        ("linux", UFW, "ENABLED=yes\n", [], Firewall(FirewallKind.UFW, is_on=True)),
        ("linux", UFW, "ENABLED = no\n", ["/usr/sbin/nft"], NFT),
        ("linux", FIREWALLD, "", [], Firewall(FirewallKind.FIREWALLD, is_on=True)),
        ("linux", "x/y", "", ["iptables", "nft"], NFT),
        ("linux", "x/y", "", ["iptables"], Firewall(FirewallKind.IPTABLES)),
        ("linux", "x/y", "", [], None),
        ("win32", UFW, "ENABLED=yes\n", [], Firewall(FirewallKind.WINDOWS)),
        ("darwin", UFW, "ENABLED=yes\n", [], Firewall(FirewallKind.MACOS)),
    ],
)
def test_the_firewall_is_known_by_what_everybody_may_read(
    platform: str, name: str, text: str, tools: list[str], firewall: Firewall | None, tmp_path: Path
) -> None:
    def which(tool: str) -> str | None:
        return tool if tool in tools else None

    assert examining.own_firewall(put(tmp_path, name, text), platform, which) == firewall


@pytest.mark.parametrize(
    ("host", "is_near"),
    [("10.0.0.9", True), ("10.1.0.9", False), ("fe80::9%eth0", True), ("a-name", False)],
)
def test_an_address_is_near_on_an_own_network(host: str, is_near: bool) -> None:
    assert examining.is_near(host, [ETH0]) is is_near
