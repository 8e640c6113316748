"""A program at the table: the session, the failover, the server and the stores that ship.

What `spoof_tui.runtime.client` does when its player says where to sit, without the screen.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.errors import Illegal
from protocol.failover.inputs import Retire
from protocol.guest.effects import CodeWanted, WentOn
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.table.log import Entry
from protocol.table.statements import Measure, TableContinued
from protocol.views import LinkState
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import dial
from spoof_tui.network.locator import TableLocator
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.bot_players import BotPlayer
from spoof_tui.runtime.hosted_table import Elsewhere, HostedTable, TablePlan
from spoof_tui.runtime.new_table import gone_along
from spoof_tui.runtime.notices import (
    Broken,
    ContinuedAt,
    Ended,
    Moved,
    Notice,
    Standing,
    TurnedAway,
)
from spoof_tui.runtime.saved_tables import continuable
from spoof_tui.runtime.seat import Participant, Seat
from spoof_tui.storage.journal import Journal
from spoof_tui.text.safe_text import own_text
from tests.simulation.claims import Screen
from tests.simulation.laws import Laws
from tests.simulation.players import (
    QUIET,
    Character,
    FalseHost,
    Lie,
    LyingGuest,
    Player,
    close_fist,
)
from tests.simulation.substitutes import SimulatedSearch
from tests.simulation.world import Machine, World

MAX_NAME: Final = 24

PACE: Final = 0.5
"""How long bots think, by that of a person."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all programs of one world share."""

    world: World
    laws: Laws
    games: int
    may_move: Callable[[], bool]
    """Whether people still vote to change things, and not only to play on."""
    is_locked: bool
    code: Callable[[], str]
    """The join code of a locked table, which somebody calls across the room."""
    goes_along: Callable[[], bool]
    """Whether people agree to a new table when most others are gone (G8)."""
    missed: Callable[[], set[bytes]]
    """Keys of those who have left for good and for whom a host waits only because it has removed
    others."""
    serving: Callable[[], Sequence[Address]]
    """Where somebody serves the table now, as its host or for the time being."""
    closed: Callable[[], None]
    """Called when a host closes the table because it knows nobody who could serve it."""


