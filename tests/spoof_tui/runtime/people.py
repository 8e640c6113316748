"""People at tables, each with a client on their own machine, and what it was told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from protocol.views import TableView
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.hosted_table import TablePlan
from spoof_tui.runtime.notices import Notice, Opened, ViewChanged
from spoof_tui.storage.identity import Identity
from tests.helpers.virtual import VirtualBackground, at, computer, done_on, on
from tests.simulation.world import Machine
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import PLAN

T = TypeVar("T")


class Person:
    """A client, and everything its owner was told."""

    def __init__(self, name: str, before: Person | None = None) -> None:
        """Begin on a new machine, or on the one and with the key that this person had before."""
        self.machine: Machine = before.machine if before else computer()
        self.identity: Identity = before.identity if before else Identity.passing()
        self.notices: list[Notice] = []
        with on(self.machine):
            background = VirtualBackground(self.machine)
            self.client = TableClient(background, self.identity, name, self.notices.append)

    def told(self, kind: type[T]) -> list[T]:
        return [notice for notice in self.notices if isinstance(notice, kind)]

    async def wait_for(self, kind: type[T], count: int = 1) -> T:
        """The last notice of this kind, once there are this many."""
        await until(lambda: len(self.told(kind)) >= count, 60)
        return self.told(kind)[-1]

    async def sees(self, holds: Callable[[TableView], object]) -> TableView:
        """This person's view, as soon as that `holds`."""
        await until(lambda: self.told(ViewChanged) and holds(self.view), 60)
        return self.view

    @property
    def view(self) -> TableView:
        return self.told(ViewChanged)[-1].view

    async def sits_among(self, seats: int) -> None:
        """Wait until this person sits at the table, with this many in all."""
        await self.sees(lambda view: view.my_seat and len(view.seats) == seats)

    async def leave(self, heir: bytes | None = None) -> None:
        await done_on(self.machine, self.client.player.close(heir))


async def opened(plan: TablePlan = PLAN, bots: int = 0) -> tuple[Person, Address]:
    """A person at their own table with bots, and its address."""
    host = Person("Olha")
    host.client.open(plan, bots, Level.EASY)
    await host.sits_among(1 + bots)
    port = host.told(Opened)[0].port
    assert port
    return host, at(host.machine, port)


async def joined(address: Address, name: str = "Maria", before: Person | None = None) -> Person:
    """A person who sits at the table there."""
    guest = Person(name, before)
    guest.client.join(address)
    await guest.sees(lambda view: view.my_seat)
    return guest
