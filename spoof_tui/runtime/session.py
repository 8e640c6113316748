"""One participant's session at one table: the same for a person, a bot and a test.

A session belongs to one event loop. It keeps the link to the host up, carries out the effects of
its `Guest`, and notifies its owner. Commands never raise; a refusal is a notice.
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
    Store,
    Sync,
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

FINISH_TIMEOUT: Final = 0.5
"""Seconds that the disk may take at the end of a session to write what is left."""

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
"""Reasons to refuse a seat that do not lie in the request itself: the seat is asked for again."""

SEAT_RETRY_DELAY: Final = 1.0
"""Seconds until a seat that was refused for such a reason is asked for again."""


def talk(line: str) -> Say | None:
    """The statement that says this line, cut to `MAX_TALK` bytes; None if nothing is left of it."""
    text = own_text(line, MAX_TALK)
    return Say(text) if text.encoded() else None


def _goes_on(guest: Guest) -> bool:
    """Whether this table goes on from an old one (G8).

    Such a table may have let somebody in from there without the join code, although they have it.
    It asks for the code, and proves it, when they come a second time.
    """
    return guest.card is not None and bool(guest.card.continues)


@dataclass(frozen=True, slots=True)
class _Said:
    """An effect, and the link that was up when the guest returned it."""

    effect: GuestEffect
    link: Link | None
    number: int
    """Number of that link: when the disk is done, there may be a newer one."""


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
        """Sit at the table of `guest`, dialled by `dial`; without a `name`, only watch.

        Without `sits`, watch at first and take a seat on `sit`. The seat of a bot is never marked
        as one behind a door, since it has no owner whose hand could be seen. `opening` is a first
        entry that the guest holds and that is not on disk yet.
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
        """When to ask for a seat, in monotonic seconds; infinity for never."""
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
        """Why nothing can be written now, so that everything which has to be on disk waits; None if
        writing works.

        What waits is limited: the log is in memory anyway and has at most `MAX_LOG` entries, and
        messages wait only as long as their link, which the host closes when nothing comes.
        """
        return self._effects.trouble

    @property
    def other_end(self) -> bytes | None:
        """Public key of the program at the other end of the link; None for a link within this
        program, or without a link."""
        return self._connection.link.host_key if self._connection.link else None

    async def run(self) -> None:
        """Stay at the table until the session is over."""
        # An earlier program may not have waited for what was read of it.
        opening = [] if self._opening is None else [Store(self._opening)]
        # The player sees the table whether anybody serves it or not.
        self.carry_out([Sync(), *opening, Changed()])
        ticking = asyncio.create_task(self._tick())
        try:
            await self._connection.run()
        finally:
            self._connection.stop_beside()
            await system.end(ticking)
            if not self._connection.over.is_set():
                self._connection.close()
            await self._effects.finish(FINISH_TIMEOUT)
            self._effects.close()
            self._connection.close()
            await self._saver.wait(FINISH_TIMEOUT)
            await asyncio.wait({self._disk.run(self._store.close)}, timeout=FINISH_TIMEOUT)

    def redial(self) -> None:
        """Drop this connection, or the attempt at one, and dial again at once."""
        self._connection.redial()

    def close(self, *, keeps_seat: bool = False) -> None:
        """Leave on purpose. A seat in a game is kept; any other is given up unless `keeps_seat`."""
        if not keeps_seat:
            self.do(leaving)
        self.carry_out(self.guest.farewell())
        self._connection.end()

    def use_code(self, code: str) -> None:
        """Prove this join code, now or as soon as the table asks for it."""
        self.carry_out(self.guest.use_code(code, secrets.token_bytes))
        self._connection.has_code.set()

    def ready(self) -> None:
        """Say that the player is ready for the next game (G1)."""
        self.do(Guest.ready, _random(), _random())

    def sit(self) -> None:
        """Ask for a seat unless the player has one; if it is refused only for now, ask again
        later."""
        self._asks_at = inf
        name = self._name
        if name is not None and not _has_seat(self.guest):
            self.do(Guest.propose, Sit(name, self._is_marked))

    def choose(self, coins: int) -> None:
        """Hide this many coins (R2)."""
        self.do(Guest.choose, coins, _random())

    def agree(self, *, yes: bool = True) -> None:
        """Agree to go along to the new table that is offered, or take that back (G8)."""
        self.do(lambda guest: guest.departure.agree(yes=yes))

    def do(
        self,
        command: Callable[Concatenate[Guest, P], Iterable[GuestEffect]],
        *args: P.args,
        **options: P.kwargs,
    ) -> None:
        """Carry out what the guest returns for a command: `do(Guest.speak, word)`. A refusal is
        reported as a notice."""
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
        """Take over a link that is up; the previous one is closed as soon as this one has reached
        the table."""
        self._connection.opened(link)
        self.guest.trip = self.guest.trip.renewed(link.round_trip)
        self.carry_out(self.guest.connected(link.channel, now(), link.host_key))

    def received(self, link: Link, data: bytes) -> None:
        """Take in bytes from a link; those of an older link are ignored."""
        if link is self._connection.link:
            before = self.guest.table
            effects = self.guest.received(data, now())
            self.carry_out(effects)
            self._remember_losing(effects, before)
            self._follow_up()

    def drained(self, link: Link) -> None:
        """Do nothing: a player never sends so much that it would have to wait."""

    def lost(self, link: Link) -> None:
        """Note that the link has ended."""
        self._connection.lost(link)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_INTERVAL)
            self.carry_out(self.guest.tick(now()))
            self._connection.tick(now())
            self._follow_up()

    def carry_out(self, effects: Iterable[GuestEffect]) -> None:
        """Carry out the guest's effects in order; those that depend on the disk wait until it has
        been written."""
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
        is_first = isinstance(said.effect, Keep | Sync | Promise | Depart)
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
        """Report why a statement was refused; if this side refuses it, too, it knows the values for
        the sentence."""
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
        """React to the loss of the link."""
        self._absence.begin(now().monotonic)
        # If the disk is full, messages for one link after the other would pile up.
        self._effects.forget(lambda said: isinstance(said.effect, Transmit))
        self.carry_out(self.guest.disconnected())

    def _follow_up(self) -> None:
        """React to a table that has changed: ask for a seat, save the record of a game."""
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
        """Ask for a seat again if a new entry shows that it was given up before, or if it was lost
        when the log was cut."""
        had_seat = before is not None and before.seat(self.guest.key) is not None
        for effect in effects:
            if isinstance(effect, Cut) and had_seat:
                self._asks_at = -inf
            said = effect.entry.intent if isinstance(effect, Store) and self._sits else None
            if said and isinstance(said.statement, Leave) and said.author == self.guest.key:
                self._asks_at = -inf

    def _arrive(self) -> None:
        """React to the link having reached the table."""
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
    """The record that an effect adds to the journal; None if it only waits for earlier records."""
    match effect:
        case Store():
            return effect.entry
        case Keep():
            return effect.secret
        case Promise() | Depart():
            return effect
    return None