class Program:
    """One run of the program on one machine; a restart makes another one."""

    def __init__(
        self, setting: Setting, machine: Machine, key: SigningKey, character: Character
    ) -> None:
        self._setting = setting
        self.machine: Final = machine
        self._key = key
        self._character = character
        self._player = Player(character, setting.games, machine.random, setting.may_move)
        self.seat: Seat | None = None
        self._screen: Screen | None = None
        self.is_over = False
        """Whether it was told to stay away."""
        self.is_leaving = False
        """Whether it is ending."""
        self._search = SimulatedSearch(machine)
        self._staying: asyncio.Task[None] | None = None

    def open(self, plan: TablePlan) -> None:
        """Open a table."""
        self.machine.do(lambda: self._spawn(self._open(plan)))

    def start(self, table: bytes, addresses: Sequence[Address]) -> None:
        """Go to a table that was found there, or go on with it."""
        self.machine.do(lambda: self._spawn(self._start(table, addresses)))

    def add_bot(self, name: str) -> None:
        """Have a bot play in this program, over a link in memory."""

        def act() -> None:
            assert self.seat
            dice = self.machine.random
            mind = BotMind(dice.choice(list(Level)), dice)
            self._spawn(BotPlayer(self.seat.connect, name, mind, PACE).run())

        self.machine.do(act)

    def hand_over(self, seat: bytes) -> None:
        """Give the host's role to a seat."""
        own = self.seat
        if own and self.is_host:
            self.machine.do(lambda: own.hand_over(seat))

    def remove(self, seat: bytes) -> None:
        """Have the host say that a seat is gone for good."""

        def act() -> None:
            if self.seat and self.seat.hosted:
                with contextlib.suppress(Illegal):
                    self.seat.hosted.decide(Measure.REMOVE, seat)

        self.machine.do(act)

    def give_way(self, to: Callable[[], None]) -> None:
        """Another window of the same player takes the seat over, as soon as this one has left
        it."""
        self.is_leaving = True
        self.machine.do(lambda: self._spawn(self._give_way(to)))

    async def _give_way(self, to: Callable[[], None]) -> None:
        if self.seat and self._staying:
            self._note("gives way to another window")
            await self.seat.move_away()
            await asyncio.gather(self._staying, return_exceptions=True)
            to()

    def end(self, *, is_told: bool) -> None:
        """Its player leaves, or with `is_told` the system ends it: then it has no time."""
        self.is_leaving = True
        self.machine.do(lambda: self._spawn(self._end(is_told)))

    @property
    def plays(self) -> bool:
        """Whether its player wants to play, and not only to sit or watch."""
        return self._character.sits and not self._character.is_stranger

    @property
    def guest(self) -> Guest | None:
        """The guest of this program; None while it starts."""
        return self.seat.guest if self.seat else None

    @property
    def host(self) -> Host | None:
        """The host's side, if this program serves the table or stands for that."""
        return self.served.server.host if self.served else None

    @property
    def served(self) -> HostedTable | None:
        """The table that it serves, as its host or for the time being."""
        return self.seat.served if self.seat else None

    @property
    def is_host(self) -> bool:
        """Whether it serves the table, and does not only stand for that."""
        return self.host is not None and not self.host.is_standing

    @property
    def port(self) -> int:
        """Where it serves the table."""
        return self.served.port if self.served else 0

    @property
    def _place(self) -> Address:
        return Address(self.machine.address, self.port)

    def is_lost(self, place: Address | None) -> bool:
        """Whether it cannot know that the table is at this place, and is not there."""
        if self.seat is None or place is None or self.seat.guest.link is LinkState.UP:
            return self.seat is not None and self.is_host and self._place != place
        return place not in self.seat.locator.addresses

    @property
    def known(self) -> set[str]:
        """Addresses of the machines where it tries to find the table."""
        guest = self.guest
        told = {place.address for place in guest.places} if guest else set()
        return told | ({each.host for each in self.seat.locator.addresses} if self.seat else set())

    def _spawn(self, work: object) -> None:
        assert asyncio.iscoroutine(work)
        self.machine.loop.create_task(work)

    async def _open(self, plan: TablePlan) -> None:
        hosted = await HostedTable.open(plan, self._key)
        await self._sit(hosted.server.host.table.id, (), hosted)

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        hosted = None
        try:
            hosted = await self._resume(table)
        except Elsewhere as found:
            self._note("finds it elsewhere")
            addresses = (found.answer.address,)
        await self._sit(table, addresses, hosted)

    async def _resume(self, table: bytes) -> HostedTable | None:
        """Go on with a table that was hosted here, if it was; raises `Elsewhere`."""
        saved = next((each for each in continuable() if each.table == table), None)
        if saved is None or saved.seat is not None or saved.host != self._key.public:
            return None
        self._note("resumes")
        return await HostedTable.resume(saved, self._key, self._search)

    async def _sit(
        self,
        table: bytes,
        addresses: Sequence[Address],
        hosted: HostedTable | None,
        opening: Entry | None = None,
    ) -> None:
        lies, serves = self._character.lies, self._character.serves
        who = Participant(
            self._key,
            own_text(self._character.name, MAX_NAME),
            hosted.journal if hosted else Journal(table, self._key.public),
            sits=self._character.sits,
            may_stand=serves or not lies,
            opening=opening,
        )
        seat = self.seat = Seat(
            who, table, self._heard, addresses=addresses, hosted=hosted, search=self._search
        )
        if not self._character.opens:
            close_fist(seat.guest)
        self._staying = asyncio.current_task()
        self._setting.laws.started(self.machine, seat.guest)
        screen = self._screen = Screen(self.machine, seat, self._setting.laws)
        doings = [self._play(seat), screen.run(), *([self._lie(seat.guest)] if lies else [])]
        doings += [self._serve_falsely(seat)] if serves else []
        tasks = [self.machine.loop.create_task(each) for each in doings]
        try:
            await seat.run()
        finally:
            for task in tasks:
                task.cancel()

    async def _play(self, seat: Seat) -> None:
        while True:
            await asyncio.sleep(self._player.thinks)
            self._player.act(seat.session, now())
            self._clear(seat)
            if self._setting.goes_along():
                self._agree(seat)

    async def _lie(self, guest: Guest) -> None:
        """Say to whoever serves the table that this seat follows a later epoch."""
        guest.__class__ = LyingGuest
        assert isinstance(guest, LyingGuest)
        dice, pause = self.machine.random, self._character.lies
        while True:
            await asyncio.sleep(dice.uniform(0.5, 1.5) * pause)
            guest.is_quiet = int(now().monotonic / QUIET) % 2 == 1
            for where in self._setting.serving():
                with contextlib.suppress(OSError):
                    await dial(Lie(guest, dice.choice((1, 1, 1, 2, 500))), where)

    async def _serve_falsely(self, seat: Seat) -> None:
        """Serve the table for ever, where the others look for it once its host is gone."""
        seat.failover.take(Retire(), now())
        await asyncio.sleep(2 * QUIET)
        policy, epoch = HostPolicy(own_text(self._character.name, MAX_NAME)), seat.guest.epoch
        host = FalseHost(
            self._key,
            policy,
            list(seat.guest.log),
            self.machine.random.randbytes,
            standing=epoch + self.machine.random.choice((5, 6)),
        )
        server = TableServer(host, lambda entries: None, key=self._key)
        sockets = [each for port in seat._serving._ports for each in port.take()]
        try:
            await server.start(sockets)
            await asyncio.Event().wait()
        finally:
            await server.close()

    def _clear(self, seat: Seat) -> None:
        """A host takes the seats away of those who do not play, and of those who left for good."""
        table = seat.guest.table
        if table and seat.hosted:
            idlers = self._player.idlers(table, seat.guest.key, now())
            for key in sorted(self._setting.missed().union(idlers)):
                with contextlib.suppress(Illegal):
                    seat.hosted.decide(Measure.REMOVE, key)

    def _agree(self, seat: Seat) -> None:
        """Agree to the new table that is offered, if one is."""
        offer, key = seat.guest.departure.offer, seat.guest.key
        if offer and not offer.wait and key in offer.along and key not in offer.agreed:
            seat.session.agree()

    async def _go_along(self, entry: Entry) -> None:
        """What `TableClient` does when a new table is found."""
        assert self.seat and self._staying
        self._note("goes along")
        new = await gone_along(self.seat, entry)
        await self._sit(entry.hash, new.addresses, new.hosted, entry)

    async def _follow(self, found: ContinuedAt) -> None:
        """The same if its player has agreed, and was not told in time."""
        assert self.seat and self._staying
        self._note("follows to the new table")
        self.seat.session.close()
        await asyncio.gather(self._staying, return_exceptions=True)
        await self._sit(found.entry.hash, (found.address,), None, found.entry)

    async def _end(self, is_told: bool) -> None:
        """What `TableClient` does at the end."""
        self._note("is told to end" if is_told else "leaves")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_TIMEOUT if is_told else None):
                await self._leave(is_told)
        self._setting.world.later(0.0, self.machine.stop)

    async def _leave(self, is_told: bool) -> None:
        own = self.seat
        if own is None:
            return
        if is_told:
            own.hurry()
        heir = own.hosted.successor(now()) if own.hosted else None
        if heir is not None:
            await own.leave(heir)
        elif own.hosted:
            self._note("closes the table")
            self._setting.closed()
        await own.close()
        if self._staying:
            await self._staying

    def _heard(self, notice: Notice) -> None:
        if self.machine.loop.is_dead:
            return
        if self._screen:
            self._screen.hear(notice)
        if isinstance(notice, CodeWanted):
            self._note(f"is asked for the code: {notice.why.value}")
            assert self.seat
            self.seat.session.use_code(self._setting.code())
        elif isinstance(notice, Ended):
            self._note(f"is over: {notice.why.value}")
            self.is_over = True
            self._setting.laws.sent_away(self.machine, notice.why)
        elif isinstance(notice, Broken):
            self.is_over = True
            self._setting.laws.halted(self.machine, notice.error)
        elif isinstance(notice, TurnedAway):
            self._note(f"is turned away: {notice.why.value}")
        elif isinstance(notice, Moved):
            self._note("follows" if not notice.me else "leads")
        elif isinstance(notice, WentOn):
            self._setting.laws.continued(notice.entry)
            self._spawn(self._go_along(notice.entry))
        elif isinstance(notice, ContinuedAt):
            said = notice.entry.statement
            assert self.guest and isinstance(said, TableContinued)
            if self._setting.goes_along() or self.guest.departure.has_signed(said):
                self._spawn(self._follow(notice))
        elif isinstance(notice, Standing):
            assert self.host
            self._note(f"stands in epoch {self.host.card.epoch}")

    def _note(self, what: str) -> None:
        self._setting.world.note(self.machine.name, what)


