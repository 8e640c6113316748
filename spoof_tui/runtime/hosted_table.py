"""A table that this machine hosts: its server, advert, door, and log on disk."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.errors import Illegal
from protocol.failover.effects import Stand
from protocol.guest.guest import Guest
from protocol.host.effects import HostEffect, Record
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.limits import MAX_NAME
from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS, Rules
from protocol.table.fold import Table
from protocol.table.log import Entry
from protocol.table.statements import NO_ONE, Measure, TableOpened
from protocol.timeouts import Moment
from protocol.version import PROTOCOL
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.door.program import DoorFailed, DoorOpened, DoorProgram
from spoof_tui.network.addresses import DEFAULT_PORT, Address, own_addresses
from spoof_tui.network.adverts import Announcer
from spoof_tui.network.beacon import BeaconSender
from spoof_tui.network.diagnosis.observations import OwnTable
from spoof_tui.network.links import CONNECT_TIMEOUT
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.probe import FoundTable
from spoof_tui.network.table_server import TableServer, bound
from spoof_tui.runtime.notices import CodeChange
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage import disk as disks
from spoof_tui.storage.journal import HostingTerms, Journal, SeatStore, assumed_terms, open_journal
from spoof_tui.storage.stored_log import folded
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import own_text, show
from spoof_tui.visiting import is_visitor


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The settings of a new table."""

    name: str
    """The table's name."""
    host: str
    """The host's name, as others see it."""
    rules: Rules
    seats: int = MAX_PLAYERS
    start_when: int = 2
    """How many have to be ready for a game to start, once everybody present is."""
    games: int | None = None
    """Number of games after which the table closes; None for no limit."""
    port: int | None = None
    """Port to listen on; None for the usual one, or any other if that is taken."""
    public: bool = True
    """Whether others can find the table; False for a practice table."""
    locked: bool = True
    """Whether a join code is asked for."""
    grace: int = 60
    """Seconds that the table waits for a player before the others may vote to play on without them
    (G3)."""
    clock: int = 0
    """Seconds that a player may take for a fist or a word (G4); 0 for no limit."""

    @property
    def policy(self) -> HostPolicy:
        """The policy of the table's host: its name, and when games start and end."""
        return HostPolicy(own_text(self.host, MAX_NAME), self.start_when, self.games)


LOOK_ELSEWHERE: Final = 2.0
"""Seconds for which a table is searched for on the network before it is resumed here."""


LOOKER_DELAY: Final = CONNECT_TIMEOUT + 1.0
"""Seconds after somebody searched for tables by which their attempt to connect here must have
failed, if they made one."""


