"""Datagrams on the links of this machine."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from collections.abc import AsyncIterator
from ipaddress import IPv4Interface, IPv6Interface

import pytest

from spoof_tui import system
from spoof_tui.network import broadcast as broadcast
from spoof_tui.network.broadcast import PORT, Broadcast, Reply
from tests.spoof_tui.network.greeter import until


class Mail:
    """What came, and from where."""

    def __init__(self) -> None:
        self.all: list[tuple[bytes, str]] = []

    def __call__(self, data: bytes, host: str, reply: Reply) -> None:
        self.all.append((data, host))
        if data.startswith(b"ask"):
            reply(data.replace(b"ask", b"say"))

    def has(self, data: bytes) -> bool:
        return any(each == data for each, _ in self.all)


@contextlib.asynccontextmanager
async def opened_by(mail: Mail) -> AsyncIterator[Broadcast]:
    opened = Broadcast(mail)
    try:
        await opened.load()
        await opened.refresh()
        yield opened
    finally:
        await opened.close()


async def test_everybody_hears_a_shout_and_one_hears_the_answer() -> None:
    one, other = Mail(), Mail()
    async with opened_by(one) as asking, opened_by(other):
        asking.send(b"ask 1")
        await until(lambda: one.has(b"ask 1") and other.has(b"ask 1"))
        await until(lambda: one.has(b"say 1"))
        assert not other.has(b"say 1")


async def test_a_question_is_heard_once_by_each_part_of_a_program_whoever_gets_it() -> None:
    one, other, asked = Mail(), Mail(), (b"SPOF? 1", "127.0.0.1")
    source = asked[1], 5

    def heard() -> list[int]:
        return [mail.all.count(asked) for mail in (one, other)]

    async with opened_by(one) as first, opened_by(other) as second:
        first._receive_public(asked[0], source, print)
        assert heard() == [1, 1]
        second._receive_public(asked[0], source, print)
        assert heard() == [1, 1], "it was meant for everybody, and came by both sockets"
        second._receive_public(b"SPOF! 1", source, print)
        assert (b"SPOF! 1", "127.0.0.1") not in one.all


async def test_looking_again_opens_nothing_twice() -> None:
    async with opened_by(Mail()) as opened:
        before = {**opened._public}, {**opened._own}
        await opened.refresh()
        assert before == (opened._public, opened._own)


async def test_a_socket_that_failed_is_replaced() -> None:
    async with opened_by(Mail()) as opened:
        broken = opened._own[socket.AF_INET]
        broken.error_received(OSError())
        await until(broken.gone.done)
        opened.send(b"into the dark")
        await opened.refresh()
        assert opened._own[socket.AF_INET] is not broken


async def test_a_neighbour_who_left_costs_no_socket() -> None:
    mail = Mail()
    async with opened_by(mail) as opened:
        for listener in opened._own.values():
            listener.error_received(ConnectionResetError())
        opened.send(b"ask 3")
        await until(lambda: mail.has(b"say 3"))


NEAR = IPv4Interface("10.0.0.5/24")
LOOPBACK = IPv4Interface("127.0.0.1/8")


@pytest.mark.parametrize(
    ("platform", "refused", "is_denied"),
    [
        ("darwin", {str(NEAR.ip)}, True),
        ("darwin", {str(NEAR.ip), str(LOOPBACK.ip)}, True),
        ("darwin", {str(LOOPBACK.ip)}, False),
        ("linux", {str(NEAR.ip)}, False),
    ],
)
async def test_a_system_that_lets_nothing_out_is_told_of(
    platform: str, refused: set[str], is_denied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened_by(Mail()) as opened:
        opened._interfaces = (NEAR, LOOPBACK)

        def send(own: socket.socket, interface: IPv4Interface, data: bytes) -> list[OSError | None]:
            return [OSError(errno.EHOSTUNREACH, "") if str(interface.ip) in refused else None]

        monkeypatch.setattr(broadcast, "_send_on", send)
        monkeypatch.setattr(sys, "platform", platform)
        opened.send(b"x")
        assert opened.is_denied is is_denied


async def test_a_port_that_another_program_keeps_leaves_the_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mail, asked = Mail(), Mail()
    async with opened_by(asked):
        with monkeypatch.context() as kept:

            def refuse(_: socket.socket) -> None:
                raise OSError

            kept.setattr(system, "share_port", refuse)
            async with opened_by(mail) as opened:
                assert not opened._public
                opened.send(b"ask 2")
                await until(lambda: mail.has(b"say 2"))


async def test_a_machine_without_adapters_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError

    monkeypatch.setattr(broadcast, "all_interfaces", fail)
    async with opened_by(Mail()) as opened:
        opened.send(b"nobody")
        assert opened._interfaces == ()


async def test_adapters_that_went_away_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = (IPv4Interface("192.0.2.9/24"), IPv6Interface("fe80::9%gone9/64"))
    monkeypatch.setattr(broadcast, "all_interfaces", lambda: gone)
    async with opened_by(Mail()) as opened:
        opened.send(b"nobody")
        assert opened._interfaces == gone


@pytest.mark.parametrize(
    ("source", "is_near"),
    [
        (("10.0.0.9", PORT), True),
        (("127.0.0.1", PORT), False),
        (("192.0.2.1", PORT), False),
        (("fe80::9", PORT, 0, 0), True),
        (("2001:db8::9", PORT, 0, 0), False),
    ],
)
async def test_only_neighbours_are_heard(source: tuple[object, ...], is_near: bool) -> None:
    mail = Mail()
    near = Broadcast(mail)
    near._interfaces = (IPv4Interface("10.0.0.5/24"), IPv6Interface("fe80::5%eth0/64"))
    near._receive(b"x", source, lambda _: None)
    assert bool(mail.all) is is_near


async def test_it_can_be_closed_without_having_been_open() -> None:
    await Broadcast(Mail()).close()