class BotProgram(Program):
    """`spoof bot` with one bot."""

    player: BotPlayer | None = None

    @property
    def guest(self) -> Guest | None:
        return self.player.session.guest if self.player else None

    def is_lost(self, place: Address | None) -> bool:
        return self.guest is None or (place is not None and self.guest.link is not LinkState.UP)

    def end(self, *, is_told: bool) -> None:
        """Somebody tells it to end."""
        self.is_leaving = True
        self.machine.do(lambda: self._spawn(self._part()))

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        dice = self.machine.random
        player = self.player = BotPlayer(
            lambda owner: dial(owner, addresses[0]),
            self._character.name,
            BotMind(dice.choice(list(Level)), dice),
            PACE,
            self._setting.code() if self._setting.is_locked else None,
            lambda guest, new: TableLocator(guest, new or table, addresses, search=self._search),
        )
        self._setting.laws.sits_down(self.machine, player.session.guest)
        self._staying = asyncio.current_task()
        await player.run()
        self._note("is over")
        self.is_over = True

    async def _part(self) -> None:
        self._note("is told to end")
        if self.player and self._staying:
            self.player.session.close()
            await asyncio.wait({self._staying}, timeout=LAST_TIMEOUT)
        self._setting.world.later(0.0, self.machine.stop)