class HostedTable:
    """A running table; belongs to the event loop that opened it."""

    def __init__(self, plan: TablePlan, server: TableServer, journal: SeatStore) -> None:
        self.plan = plan
        self.server = server
        self.journal = journal
        """The file with the host's copy of the log, and with that of its own seat."""
        self.port = 0
        """The port that the table listens on; 0 before it does."""
        self.code_change: CodeChange | None = None
        """Why the join code was last changed; None if it is still the first one."""
        self._code = server.host.admission.code
        self._table = server.host.table
        """The state of the table at the last change."""
        self._announcer = Announcer(self._tell) if plan.public else None
        self._sender: asyncio.Task[None] | None = None
        """The task that sends a candidate's beacon, by which those who do not know its address find
        it; None if this is no candidate."""
        self._is_announced = False
        self._listeners: list[Callable[[], None]] = []

    @classmethod
    async def open(cls, plan: TablePlan, key: SigningKey) -> HostedTable:
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
        host, first = Host.open(key, plan.policy, opened, now(), secrets.token_bytes)
        journal = open_journal(host.table.id, key.public)
        table = cls._served(plan, host, key, journal)
        await table._start(first)
        return table

    @classmethod
    async def resume(cls, saved: SavedTable, key: SigningKey, search: Search) -> HostedTable:
        """Resume a table that `key` hosts, in the middle of a round if need be, on its old port if
        that is free.

        Raises `Elsewhere` if the table is found on the network, where somebody else hosts it;
        `OSError` if no port is free; and `LocalError` if `key` is not the host in the log on disk.
        """
        journal = Journal(saved.table, key.public)
        kept = journal.read()
        await _look_elsewhere(saved.table, key, kept.entries, search)
        terms = kept.terms or assumed_terms(folded(kept.entries))
        return await cls._go_on(key, kept.entries, journal, terms)

    @classmethod
    async def carry_on(
        cls, entry: Entry, key: SigningKey, old: HostedTable, port: list[socket.socket]
    ) -> HostedTable:
        """Serve the new table that `entry` opens, on the sockets `port` that the `old` one has
        given up.

        Raises `OSError` if the port was lost and no other is free.
        """
        terms = old._terms_of_new
        journal = open_journal(entry.hash, key.public)
        table = await cls._go_on(key, [entry], journal, terms, port)
        if old.is_shut:
            table.shut()
        return table

    @classmethod
    async def _go_on(
        cls,
        key: SigningKey,
        entries: Sequence[Entry],
        journal: SeatStore,
        terms: HostingTerms,
        port: list[socket.socket] | None = None,
    ) -> HostedTable:
        policy = HostPolicy(own_text(terms.host, MAX_NAME), terms.start_when, terms.games)
        host = Host(key, policy, entries, secrets.token_bytes)
        table = cls._served(_plan_of(host.table, terms), host, key, journal)
        await table._start(_recorded(entries), is_resumed=True, port=port)
        return table

    @classmethod
    async def stand(
        cls,
        entries: Sequence[Entry],
        key: SigningKey,
        policy: HostPolicy,
        journal: SeatStore,
        stand: Stand,
        sockets: Sequence[socket.socket],
        last: HostedTable | None = None,
    ) -> HostedTable:
        """Serve the table of `entries`, whose host is gone, as its candidate for host.

        `last` is the same table as this program served it before; None if it never did. Until the
        candidate is elected, only those who search for it find it; call `announce` after that.
        Raises `OSError`.
        """
        entropy, epoch, silent = secrets.token_bytes, stand.epoch, stand.silent
        told = last.server.host.later_epochs if last else None
        host = Host(key, policy, entries, entropy, epoch, silent, stand.pledges, told)
        port = sockets[0].getsockname()[1]
        name = show(policy.name, MAX_NAME)
        terms = HostingTerms(name, policy.start_when, policy.games, port, is_public=True)
        plan = _plan_of(host.table, terms)
        table = cls._served(plan, host, key, journal)
        table.port = await table.server.start(sockets, _recorded(entries))
        table._sender = asyncio.create_task(BeaconSender(host.table.id, port).run())
        return table

    @classmethod
    def _served(
        cls, plan: TablePlan, host: Host, key: SigningKey, journal: SeatStore
    ) -> HostedTable:
        """A table with its server, which does not listen yet."""

        def record(entries: Sequence[Entry]) -> None:
            journal.write(*entries)

        table = cls(plan, TableServer(host, record, key=key), journal)
        table.server.on_change, table.server.found = table._changed, table._found
        return table

    @property
    def _terms_of_new(self) -> HostingTerms:
        """The hosting terms of a new table that goes on from this one (G8)."""
        plan, game = self.plan, self.server.host.table.game
        played = game.number - 1 if game else 0
        games = None if plan.games is None else max(plan.games - played, 1)
        return HostingTerms(plan.host, MIN_PLAYERS, games, self.port, plan.public)

    def _found(self, entry: Entry) -> None:
        """Save the first entry of a new table that this host has founded; raises `OSError`."""
        journal = open_journal(entry.hash, self.server.host.key)
        journal.write(entry, self._terms_of_new)
        journal.close()

    async def give_port(self) -> list[socket.socket]:
        """Stop listening, and return the sockets for the new table of the players who are here
        (G8)."""
        return await self.server.give_port(loopback_only=not self.plan.public)

    async def _start(
        self,
        first: Sequence[HostEffect] = (),
        *,
        is_resumed: bool = False,
        port: list[socket.socket] | None = None,
    ) -> None:
        local = not self.plan.public
        usual = 0 if local else DEFAULT_PORT
        wanted = usual if self.plan.port is None else self.plan.port
        try:
            self.port = await self.server.start(port or bound(wanted, local), first)
        except OSError:
            if self.plan.port is not None and not is_resumed:
                raise
            self.port = await self.server.start(bound(0, local), first)
        try:
            await self.announce()
        except BaseException:
            # Nobody else has it yet, so a caller that was cancelled could not close it.
            await self.close(is_moving=is_resumed)
            raise

    async def announce(self) -> None:
        """Let others find the table, and save what this program needs to resume it after a
        crash."""
        self._is_announced = True
        terms = HostingTerms(
            self.plan.host, self.plan.start_when, self.plan.games, self.port, self.plan.public
        )
        # All that is missing then is the port and the like, nothing essential.
        with contextlib.suppress(OSError):
            await disks.DISK.run(partial(self.journal.write, terms))
        await self._put_out()
        if self._announcer:
            await self._announcer.start(self.server.host.card, self.port)

    @property
    def address(self) -> str:
        """The address at which others reach this table now; empty if only this machine can, or if a
        visitor of this machine opened it and there is no network."""
        if self._announcer is None or (is_visitor() and not self._announcer.hosts):
            return ""
        return Address(next(iter(self._announcer.hosts), "127.0.0.1"), self.port).text

    @property
    def trouble(self) -> str | None:
        """A sentence that says why others may not find this table; None if they can."""
        return self._announcer.trouble if self._announcer else None

    @property
    def noticed(self) -> OwnTable:
        """What this table has noticed about other machines: those that searched for tables, and
        those that came."""
        before = asyncio.get_running_loop().time() - LOOKER_DELAY
        askers = self._announcer.askers(before) if self._announcer else frozenset()
        own = {*own_addresses(), "::1"}

        def others(hosts: Iterable[str]) -> frozenset[str]:
            plain = ((host, host.partition("%")[0]) for host in hosts)
            away = (host for host, each in plain if each not in own and each[:4] != "127.")
            return frozenset(away)

        visitors = others(self.server.visitors)
        return OwnTable(self.port, others(askers), visitors)

    @property
    def code(self) -> str | None:
        """The join code; None for an open table."""
        return self.server.host.admission.code

    @property
    def is_anew(self) -> bool:
        """Whether somebody has come to this table, or to the one that it goes on from, by another
        code: every program that serves a table draws its own."""
        table = self.server.host.table
        return bool(table.names) or table.continues is not None

    def successor(self, at: Moment) -> bytes | None:
        """Public key of the first seat whose program is connected and can serve the table; None if
        there is none."""
        host = self.server.host
        inside = [each for _, each in host.connections.inside() if each.address is not None]
        able = {each.key for each in inside if each.port and each.is_heard(at)}
        return next((key for key in host.table.heirs if key in able), None)

    def decide(self, measure: Measure, seat: bytes) -> None:
        """Take a measure as host (G5), such as muting, removing, banning or unbanning a seat;
        raises `Illegal`."""
        self.server.carry_out(self.server.host.decide(measure, seat, now()))

    def start(self) -> None:
        """Start the next game as host without those who are not ready (G9)."""
        self.server.carry_out(self.server.host.start(now()))

    def renew_code(self) -> None:
        """Change the join code; does nothing at an open table."""
        effects = self.server.host.renew_code()
        if effects:
            self._code, self.code_change = self.code, CodeChange.ASKED
        self.server.carry_out(effects)

    @property
    def is_shut(self) -> bool | None:
        """Whether an open table is locked to newcomers; None for a practice table or one with a
        join code."""
        is_open = self.plan.public and self.code is None
        return self.server.host.table.shut if is_open else None

    def shut(self) -> None:
        """Lock an open table to newcomers, or unlock it if it is locked."""
        if self.is_shut is not None:
            self.decide(Measure.UNLOCK if self.is_shut else Measure.LOCK, NO_ONE)

    @property
    def strangers(self) -> tuple[bytes, ...]:
        """Public keys of the seats at an open table whose owners have never opened a fist here.

        The host and everybody else of this program are never strangers.
        """
        host, table = self.server.host, self.server.host.table
        unknown = [seat.key for seat in table.seats if seat.key not in table.played]
        if not unknown or self.is_shut is None:
            return ()
        own = {each.key for _, each in host.connections.inside() if each.address is None}
        return tuple([key for key in unknown if key not in own and key != host.key])

    def clear(self, strangers: Iterable[bytes]) -> None:
        """Lock an open table, and ban these strangers: at once, or when their round is over."""
        if self.is_shut is False:
            self.shut()
        for key in set(strangers) & set(self.strangers):
            # A banned player who plays this round to its end is removed when the table waits for
            # them.
            for measure in (Measure.BAR, Measure.REMOVE):
                with contextlib.suppress(Illegal):
                    self.decide(measure, key)

    def name_door(self, port: int | None) -> None:
        """Announce the port of the table's ssh door on the network; None to announce that there is
        none."""
        if self._announcer:
            self._announcer.name_door(port)

    def listen(self, changed: Callable[[], None]) -> None:
        """Have `changed` called after every entry, and when the join code or the address
        changes."""
        self._listeners.append(changed)

    def _changed(self) -> None:
        before, self._table = self._table, self.server.host.table
        if self.code != self._code:
            is_refusal = bool(self._table.barred - before.barred)
            self.code_change = CodeChange.BARRED if is_refusal else CodeChange.GUESSED
            self._code = self.code
        if self._announcer and self._is_announced and _is_other_card(before, self._table):
            self._announcer.update(self.server.host.card)
        self._tell()

    def _tell(self) -> None:
        for changed in self._listeners:
            changed()

    async def close(self, *, is_moving: bool = False) -> None:
        """Close the table: everybody is told, and it can no longer be found.

        With `is_moving` only this host goes, and everybody looks for another one.
        """
        await self.server.close(is_moving=is_moving)
        await self.withdraw()

    async def withdraw(self) -> None:
        """Withdraw the advert, which takes a while, and close the files."""
        await self._put_out()
        if self._announcer and self._is_announced:
            await self._announcer.close()
        await disks.DISK.run(self.journal.close)

    async def _put_out(self) -> None:
        sender, self._sender = self._sender, None
        await system.end(sender)


