"""Datagrams and adverts on this machine's links, which other programs may be using, too."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Interface, IPv6Interface
from typing import Any

import pytest
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf._dns import DNSPointer
from zeroconf._protocol.outgoing import DNSOutgoing
from zeroconf.asyncio import AsyncServiceBrowser, AsyncZeroconf

from spoof_tui.network import broadcast
from spoof_tui.network.addresses import Interface, own_addresses
from spoof_tui.network.adverts import Announcer
from spoof_tui.network.broadcast import PORT, Broadcaster, Listener, Reply
from spoof_tui.network.discovery import Browser
from spoof_tui.network.mdns import SERVICE
from tests.spoof_tui.network.cases import cases
from tests.spoof_tui.network.greeter import greeting, listening, looking, open_host
from tests.spoof_tui.runtime.local_table import until

LOOPBACK = IPv4Interface("127.0.0.1/8")
NEAR = IPv4Interface("10.0.0.5/24")
QUESTION = b"SPOF? 1"


@dataclass
class Mail:
    """Datagrams that came, and from where."""

    all: list[tuple[bytes, str]] = field(default_factory=list)

    def __call__(self, data: bytes, host: str, reply: Reply) -> None:
        self.all.append((data, host))
        if data.startswith(b"ask"):
            reply(data.replace(b"ask", b"say"))

    def has(self, data: bytes) -> bool:
        return any(each == data for each, _ in self.all)


@contextlib.asynccontextmanager
async def opened_by(mail: Mail) -> AsyncIterator[Broadcaster]:
    opened = Broadcaster(mail)
    try:
        await opened.load()
        await opened.refresh()
        yield opened
    finally:
        await opened.close()


async def test_everybody_hears_a_shout_and_one_hears_the_answer() -> None:
    one, other = Mail(), Mail()
    async with opened_by(one) as asking, opened_by(other):
        # Looking again opens nothing twice.
        await asking.refresh()
        asking.send(b"ask")
        await until(lambda: one.has(b"ask") and other.has(b"ask") and one.has(b"say"))
        assert not other.has(b"say")
        assert one.all.count((b"ask", "127.0.0.1")) <= 2


@pytest.mark.parametrize(
    ("platform", "refused", "is_denied"),
    [
        ("darwin", {NEAR, LOOPBACK}, True),
        ("darwin", {LOOPBACK}, False),
        ("linux", {NEAR}, False),
    ],
)
async def test_a_system_that_lets_nothing_out_is_told_of(
    platform: str, refused: set[Interface], is_denied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def send(own: socket.socket, interface: Interface, data: bytes) -> None:
        if interface in refused:
            raise OSError(errno.EHOSTUNREACH, "")

    monkeypatch.setattr(broadcast, "all_interfaces", lambda: (NEAR, LOOPBACK))
    for name in ("send_to_group", "send_to_everybody"):
        monkeypatch.setattr(broadcast, name, send)
    async with opened_by(Mail()) as opened:
        monkeypatch.setattr(sys, "platform", platform)
        opened.send(b"x")
        assert opened.is_denied is is_denied


@cases("sources")
async def test_only_neighbours_are_heard_and_a_question_once_by_each_part_of_a_program(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, is_near = tuple(case["source"]), case["is_near"]
    interfaces = (NEAR, IPv6Interface("fe80::5%eth0/64"))
    monkeypatch.setattr(broadcast, "all_interfaces", lambda: interfaces)
    opened = list[Listener]()

    class Noted(Listener):
        async def open(self) -> None:
            await super().open()
            opened.append(self)

    monkeypatch.setattr(broadcast, "Listener", Noted)
    one, other = Mail(), Mail()
    async with opened_by(one), opened_by(other):
        # Meant for everybody it comes by both sockets; meant for one, by one.
        public = [each for each in opened if each.socket.getsockname() == ("0.0.0.0", PORT)]
        for listener in public:
            listener.datagram_received(QUESTION, source)
            listener.datagram_received(b"SPOF! 1", source)
        public[0].datagram_received(b"SPOF? alone", source)
        for mail in (one, other):
            heard = [data for data, _ in mail.all]
            for said in (QUESTION, b"SPOF! 1", b"SPOF? alone"):
                assert heard.count(said) == is_near


# Adverts


async def test_a_table_is_advertised_and_found_and_gone_with_its_goodbye() -> None:
    host, rows = open_host(), dict[str, ServiceStateChange]()
    troubles: list[str | None] = []

    def hear(zeroconf: Zeroconf, service_type: str, name: str, state_change: Any) -> None:
        rows[name] = state_change

    endpoint = AsyncZeroconf(ip_version=IPVersion.V4Only)
    teller = Announcer(lambda: troubles.append(teller.trouble))
    plain = AsyncServiceBrowser(endpoint.zeroconf, SERVICE, [hear])
    await endpoint.zeroconf.async_wait_for_start()
    out = DNSOutgoing(0x8400)
    for name in (SERVICE, "x._http._tcp.local.", "\x1b[31m", "a" * 60 + "." + SERVICE):
        out.add_answer_at_time(DNSPointer(SERVICE, 12, 1, 60, name), 0)
    async with (
        listening(greeting(host), "0.0.0.0") as address,
        looking(Browser(print, known=())) as browser,
    ):
        endpoint.zeroconf.async_send(out)
        await teller.start(host.card, address.port)
        await until(lambda: host.card in [each.card for each in browser.tables])
        own = f"{teller._instance}.{SERVICE}"
        await until(lambda: rows.get(own) is not None)
        info = await endpoint.async_get_service_info(SERVICE, own)
        assert info and info.port == address.port
        assert set(info.parsed_addresses()) == set(own_addresses())
        teller.update(replace(host.card, taken=4))
        await until(lambda: rows[own] is ServiceStateChange.Updated)
        await teller.close()
        await until(lambda: rows[own] is ServiceStateChange.Removed)
    assert set(troubles) == {None}
    await plain.async_cancel()
    await endpoint.async_close()
