"""The server of one program at a table that may move: started, announced, and stopped again."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Final

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.failover.effects import Stand
from protocol.guest.guest import Guest
from protocol.host.effects import Elected, Stranded, Superseded
from protocol.host.policy import HostPolicy
from protocol.table.log import Entry
from spoof_tui import system
from spoof_tui.network.table_server import ReservedPort
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.storage.journal import SeatStore

ANNOUNCE_TIMEOUT: Final = 2.0
"""Seconds that the first advert of a table may take."""


class Serving:
    """The servers of one table in this program: starts them as host or candidate, and stops them;
    belongs to one event loop."""

    def __init__(
        self,
        key: SigningKey,
        name: ForeignText | None,
        guest: Guest,
        journal: SeatStore,
        ports: list[ReservedPort],
        heard: Callable[[Elected | Superseded | Stranded], None],
        troubled: Callable[[], None],
    ) -> None:
        """Serve on `ports` the log that `guest` holds, and save it in `journal`.

        `heard` is called when the server is elected, superseded or stranded; `troubled` when its
        disk fails, or works again.
        """
        self.table: HostedTable | None = None
        """The table while this program serves it; None otherwise."""
        self._key = key
        self._name = name
        self._guest = guest
        self._journal = journal
        self._ports = ports
        self._heard = heard
        self._troubled = troubled
        self._last: HostedTable | None = None
        """The table as this program served it last; None if it never did."""
        self._announcing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    def begin(self, table: HostedTable) -> None:
        """Serve `table`, which is listening already."""

        def heard(what: Elected | Superseded | Stranded) -> None:
            if table is self.table:
                self._heard(what)

        self.table = self._last = table
        table.server.on_succession, table.server.on_trouble = heard, self._troubled

    async def stand(self, stand: Stand) -> HostedTable:
        """Serve the table as a candidate for host, and return it; raises `OSError`."""
        sockets = [each for port in self._ports for each in port.take()]
        own = HostPolicy(self._name or ForeignText(""))
        last, log = self._last, self.log
        policy = last.plan.policy if last else own
        table = await HostedTable.stand(log, self._key, policy, self._journal, stand, sockets, last)
        self.begin(table)
        return table

    @property
    def log(self) -> list[Entry]:
        """The longest log that this program has of the table."""
        own, known = self._last.server if self._last else None, self._guest.table
        if own and known and own.host.table.epoch == known.epoch:
            # What the old server has not written was sent to nobody, and is dropped with it.
            return max(list(own.recorded), list(self._guest.log), key=len)
        return list(self._guest.log)

    def announce(self) -> None:
        """Start the task that announces the table on the network."""
        if self.table:
            self._announcing = asyncio.create_task(self.table.announce())

    async def part(self) -> None:
        """Stop serving the table, and withdraw its advert after that.

        If this call is cancelled, the work goes on, and `end` waits for it.
        """
        table, self.table = self.table, None
        await asyncio.shield(self._spawn(self._part_from(table)))

    async def close(self) -> None:
        """Close the table for good; everybody is told."""
        table, self.table = self.table, None
        await self._stop_announcing()
        if table:
            await table.close()

    def reserve_again(self, *, was_host: bool) -> None:
        """Reserve the ports again for the next time that this program serves the table."""
        kept, port = {port.port for port in self._ports}, self._last.port if self._last else 0
        if was_host and kept and port not in {0, *kept}:
            # The others look for it there first.
            with contextlib.suppress(OSError):
                self._ports.insert(0, ReservedPort(port))
        for each in self._ports:
            each.keep()

    async def end(self, *, is_host: bool) -> None:
        """Wait until everything is closed; with `is_host` the table itself keeps running."""
        try:
            await (self._stop_announcing() if is_host else self.part())
            while self._closing:
                await asyncio.wait(self._closing)
        finally:
            for port in self._ports:
                port.close()

    def closes(self, task: asyncio.Task[None]) -> None:
        """Have `end` wait for this task, too."""
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _part_from(self, table: HostedTable | None) -> None:
        await self._stop_announcing()
        if table:
            try:
                await table.server.close(is_moving=True)
            finally:
                self._spawn(table.withdraw())

    async def _stop_announcing(self) -> None:
        announcing, self._announcing = self._announcing, None
        if announcing:
            # Cancelled in the middle, it would leave sockets open.
            await asyncio.wait({announcing}, timeout=ANNOUNCE_TIMEOUT)
            await system.end(announcing)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self.closes(task)
        return task
