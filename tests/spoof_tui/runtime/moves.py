"""A table and the programs at it, each on its own machine, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.table.electorate import groups_of
from protocol.table.fold import Phase, Table
from protocol.table.log import Entry
from protocol.views import LinkState
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import Notice
from spoof_tui.runtime.seat import Participant, Seat
from spoof_tui.runtime.session import Session
from spoof_tui.storage.journal import Journal
from tests.helpers.virtual import at, computer, done_on, on, search
from tests.simulation.world import Machine
from tests.spoof_tui.runtime.local_table import new_key, until

T = TypeVar("T")

PLAN: Final = TablePlan("The Golden Pier", "Olha", Rules.parse("milan"), port=0, locked=False)

MOVED: Final = 60.0
"""Seconds that a table may take to move, with everything that its players wait for."""


@dataclass
class Player:
    """A player's program at a table, its machine, and everything that it reported."""

    key: SigningKey
    machine: Machine
    seat: Seat
    task: asyncio.Task[None]
    notices: list[Notice] = field(default_factory=list)

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

    def do(self, command: Callable[[Session], object]) -> None:
        """Have the player do something."""
        with on(self.machine):
            command(self.seat.session)

    def hand_over(self, to: Player) -> None:
        """Have the host hand its role over, and stay."""
        with on(self.machine):
            self.seat.hand_over(to.key.public)

    def store(self) -> Journal:
        """This seat's files on disk."""
        with on(self.machine):
            return Journal(self.table.id, self.key.public)

    def crash(self) -> None:
        """End the program without a word, as a kill does."""
        self.machine.stop()


class Company:
    """One table and the programs at it; nothing is closed: the world ends with the test."""

    def __init__(self, hosted: HostedTable, key: SigningKey, machine: Machine) -> None:
        self.hosted = hosted
        self.host_key = key
        self.machine = machine
        """The host's program."""
        self.players: list[Player] = []

    @classmethod
    async def open(cls, plan: TablePlan = PLAN) -> Company:
        """A table with nobody at it yet."""
        key, machine = new_key(), computer()
        return cls(await done_on(machine, HostedTable.open(plan, key)), key, machine)

    @classmethod
    async def of(cls, *names: str, plan: TablePlan = PLAN, hosts: bool = True) -> Company:
        """One with these, who all know where the others are; the first one hosts, if one `hosts`.

        They sit in this order, and all of them are electors.
        """
        table = await cls.open(plan)
        for name in names:
            own = hosts and not table.players
            player = table.sit(name, table.host_key if own else None, table.hosted if own else None)
            await until(lambda: player.sits)  # noqa: B023
        await table.told_places()
        return table

    @property
    def table_id(self) -> bytes:
        return self.hosted.server.host.table.id

    @property
    def address(self) -> Address:
        return at(self.machine, self.hosted.port)

    def sit(
        self,
        name: str | None,
        key: SigningKey | None = None,
        hosted: HostedTable | None = None,
        *,
        may_stand: bool = True,
        machine: Machine | None = None,
        opening: Entry | None = None,
        addresses: tuple[Address, ...] | None = None,
    ) -> Player:
        """A program that comes to the table; without a name it only watches."""
        key = key or new_key()
        table = opening.hash if opening else self.table_id
        machine = machine or (self.machine if hosted else computer())
        if not machine.is_up:
            machine.start()
        notices: list[Notice] = []
        with on(machine):
            who = Participant(
                key,
                ForeignText(name) if name else None,
                Journal(table, key.public),
                may_stand=may_stand,
                opening=opening,
            )
            known = (self.address,) if addresses is None else addresses
            seat = Seat(
                who,
                table,
                notices.append,
                addresses=() if hosted else known,
                hosted=hosted,
                search=search(),
            )
            task = machine.loop.create_task(seat.run())
        player = Player(key, machine, seat, task, notices)
        self.players.append(player)
        machine.is_idle = lambda: player.is_up
        return player

    def back(self, player: Player, name: str = "again") -> Player:
        """A program that is gone is started again, on its machine."""
        return self.sit(name, player.key, machine=player.machine)

    async def told_places(self) -> None:
        """Everybody knows where every player could serve the table, and who the electors are."""
        heirs = [player for player in self.players if not player.hosts and player.sits]
        everybody = self.players
        await until(lambda: all(len(p.seat.guest.places) == len(heirs) for p in everybody))
        # Until half of the former ones have confirmed who sat down last, they cannot move the
        # table.
        await until(lambda: all(len(groups_of(player.table)) == 1 for player in everybody))

    async def choosing(self) -> None:
        """A game of all who sit, up to the first fists."""
        for player in self.players:
            player.do(Session.ready)
        await until(lambda: all(p.table.phase is Phase.CHOOSING for p in self.players))


async def moved(*players: Player) -> Player:
    """Wait until one of them hosts the table and all are at it; returns that one."""

    def has_moved() -> bool:
        hosts = [player for player in players if player.hosts]
        key = hosts[0].key.public if hosts else b""
        return len(hosts) == 1 and all(p.is_up and p.table.host == key for p in players)

    await until(has_moved, MOVED)
    return next(player for player in players if player.hosts)


def on_disk_of(player: Player, read: Callable[[], T]) -> T:
    """What the disk of a player's machine holds."""
    with on(player.machine):
        return read()
