"""The state machine of a table that moves, with an owner who decides nothing by itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.host.host import HostPolicy, Stranded, Superseded
from spoof_tui.network.reserved_port import bound
from spoof_tui.runtime import failover as failovers
from spoof_tui.runtime.failover import Failover, Role
from spoof_tui.runtime.hosting import HostedTable
from tests.spoof_tui.runtime.local_table import new_key, until
from tests.spoof_tui.runtime.moves import PLAN


class Owner:
    """Does as the test says, and notes what the role becomes."""

    def __init__(self) -> None:
        self.key = new_key()
        self.epoch: int | None = None
        self.found: int | None = None
        self.port_is_taken = False
        self.turns: list[tuple[Role, Role]] = []
        self.log: HostedTable | None = None

    async def next_epoch(self) -> int | None:
        return self.epoch

    async def serve(self, epoch: int) -> HostedTable:
        if self.port_is_taken:
            raise OSError("taken")
        assert self.log
        entries, policy = list(self.log.server.host.log), HostPolicy(ForeignText("Olha"))
        sockets = bound(0, loopback_only=True)
        return await HostedTable.stand(entries, self.key, policy, epoch, sockets)

    async def look(self) -> int | None:
        return self.found

    def turned(self, role: Role, before: Role) -> None:
        self.turns.append((before, role))


@contextlib.asynccontextmanager
async def hosting() -> AsyncIterator[tuple[Failover, Owner]]:
    """A program that hosts a table without seats."""
    owner = Owner()
    owner.log = await HostedTable.open(PLAN, owner.key)
    failover = Failover(owner, owner.log)
    try:
        yield failover, owner
    finally:
        await failover.close()
        await failover.end()


@contextlib.asynccontextmanager
async def standing(stand_for: float = 60.0) -> AsyncIterator[tuple[Failover, Owner]]:
    """A program that stands for host in epoch 3; the host before is gone."""
    async with hosting() as (first, owner):
        await first.close()
        failover = Failover(owner, None, stand_for=lambda: stand_for)
        owner.epoch = 3
        await failover.mind()
        try:
            yield failover, owner
        finally:
            await failover.close()
            await failover.end()


async def test_a_host_that_hears_of_nothing_goes_on() -> None:
    async with hosting() as (failover, owner):
        await failover.mind()
        assert failover.role is Role.HOSTING and failover.hosted is owner.log
        assert owner.turns == []


@pytest.mark.parametrize("heard", [Superseded(7), Stranded(7)])
async def test_a_host_that_hears_of_a_later_epoch_steps_down(heard: Superseded | Stranded) -> None:
    async with hosting() as (failover, owner):
        assert failover.served
        failover.served.server.on_succession(heard)
        await failover.mind()
        assert owner.turns == [(Role.HOSTING, Role.FOLLOWING)]
        assert failover.role is Role.FOLLOWING and failover.hosted is None
        assert (failover.last_epoch, failover.had_majority) == (7, True)


async def test_a_host_that_is_ended_while_it_steps_down_closes_its_port() -> None:
    async with hosting() as (failover, _):
        assert failover.served
        listening = failover.served.server._servers
        stepping = asyncio.create_task(failover.move_away())
        await asyncio.sleep(0)
        stepping.cancel()
        await asyncio.gather(stepping, return_exceptions=True)
        await failover.end()
        assert not any(each.sockets for each in listening)


async def test_who_steps_down_serves_nothing_any_more_when_it_turns_to_follow() -> None:
    async with hosting() as (failover, owner):
        assert failover.served
        served = failover.served.server
        at_turn: list[bool] = []
        turned = owner.turned

        def turn(role: Role, before: Role) -> None:
            at_turn.append(any(each.sockets for each in served._servers))
            turned(role, before)

        owner.turned = turn  # type: ignore[method-assign]
        await failover.move_away()
        assert at_turn == [False], "its own port is free by then, and may be kept for later"


async def test_who_goes_once_its_role_is_given_away_does_not_take_it_back() -> None:
    async with hosting() as (first, owner):
        await first.close()
        failover = Failover(owner, None)
        owner.epoch = 3
        failover.retire()
        await failover.mind()
        assert (failover.role, owner.turns) == (Role.FOLLOWING, [])


async def test_who_is_ended_while_it_begins_to_stand_closes_its_ports() -> None:
    async with hosting() as (_, owner):
        sockets = bound(0, loopback_only=True)
        assert owner.log
        entries, policy = list(owner.log.server.host.log), HostPolicy(ForeignText("Olha"))
        beginning = asyncio.create_task(HostedTable.stand(entries, owner.key, policy, 3, sockets))
        await asyncio.sleep(0)
        beginning.cancel()
        await asyncio.gather(beginning, return_exceptions=True)
        assert [each.fileno() for each in sockets] == [-1] * len(sockets)


async def test_who_follows_stands_when_its_owner_says_so() -> None:
    async with standing() as (failover, owner):
        assert owner.turns == [(Role.FOLLOWING, Role.STANDING)]
        assert failover.served and failover.hosted is None
        assert failover.served.server.host.card.epoch == failover.last_epoch == 3


async def test_where_the_port_is_taken_one_goes_on_following() -> None:
    async with hosting() as (first, owner):
        await first.close()
        failover = Failover(owner, None)
        owner.epoch, owner.port_is_taken = 3, True
        await failover.mind()
        assert (failover.role, failover.served, failover.last_epoch) == (Role.FOLLOWING, None, 0)


async def test_who_is_chosen_hosts() -> None:
    async with standing() as (failover, owner):
        assert failover.served
        failover.served.server.host._candidacy = None
        await failover.mind()
        assert owner.turns[-1] == (Role.STANDING, Role.HOSTING)
        assert failover.hosted is failover.served


async def test_who_finds_a_better_one_follows_and_has_stood_in_vain() -> None:
    async with standing() as (failover, owner):
        owner.found = 3
        await until_following(failover)
        assert failover.stood_in_vain and failover.last_epoch == 3


async def test_nobody_stands_for_ever() -> None:
    async with standing(stand_for=0.0) as (failover, _owner):
        await until_following(failover)
        assert failover.stood_in_vain


async def test_who_hears_of_a_later_epoch_may_stand_above_it_at_once() -> None:
    async with standing() as (failover, owner):
        owner.epoch = None
        assert failover.served
        failover.served.server.on_succession(Superseded(9))
        await failover.mind()
        assert (failover.role, failover.last_epoch) == (Role.FOLLOWING, 9)
        assert not failover.stood_in_vain


async def until_following(failover: Failover) -> None:
    async with asyncio.timeout(5):
        while failover.role is not Role.FOLLOWING:
            await asyncio.sleep(failovers.LOOK_INTERVAL / 10)
            await failover.mind()


async def test_who_is_chosen_while_it_leaves_serves_nothing_afterwards() -> None:
    async with standing() as (failover, _owner):
        served = failover.served
        assert served
        await failover.close()
        served.server.host._candidacy = None
        await failover.mind()
        await failover.end()
        await until(lambda: not served.server._servers[0].is_serving())


async def test_who_only_stands_does_not_say_that_the_table_closes() -> None:
    async with standing() as (failover, _owner):
        served = failover.served
        await failover.close()
        assert served is failover.served and served
        await failover.end()
        await until(lambda: not served.server._servers[0].is_serving())
