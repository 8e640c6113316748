"""One table from one seat: the same for a person, a bot and a test.

A session belongs to one event loop. It keeps the link to the host up, carries out what its `Guest`
asks for and notifies its owner. Commands never raise; a refusal is a notice.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Concatenate, Final, ParamSpec

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, ProtocolError, Reason
from protocol.failover.inputs import Called
from protocol.guest.effects import (
    Changed,
    CodeWanted,
    Cut,
    Depart,
    GuestEffect,
    Halt,
    HandedOver,
    Hangup,
    Keep,
    Pledged,
    Promise,
    Refused,
    Settle,
    Store,
    Transmit,
    WentOn,
)
from protocol.guest.guest import Guest
from protocol.guest.viewpoint import Viewpoint
from protocol.limits import MAX_TALK
from protocol.table.fold import Phase, Table, check_statement
from protocol.table.log import Entry
from protocol.table.statements import Leave, Say, Sit
from protocol.table.verify import fault_of
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.network.links import Dial, Link, Route
from spoof_tui.runtime.connection import Connection
from spoof_tui.runtime.notices import (
    Broken,
    DiskTrouble,
    Ended,
    NotAllowed,
    Notice,
    NotSaved,
    Saved,
    TurnedAway,
    ViewChanged,
    WhileAway,
)
from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import RETRY_DELAY, Disk, DiskTask, OrderedEffects
from spoof_tui.storage.journal import JournalRecord, SeatStore
from spoof_tui.text.safe_text import own_text
from spoof_tui.visiting import is_visitor

P = ParamSpec("P")

TICK_INTERVAL: Final = 0.25
"""Seconds between two ticks."""

SETTLE_TIMEOUT: Final = 0.5
"""Seconds that the disk may take, at the end of a session, for what is still to be written."""

AWAY_DELAY: Final = 10.0
"""Seconds without a link after which a player is told what has happened meanwhile."""

FINAL: Final = frozenset(
    {
        Farewell.CLOSED,
        Farewell.REPLACED,
        Farewell.OTHER_VERSION,
        Farewell.OTHER_LOG,
        Farewell.BARRED,
        Farewell.SHUT,
        Farewell.NO_PROOF,
    }
)
"""Farewells after which reconnecting would change nothing."""

TOLD: Final = frozenset({Farewell.TOO_MANY, Farewell.IMPOSTOR, Farewell.WRONG_PROOF})
"""Farewells that a player is told about while the session keeps trying."""

PASSING: Final = frozenset({Reason.STALE, Reason.OTHER_LOG, Reason.TOO_FAST})
"""Reasons to refuse a seat that say nothing about the seat: it is asked for again."""

SEAT_RETRY_DELAY: Final = 1.0
"""Seconds until then."""


def talk(line: str) -> Say | None:
    """The statement that says a line, cut to what the wire takes; None if nothing is left."""
    text = own_text(line, MAX_TALK)
    return Say(text) if text.encoded() else None


def _goes_on(guest: Guest) -> bool:
    """Whether this table goes on from an old one (G8).

    It may have let in somebody from there who has its code. It asks for the code, and proves it,
    when they come once more.
    """
    return guest.card is not None and bool(guest.card.continues)


@dataclass(frozen=True, slots=True)
class _Said:
    """An effect, and the link that it was meant for."""

    effect: GuestEffect
    link: Link | None
    number: int
    """Number of the link: by the time the disk is done, there may be a newer one."""


class Session:
    """A seat at a table, or a place to watch from."""

    def __init__(
        self,
        guest: Guest,
        dial: Dial | Route,
        notify: Callable[[Notice], None],
        *,
        name: ForeignText | None,
        store: SeatStore | None = None,
        sits: bool = True,
        disk: Disk | None = None,
        is_bot: bool = False,
        opening: Entry | None = None,
    ) -> None:
        """Sit at `guest`'s table through `dial`; without a `name` one can only watch.

        Without `sits` one watches at first, and takes a seat with `sit`. A bot's seat is never
        marked as one behind a door, since nobody's hand is at stake. The `opening` is a first entry
        that the guest holds but the disk does not yet.
        """
        self.guest: Final = guest
        """The participant's side of the protocol."""
        route = dial if isinstance(dial, Route) else Route(dial)
        self._viewpoint = Viewpoint(guest)
        self._connection = Connection(guest, route, self, self._dropped)
        self._notify = notify
        self._name = name
        self._store = store or SeatStore()
        self._absence = Absence(guest)
        self._sits = sits
        self._asks_at = -inf if sits else inf
        """When to ask for a seat, by the monotonic clock; infinity: not by itself."""
        self._is_marked = is_visitor() and not is_bot
        self._turned_away: Farewell | None = None
        self._tried_without_proof = False
        self._archived = _finished(guest.table)
        self._disk = disks.INLINE if store is None else disk or disks.DISK
        self._effects = OrderedEffects(self, self._disk)
        self.on_trouble: Callable[[], None] = lambda: None
        """Called when `trouble` changes."""
        self._saver = Saver(self._disk, notify)
        self._opening = opening

    @property
    def trouble(self) -> OSError | None:
        """Why nothing can be written now, so that what depends on it waits; None if it can.

        What waits is bounded: the log, which is in memory anyway and has `MAX_LOG` entries at most,
        and what is said over one link, which the host gives up when nothing comes.
        """
        return self._effects.trouble

    @property
    def other_end(self) -> bytes | None:
        """Key of the program at the other end of the link; None within this one, or without
        a link."""
        return self._connection.link.host_key if self._connection.link else None

    async def run(self) -> None:
        """Stay at the table until the session is over."""
        # An earlier program may not have waited for what was read of it.
        opening = [] if self._opening is None else [Store(self._opening)]
        # The player sees the table whether anybody serves it or not.
        self.carry_out([Settle(), *opening, Changed()])
        ticking = asyncio.create_task(self._tick())
        try:
            await self._connection.run()
        finally:
            self._connection.stop_beside()
            await system.end(ticking)
            if not self._connection.over.is_set():
                self._connection.close()
            await self._effects.settle(SETTLE_TIMEOUT)
            self._effects.close()
            self._connection.close()
            await self._saver.wait(SETTLE_TIMEOUT)
            await asyncio.wait({self._disk.run(self._store.close)}, timeout=SETTLE_TIMEOUT)

    def redial(self) -> None:
        """Drop this connection, or the attempt at one, and dial again at once."""
        self._connection.redial()

    def close(self, *, keeps_seat: bool = False) -> None:
        """Go away on purpose: a seat in a game is kept, any other is given up."""
        if not keeps_seat:
            self.do(leaving)
        self.carry_out(self.guest.farewell())
        self._connection.end()

    def use_code(self, code: str) -> None:
        """Prove this join code, now or as soon as it is asked for."""
        self.carry_out(self.guest.use_code(code, secrets.token_bytes))
        self._connection.has_code.set()

    def ready(self) -> None:
        """Be ready for the next game (G1)."""
        self.do(Guest.ready, _random(), _random())

    def sit(self) -> None:
        """Ask for a seat if there is none yet, and again if nothing but the moment was wrong."""
        self._asks_at = inf
        name = self._name
        if name is not None and not _has_seat(self.guest):
            self.do(Guest.state, Sit(name, self._is_marked))

    def choose(self, coins: int) -> None:
        """Hide this many coins (R2)."""
        self.do(Guest.choose, coins, _random())

    def agree(self, *, yes: bool = True) -> None:
        """Agree to go along to the new table that is offered, or refuse (G8)."""
        self.do(lambda guest: guest.departure.agree(yes=yes))

    def do(
        self,
        command: Callable[Concatenate[Guest, P], Iterable[GuestEffect]],
        *args: P.args,
        **options: P.kwargs,
    ) -> None:
        """Have the guest carry out a command: `do(Guest.speak, word)`."""
        try:
            effects = command(self.guest, *args, **options)
        except Illegal as error:
            self._notify(NotAllowed(error))
        except ProtocolError:
            # The table is not known yet, or the command is not possible now.
            return
        else:
            self.carry_out(effects)

    def opened(self, link: Link) -> None:
        """The link is up; the previous one is closed as soon as this one is accepted."""
        self._connection.opened(link)
        self.guest.trip = self.guest.trip.renewed(link.round_trip)
        self.carry_out(self.guest.connected(link.channel, now(), link.host_key))

    def received(self, link: Link, data: bytes) -> None:
        """Bytes have come."""
        if link is self._connection.link:
            before = self.guest.table
            effects = self.guest.received(data, now())
            self.carry_out(effects)
            self._remember_losing(effects, before)
            self._settle()

    def drained(self, link: Link) -> None:
        """A player never says so much that it has to wait."""

    def lost(self, link: Link) -> None:
        """The link is gone."""
        self._connection.lost(link)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_INTERVAL)
            self.carry_out(self.guest.tick(now()))
            self._connection.tick(now())
            self._settle()

    def carry_out(self, effects: Iterable[GuestEffect]) -> None:
        """Carry out the guest's effects in their order."""
        effects = list(effects)
        if not effects:
            return
        for effect in effects:
            if isinstance(effect, Cut):
                self._absence.cut(effect.length)
            elif isinstance(effect, HandedOver):
                # Before anything is on the disk: a seat that only knows that the host is gone may
                # stand.
                self._notify(effect)
        # What is said belongs to the link that it was said on, however late the disk is.
        link, number = self._connection.link, self._connection.number
        said = [
            _Said(effect, link, number)
            for effect in effects
            if not isinstance(effect, Changed | HandedOver | Cut)
        ]
        if said:
            self._effects.put(said)
        if Changed() in effects and self.guest.table is not None:
            self._notify(ViewChanged(self._viewpoint.view()))

    def kind_of(self, said: _Said) -> DiskTask:
        if isinstance(said.effect, Store):
            # Only a copy of the host's log: nobody waits for it.
            return DiskTask.WRITE
        is_first = isinstance(said.effect, Keep | Settle | Promise | Depart)
        return DiskTask.WRITE_FIRST if is_first else DiskTask.ACT

    def write(self, effects: Sequence[_Said]) -> None:
        self._store.write(*(record for said in effects if (record := _record_of(said.effect))))

    def act(self, said: _Said) -> None:
        what = said.effect
        if isinstance(what, Transmit):
            if said.link and said.number == self._connection.number:
                said.link.send(what.data)
        elif isinstance(what, Pledged):
            self._notify(what)
        elif isinstance(what, WentOn):
            self._notify(what)
            self._connection.end()
        elif isinstance(what, Refused):
            self._refused(what)
        elif isinstance(what, Hangup):
            self._hung_up(self._connection.understood(what.why), said)
        elif isinstance(what, CodeWanted):
            self._connection.has_code.clear()
            self._notify(what)
        elif isinstance(what, Halt):
            self._halt(what)

    def _halt(self, halt: Halt) -> None:
        fault = fault_of(self.guest.log, self.guest.table, halt.evidence)
        log = tuple(self.guest.log)

        def tell(evidence: Path | None) -> None:
            self._notify(Broken(halt.error, evidence, fault))
            self._connection.end()

        self._saver.save(partial(self._store.accuse, halt.evidence, log, str(halt.error)), tell)

    def _refused(self, refused: Refused) -> None:
        """Report why: this side knows the values that complete the sentence, if it agrees."""
        error = Illegal(refused.reason if refused.reason.is_plain else Reason.STALE)
        if self.guest.table:
            try:
                check_statement(self.guest.table, self.guest.key, refused.statement)
            except Illegal as own:
                error = own
        if isinstance(refused.statement, Sit) and error.reason in PASSING:
            self._asks_at = now().monotonic + SEAT_RETRY_DELAY
        else:
            self._notify(NotAllowed(error))

    def _hung_up(self, why: Farewell, said: _Said) -> None:
        is_present = said.number == self._connection.number
        if why is Farewell.NO_PROOF and not self._tried_without_proof and _goes_on(self.guest):
            self._tried_without_proof = True
        elif why in FINAL:
            # The guest accepts these from nobody but the host.
            self._notify(Ended(why))
            self._connection.end()
        elif why is Farewell.BEHIND and self.guest.card:
            self._notify(Called(self.guest.card.epoch))
        elif why in TOLD | FINAL and why is not self._turned_away and is_present:
            self._turned_away = why
            self._notify(TurnedAway(why))
        if is_present:
            self._connection.drop()

    def _dropped(self) -> None:
        """There is no link any more."""
        self._absence.begin(now().monotonic)
        # If the disk is full, messages for one link after the other would pile up.
        self._effects.forget(lambda said: isinstance(said.effect, Transmit))
        self.carry_out(self.guest.disconnected())

    def _settle(self) -> None:
        """React to a table that has moved on: ask for a seat, save a game."""
        table = self.guest.table
        if table is None or self.guest.link is not LinkState.UP:
            return
        if not self._connection.has_arrived:
            self._arrive()
        if self._name and now().monotonic >= self._asks_at:
            self._asks_at = inf
            if table.seat(self.guest.key) is None:
                self.sit()
        finished = _finished(table)
        if finished > self._archived:
            self._archived = finished
            archive = partial(self._store.archive, table, tuple(self.guest.log))
            self._saver.save(archive, self._tell_saved, waits_for_room=True)

    def _remember_losing(self, effects: Iterable[GuestEffect], before: Table | None) -> None:
        """Want a seat again if a new entry says that it was left before, or if it went when the
        log was cut."""
        had_seat = before is not None and before.seat(self.guest.key) is not None
        for effect in effects:
            if isinstance(effect, Cut) and had_seat:
                self._asks_at = -inf
            said = effect.entry.intent if isinstance(effect, Store) and self._sits else None
            if said and isinstance(said.statement, Leave) and said.author == self.guest.key:
                self._asks_at = -inf

    def _arrive(self) -> None:
        """The link has reached the table."""
        self._connection.arrive()
        self._turned_away = None
        table = self.guest.table
        if table and self.guest.key in table.vacated:
            # The seat was freed after a long absence; the owner wants one again.
            self._asks_at = -inf
        missed = self._absence.end(now().monotonic)
        if missed:
            self._notify(WhileAway(missed))

    def _tell_saved(self, record: Path | None) -> None:
        if record:
            self._notify(Saved(record))


