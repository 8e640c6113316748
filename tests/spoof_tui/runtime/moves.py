"""Tables on loopback whose host can crash, and players whose programs keep the table going."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TypeVar

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.table.electorate import groups_of
from protocol.table.fold import Table
from protocol.views import LinkState
from spoof_tui.network import recent
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.failover import Role
from spoof_tui.runtime.failover_seated import Participant, SeatedFailover
from spoof_tui.runtime.hosting import HostedTable, Plan
from spoof_tui.runtime.notices import FailoverNotice
from spoof_tui.storage.seat_store import DiskSeatStore
from tests.spoof_tui.runtime.local_table import new_key, until

T = TypeVar("T")

PLAN = Plan("The Golden Pier", "Olha", Rules.parse("milan"), port=0, locked=False)

MOVED_TIMEOUT = 60.0
"""Seconds that a table may take to move; it takes about four where the machine is not busy."""


@dataclass
class Player:
    """Somebody's program at the table, and everything that it told."""

    key: SigningKey
    seat: SeatedFailover
    notices: list[FailoverNotice] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def table(self) -> Table:
        """The table as this program knows it."""
        assert self.seat.guest.table
        return self.seat.guest.table

    @property
    def is_up(self) -> bool:
        return self.seat.guest.link is LinkState.UP

    @property
    def hosts(self) -> bool:
        return self.seat.hosted is not None

    @property
    def sits(self) -> bool:
        return self.seat.guest.table is not None and self.table.seat(self.key.public) is not None

    def told(self, kind: type[T]) -> list[T]:
        """The notices of one kind."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    async def crash(self) -> None:
        """End the program without a word, as a kill does."""
        failover = self.seat.failover
        served, failover.served, failover.role = failover.served, None, Role.FOLLOWING
        assert self.task
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        if served:
            await kill(served)


async def kill(hosted: HostedTable) -> None:
    """End a server without a word to anybody."""
    server = hosted.server
    assert server._ticking
    server._ticking.cancel()
    await asyncio.gather(server._ticking, return_exceptions=True)
    for listening in server._servers:
        listening.close()
    for link in list(server._standing):
        link.abort()
    if hosted._announcer:
        await hosted._announcer.close()
    server._executor.shutdown(wait=False)


class Company:
    """One table and the programs at it."""

    def __init__(self, hosted: HostedTable, key: SigningKey) -> None:
        self.hosted = hosted
        self.host_key = key
        self.players: list[Player] = []

    @property
    def table_id(self) -> bytes:
        return self.hosted.server.host.table.id

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.hosted.port)

    async def sit(self, *names: str) -> list[Player]:
        """Players that sit, in this order; the first is the host's own."""
        for name in names:
            is_host = not self.players
            player = self.join(name, self.host_key if is_host else None, hosts=is_host)
            await until(lambda player=player: player.sits)  # type: ignore[misc]
        return self.players

    def join(
        self,
        name: str | None,
        key: SigningKey | None = None,
        *,
        hosts: bool = False,
        may_stand: bool = True,
    ) -> Player:
        """A program that comes to the table, perhaps again."""
        key = key or new_key()
        notices: list[FailoverNotice] = []
        who = Participant(
            key,
            ForeignText(name) if name else None,
            DiskSeatStore(self.table_id, key.public),
            may_stand=may_stand,
        )
        seat = SeatedFailover(
            who,
            self.table_id,
            notices.append,
            addresses=() if hosts else (self.address,),
            hosted=self.hosted if hosts else None,
        )
        player = Player(key, seat, notices, asyncio.create_task(seat.run()))
        self.players.append(player)
        return player

    async def told_places(self) -> None:
        """Everybody knows where every player could serve the table, and who the electors are."""
        others = [player for player in self.players if not player.hosts]
        heirs = [player for player in others if player.sits]
        await until(lambda: all(len(p.seat.guest.places) == len(heirs) for p in others))
        # Before half of the former ones know of the last who sat down, they cannot move it.
        await until(lambda: all(len(groups_of(player.table)) == 1 for player in self.players))

    async def kept_places(self) -> None:
        """The same, and who comes again finds the others, for that is on the disk by now."""
        await self.told_places()
        guests = [player.seat.guest for player in self.players]
        places = {Address(each.address, each.port) for guest in guests for each in guest.places}
        await until(lambda: places <= set(recent.of_table(self.table_id)))

    async def close(self) -> None:
        """Have everybody go away, and wait until they are gone."""
        for player in self.players:
            await player.seat.close()
            assert player.task
            await asyncio.gather(player.task, return_exceptions=True)


@contextlib.asynccontextmanager
async def company(plan: Plan = PLAN) -> AsyncIterator[Company]:
    """A table that is open, with nobody at it yet."""
    key = new_key()
    table = Company(await HostedTable.open(plan, key), key)
    try:
        yield table
    finally:
        await table.close()
        with contextlib.suppress(OSError):
            await table.hosted.close()
