"""A table that this machine hosts: the server, its advert, and the log on the disk."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from protocol.host import Host, House
from protocol.keys import SigningKey
from protocol.limits import MAX_NAME
from protocol.rules import MAX_PLAYERS, Rules
from protocol.seals import HASH_BYTES
from protocol.statements import Measure, TableOpened
from protocol.version import PROTOCOL
from spoof_tui import storage
from spoof_tui.clock import now
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.network.announcer import Announcer
from spoof_tui.network.server import TableServer
from spoof_tui.renewal import Renewal
from spoof_tui.text import own_text


@dataclass(frozen=True, slots=True)
class Plan:
    """What a new table shall be."""

    name: str
    """What the table is called."""
    host: str
    """Who hosts it, as others see it."""
    rules: Rules
    seats: int = MAX_PLAYERS
    start_when: int = 2
    """Start as soon as so many are ready and nobody present is not."""
    games: int | None = None
    """Close after so many games; None: go on."""
    port: int | None = None
    """Port to listen on; None: the usual one, or any other if that is taken."""
    public: bool = True
    """Whether the table is found by others; a practice table is not."""
    locked: bool = True
    """Whether a join code is asked for."""
    grace: int = 60
    """Seconds that the table waits for somebody before a vote may go on without (G3)."""
    clock: int = 0
    """Seconds that a player may take for a fist or a word; 0: as many as it takes (G4)."""


class HostedTable:
    """A running table; lives in the event loop that opened it."""

    def __init__(self, plan: Plan, server: TableServer) -> None:
        self.plan = plan
        self.server = server
        self.port = 0
        """Where it listens."""
        self.renewal: Renewal | None = None
        """Why the code is another one than at first; None as long as it is not."""
        self._code = server.host.code
        self._barred = server.host.table.barred
        self._announcer = Announcer() if plan.public else None
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    async def open(cls, plan: Plan, key: SigningKey) -> HostedTable:
        """Open the table of `plan`, hosted by `key`; raises `OSError` if no port is free."""
        opened = TableOpened(
            protocol=PROTOCOL,
            host=key.public,
            name=own_text(plan.name, MAX_NAME),
            rules=plan.rules,
            seats=plan.seats,
            locked=plan.locked,
            grace=plan.grace,
            clock=plan.clock,
            salt=secrets.token_bytes(HASH_BYTES),
        )
        house = House(own_text(plan.host, MAX_NAME), plan.start_when, plan.games)
        host, first = Host.open(key, house, opened, now(), secrets.token_bytes)

        def record(blob: bytes) -> None:
            # Here, so that a disk that cannot be written keeps no table from opening.
            storage.Frames(storage.table_folder(host.table.id) / "host.log").append(blob)

        table = cls(plan, TableServer(host, record, key=key))
        table.server.on_change = table._changed
        table.server.carry_out(first)
        await table._start()
        return table

    async def _start(self) -> None:
        local = not self.plan.public
        wanted = DEFAULT_PORT if self.plan.port is None else self.plan.port
        try:
            self.port = await self.server.start(0 if local else wanted, local)
        except OSError:
            if self.plan.port is not None:
                raise
            self.port = await self.server.start(0, local)
        if self._announcer:
            await self._announcer.start(self.server.host.card, self.port)

    @property
    def trouble(self) -> str | None:
        """Why others may not find this table, in words; None when they can."""
        return self._announcer.trouble if self._announcer else None

    @property
    def code(self) -> str | None:
        """The join code; None at an open table."""
        return self.server.host.code

    def decide(self, measure: Measure, seat: bytes) -> None:
        """As host: mute, remove, refuse or let in again (G5); raises `Illegal`."""
        self.server.carry_out(self.server.host.decide(measure, seat, now()))

    def renew_code(self) -> None:
        """Take another join code."""
        effects = self.server.host.renew_code()
        if effects:
            self._code, self.renewal = self.code, Renewal.ASKED
        self.server.carry_out(effects)

    def listen(self, changed: Callable[[], None]) -> None:
        """Have `changed` called after every entry, and when the code is another one."""
        self._listeners.append(changed)

    def _changed(self) -> None:
        self._note_renewal()
        if self._announcer:
            self._announcer.update(self.server.host.card)
        for changed in self._listeners:
            changed()

    def _note_renewal(self) -> None:
        barred, self._barred = self._barred, self.server.host.table.barred
        if self.code != self._code:
            is_refusal = bool(self._barred - barred)
            self.renewal = Renewal.BARRED if is_refusal else Renewal.GUESSED
            self._code = self.code

    async def close(self) -> None:
        """Close the table: everybody is told, and it is found no more."""
        await self.server.close()
        if self._announcer:
            await self._announcer.close()
