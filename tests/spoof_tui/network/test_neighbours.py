"""Which of the other seats a program reaches, and what it tells its host of that."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest

from protocol.guest.guest import Guest
from protocol.views import LinkState
from protocol.wire.messages import Whereabout
from spoof_tui.network import neighbours
from spoof_tui.network.neighbours import MAX_KNOCKS, Neighbours, knock
from spoof_tui.network.reserved_port import ReservedPort
from tests.spoof_tui.network.greeter import listening, saying
from tests.spoof_tui.runtime.local_table import local_table, until

BOB, CEM = (Whereabout(bytes([each]) * 32, f"10.0.0.{each}", 4000) for each in (2, 3))


class Street:
    """Who answers; nobody waits in it."""

    def __init__(self) -> None:
        self.silent: set[str] = set()
        self.knocked: list[str] = []

    async def knock(self, host: str, port: int) -> bool:
        self.knocked.append(host)
        return host not in self.silent


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MISSED_INTERVAL", "REACHED_INTERVAL"):
        monkeypatch.setattr(neighbours, name, 0.002)
    for name in ("KNOCK_TIMEOUT", "FIRST_TIMEOUT"):
        monkeypatch.setattr(neighbours, name, 0.1)


@contextlib.asynccontextmanager
async def seated(street: Street) -> AsyncIterator[tuple[Guest, Neighbours]]:
    """A guest who is told of two others."""
    async with local_table() as room:
        [ann] = await room.sit("Ann")
        guest = ann.session.guest
        guest.places = (BOB, CEM)
        look = Neighbours(guest, street.knock)
        look.look()
        yield guest, look
        await look.close()
        await ann.crash()


async def looked(look: Neighbours, guest: Guest, apart: tuple[bytes, ...]) -> None:
    def holds() -> bool:
        look.look()
        return guest.apart == apart

    await until(holds)


async def test_whoever_is_silent_again_and_again_is_told_until_an_answer_comes() -> None:
    street = Street()
    street.silent = {BOB.address}
    async with seated(street) as (guest, look):
        await looked(look, guest, (BOB.key,))
        assert street.knocked.count(BOB.address) >= MAX_KNOCKS
        street.silent.clear()
        await looked(look, guest, ())


async def test_whoever_left_or_is_the_host_is_not_missed() -> None:
    street = Street()
    street.silent = {BOB.address, CEM.address}
    async with seated(street) as (guest, look):
        await looked(look, guest, (BOB.key, CEM.key))
        guest.places = (CEM,)
        await looked(look, guest, (CEM.key,))
        guest.link = LinkState.DOWN
        await looked(look, guest, ())


async def test_an_address_of_an_unknown_link_is_not_judged() -> None:
    street = Street()
    street.silent = {"fe80::1"}
    async with seated(street) as (guest, look):
        guest.places = (Whereabout(BOB.key, "fe80::1", 4000), CEM)
        look.look()
        await until(lambda: CEM.address in street.knocked)
        assert "fe80::1" not in street.knocked


async def test_a_refusal_is_an_answer_and_so_is_a_table() -> None:
    reserved = ReservedPort()
    try:
        assert await knock("127.0.0.1", reserved.port)
    finally:
        reserved.close()
    async with listening(saying(b"")) as address:
        assert await knock(address.host, address.port)


async def test_a_name_that_nobody_has_is_not_reached() -> None:
    assert not await knock("nobody.invalid", 4000)