def _is_other_card(before: Table, table: Table) -> bool:
    """Whether the card of the table, which people looking for tables see, has changed.

    Nothing said in a game changes the card.
    """
    is_same = before.seats is table.seats and before.phase is table.phase
    return not is_same or before.epoch != table.epoch


class Elsewhere(Exception):
    """The table to be resumed is hosted by somebody else and can be joined there."""

    def __init__(self, answer: FoundTable) -> None:
        super().__init__(answer.address.text)
        self.answer = answer
        """The answer of that host: its address, and the card of the table."""


async def _look_elsewhere(
    table: bytes, key: SigningKey, entries: Sequence[Entry], search: Search
) -> None:
    """Raise `Elsewhere` if somebody hosts the table with this log or a later one."""
    locator = TableLocator(Guest(key, table, entries), table, (), search=search, is_kept=True)
    # Not a candidate for host, who might not be elected without this program.
    locator.takes_candidates = False
    try:
        raise Elsewhere(await locator.find(LOOK_ELSEWHERE))
    except OSError:
        return
    finally:
        await locator.close()


def _recorded(entries: Iterable[Entry]) -> list[HostEffect]:
    """Effects that put these entries on disk before anything is sent: they may have been read from
    a file that is not on disk yet, or from the memory of the own seat."""
    return [Record(entry) for entry in entries]