class HeadlessProgram(Program):
    """`spoof host --headless`: a player's program without a seat."""

    place: Seat | None = None
    _went_on: Entry | None = None
    """The first entry of the new table that it goes along to (G8)."""

    @property
    def served(self) -> HostedTable | None:
        return self.place.served if self.place else None

    async def _open(self, plan: TablePlan) -> None:
        hosted = await HostedTable.open(plan, self._key)
        self._setting.laws.table = hosted.server.host.table.id
        await self._serve(hosted)

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        hosted = None
        with contextlib.suppress(Elsewhere):
            hosted = await self._resume(table)
        await self._serve(hosted)

    async def _serve(self, hosted: HostedTable | None) -> None:
        while hosted:
            who = Participant(self._key, None, hosted.journal)
            table, self._went_on = hosted.server.host.table.id, None
            place = self.place = Seat(who, table, self._told, hosted=hosted, search=self._search)
            self._staying = self.machine.loop.create_task(place.run())
            await self._staying
            entry = self._went_on
            hosted = (await gone_along(place, entry)).hosted if entry else None
        self._note("is over")
        self.is_over = True
        self._setting.world.later(0.0, self.machine.stop)

    def _told(self, notice: Notice) -> None:
        if isinstance(notice, WentOn):
            self._note("goes along")
            self._went_on = notice.entry
        elif isinstance(notice, Moved) and not notice.me and self.place:
            self._note("is succeeded")
            self._spawn(self.place.close())
        elif isinstance(notice, Standing):
            self._note("stands")

    async def _leave(self, is_told: bool) -> None:
        if self.place is None:
            return
        self.place.hurry()
        hosted = self.place.hosted
        heir = hosted.successor(now()) if hosted else None
        if heir is not None:
            await self.place.leave(heir)
        elif hosted:
            self._setting.closed()
        await self.place.close()
        if self._staying:
            await self._staying
