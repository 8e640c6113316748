"""A chair whose table outlives its host: finds it again, and serves it when nobody else does.

Every seat holds the whole log, so any of them can go on as host, if more than half of the seats
want that. The seats take turns: the first one that is there stands for host, the others find it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Final

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.guest import Guest, LinkState
from protocol.limits import MAX_NAME
from protocol.rules.options import MIN_PLAYERS
from protocol.table.electorate import can_move, voters_of
from protocol.table.fold import Table
from protocol.timing import STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY, UNSTEADY_DELAY
from protocol.wire.messages import Card, State
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, Route
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.probe import Answer
from spoof_tui.network.reserved_port import ReservedPort
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.leadership import Leadership
from spoof_tui.runtime.session import Ahead, HandedTo, Notice, NotSaved, Session
from spoof_tui.storage.seat_store import NoSeatStore, SeatStore
from spoof_tui.text.safe_text import show

LOOK_INTERVAL: Final = 0.1
"""Seconds between two looks at the link, the host and the clock."""

LAST_HOPE: Final = 15.0
"""Seconds of silence after which somebody stands for host though too few seats were there."""

ALONE_DELAY: Final = 3.0
"""Seconds without a majority after which a host looks for a later one."""

LOOK_ROUND: Final = 1.0
"""Seconds that such a look takes."""

ANNOUNCE_TIMEOUT: Final = 2.0
"""Seconds that the first advert of a table may take."""

URGENT_DELAY: Final = 0.3
"""Seconds that a host which must be chosen anew waits: a later one may be there already."""


@dataclass(frozen=True, slots=True)
class HostGone:
    """The host is not there; the table is looked for."""

    seconds: int
    """For how long nothing was heard of it; told again with every second."""


@dataclass(frozen=True, slots=True)
class Standing:
    """This program serves the table, and asks the others to take it for the host."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The table has another host."""

    me: bool
    """Whether it is this program."""


KeeperNotice = Notice | HostGone | Standing | Moved


