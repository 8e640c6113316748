"""Tables whose host has no seat: cut off, promised away, impersonated and stopped."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest import voter as guests
from protocol.host.host import Host, HostPolicy, Superseded
from protocol.wire.messages import Card, State
from spoof_tui.network import recent
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Failure, ProbeFailed, probe
from spoof_tui.network.server import TableServer
from spoof_tui.runtime import election, failover, leadership
from spoof_tui.runtime.failover_headless import HeadlessFailover
from spoof_tui.runtime.notices import Chosen, HeadlessNotice, Standing, Succeeded
from tests.spoof_tui.runtime.local_table import new_key, until
from tests.spoof_tui.runtime.moves import MOVED_TIMEOUT, PLAN, Company, Player, company


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that give a host up soon; none of it goes on meanwhile, so that is safe."""
    for module in (guests, election):
        monkeypatch.setattr(module, "SUPPORT_DELAY", 0.8)
    monkeypatch.setattr(election, "STAND_INTERVAL", 0.6)
    monkeypatch.setattr(election, "LAST_HOPE", 1.0)
    monkeypatch.setattr(leadership, "ALONE_DELAY", 0.2)
    monkeypatch.setattr(failover, "LOOK_INTERVAL", 0.02)


@dataclass
class Minded:
    """A table that a program without a seat minds, and everything that it told."""

    company: Company
    minder: HeadlessFailover
    running: asyncio.Task[None]
    told: list[HeadlessNotice] = field(default_factory=list)

    @property
    def epoch(self) -> int:
        return self.minder.hosted.server.host.table.epoch

    async def join(self, name: str, *, may_stand: bool = False) -> Player:
        """Somebody who sits down, and serves the table only if `may_stand`."""
        player = self.company.join(name, may_stand=may_stand)
        if self.minder.hosted.code:
            player.seat.session.use_code(self.minder.hosted.code)
        await until(lambda: player.sits)
        return player

    def join_again(self, player: Player, promise: int) -> Player:
        """The same one, who has promised something elsewhere."""
        assert player.seat._who.store
        player.seat._who.store.promise(promise)
        return self.company.join("again", player.key, may_stand=False)

    async def is_over(self) -> None:
        """Wait until it has come to its end."""
        async with asyncio.timeout(MOVED_TIMEOUT):
            await self.running


@contextlib.asynccontextmanager
async def minded(locked: bool = False) -> AsyncIterator[Minded]:
    """A table for two games of three at least, and what minds it, which is stopped at the end."""
    async with company(replace(PLAN, locked=locked, start_when=3, games=2)) as table:
        notices: list[HeadlessNotice] = []
        minding = HeadlessFailover(table.host_key, table.hosted, notices.append)
        running = asyncio.create_task(minding.run())
        try:
            yield Minded(table, minding, running, notices)
        finally:
            minding.stop()
            await running


def cut_off(server: TableServer) -> None:
    """Nobody reaches this host any more, and it does not know why."""
    for listening in server._servers:
        listening.close()
    for link in list(server._ids):
        link.abort()
        server.lost(link)


async def moved(*players: Player) -> Player:
    """Wait until one of them hosts the table for all; that one."""
    await until(
        lambda: any(each.hosts for each in players) and all(each.is_up for each in players),
        MOVED_TIMEOUT,
    )
    return next(each for each in players if each.hosts)


@pytest.mark.parametrize("locked", [False, True])
async def test_a_host_that_was_cut_off_gives_way_to_the_later_one(locked: bool) -> None:
    async with minded(locked) as table:
        players = [await table.join(name, may_stand=True) for name in ("Bob", "Cem", "Dan")]
        await table.company.told_places()
        cut_off(table.company.hosted.server)
        heir = await moved(*players)
        await table.is_over()
        name = next(seat.name for seat in heir.table.seats if seat.key == heir.key.public)
        assert table.told == [Succeeded(name)]
        await until(lambda: all(player.is_up for player in players), MOVED_TIMEOUT)
        assert {player.table.host for player in players} == {heir.key.public}


