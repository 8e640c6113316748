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
from protocol.guest.guest import Guest, LinkState
from protocol.host.host import Host
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.failover_seated import Participant, SeatedFailover
from spoof_tui.runtime.hosting import Elsewhere, HostedTable, Plan, continuable
from spoof_tui.runtime.notices import (
    Broken,
    CodeAsked,
    Ended,
    FailoverNotice,
    Moved,
    Standing,
    TurnedAway,
)
from spoof_tui.storage.seat_store import DiskSeatStore
from spoof_tui.text.safe_text import own_text
from tests.simulation.laws import Laws
from tests.simulation.players import Character, Player, close_fist
from tests.simulation.substitutes import SimulatedSearch
from tests.simulation.world import Machine, World

MAX_NAME: Final = 24


@dataclass(frozen=True, slots=True)
class Setting:
    """What all programs of one world share."""

    world: World
    laws: Laws
    games: int
    may_move: Callable[[], bool]
    """Whether people still vote to change things, and not only to play on."""
    code: Callable[[], str]
    """The join code that somebody calls across the room."""


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
        self.seat: SeatedFailover | None = None
        self.is_over = False
        """Whether it was told to stay away."""
        self._search = SimulatedSearch(machine)

    def open(self, plan: Plan) -> None:
        """Open a table."""
        self.machine.do(lambda: self._spawn(self._open(plan)))

    def start(self, table: bytes, addresses: Sequence[Address]) -> None:
        """Go to a table that was found there, or go on with it."""
        self.machine.do(lambda: self._spawn(self._start(table, addresses)))

    def hand_over(self, seat: bytes) -> None:
        """Give the host's role to a seat."""
        own = self.seat
        if own and self.is_host:
            self.machine.do(lambda: self._spawn(_hand_over(own, seat)))

    @property
    def guest(self) -> Guest | None:
        """The own side of the link; None while the program only begins."""
        return self.seat.guest if self.seat else None

    @property
    def host(self) -> Host | None:
        """The host's side, when this program serves the table or stands for that."""
        table = self.seat.failover.served if self.seat else None
        return table.server.host if table else None

    @property
    def is_host(self) -> bool:
        """Whether it serves the table, and does not only stand for that."""
        return self.host is not None and not self.host.is_standing

    @property
    def port(self) -> int:
        """Where it serves the table."""
        table = self.seat.failover.served if self.seat else None
        return table.port if table else 0

    def is_lost(self, place: Address | None) -> bool:
        """Whether it cannot know that the table is at this place, and is not there."""
        if self.seat is None or place is None or self.seat.guest.link is LinkState.UP:
            return self.seat is not None and self.is_host and self.port != (place and place.port)
        return place not in self.seat.locator.addresses

    def _spawn(self, work: object) -> None:
        assert asyncio.iscoroutine(work)
        self.machine.loop.create_task(work)

    async def _open(self, plan: Plan) -> None:
        hosted = await HostedTable.open(plan, self._key)
        await self._sit(hosted.server.host.table.id, (), hosted)

    async def _start(self, table: bytes, addresses: Sequence[Address]) -> None:
        saved = next((each for each in continuable() if each.table == table), None)
        hosted = None
        if saved is not None and saved.seat is None and saved.host == self._key.public:
            try:
                self._note("resumes")
                hosted = await HostedTable.resume(saved, self._key, self._search)
            except Elsewhere as found:
                self._note("finds it elsewhere")
                addresses = (found.answer.address,)
        await self._sit(table, addresses, hosted)

    async def _sit(
        self, table: bytes, addresses: Sequence[Address], hosted: HostedTable | None
    ) -> None:
        who = Participant(
            self._key,
            own_text(self._character.name, MAX_NAME),
            DiskSeatStore(table, self._key.public),
            sits=self._character.sits,
        )
        seat = self.seat = SeatedFailover(
            who, table, self._heard, addresses=addresses, hosted=hosted, search=self._search
        )
        if not self._character.opens:
            close_fist(seat.guest)
        self._setting.laws.started(self.machine, seat.guest)
        playing = self.machine.loop.create_task(self._play(seat))
        try:
            await seat.run()
        finally:
            playing.cancel()

    async def _play(self, seat: SeatedFailover) -> None:
        while True:
            await asyncio.sleep(self._player.thinks)
            self._player.act(seat.session, now())

    def _heard(self, notice: FailoverNotice) -> None:
        if self.machine.loop.is_dead:
            return
        if isinstance(notice, CodeAsked):
            self._note(f"is asked for the code: {notice.why.value}")
            assert self.seat
            self.seat.session.use_code(self._setting.code())
        elif isinstance(notice, Ended):
            self._note(f"is over: {notice.why.value}")
            self.is_over = True
            self._setting.laws.sent_away(self.machine, notice.why)
        elif isinstance(notice, Broken):
            self._setting.laws.halted(self.machine, notice.error)
        elif isinstance(notice, TurnedAway):
            self._note(f"is turned away: {notice.why.value}")
        elif isinstance(notice, Moved):
            self._note("follows" if not notice.me else "leads")
        elif isinstance(notice, Standing):
            assert self.host
            self._note(f"stands in epoch {self.host.card.epoch}")

    def _note(self, what: str) -> None:
        self._setting.world.note(self.machine.name, what)


async def _hand_over(own: SeatedFailover, seat: bytes) -> None:
    with contextlib.suppress(Illegal):
        await own.hand_over(seat)