def _record_of(effect: GuestEffect) -> JournalRecord | None:
    """What an effect adds to the journal; None if it only waits for earlier records."""
    match effect:
        case Store():
            return effect.entry
        case Keep():
            return effect.secret
        case Promise() | Depart():
            return effect
    return None


class Absence:
    """What a player misses while there is no link."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._left: tuple[int, float] | None = len(guest.log), float("-inf")
        """How long the log was when the link was lost, and when that was; None while
        there is a link."""

    def begin(self, at: float) -> None:
        """The link is lost."""
        if self._left is None:
            self._left = len(self._guest.log), at

    def cut(self, length: int) -> None:
        """The log was cut to this many entries: the others will be missed."""
        if self._left:
            self._left = min(self._left[0], length), self._left[1]

    def end(self, at: float) -> tuple[Entry, ...]:
        """The link is back: what was missed, if that is worth telling."""
        left, self._left = self._left, None
        if left is None or not left[0] or at - left[1] <= AWAY_DELAY:
            return ()
        return tuple(self._guest.log[left[0] :])


class Saver:
    """Writes whole files without blocking a loop."""

    def __init__(self, disk: Disk, notify: Callable[[NotSaved], None]) -> None:
        self._disk = disk
        self._notify = notify
        self._saving: set[asyncio.Future[Path | None]] = set()

    def save(
        self,
        job: Callable[[], Path | None],
        done: Callable[[Path | None], None],
        *,
        waits_for_room: bool = False,
        is_told: bool = False,
    ) -> None:
        """Write a file, and go on with its path.

        A failure is reported unless it is known already (`is_told`); then `done` gets None at once,
        or the path as soon as there is room.
        """

        def saved(future: asyncio.Future[Path | None]) -> None:
            self._saving.discard(future)
            path = None
            try:
                path = future.result()
            except OSError as error:
                if not is_told:
                    self._notify(NotSaved(error))
                if waits_for_room:
                    again = partial(self.save, job, done, waits_for_room=True, is_told=True)
                    asyncio.get_running_loop().call_later(RETRY_DELAY, again)
                    return
            done(path)

        saving = self._disk.run(job)
        self._saving.add(saving)
        saving.add_done_callback(saved)

    async def wait(self, most: float | None = None) -> None:
        """Wait for the files that are being written, at most for this many seconds."""
        if self._saving:
            await asyncio.wait(self._saving, timeout=most)


class DiskReport:
    """Reports once that nothing can be written, and once that writing works again."""

    def __init__(self, notify: Callable[[DiskTrouble], None]) -> None:
        self._notify = notify
        self._told: DiskTrouble | None = None

    def look(self, host: OSError | None, seat: OSError | None = None) -> None:
        """Report what has changed since the last look about the table's log and the
        player's seat."""
        told, error = self._told, host or seat
        if error is None:
            if told:
                self._told = None
                self._notify(DiskTrouble(None, told.is_host))
            return
        is_news = told is None or told.error is None or told.error.errno != error.errno
        if is_news or (host and told and not told.is_host):
            self._told = DiskTrouble(error, is_host=host is not None)
            self._notify(self._told)


def leaving(guest: Guest) -> Iterable[GuestEffect]:
    """Give up the seat, if there is one and no game needs it."""
    table = guest.table
    if table is None or table.playing(guest.key) is not None:
        return ()
    return guest.state(Leave()) if _has_seat(guest) else ()


def _has_seat(guest: Guest) -> bool:
    """Whether the participant has a seat, or asked for one and has no answer yet."""
    is_seated = guest.table is not None and guest.table.seat(guest.key) is not None
    return is_seated or guest.asks_for_seat


def _finished(table: Table | None) -> int:
    """How many games of the table are over."""
    if table is None or table.game is None:
        return 0
    return table.game.number - (0 if table.phase is Phase.GATHERING else 1)


def _random() -> bytes:
    return secrets.token_bytes(HASH_BYTES)