async def test_while_most_seats_are_silent_and_nobody_else_hosts_the_table_stays() -> None:
    async with minded() as table:
        for player in [await table.join(name) for name in ("Bob", "Cem")]:
            await player.crash()
        await until(lambda: table.minder.failover.patience > leadership.ALONE_DELAY, MOVED_TIMEOUT)
        assert (await probe(table.company.address)).card
        assert table.told == []


async def test_when_all_have_promised_too_much_the_host_is_chosen_anew_on_its_port() -> None:
    async with minded() as table:
        players = [await table.join(name) for name in ("Bob", "Cem")]
        port = table.company.hosted.port
        for player in players:
            await player.crash()
        again = [table.join_again(player, promise=7) for player in players]
        await until(lambda: Chosen() in table.told, MOVED_TIMEOUT)
        await until(lambda: all(player.is_up for player in again), MOVED_TIMEOUT)
        assert table.told == [Standing(), Chosen()]
        assert table.epoch > 7
        plan = table.minder.hosted.plan
        assert (table.minder.hosted.port, plan.start_when, plan.games) == (port, 3, 2)


async def test_for_one_seat_that_has_promised_too_much_the_host_is_chosen_anew() -> None:
    async with minded() as table:
        bob, cem, dan = [await table.join(name) for name in ("Bob", "Cem", "Dan")]
        await dan.crash()
        again = table.join_again(dan, promise=7)
        await until(lambda: again.is_up and again.table.epoch > 7, MOVED_TIMEOUT)
        await until(lambda: Chosen() in table.told and bob.is_up and cem.is_up, MOVED_TIMEOUT)
        assert again.table.host == table.company.host_key.public


async def test_who_stands_gives_way_to_a_host_that_was_chosen_meanwhile() -> None:
    async with minded() as table:
        players = [await table.join(name, may_stand=True) for name in ("Bob", "Cem", "Dan")]
        await table.company.told_places()
        cut_off(table.company.hosted.server)
        await moved(*players)
        # As if the host had not found the later one in time.
        table.minder.failover._leadership.hear(Superseded(4))
        await table.is_over()
        assert isinstance(table.told[-1], Succeeded)


async def test_who_stands_in_vain_can_be_stopped_and_lets_go_of_the_port() -> None:
    async with minded() as table:
        bob = await table.join("Bob")
        await table.join("Cem")
        for player in table.company.players:
            await player.crash()
        again = table.join_again(bob, promise=7)
        await until(lambda: Standing() in table.told, MOVED_TIMEOUT)
        await again.crash()
        table.minder.stop()
        await table.is_over()
        with pytest.raises(ProbeFailed) as failed:
            await probe(table.company.address)
        assert failed.value.reason is Failure.REFUSED


class Boaster(Host):
    """Says that it is the host of a later epoch, which nobody has made it."""

    @property
    def card(self) -> Card:
        return replace(super().card, state=State.GATHERING, epoch=5)


async def test_a_later_host_is_believed_by_its_log_alone() -> None:
    async with minded() as table:
        bob = await table.join("Bob")
        log, key = list(table.company.hosted.server.host.log), new_key()
        host = Boaster(key, HostPolicy(ForeignText("Eve")), log, secrets.token_bytes, standing=5)
        server = TableServer(host, lambda blobs: None, key=key)
        port = await server.start(0, loopback_only=True)
        try:
            recent.keep_of_table(table.company.table_id, [Address("127.0.0.1", port)])
            eager = HeadlessFailover(
                table.company.host_key, table.company.hosted, lambda notice: None
            )
            await bob.crash()
            assert (await eager._locator(bob.seat.guest).find()).address.port == port
            assert await eager._find_later() is None
        finally:
            await server.close()


async def test_a_host_that_is_stopped_tells_everybody_that_the_table_closes() -> None:
    async with minded() as table:
        bob = await table.join("Bob")
        table.minder.stop()
        await table.is_over()
        assert bob.task
        async with asyncio.timeout(MOVED_TIMEOUT):
            await bob.task


async def test_a_host_stands_above_whoever_promised_too_much_and_may_stand_itself() -> None:
    async with minded() as table:
        table.minder.failover.last_epoch = 7
        table.minder.failover.had_majority = True
        assert await table.minder.next_epoch() == 9
