"""The player of this program at a table: sits down, hosts it, moves with it, and leaves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.guest.effects import WentOn
from protocol.limits import MAX_NAME
from protocol.table.log import Entry
from protocol.wire.messages import Card, Farewell
from spoof_tui import system
from spoof_tui.bots.characters import Character
from spoof_tui.bots.levels import Level
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.observations import OwnTable
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.probe import Reached
from spoof_tui.runtime.bot_keys import new_key, seated
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.hosted_table import HostedTable, TableDoor
from spoof_tui.runtime.new_table import Continuation, Moves
from spoof_tui.runtime.notices import (
    AddressesChanged,
    ContinuedAt,
    DoorChanged,
    Ended,
    Explained,
    Moved,
    NewCode,
    Notice,
    NotKept,
    Opened,
    Reopened,
    SeatState,
    TakenOver,
    ViewChanged,
)
from spoof_tui.runtime.seat import Participant, Seat
from spoof_tui.runtime.second_window import give_up_when_asked
from spoof_tui.runtime.session import Session
from spoof_tui.runtime.troubleshooting import Troubleshooter
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.journal import SeatStore, open_journal
from spoof_tui.text.names import MAX_CELLS
from spoof_tui.text.safe_text import own_text, show
from spoof_tui.visiting import DoorKind, door, is_visitor

HOST_TIMEOUT: Final = 2.0
"""Seconds that an examination of the host's own network takes."""


LOOK_DELAY: Final = 1.0
"""Seconds between two searches for a table that its host has closed."""


class PlayerKeys:
    """The keys of one program: its own, and that of a seat which the player had before."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.other: Identity | None = None
        """The key for a saved table or a seat that was taken over, if it is not the program's own;
        None otherwise."""

    @property
    def own(self) -> SigningKey:
        """The private key of the player's seat."""
        return SigningKey((self.other or self._identity).seed)

    def find(self, public: bytes) -> SigningKey | None:
        """The private key for this public key, which is then that of the seat; None if it is not
        here or another program has it."""
        key = SigningKey(self._identity.seed)
        if key.public == public:
            return key
        if self.own.public != public:
            self.other = Identity.of(public)
        return self.own if self.other else None

    def release(self) -> None:
        """Let other programs have the key of the seat, unless it is this program's own."""
        if self.other:
            self.other.release()


