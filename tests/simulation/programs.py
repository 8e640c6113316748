"""A program at the table: the player that ships, and below it all else that does."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

from protocol.crypto.keys import SigningKey
from protocol.errors import Illegal
from protocol.failover.inputs import Retire
from protocol.guest.effects import CodeWanted, WentOn
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.table.statements import Measure
from protocol.views import LinkState
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import dial
from spoof_tui.network.locator import TableLocator
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime import player
from spoof_tui.runtime.arrival import Arrival
from spoof_tui.runtime.background import LAST_TIMEOUT
from spoof_tui.runtime.bot_players import BotPlayer
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import (
    Broken,
    CannotOpen,
    ContinuedAt,
    Ended,
    Moved,
    Notice,
    OpenElsewhere,
    Standing,
    TurnedAway,
)
from spoof_tui.runtime.player import Player
from spoof_tui.runtime.saved_tables import continuable
from spoof_tui.runtime.seat import Seat
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.text.safe_text import own_text
from spoof_tui.visiting import DoorKind
from tests.simulation.claims import Screen
from tests.simulation.laws import Laws
from tests.simulation.players import (
    QUIET,
    Character,
    FalseHost,
    Lie,
    LyingGuest,
    Person,
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


class _Player(Player):
    """The player that ships, and what its program sees of it."""

    def __init__(self, program: Program, key: SigningKey, name: str | None) -> None:
        super().__init__(Identity(key.seed, None), name, program.hear)
        self._program = program

    def sit(self, *where: Any, **how: Any) -> None:
        character = self._program.character
        if self.is_closed:
            super().sit(*where, **how)
            return
        # A liar who serves nothing must not be waited for.
        kind = DoorKind.HOST if character.lies and not character.serves else None
        with patch.object(player, "door", lambda: kind):
            super().sit(*where, **how | {"sits": character.sits})
        assert self.seat and self._staying
        doings = [self._program.machine.loop.create_task(each) for each in self._program.sit()]
        self._staying.add_done_callback(lambda _: [each.cancel() for each in doings])

    def _heard(self, notice: Notice) -> None:
        if not self._program.machine.loop.is_dead:
            self._program.see(notice)
            super()._heard(notice)


class Program:
    """One run of the program on one machine; a restart makes another one."""

    def __init__(
        self, setting: Setting, machine: Machine, key: SigningKey, character: Character
    ) -> None:
        self._setting = setting
        self.machine: Final = machine
        self._key = key
        self.character: Final = character
        self._person = Person(character, setting.games, machine.random, setting.may_move)
        self._player: _Player | None = None
        self._screen: Screen | None = None
        self.is_over = False
        """Whether it was told to stay away."""
        self.is_leaving = False
        """Whether it is ending."""

    def open(self, plan: TablePlan) -> None:
        """Open a table."""
        self.machine.do(lambda: self._spawn(Arrival(self._begin()).open(plan)))

    def start(self, table: bytes, addresses: Sequence[Address]) -> None:
        """Go to a table that was found there, or go on with it."""
        self.machine.do(lambda: self._spawn(self._start(table, addresses)))

    def add_bot(self, name: str) -> None:
        """Have a bot play in this program, over a link in memory."""

        def act() -> None:
            assert self._player
            dice = self.machine.random
            mind = BotMind(dice.choice(list(Level)), dice)
            self._spawn(BotPlayer(self._player.moves.connect, name, mind, PACE).run())

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
        assert self._player
        self._note("gives way to another window")
        await self._player.move_away(Holder(1, "another window"))
        to()

    def end(self, *, is_told: bool) -> None:
        """Its player leaves, or with `is_told` the system ends it: then it has no time."""
        self.is_leaving = True
        self.machine.do(lambda: self._spawn(self._end(is_told)))

    @property
    def seat(self) -> Seat | None:
        """The seat of its player; None while it starts, or if nobody plays here."""
        return self._player.seat if self._player else None

    @property
    def plays(self) -> bool:
        """Whether its player wants to play, and not only to sit or watch."""
        return self.character.sits and not self.character.is_stranger

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
        seat = self._player.seat if self._player else None
        return seat.served if seat else None

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

    def _begin(self) -> _Player:
        self._player = _Player(self, self._key, self.character.name)
        return self._player

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        if not await self._resume(table):
            self._begin().sit(self._key, table, addresses)

    async def _resume(self, table: bytes) -> bool:
        """Go on with a table that was hosted here; returns whether it was."""
        saved = next((each for each in continuable() if each.table == table), None)
        if saved is None or saved.seat is not None or saved.host != self._key.public:
            return False
        self._note("resumes")
        await Arrival(self._begin()).resume(saved)
        return True

    def sit(self) -> Sequence[Coroutine[Any, Any, None]]:
        """What is done in its player's new seat, until that is left."""
        assert self.seat
        seat, character = self.seat, self.character
        if not character.opens:
            close_fist(seat.guest)
        self._setting.laws.started(self.machine, seat.guest)
        screen = self._screen = Screen(self.machine, seat, self._setting.laws)
        doings = [self._play(seat), screen.run()]
        doings += [self._lie(seat.guest)] if character.lies else []
        return doings + ([self._serve_falsely(seat)] if character.serves else [])

    async def _play(self, seat: Seat) -> None:
        while True:
            await asyncio.sleep(self._person.thinks)
            self._person.act(seat.session, now())
            self._clear(seat)
            if self._setting.goes_along():
                self._agree(seat)

    async def _lie(self, guest: Guest) -> None:
        """Say to whoever serves the table that this seat follows a later epoch."""
        guest.__class__ = LyingGuest
        assert isinstance(guest, LyingGuest)
        dice, pause = self.machine.random, self.character.lies
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
        policy, epoch = HostPolicy(own_text(self.character.name, MAX_NAME)), seat.guest.epoch
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
            idlers = self._person.idlers(table, seat.guest.key, now())
            for key in sorted(self._setting.missed().union(idlers)):
                with contextlib.suppress(Illegal):
                    seat.hosted.decide(Measure.REMOVE, key)

    def _agree(self, seat: Seat) -> None:
        """Agree to the new table that is offered, if one is."""
        offer, key = seat.guest.departure.offer, seat.guest.key
        if offer and not offer.wait and key in offer.along and key not in offer.agreed:
            seat.session.agree()

    async def _end(self, is_told: bool) -> None:
        """What the program does at its end."""
        self._note("is told to end" if is_told else "leaves")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_TIMEOUT if is_told else None):
                await self._leave(is_told)
        self._setting.world.later(0.0, self.machine.stop)

    async def _leave(self, is_told: bool) -> None:
        own = self._player
        if own is None:
            return
        heir = own.table.successor(now()) if own.table else None
        if own.table and heir is None:
            self._note("closes the table")
            self._setting.closed()
        await (own.close_at_once() if is_told else own.close(heir))

    def see(self, notice: Notice) -> None:
        """Show this on the screen."""
        if self._screen:
            self._screen.hear(notice)

    def hear(self, notice: Notice) -> None:
        """React to what the player is told."""
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
            self._note("goes along")
            self._setting.laws.continued(notice.entry)
        elif isinstance(notice, ContinuedAt):
            if self._setting.goes_along() and self._player:
                self._note("follows to the new table")
                self._player.moves.follow()
        elif isinstance(notice, Standing):
            assert self.host
            self._note(f"stands in epoch {self.host.card.epoch}")
        elif isinstance(notice, OpenElsewhere):
            self._note("finds it elsewhere")
        elif isinstance(notice, CannotOpen):
            raise notice.error

    def _note(self, what: str) -> None:
        self._setting.world.note(self.machine.name, what)