class Keeper:
    """A chair at a table that may move; lives in one event loop."""

    def __init__(
        self,
        key: SigningKey,
        table: bytes,
        notify: Callable[[KeeperNotice], None],
        *,
        name: ForeignText | None,
        store: SeatStore | None = None,
        addresses: Iterable[Address] = (),
        hosted: HostedTable | None = None,
        search: Search | None = None,
        may_stand: bool = True,
        sits: bool = True,
    ) -> None:
        """Sit at the table with this id, found at `addresses`, or `hosted` by this program.

        `name` and `sits` are as for a `Session`. With `may_stand` it serves the table when its
        host is gone.
        """
        self._key = key
        self._table = table
        self._notify = notify
        self._name = name
        self._store = store or NoSeatStore()
        self.hosted = hosted
        """The table, while this program hosts it."""
        self._reserved_ports = _reserved_ports(hosted) if may_stand and name is not None else []
        port = self._reserved_ports[-1].port if self._reserved_ports else 0
        self.guest: Final = Guest(
            key, table, self._store.entries(), self._store.secrets(), self._store.promised(), port
        )
        self.locator: Final = TableLocator(
            self.guest, table, addresses, search=search, is_kept=store is not None
        )
        self.session: Final = Session(
            self.guest, _OwnOrRoad(self), self._heard, name=name, store=self._store, sits=sits
        )
        self._standing: HostedTable | None = None
        self._stands_until = 0.0
        self._stood_at = float("-inf")
        """When it stood for host last, in vain."""
        self._last_epoch = 0
        """The highest epoch that was stood for, or heard of."""
        self._handed: tuple[bytes, float] | None = None
        """To whom the host has given its role, and when."""
        self._is_called = False
        """Whether somebody stands who holds less of the log than this one."""
        self._leadership = Leadership()
        self._looking: asyncio.Task[None] | None = None
        self._announcing: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._host = self.guest.table.host if self.guest.table else None
        self._told_gone = 0
        self._told_trouble = False
        if hosted:
            hosted.server.on_succession = self._leadership.hear

    async def run(self) -> None:
        """Stay at the table until the session is over."""
        keeping = asyncio.create_task(self._keep())
        try:
            await self.session.run()
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping
            await self._end()

    async def close(self) -> None:
        """Go away on purpose, and close the table if this program hosts it."""
        hosted, self.hosted = self.hosted, None
        await self._stop_announcing()
        if hosted:
            # First, so that the others hear that it closes and not that people go away.
            await hosted.close()
        self.session.close()

    async def hand_over(self, seat: bytes) -> None:
        """Give the host's role to a seat that is here; raises `Illegal`."""
        if self.hosted is None:
            return
        server = self.hosted.server
        server.carry_out(server.host.hand_over(seat))
        await self._step_down()

    @property
    def own_server(self) -> HostedTable | None:
        """Where the own seat belongs now: at the own table, or at the one that is stood for."""
        return self.hosted or self._standing

    def _heard(self, notice: Notice) -> None:
        if isinstance(notice, HandedTo):
            self._handed = notice.seat, now().monotonic
        if isinstance(notice, Ahead):
            # Nobody else can go on, and the others are there: this one stands, and they give way.
            self._is_called = True
            self._last_epoch = max(self._last_epoch, notice.epoch)
            return
        self._notify(notice)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(LOOK_INTERVAL)
            self._tell()
            if self.hosted:
                await self._mind_hosted(self.hosted)
            elif self._standing:
                await self._mind_standing(self._standing)
            elif self._is_my_turn():
                await self._stand()

    async def _end(self) -> None:
        await self._stop_looking()
        await self._stop_announcing()
        if self._standing:
            await self._close_down(self._standing)
        while self._closing:
            await asyncio.wait(self._closing)
        for reserved in self._reserved_ports:
            reserved.close()
        await self.locator.close()

    # What the player is told

    def _tell(self) -> None:
        table, at = self.guest.table, now()
        if table is None:
            return
        host, self._host = self._host, table.host
        if host not in (None, table.host):
            self._handed = None
            self._notify(Moved(table.host == self.guest.key))
        silent = 0
        if self.guest.link in (LinkState.DOWN, LinkState.MOVING):
            silent = int(min(self.guest.host_silent(at), self._since_handed(at.monotonic)))
        elif self._since_handed(at.monotonic) > SUPPORT_DELAY:
            self._handed = None
        if silent >= UNSTEADY_DELAY and silent != self._told_gone:
            self._notify(HostGone(silent))
        self._told_gone = silent
        trouble = self.hosted.server.trouble if self.hosted else None
        if trouble and not self._told_trouble:
            self._told_trouble = True
            self._notify(NotSaved(trouble))

    # Standing for host

    def _is_my_turn(self) -> bool:
        """Whether this seat is the next one to stand for host."""
        table, at = self.guest.table, now()
        if table is None or not self._reserved_ports or self.guest.link is not LinkState.DOWN:
            return False
        if table.seat(self.guest.key) is None or len(table.seats) < MIN_PLAYERS:
            return False
        if self._is_called:
            return True
        if self._handed and self._handed[0] == self.guest.key:
            return at.monotonic - self._handed[1] >= self._patience_when_named()
        silent = min(self.guest.host_silent(at), self._since_handed(at.monotonic))
        if not self._has_hope(table, silent):
            return False
        turn = self._rank(table) * STAND_INTERVAL
        is_rested = at.monotonic - self._stood_at >= turn + STAND_INTERVAL
        return silent >= SUPPORT_DELAY + turn and is_rested

    def _patience_when_named(self) -> float:
        return URGENT_DELAY if self._last_epoch else 0.0

    def _since_handed(self, at: float) -> float:
        return float("inf") if self._handed is None else at - self._handed[1]

    def _rank(self, table: Table) -> int:
        """How many seats stand for host before this one, as far as one can know."""
        if table.host == self.guest.key:
            # The others take it for gone, and it knows better.
            return 0
        could = {place.key for place in self.guest.places} | {self.guest.key}
        heirs = [
            seat.key
            for seat in table.seats
            if seat.key in could and seat.key != table.host and not seat.away
        ]
        return heirs.index(self.guest.key) if self.guest.key in heirs else len(heirs)

    def _has_hope(self, table: Table, silent: float) -> bool:
        """Whether enough seats may be there: to stand alone is in vain."""
        own, away = self.guest.key, {seat.key for seat in table.seats if seat.away}
        there = voters_of(table) - (set() if silent > LAST_HOPE else away)
        if self._handed is None:
            there -= {table.host}
        return can_move(table, there | {own}, own)

    async def _stand(self) -> None:
        epoch = max(self.guest.epoch, self._last_epoch) + 1
        self._last_epoch, self._is_called = epoch, False
        try:
            sockets = [each for reserved in self._reserved_ports for each in reserved.take()]
        except OSError:
            # Somebody else has the port: the others would look for this one in vain.
            self._stood_at = now().monotonic
            return
        name = show(self._name, MAX_NAME) if self._name else ""
        table = await HostedTable.stand(list(self.guest.log), self._key, name, epoch, sockets)
        table.server.on_succession = self._leadership.hear
        self._standing = table
        self._stands_until = now().monotonic + STAND_FOR
        self.session.redial()
        self._looking = asyncio.create_task(self._look_for_others(epoch))
        self._notify(Standing())

    async def _mind_standing(self, standing: HostedTable) -> None:
        if not standing.server.host.is_standing:
            self._take_over(standing)
        elif self._leadership.later is not None or now().monotonic > self._stands_until:
            await self._stop_standing(standing)

    async def _look_for_others(self, epoch: int) -> None:
        """While this one stands: give way to a host, and to who stands with more right.

        Also to a host of an earlier epoch: it is chosen anew once it hears of this seat's promise.
        """
        while True:
            with contextlib.suppress(OSError):
                answer = await self.locator.find(LOOK_ROUND, is_old_welcome=True)
                if answer.card and self._gives_way(answer, answer.card, epoch):
                    self._stands_until = float("-inf")
                    return
            await asyncio.sleep(LOOK_INTERVAL)

    def _gives_way(self, answer: Answer, card: Card, epoch: int) -> bool:
        if card.state is not State.MOVING or card.epoch > epoch:
            return True
        if self.guest.table is None or card.epoch < epoch:
            return False
        order = [seat.key for seat in self.guest.table.seats]
        return answer.key in order[: order.index(self.guest.key)]

    async def _stop_standing(self, standing: HostedTable) -> None:
        later, self._leadership.later = self._leadership.later, None
        self._last_epoch = max(self._last_epoch, later or 0)
        # With a later epoch those may be won who have promised to follow no earlier one.
        self._stood_at = float("-inf") if later else now().monotonic
        self._standing, self._handed = None, None
        await self._stop_looking()
        await self._close_down(standing)
        self._keep_berths()
        self.session.redial()

    def _take_over(self, table: HostedTable) -> None:
        """The others have chosen this one."""
        self.hosted, self._standing = table, None
        self._handed = None
        self._leadership.begin()
        self._announcing = asyncio.create_task(self._announce(table))

    async def _announce(self, table: HostedTable) -> None:
        await self._stop_looking()
        await table.announce()

    async def _stop_announcing(self) -> None:
        announcing, self._announcing = self._announcing, None
        if announcing:
            # Broken off in the middle it would leave sockets behind.
            await asyncio.wait({announcing}, timeout=ANNOUNCE_TIMEOUT)
            announcing.cancel()
            await asyncio.gather(announcing, return_exceptions=True)

    async def _stop_looking(self) -> None:
        looking, self._looking = self._looking, None
        if looking:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    # Hosting

    async def _mind_hosted(self, hosted: HostedTable) -> None:
        server, later = hosted.server, self._leadership.later
        if later is not None:
            self._last_epoch, self._leadership.later = max(self._last_epoch, later), None
            # Who has promised to follow no epoch as old as this one comes back to a later one.
            with contextlib.suppress(Illegal):
                server.carry_out(server.host.hand_over(self.guest.key))
            await self._step_down()
        elif self._leadership.is_alone(server.host, now(), ALONE_DELAY) and not self._is_looking:
            self._looking = asyncio.create_task(self._look_for_later(hosted))

    @property
    def _is_looking(self) -> bool:
        return self._looking is not None and not self._looking.done()

    async def _look_for_later(self, hosted: HostedTable) -> None:
        """Without a majority: the others may have another host by now."""
        try:
            answer = await self.locator.find(LOOK_ROUND)
        except OSError:
            return
        if answer.card and answer.card.epoch > hosted.server.host.table.epoch:
            self._leadership.later = answer.card.epoch

    async def _step_down(self) -> None:
        """Host the table no more; the own seat goes and looks for it like all others."""
        hosted, self.hosted = self.hosted, None
        await self._stop_announcing()
        if hosted:
            await self._close_down(hosted)
            if self._reserved_ports and hosted.port not in {
                reserved.port for reserved in self._reserved_ports
            }:
                # There the others look for it first.
                with contextlib.suppress(OSError):
                    self._reserved_ports.insert(0, ReservedPort(hosted.port))
            self._keep_berths()

    async def _close_down(self, table: HostedTable) -> None:
        """Serve a table no more; its advert goes later, and nothing is left half closed."""
        closing = self._spawn(table.server.close(is_moving=True))
        try:
            await asyncio.shield(closing)
        finally:
            self._spawn(self._withdraw(table, closing))

    async def _withdraw(self, table: HostedTable, closing: asyncio.Task[None]) -> None:
        await asyncio.wait({closing})
        await table.withdraw()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)
        return task

    def _keep_berths(self) -> None:
        for reserved in self._reserved_ports:
            reserved.keep()


class _OwnOrRoad(Route):
    """The way of a keeper's session: to its own server, or wherever the table is."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self.patience = TableLocator.patience

    async def __call__(self, owner: Owner) -> None:
        own = self._keeper.own_server
        if own:
            await own.server.connect(owner)
        else:
            await self._keeper.locator(owner)

    async def answers(self) -> bool:
        return self._keeper.own_server is None and await self._keeper.locator.answers()

    def arrived(self) -> None:
        if self._keeper.own_server is None:
            self._keeper.locator.arrived()

    def tick(self) -> None:
        self._keeper.locator.tick()


def _reserved_ports(hosted: HostedTable | None) -> list[ReservedPort]:
    if hosted and not hosted.plan.public:
        return []
    try:
        return [ReservedPort()]
    except OSError:
        return []
