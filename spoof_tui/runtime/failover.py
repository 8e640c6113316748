"""The table outlives its host: one state machine, whoever runs it.

Every seat holds the whole log, so any seat's program can go on as host. Three things keep that safe
and two parts of a torn network from both playing on:

- **Election.** A table moves by one entry, which carries the signed support of more than half of
  its seats for one host in one epoch. A seat supports one host in an epoch, puts that on its disk
  before it says so, and follows no earlier epoch from then on. Two majorities share a seat, so an
  epoch has one host at the most. Who counts changes with the log: `protocol.table.electorate` says
  why an entry may make the electors fewer, and why a half that returns never forks a table.
- **Lease.** A seat that answers a host's ping follows nobody else for `LEASE` seconds from that
  ping, for it supports nobody within `SUPPORT_DELAY`, which is longer. A host that was not answered
  by a majority for as long lets no game go on: before a later host can have been chosen, the old
  one has stopped.
- **Log.** A seat supports only who holds the very log that it holds itself. Whatever most seats
  have on their disks, an ending word above all, is in the log of the next host.

So nothing here is needed for safety, and a program may be wrong about who is there: what this
machine decides is only *when* to ask for support and when to give way, so that play goes on soon.

    FOLLOWING ──(own turn)──> STANDING ──(elected)──> HOSTING
        ^                        │                       │
        └──(a better one, or nobody came)──<──(a later epoch was heard of)

A host that hears of a later epoch steps down, also when nobody was chosen in that epoch: whoever
has promised to follow none before it can only come back to a later one. A host without a majority
looks whether the others have moved on. What a player's seat and a host without one do in their own
ways is in `FailoverOwner`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from enum import Enum
from math import inf
from typing import Any, Final, Protocol

from protocol.errors import Illegal
from protocol.rules.options import MIN_PLAYERS
from spoof_tui.clock import now
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.leadership import Leadership

LOOK_INTERVAL: Final = 0.1
"""Seconds between two looks at the link, the host and the clock."""

ANNOUNCE_TIMEOUT: Final = 2.0
"""Seconds that the first advert of a table may take."""


class Role(Enum):
    """What a program is to its table."""

    FOLLOWING = "following"
    """Somebody else serves it, or nobody."""
    STANDING = "standing"
    """This program serves it, and asks the seats for their support."""
    HOSTING = "hosting"
    """This program is the host."""


class FailoverOwner(Protocol):
    """What differs between a seat that hosts its table and a host without a seat."""

    async def next_epoch(self) -> int | None:
        """While following: the epoch in which to stand for host now; None to wait."""

    async def serve(self, epoch: int) -> HostedTable:
        """Serve the table as one who stands in `epoch`; raises `OSError` if no port is free."""

    async def look(self) -> int | None:
        """Look for the table once: the epoch of the program that this one has to give way to."""

    def turned(self, role: Role, before: Role) -> None:
        """The role is another one."""


class Failover:
    """The role of one program at one table; lives in one event loop."""

    def __init__(
        self,
        owner: FailoverOwner,
        hosted: HostedTable | None,
        *,
        stand_for: Callable[[], float] = lambda: inf,
        max_patience: float = 0.0,
    ) -> None:
        """Be host of `hosted`, or follow. One stands for as many seconds as `stand_for` says."""
        self.served = hosted
        """The table, while this program hosts it or stands for it."""
        self.role = Role.HOSTING if hosted else Role.FOLLOWING
        self.last_epoch = 0
        """The highest epoch that was stood for, or heard of."""
        self.had_majority = False
        """Whether this program still had a majority when it stepped down last."""
        self.stood_in_vain = False
        """Whether it has stood and nobody was heard to follow a later epoch: then others try."""
        self._owner = owner
        self._stand_for = stand_for
        self._stands_until = 0.0
        self._gives_way = False
        """Whether somebody is there who has more right to stand, or hosts the table."""
        self._leadership = Leadership(max_patience)
        self._looking: asyncio.Task[None] | None = None
        self._is_leaving = False
        """Whether it becomes no host any more, though it may be chosen: `end` tells the others."""
        self._tasks = _Tasks()
        if hosted:
            self._hear(hosted)

    @property
    def hosted(self) -> HostedTable | None:
        """The table, while this program is its host."""
        return self.served if self.role is Role.HOSTING else None

    @property
    def patience(self) -> float:
        """Seconds for which a host stays alone before it looks for a later one."""
        return self._leadership.patience

    async def mind(self) -> None:
        """Do what is due by now; to be called every `LOOK_INTERVAL`."""
        if self._is_leaving:
            return
        if self.served is None:
            epoch = await self._owner.next_epoch()
            if epoch is not None:
                await self._stand(epoch)
        elif self.role is Role.HOSTING:
            await self._mind_hosted(self.served)
        elif not self.served.server.host.is_standing:
            self._take_over(self.served)
        elif self._leadership.later is not None or self._is_over(self.served):
            await self._step_down()
        else:
            self._look()

    def _is_over(self, standing: HostedTable) -> bool:
        """Whether another one may try now: nobody has come, or a better one is there.

        Those who have come need a place where they are asked whether to go on elsewhere (G8).
        """
        at = now().monotonic
        is_alone = len(standing.server.host.connections.seats_here) < MIN_PLAYERS
        return at > self._stands_until and (is_alone or self._gives_way)

    def retire(self) -> None:
        """Stand no more: who goes once the role is given away does not take it back."""
        self._is_leaving = True

    async def hand_over(self, seat: bytes, support: bytes | None = None) -> None:
        """Give the host's role to a seat that is here, with the own `support` if it was promised.

        Raises `Illegal`.
        """
        hosted = self.hosted
        if hosted:
            host = hosted.server.host
            # In one go: nothing may come behind the log that the support is for.
            hosted.server.carry_out([*host.hand_over(seat, support), *host.close(is_moving=True)])
            await self._step_down()

    async def close(self) -> None:
        """Close the table for good if this program hosts it; a mere candidate cannot say that."""
        self.retire()
        hosted = self.hosted
        if hosted:
            self.served, self.role = None, Role.FOLLOWING
            await self._tasks.stop_announcing()
            await hosted.close()

    async def leave(self) -> None:
        """Serve the table no longer, and stand for it never: its game goes on at another (G8)."""
        table, self.served, self.role = self.served, None, Role.FOLLOWING
        self._stop_looking()
        await self._tasks.part(table)

    async def move_away(self) -> None:
        """Serve the table no longer; whoever is chosen, or holds the same key, goes on with it."""
        self.retire()
        if self.hosted:
            await self._step_down()

    async def end(self) -> None:
        """Stop whatever is under way, and stand no longer; a hosted table is left as it is."""
        self._stop_looking()
        await self._tasks.part(self.served if self.role is Role.STANDING else None)
        await self._tasks.wait()

    def _hear(self, table: HostedTable) -> None:
        table.server.on_succession = self._leadership.hear

    def _turn(self, role: Role) -> None:
        before, self.role = self.role, role
        self._owner.turned(role, before)

    async def _mind_hosted(self, hosted: HostedTable) -> None:
        host, at = hosted.server.host, now()
        if self._leadership.later is not None:
            # A player who has promised to follow no epoch this old comes back to a later one.
            self.had_majority = host.may_go_on(at)
            with contextlib.suppress(Illegal):
                hosted.server.carry_out(host.hand_over(host.key))
            await self._step_down()
        elif self._leadership.is_alone(host, at):
            self._look()

    async def _stand(self, epoch: int) -> None:
        try:
            table = await self._owner.serve(epoch)
        except OSError:
            # Somebody else has the port: the others would look for this one in vain.
            return
        self.last_epoch = max(self.last_epoch, epoch)
        self.had_majority, self._leadership.later = False, None
        self._hear(table)
        self.served = table
        self._stands_until, self._gives_way = now().monotonic + self._stand_for(), False
        self._turn(Role.STANDING)
        self._look()

    def _take_over(self, table: HostedTable) -> None:
        """The others have chosen this program."""
        self._stop_looking()
        self._leadership.begin()
        self._turn(Role.HOSTING)
        self._tasks.announce(table)

    async def _step_down(self) -> None:
        """Serve the table no longer; the own seat looks for it like all others."""
        table, self.served = self.served, None
        later, self._leadership.later = self._leadership.later, None
        self.last_epoch = max(self.last_epoch, later or 0)
        self.stood_in_vain = self.role is Role.STANDING and later is None
        self._stop_looking()
        await self._tasks.part(table)
        self._turn(Role.FOLLOWING)

    def _look(self) -> None:
        """Begin to look for somebody to give way to, unless this is under way."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_once())

    async def _look_once(self) -> None:
        epoch = None
        with contextlib.suppress(OSError):
            epoch = await self._owner.look()
        if epoch is None:
            return
        if self.role is Role.STANDING:
            self._stands_until, self._gives_way = float("-inf"), True
        else:
            self._leadership.later = max(epoch, self._leadership.later or 0)

    def _stop_looking(self) -> None:
        looking, self._looking = self._looking, None
        if looking:
            looking.cancel()
            # A question that is broken off may take long to hang up, and nobody waits for that.
            self._tasks.add(looking)