class BotProgram(Program):
    """`spoof bot` with one bot."""

    bot: BotPlayer | None = None
    _staying: asyncio.Task[None] | None = None

    @property
    def guest(self) -> Guest | None:
        return self.bot.session.guest if self.bot else None

    def is_lost(self, place: Address | None) -> bool:
        return self.guest is None or (place is not None and self.guest.link is not LinkState.UP)

    def end(self, *, is_told: bool) -> None:
        """Somebody tells it to end."""
        self.is_leaving = True
        self.machine.do(lambda: self._spawn(self._part()))

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        dice = self.machine.random
        bot = self.bot = BotPlayer(
            lambda owner: dial(owner, addresses[0]),
            self.character.name,
            BotMind(dice.choice(list(Level)), dice),
            PACE,
            self._setting.code() if self._setting.is_locked else None,
            lambda guest, new: TableLocator(
                guest, new or table, addresses, search=SimulatedSearch(self.machine)
            ),
        )
        self._setting.laws.sits_down(self.machine, bot.session.guest)
        self._staying = asyncio.current_task()
        await bot.run()
        self._note("is over")
        self.is_over = True

    async def _part(self) -> None:
        self._note("is told to end")
        if self.bot and self._staying:
            self.bot.session.close()
            await asyncio.wait({self._staying}, timeout=LAST_TIMEOUT)
        self._setting.world.later(0.0, self.machine.stop)


class HeadlessProgram(Program):
    """`spoof host --headless`: a player's program without a seat."""

    @property
    def seat(self) -> None:
        return None

    def _begin(self) -> _Player:
        self._player = _Player(self, self._key, None)
        return self._player

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        if not await self._resume(table):
            await self._finish()

    def sit(self) -> Sequence[Coroutine[Any, Any, None]]:
        if self.served:
            self._setting.laws.table = self._setting.laws.table or self.served.server.host.table.id
        return ()

    def hear(self, notice: Notice) -> None:
        if isinstance(notice, WentOn):
            self._note("goes along")
        elif isinstance(notice, Standing):
            self._note("stands")
        elif isinstance(notice, OpenElsewhere | Ended) or notice == Moved(me=False):
            self._note("is succeeded")
            self._spawn(self._finish())

    async def _finish(self) -> None:
        if self.is_leaving:
            return
        self.is_leaving = True
        if self._player:
            await self._player.close()
        self._note("is over")
        self.is_over = True
        self._setting.world.later(0.0, self.machine.stop)