class Absence:
    """The entries that a player misses while there is no link."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._left: tuple[int, float] | None = len(guest.log), float("-inf")
        """Length of the log when the link was lost, and when that was, in monotonic seconds; None
        while there is a link."""

    def begin(self, at: float) -> None:
        """Note that the link is lost."""
        if self._left is None:
            self._left = len(self._guest.log), at

    def cut(self, length: int) -> None:
        """Note that the log was cut to `length` entries: those that replace the others count as
        missed."""
        if self._left:
            self._left = min(self._left[0], length), self._left[1]

    def end(self, at: float) -> tuple[Entry, ...]:
        """The entries that were missed, now that the link is back; empty if the absence was too
        short to report."""
        left, self._left = self._left, None
        if left is None or not left[0] or at - left[1] <= AWAY_DELAY:
            return ()
        return tuple(self._guest.log[left[0] :])


class Saver:
    """Writes whole files without blocking an event loop."""

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
        """Have `job` write a file, and call `done` with the path that it returns.

        A failure is reported, unless `is_told` says that it was before; then `done` is called with
        None or, with `waits_for_room`, the job is tried again until it succeeds.
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
        """Wait for the files that are being written, for `most` seconds at most; None for no
        limit."""
        if self._saving:
            await asyncio.wait(self._saving, timeout=most)


class DiskReport:
    """Reports once that nothing can be written, and once that writing works again."""

    def __init__(self, notify: Callable[[DiskTrouble], None]) -> None:
        self._notify = notify
        self._told: DiskTrouble | None = None

    def look(self, host: OSError | None, seat: OSError | None = None) -> None:
        """Report what has changed since the last call: `host` is the trouble with the table's log,
        `seat` that with the player's seat."""
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
    """The effects that give up the seat; empty without a seat, or while its owner plays in a
    game."""
    table = guest.table
    if table is None or table.playing(guest.key) is not None:
        return ()
    return guest.propose(Leave()) if _has_seat(guest) else ()


def _has_seat(guest: Guest) -> bool:
    """Whether the participant has a seat, or has asked for one and has no answer yet."""
    is_seated = guest.table is not None and guest.table.seat(guest.key) is not None
    return is_seated or guest.asks_for_seat


def _finished(table: Table | None) -> int:
    """Number of games at the table that are over."""
    if table is None or table.game is None:
        return 0
    return table.game.number - (0 if table.phase is Phase.GATHERING else 1)


def _random() -> bytes:
    return secrets.token_bytes(HASH_BYTES)
