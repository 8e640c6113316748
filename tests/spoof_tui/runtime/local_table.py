"""A table server and sessions at it in one loop, and a wire between them that can be cut."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import RemoteError
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.rules.options import Rules
from protocol.rules.words import Word
from protocol.table.fold import Phase
from protocol.table.log import Entry, Intent
from protocol.table.statements import TableOpened
from protocol.version import PROTOCOL
from protocol.views import TableView
from protocol.wire.messages import Propose, read_from_guest, read_from_host
from spoof_tui.clock import now
from spoof_tui.network.links import Dial, Link, Owner, Route
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.notices import Notice, ViewChanged
from spoof_tui.runtime.session import Session
from spoof_tui.storage.journal import SeatStore
from tests.simulation.loop import MachineLoop

T = TypeVar("T")

LIMIT = 30.0
"""Seconds that any wait may take; far more than it ever does, even on a busy machine."""

VIRTUAL_PAUSE = 0.02
"""Seconds between two looks, which cost no real time: fewer would hardly pay."""


async def until(holds: Callable[[], object], within: float = LIMIT) -> None:
    """Wait until `holds`; it fails after `within` seconds."""
    loop = asyncio.get_running_loop()
    end, pause = loop.time() + within, VIRTUAL_PAUSE if isinstance(loop, MachineLoop) else 0.001
    while not holds():
        assert loop.time() < end, "what was waited for did not come"
        await asyncio.sleep(pause)


def new_key() -> SigningKey:
    return SigningKey(secrets.token_bytes(32))


def new_host(
    rules: str = "milan",
    seats: int = 9,
    start_when: int = 2,
    games: int | None = None,
    key: SigningKey | None = None,
    locked: bool = False,
) -> tuple[Host, bytes]:
    """The host of a new table, and the blob of its first entry."""
    key = key or new_key()
    name, salt = ForeignText("The Golden Pier"), secrets.token_bytes(32)
    opened = TableOpened(PROTOCOL, key.public, name, Rules.parse(rules), seats, locked, 60, 0, salt)
    host, _ = Host.open(
        key, HostPolicy(ForeignText("Olha"), start_when, games), opened, now(), secrets.token_bytes
    )
    return host, host.log[0].blob


class Wire:
    """Dials a server in memory; it can refuse, be cut, swallow what the guest says, and listen."""

    def __init__(self, connect: Dial) -> None:
        self._connect = connect
        self.refuses = False
        self.swallows = False
        self.is_deaf = False
        """Whether nothing comes from the host any more."""
        self.has_no_address = False
        """Whether this end of the link is at no address of this machine any more."""
        self.dials: list[float] = []
        """When it was dialled."""
        self.on_send: Callable[[Message], None] = lambda message: None
        """Called with every message of the guest just before it is sent."""
        self.heard: list[Message] = []
        """Every message that came from the host."""
        self.channel = b""
        self.shows: bytes | None = None
        """The key that every link shows; None: its true one."""
        self.host_key: bytes | None = None
        self.address: str | None = None
        self.round_trip = 0.0
        self._owner: Owner | None = None
        self._link: Link | None = None
        self._to_host = FrameReader()
        self._from_host = FrameReader()

    async def __call__(self, owner: Owner) -> None:
        self.dials.append(asyncio.get_running_loop().time())
        if self.refuses:
            raise ConnectionRefusedError
        self._owner = owner
        await self._connect(self)

    def divert(self, connect: Dial, shows: bytes) -> None:
        """The link is gone, and somebody else answers now, who shows this key."""
        self._connect, self.shows = connect, shows
        self.cut()

    def cut(self) -> None:
        """Both ends notice that the connection is gone."""
        link, owner, self._link, self._owner = self._link, self._owner, None, None
        assert link and owner
        link.close()
        owner.lost(self)

    def opened(self, link: Link) -> None:
        self._link = link
        self.round_trip = link.round_trip
        self.channel, self.host_key = link.channel, self.shows or link.host_key
        self._to_host, self._from_host = FrameReader(), FrameReader()
        if self._owner:
            self._owner.opened(self)

    def received(self, link: Link, data: bytes) -> None:
        if self.is_deaf:
            return
        with contextlib.suppress(RemoteError):
            self.heard += map(read_from_host, self._from_host.feed(data))
        if self._owner and link is self._link:
            self._owner.received(self, data)

    def drained(self, link: Link) -> None:
        pass

    def lost(self, link: Link) -> None:
        if self._owner and link is self._link:
            self._link = None
            self._owner.lost(self)

    def send(self, data: bytes) -> None:
        for payload in self._to_host.feed(data):
            self.on_send(read_from_guest(payload))
        if self._link and not self.swallows:
            self._link.send(data)

    def unsent(self) -> int:
        return 0

    def is_stranded(self) -> bool:
        return self.has_no_address

    def pass_to(self, owner: Owner, unread: bytes) -> None:
        raise NotImplementedError

    def pause(self) -> None:
        pass

    def resume(self) -> None:
        pass

    def close(self) -> None:
        self._owner = None
        if self._link:
            self._link.close()

    def abort(self) -> None:
        self.close()


def proposed(message: Message) -> Message | None:
    """The statement that a message of a guest proposes."""
    return Intent.read(message.blob).statement if isinstance(message, Propose) else None


@dataclass
class Sitter:
    """One session, and everything it reported."""

    session: Session
    wire: Wire
    notices: list[Notice] = field(default_factory=list)
    task: asyncio.Task[None] | None = None

    @property
    def view(self) -> TableView:
        """Its last view."""
        return self.told(ViewChanged)[-1].view

    def told(self, kind: type[T]) -> list[T]:
        """The notices of one kind."""
        return [notice for notice in self.notices if isinstance(notice, kind)]

    @property
    def sits(self) -> bool:
        return bool(self.told(ViewChanged)) and self.view.my_seat is not None

    async def over(self) -> None:
        """Wait until the session has ended on its own account."""
        assert self.task
        async with asyncio.timeout(LIMIT):
            await self.task

    async def crash(self) -> None:
        """End it as if its program had been killed."""
        assert self.task
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


class LocalTable:
    """One table and all who sit at it."""

    def __init__(self, server: TableServer, first: bytes) -> None:
        self.server = server
        self.first = first
        self.sitters: list[Sitter] = []
        self.port = 0
        """Where it listens, if it does."""

    @property
    def table_id(self) -> bytes:
        return self.server.host.table.id

    @property
    def phase(self) -> Phase:
        return self.server.host.table.phase

    def seat(
        self,
        name: str | None = "Maria",
        guest: Guest | None = None,
        store: SeatStore | None = None,
        wire: Wire | None = None,
        way: Route | None = None,
    ) -> Sitter:
        """A session that begins to run; the table may not be known to it yet."""
        wire = wire or Wire(self.server.connect)
        notices: list[Notice] = []
        session = Session(
            guest or Guest(new_key()),
            way or wire,
            notices.append,
            name=None if name is None else ForeignText(name),
            store=store,
        )
        sitter = Sitter(session, wire, notices, asyncio.create_task(session.run()))
        self.sitters.append(sitter)
        return sitter

    async def sit(self, *names: str) -> list[Sitter]:
        """Sessions that sit, in this order."""
        sitters = []
        for name in names:
            sitters.append(self.seat(name))
            await until(lambda: sitters[-1].sits)
        return sitters

    async def start(self, *sitters: Sitter) -> None:
        """A game of these, up to the first fist."""
        for sitter in sitters:
            sitter.session.ready()
        await until(lambda: all(sitter.view.own_fist_due for sitter in sitters))

    async def choose(self, sitters: list[Sitter], *hands: int) -> None:
        """All fists, until words may be said."""
        for sitter, coins in zip(sitters, hands, strict=True):
            sitter.session.choose(coins)
        await until(lambda: all(sitter.view.phase is Phase.SPEAKING for sitter in sitters))

    def speaker(self) -> Sitter:
        """Whose turn it is."""
        return next(sitter for sitter in self.sitters if sitter.view.my_turn)

    async def say(self, *words: Word) -> None:
        """These words, each by the player whose turn it is and seen by everybody."""
        for word in words:
            said = self.server.host.table.head.length
            self.speaker().session.do(Guest.speak, word)
            await until(lambda said=said: all(s.view.position > said for s in self.sitters))  # type: ignore[misc]

    async def close(self) -> None:
        """End every session and close the table."""
        for sitter in self.sitters:
            await sitter.crash()
        await self.server.close()


@contextlib.asynccontextmanager
async def local_table(
    rules: str = "milan",
    seats: int = 9,
    start_when: int = 2,
    key: SigningKey | None = None,
    record: Callable[[Sequence[Entry]], None] = lambda entries: None,
    locked: bool = False,
) -> AsyncIterator[LocalTable]:
    """A table that is closed at the end, with all sessions at it."""
    key = key or new_key()
    host, first = new_host(rules, seats, start_when, key=key, locked=locked)
    table = LocalTable(TableServer(host, record, key=key), first)
    try:
        yield table
    finally:
        await table.close()


def statements(table: LocalTable, kind: type) -> list[Any]:
    """The statements of this kind in the log of the table."""
    return [entry.statement for entry in table.server.host.log if isinstance(entry.statement, kind)]