def _plan_of(table: Table, terms: HostingTerms) -> TablePlan:
    opened = table.opened
    return TablePlan(
        name=show(opened.name, MAX_NAME),
        host=terms.host,
        rules=opened.rules,
        seats=opened.seats,
        start_when=terms.start_when,
        games=terms.games,
        port=terms.port or None,
        public=terms.is_public,
        locked=opened.locked,
        grace=opened.grace,
        clock=opened.clock,
    )


class TableDoor:
    """The ssh door of a table, or none; belongs to the event loop of the table."""

    def __init__(
        self,
        tell: Callable[[DoorOpened | DoorFailed | None], None],
        program: Callable[[], DoorProgram] = DoorProgram,
    ) -> None:
        """`tell` is called on every change; with None when the door is closed. `program` makes the
        process of a door."""
        self._tell = tell
        self._make = program
        self._program: DoorProgram | None = None
        self._table: HostedTable | None = None

    async def open(self, table: HostedTable, port: int | None = None) -> None:
        """Open the door of `table`, unless one is open; the result is reported by `tell`.

        It listens on `port`; None for the usual one, or any other if that is taken.
        """
        if self._program is not None:
            return
        if not table.plan.public:
            self._tell(DoorFailed(_("Nobody else can join a practice table.")))
            return
        program = self._program = self._make()
        program.on_end = self._ended
        id_of = table.server.host.table.id
        said = await program.open(id_of, f"127.0.0.1:{table.port}", port)
        if self._program is not program:
            await program.close()
            return
        if isinstance(said, DoorFailed):
            self._program = None
        else:
            self._table = table
            table.name_door(said.port)
        self._tell(said)

    async def close(self, *, is_final: bool = False) -> None:
        """Close the door, if one is open, and send its visitors away; `is_final`: the host asked
        for that."""
        program, self._program = self._program, None
        if program is None:
            return
        self._name_none()
        self._tell(None)
        await program.close(is_final=is_final)

    def _ended(self) -> None:
        self._program = None
        self._name_none()
        self._tell(DoorFailed(_("The door closed unexpectedly.")))

    def _name_none(self) -> None:
        table, self._table = self._table, None
        if table:
            table.name_door(None)