class Player:
    """The player, at one table after another; runs in the background loop.

    Other threads may read `state`, `address` and `card`, and nothing else.
    """

    def __init__(
        self, identity: Identity, name: str | None, notify: Callable[[Notice], None]
    ) -> None:
        """Without a name the player has no seat, and only hosts or watches a table."""
        self.keys = PlayerKeys(identity)
        self.search = Search()
        self.tell = notify
        self.moves = Moves(lambda: self.seat, self.tell, self.arrive)
        self.state = SeatState()
        """The last state that was reported."""
        self.address: Address | None = None
        """The address of somebody else's table; None if it is not known."""
        self.card: Card | None = None
        """The card of that table; None until it has answered."""
        self.gets_ready = False
        """Whether to get ready as soon as the player has a seat."""
        self.company: tuple[Character, ...] = ()
        """The characters of the bots at the player's own table; empty for plain bots."""
        self.introduced = False
        """Whether the bots have the characters of the coins that they are named after, if `company`
        is empty."""
        self._name = name
        self.seat: Seat | None = None
        """The player's present seat; None before the first."""
        self._staying: asyncio.Task[None] | None = None
        self._reopening: Reopening | None = None
        self._watching: asyncio.Task[None] | None = None
        self._sit_again: Callable[[Iterable[Address]], None] = lambda addresses: None
        self._bots = BotPlayers(
            self.moves.connect, with_people=name is not None, journal=self._journal
        )
        self._explaining: asyncio.Task[None] | None = None
        self.door_port: int | None = None
        """The port of the ssh door that is opened with the player's own table: 0 for the usual
        port, None for no door."""
        self._at_door: asyncio.Task[None] | None = None
        """The task that last opened or closed the door without a key being pressed; None before the
        first time."""
        self._door = TableDoor(lambda said: self.tell(DoorChanged(said)))
        self.is_closed = False
        """Whether the player has left."""

    @property
    def table(self) -> HostedTable | None:
        """The player's own table, while this program hosts it."""
        return self.seat.hosted if self.seat else None

    @property
    def session(self) -> Session | None:
        """The session of the seat; None before there is one."""
        return self.seat.session if self.seat else None

    def sit(
        self,
        key: SigningKey,
        table: bytes,
        addresses: Iterable[Address] = (),
        *,
        hosted: HostedTable | None = None,
        reached: Reached | None = None,
        code: str | None = None,
        sits: bool = True,
        opening: Entry | None = None,
    ) -> None:
        """Sit down at the table with the id `table`, or only watch it; `hosted` is that table if
        the player hosts it.

        For a new table that goes on from an old one (G8), `opening` is its first entry, which is
        known already.
        """
        if self.is_closed:
            if reached:
                reached.hang_up()
            return
        self._sit_again = lambda where: self.sit(key, table, where, sits=sits)
        name = None if self._name is None else own_text(self._name, MAX_NAME)
        store = self._open_store(table, key.public, hosted)
        # Whatever runs behind a host's door ends with that host, and could not take over.
        may_stand = hosted is not None or door() is not DoorKind.HOST
        self.seat = Seat(
            Participant(key, name, store, sits, may_stand, opening),
            table,
            self._heard,
            addresses=addresses,
            hosted=hosted,
            search=self.search,
        )
        self.seat.locator.use(reached)
        if code is not None:
            self.seat.session.use_code(code)
        self._staying = asyncio.get_running_loop().create_task(self.seat.run())
        if self.keys.other and self._watching is None:
            asked = give_up_when_asked(self.keys.other, self.move_away)
            self._watching = asyncio.get_running_loop().create_task(asked)

    def _open_store(self, table: bytes, key: bytes, hosted: HostedTable | None) -> SeatStore:
        store = hosted.journal if hosted else open_journal(table, key)
        if not store.is_lasting:
            self.tell(NotKept(is_host=hosted is not None))
        return store

    async def host(self, table: HostedTable, key: SigningKey) -> bool:
        """Sit down at the player's own table; False, and the table is closed, if the player has
        left meanwhile."""
        if self.is_closed:
            await table.close()
            return False
        self.sit(key, table.server.host.table.id, hosted=table)
        self._tell_opened(table)
        self._bring_bots_back(table, key)
        return True

    def _tell_opened(self, table: HostedTable) -> None:
        plan = table.plan
        port, code = (table.port, table.code) if plan.public else (None, None)
        self.tell(Opened(port, table.trouble, code, table.address, table.is_anew))
        if self.door_port is not None:
            port, self.door_port = self.door_port, None
            self._at_door = asyncio.get_running_loop().create_task(
                self.turn_door(is_open=True, port=port or None)
            )
        if plan.public and self._explaining is None:
            explain = Troubleshooter(self._missed, lambda found: self.tell(Explained(found)))
            self._explaining = asyncio.get_running_loop().create_task(explain.run())
        if plan.public:
            self._watch(table)

    @property
    def hosting(self) -> OwnTable | None:
        """What the player's table has noticed about other machines; None if others cannot find it,
        or there is none."""
        return self.table.noticed if self.table and self.table.plan.public else None

    async def turn_door(self, *, is_open: bool, port: int | None = None) -> None:
        """Open the ssh door of the player's table, on this port or the usual one; or close it."""
        if not is_open:
            await self._door.close(is_final=True)
        elif self.table:
            await self._door.open(self.table, port)

    def _missed(self) -> Request | None:
        """What to examine while nobody comes to the player's table; None if somebody has come."""
        hosting = self.hosting
        return (
            None
            if hosting is None or hosting.visitors
            else Request(hosting=hosting, within=HOST_TIMEOUT)
        )

    def _watch(self, table: HostedTable) -> None:
        """Report the join code and the address of the player's table whenever they change."""
        code, reached = table.code, (table.address, table.trouble)

        def look() -> None:
            nonlocal code, reached
            if table.code and table.code_change and table.code != code:
                code = table.code
                self.tell(NewCode(code, table.code_change))
            if (table.address, table.trouble) != reached:
                reached = table.address, table.trouble
                self.tell(AddressesChanged(*reached))

        table.listen(look)

    def add_bots(self, count: int = 1, level: Level = Level.MEDIUM) -> None:
        """Add bots to the player's own table; does nothing at other tables."""
        if self.table is None or self.seat is None:
            return
        table = self.table.server.host.table
        taken = [show(seat.name, MAX_CELLS) for seat in table.seats]
        key = partial(new_key, self.keys.own.seed, table)
        self._bots.add(count, level, lambda: taken, self.company, key, introduced=self.introduced)

    def _bring_bots_back(self, table: HostedTable, key: SigningKey) -> None:
        """Have the bots come back whose seats at this table are from before a restart."""
        bots = seated(key.seed, table.server.host.table)
        if gone := [bot for bot in bots if bot.key.public not in self._bots.keys]:
            kept = table.journal.read()
            for bot in gone:
                self._bots.bring_back(bot, kept)

    def _journal(self) -> SeatStore:
        """The journal at the current table; one that keeps nothing if there is none."""
        return (self.seat.who.store if self.seat else None) or SeatStore()

    def hurry_bots(self) -> None:
        """Have the bots play the rest of this game without thinking time."""
        self._bots.hurry()

    def _heard(self, notice: Notice) -> None:
        if isinstance(notice, SeatState):
            before, self.state = self.state, notice
            if (before.unheard_since, before.has_network) != (
                notice.unheard_since,
                notice.has_network,
            ):
                self.tell(notice)
            return
        if isinstance(notice, WentOn):
            self.moves.go_along(notice.entry)
        if isinstance(notice, ContinuedAt) and self.moves.found(notice):
            return
        if isinstance(notice, Moved):
            served = self.seat.served if self.seat else None
            if notice.me and served:
                self.tell(notice)
                self._tell_opened(served)
                return
            self._at_door = asyncio.get_running_loop().create_task(self._door.close())
        if self.gets_ready and isinstance(notice, ViewChanged) and notice.view.my_seat:
            self.gets_ready = False
            if self.session:
                asyncio.get_running_loop().call_soon(self.session.ready)
        if isinstance(notice, Ended) and notice.why is Farewell.CLOSED:
            self._await_reopening()
        self.tell(notice)

    def _await_reopening(self) -> None:
        guest = self.seat.guest if self.seat else None
        if self.seat and guest and guest.table and not self.is_closed:
            locator = self.seat.locator.another()
            self._reopening = Reopening(locator, self._reopened)

    def _reopened(self, address: Address) -> None:
        self.address = address
        self.tell(Reopened())

    async def come_back(self) -> None:
        """Sit down again at a table that its host had closed and that is open again."""
        reopening, self._reopening = self._reopening, None
        if reopening is None or self._staying is None:
            return
        await asyncio.gather(reopening.close(), self._staying)
        self._sit_again([self.address] if self.address else [])

    async def arrive(self, key: SigningKey, new: Continuation) -> None:
        """Sit down at a new table that goes on from the present one."""
        await self._door.close()
        if new.hosted:
            await self.host(new.hosted, key)
        else:
            # A host that follows others has no code and no address to tell any more.
            self.tell(Moved(me=False))
            self.sit(key, new.opening.hash, new.addresses, opening=new.opening)

    # Leaving

    async def move_away(self, holder: Holder) -> None:
        """Leave the seat to `holder`, another program of this player."""
        self.tell(TakenOver(holder))
        await self._go_and_keep_seat()

    async def _go_and_keep_seat(self) -> None:
        self.is_closed = True
        if self.seat:
            await self.seat.move_away()
        await self._part()

    def hurry(self) -> None:
        """Make `close` finish within a second."""
        if self.seat:
            self.seat.hurry()

    async def close_at_once(self) -> None:
        """Leave because the program ends: the player's own table moves to another seat, or closes.

        If the connection of a visitor drops, their program ends, but their seat is kept for them to
        come back to.
        """
        self.hurry()
        if is_visitor() and self.table is None:
            await self._go_and_keep_seat()
            return
        await self.close(self.table.successor(now()) if self.table else None)

    async def close(self, heir: bytes | None = None, *, is_asked: bool = False) -> None:
        """Leave the table; the player's own one closes, or moves to the seat `heir`. `is_asked`
        tells that the player wants to leave and the program goes on."""
        self.is_closed = True
        if heir is not None and self.seat and self.table:
            await self.seat.leave(heir)
        await self.moves.wait()
        # The table first, so that the others hear that it closes, not that people leave.
        if self.seat:
            await self.seat.close()
        for task in (self._watching, self._explaining):
            if task:
                task.cancel()
        if is_asked:
            await self._door.close(is_final=True)
        await self._part()

    async def _part(self) -> None:
        """Wait until everything that belongs to this seat has ended."""
        for ending in (self._reopening, self._bots, self._door):
            if ending:
                await ending.close()
        if self._staying:
            await self._staying
        self.keys.release()


class Reopening:
    """Waits until one table is served again; belongs to one event loop."""

    def __init__(self, locator: TableLocator, reopened: Callable[[Address], None]) -> None:
        """Search with `locator`, which `close` closes, and call `reopened` once with the
        address."""
        self._locator = locator
        # A candidate for host cannot be elected by somebody who is not at the table.
        locator.takes_candidates = False
        self._reopened = reopened
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Stop waiting."""
        await system.end(self._looking)
        await self._locator.close()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_DELAY)
            with contextlib.suppress(OSError):
                answer = await self._locator.find()
                break
        self._reopened(answer.address)
