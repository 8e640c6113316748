"""The state machine of a table that moves, with an owner who decides nothing by itself."""

from __future__ import annotations

import asyncio

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.host.host import HostPolicy, Stranded, Superseded
from spoof_tui.network import server
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import ProbeFailed, probe
from spoof_tui.runtime.failover import Failover, Role
from spoof_tui.runtime.hosting import HostedTable
from tests.simulation.substitutes import here
from tests.spoof_tui.runtime.local_table import new_key
from tests.spoof_tui.runtime.moves import PLAN

FOLLOWS = (Role.STANDING, Role.FOLLOWING)


class Owner:
    """Does as the test says, and notes what the role becomes."""

    def __init__(self, table: HostedTable) -> None:
        self.key = new_key()
        self.table = table
        self.epoch: int | None = None
        self.found: int | None = None
        self.looks = 0
        self.is_chosen = False
        self.port_is_taken = False
        self.turns: list[tuple[Role, Role]] = []
        self.served_at_turn: list[bool] = []

    async def next_epoch(self) -> int | None:
        return self.epoch

    async def serve(self, epoch: int) -> HostedTable:
        if self.port_is_taken:
            raise OSError("taken")
        if self.is_chosen:
            return await HostedTable.open(PLAN, self.key)
        entries, policy = list(self.table.server.host.log), HostPolicy(ForeignText("Olha"))
        self.sockets = server.bound(0, loopback_only=True)
        return await HostedTable.stand(entries, self.key, policy, epoch, self.sockets)

    async def look(self) -> int | None:
        self.looks += 1
        return self.found

    def turned(self, role: Role, before: Role) -> None:
        self.turns.append((before, role))
        self.served_at_turn.append(is_taken(self.table.port))


def is_taken(port: int) -> bool:
    try:
        [socket, *_] = server.bound(port, loopback_only=True)
    except OSError:
        return True
    socket.close()
    return False


async def hosting() -> tuple[Failover, Owner, HostedTable]:
    """A program that hosts a table without seats, its owner, and the table."""
    table = await HostedTable.open(PLAN, new_key())
    owner = Owner(table)
    return Failover(owner, table), owner, table


async def standing(
    stand_for: float = 60.0, *, is_chosen: bool = False
) -> tuple[Failover, Owner, HostedTable]:
    """A program that stands for host in epoch 3; the host before is gone."""
    first, owner, _ = await hosting()
    await first.close()
    failover = Failover(owner, None, stand_for=lambda: stand_for)
    owner.epoch, owner.is_chosen = 3, is_chosen
    await failover.mind()
    assert failover.served and (failover.role, failover.hosted) == (Role.STANDING, None)
    owner.epoch, owner.table = None, failover.served
    return failover, owner, failover.served


async def minded(failover: Failover) -> None:
    """A few looks of a program, a moment apart."""
    for _ in range(3):
        await asyncio.sleep(0.1)
        await failover.mind()


async def answers(table: HostedTable) -> bool:
    try:
        return bool((await probe(Address("127.0.0.1", table.port))).card)
    except ProbeFailed:
        return False


# A host


@pytest.mark.parametrize("heard", [Superseded(7), Stranded(7)])
async def test_a_host_that_hears_of_a_later_epoch_steps_down(heard: Superseded | Stranded) -> None:
    failover, owner, table = await hosting()
    table.server.on_succession(heard)
    await failover.mind()
    assert owner.turns == [(Role.HOSTING, Role.FOLLOWING)]
    assert owner.served_at_turn == [False], "its own port is free by then, and may be kept"
    assert (failover.role, failover.hosted, failover.stood_in_vain) == (Role.FOLLOWING, None, False)
    assert (failover.last_epoch, failover.had_majority) == (7, True)
    await minded(failover)
    assert owner.turns[1:] == [], "what it has heard counts once"


@pytest.mark.parametrize("ends_in_the_middle", [False, True])
async def test_who_moves_away_serves_nothing_any_more_and_takes_no_role(
    ends_in_the_middle: bool,
) -> None:
    failover, owner, table = await hosting()
    stepping = asyncio.create_task(failover.move_away())
    await asyncio.sleep(0)
    if ends_in_the_middle:
        stepping.cancel()
    await asyncio.gather(stepping, return_exceptions=True)
    await failover.end()
    assert not is_taken(table.port) and owner.served_at_turn == [False] * (not ends_in_the_middle)
    owner.epoch = 3
    await minded(failover)
    assert failover.served is None


async def test_a_table_that_is_closed_for_good_has_no_host_and_gets_none() -> None:
    failover, owner, table = await hosting()
    await failover.close()
    owner.epoch = 3
    await minded(failover)
    assert (failover.role, failover.served) == (Role.FOLLOWING, None)
    assert not await answers(table)


# Who follows and who stands


@pytest.mark.parametrize("hindrance", ["retired", "port taken", "not due"])
async def test_who_cannot_stand_goes_on_following(hindrance: str) -> None:
    first, owner, _ = await hosting()
    await first.close()
    failover = Failover(owner, None)
    owner.epoch = None if hindrance == "not due" else 3
    owner.port_is_taken = hindrance == "port taken"
    if hindrance == "retired":
        failover.retire()
    await failover.mind()
    assert (failover.role, failover.served, owner.turns) == (Role.FOLLOWING, None, [])
    assert failover.last_epoch == 0


async def test_who_follows_stands_in_the_epoch_that_its_owner_says_and_looks_for_others() -> None:
    failover, owner, table = await standing()
    assert owner.turns == [(Role.FOLLOWING, Role.STANDING)]
    assert table.server.host.card.epoch == failover.last_epoch == 3
    assert await answers(table) and owner.looks == 1
    await minded(failover)
    assert failover.role is Role.STANDING and owner.looks > 1


async def test_nobody_stands_for_longer_than_its_time() -> None:
    failover, owner, _ = await standing(stand_for=5.0)
    await asyncio.sleep(4.5)
    await failover.mind()
    assert failover.role is Role.STANDING
    await asyncio.sleep(1)
    await failover.mind()
    assert owner.turns[-1] == FOLLOWS and failover.stood_in_vain


async def test_who_hears_of_a_later_epoch_may_stand_above_it_at_once() -> None:
    failover, _, table = await standing()
    table.server.on_succession(Superseded(9))
    await failover.mind()
    assert (failover.role, failover.last_epoch) == (Role.FOLLOWING, 9)
    assert not failover.stood_in_vain


@pytest.mark.parametrize("is_chosen", [False, True])
async def test_who_leaves_while_it_stands_serves_nothing_afterwards(is_chosen: bool) -> None:
    failover, _, table = await standing(is_chosen=is_chosen)
    await failover.close()
    assert failover.served is table, "a candidate cannot say that the table closes"
    await minded(failover)
    assert failover.hosted is None
    await failover.end()
    assert not await answers(table)


async def test_who_is_ended_while_it_begins_to_stand_closes_its_ports(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, owner, _ = await hosting()
    monkeypatch.setattr(here().loop, "create_server", lambda *_, **__: asyncio.Event().wait())
    beginning = asyncio.create_task(owner.serve(3))
    await asyncio.sleep(0)
    port = owner.sockets[0].getsockname()[1]
    assert is_taken(port)
    beginning.cancel()
    await asyncio.gather(beginning, return_exceptions=True)
    assert not is_taken(port)