class _Tasks:
    """What goes on beside the state machine: adverts that are put out and taken back."""

    def __init__(self) -> None:
        self._announcing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def announce(self, table: HostedTable) -> None:
        self._announcing = asyncio.create_task(table.announce())

    async def stop_announcing(self) -> None:
        announcing, self._announcing = self._announcing, None
        if announcing:
            # Broken off in the middle it would leave sockets behind.
            await asyncio.wait({announcing}, timeout=ANNOUNCE_TIMEOUT)
            announcing.cancel()
            await asyncio.gather(announcing, return_exceptions=True)

    async def part(self, table: HostedTable | None) -> None:
        """Announce nothing and serve this table no longer.

        Its advert goes later. Who breaks this off leaves nothing half closed: `wait` sees to it.
        """
        await asyncio.shield(self._spawn(self._part(table)))

    def add(self, task: asyncio.Task[None]) -> None:
        """Have `wait` wait for this task, too."""
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def wait(self) -> None:
        """Wait until everything is closed."""
        while self._closing:
            await asyncio.wait(self._closing)

    async def _part(self, table: HostedTable | None) -> None:
        await self.stop_announcing()
        if table:
            try:
                await table.server.close(is_moving=True)
            finally:
                self._spawn(table.withdraw())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self.add(task)
        return task
