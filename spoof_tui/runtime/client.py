"""A seat as the painter's thread holds it; what it does is done in the background thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.errors import Illegal, ProtocolError
from protocol.limits import MAX_NAME
from protocol.rules.words import Direction, Word
from protocol.table.statements import Measure
from protocol.wire.messages import Card, Farewell, OtherVersion
from spoof_tui.bots.levels import Level
from spoof_tui.bots.names import MAX_CELLS
from spoof_tui.clock import now
from spoof_tui.network import recent
from spoof_tui.network.addresses import Address, own_addresses, own_scoped_addresses
from spoof_tui.network.locator import Search
from spoof_tui.network.probe import TYPED_TIMEOUT, ProbeFailed, Reached, reach_any
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.bot_players import BotPlayers
from spoof_tui.runtime.departure import Departure
from spoof_tui.runtime.failover_seated import Participant, SeatedFailover
from spoof_tui.runtime.hosting import Elsewhere, HostedTable, Plan, SavedTable
from spoof_tui.runtime.new_table import Moves, NewTable, Place
from spoof_tui.runtime.notices import (
    CannotOpen,
    ClientNotice,
    ContinuedAt,
    Ended,
    FailoverNotice,
    KeyInUse,
    Moved,
    NewCode,
    NotAllowed,
    NotSaved,
    Opened,
    OpenElsewhere,
    Reopened,
    SeatHeld,
    SeatState,
    TakenOver,
    ViewChanged,
    WentOn,
)
from spoof_tui.runtime.reopening import Reopening
from spoof_tui.runtime.session import Session
from spoof_tui.runtime.takeover import HeldSeat, give_up_when_asked, held_seat, take_over
from spoof_tui.storage import disk
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.storage.seat_store import DiskSeatStore, NoSeatStore, SeatStore
from spoof_tui.text.safe_text import own_text, show


class TableClient:
    """A seat at one table, and the table itself when it is the player's own.

    `notify` is called in the background thread. Commands return at once; refusals come as notices.
    """

    def __init__(
        self,
        background: BackgroundLoop,
        identity: Identity,
        name: str,
        notify: Callable[[ClientNotice], None],
    ) -> None:
        self._background = background
        self._identity = identity
        self._other_identity: Identity | None = None
        """The one that a saved table needs, if that is another."""
        self._name = name
        self._notify = notify
        self._search = Search()
        self._seat: SeatedFailover | None = None
        self._staying: asyncio.Task[None] | None = None
        self._departure = Departure()
        self._reopening: Reopening | None = None
        self._held: HeldSeat | None = None
        self._watching: asyncio.Task[None] | None = None
        self._sit_again: Callable[[Iterable[Address]], None] = lambda addresses: None
        self._bots: BotPlayers | None = None
        self._closed = False
        self._moves = Moves(self)
        self._key: SigningKey | None = None
        self._gets_ready = False
        """Whether to get ready as soon as there is a seat."""
        self._state = SeatState()
        """The last one that was told: all that the painter's thread reads of the table."""
        self.address: Address | None = None
        """Where somebody else's table was found."""
        self.card: Card | None = None
        """What that table says of itself; None until it has answered."""

    @property
    def is_host(self) -> bool:
        """Whether this program hosts the table."""
        return self._state.is_host

    @property
    def tried(self) -> tuple[Address, ...]:
        """Where the table is looked for while there is no link to it, the likeliest first."""
        return self._state.tried

    @property
    def heirs(self) -> frozenset[bytes]:
        """Keys of the seats whose programs can serve the table if its host goes."""
        return self._state.heirs

    @property
    def _table(self) -> HostedTable | None:
        return self._seat.hosted if self._seat else None

    @property
    def _session(self) -> Session | None:
        return self._seat.session if self._seat else None

    def open(
        self, plan: Plan, bots: int = 0, level: Level = Level.MEDIUM, *, ready: bool = False
    ) -> None:
        """Open a table, sit down at it, ready or not, and let `bots` sit down too."""
        self._gets_ready = ready
        self._background.spawn(self._open(plan, bots, level))

    def join(self, address: Address, code: str | None = None, sits: bool = True) -> None:
        """Sit down at the table at `address`, which may ask for its join code; or only watch."""
        self.address = address
        self._background.spawn(self._join(address, code, sits))

    def resume(self, saved: SavedTable) -> None:
        """Go on with a table that was hosted here, or had a seat here.

        It is joined if somebody else hosts it by now, and waited for if nobody does.
        """
        self._background.spawn(self._resume(saved))

    def use_code(self, code: str) -> None:
        """Prove the join code that the table asked for."""
        self._tell(lambda session: session.use_code(code))

    def peek(self) -> int | None:
        """The coins in the own fist; None while it is not in."""
        return self._state.own_hand

    def sit(self) -> None:
        """Ask for a seat again, after having watched."""
        self._tell(lambda session: session.sit())

    def ready(self) -> None:
        """Be ready for the next game."""
        self._tell(lambda session: session.ready())

    def choose(self, coins: int) -> None:
        """Put the fist in."""
        self._tell(lambda session: session.choose(coins))

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        """Say a word."""
        self._tell(lambda session: session.speak(word, direction))

    def state(self, statement: Message) -> None:
        """Say anything that keeps no secret: talk, a gesture, a vote, what the slate asks for."""
        self._tell(lambda session: session.state(statement))

    def agree(self, *, yes: bool = True) -> None:
        """Go along to the new table that is offered, or rather not (G8)."""
        self._tell(lambda session: session.agree(yes=yes))

    def stay_behind(self) -> None:
        """Play on at this table, after having gone along to another one (G8)."""
        self._tell(lambda session: session.come_back())

    def follow(self) -> None:
        """Go to the table where the game went without this player (G8)."""
        self._background.call(self._moves.follow)

    def decide(self, measure: Measure, seat: bytes) -> None:
        """As host, carry a measure about the owner of this key (G5)."""
        self._background.call(self._decide, measure, seat)

    def renew_code(self) -> None:
        """Take another join code for the own table."""
        self._background.call(self._renew_code)

    def add_bot(self, level: Level = Level.MEDIUM) -> None:
        """Have one more bot sit down at the own table."""
        self._background.call(self._add_bots, 1, level)

    def hand_over(self, seat: bytes) -> None:
        """As host, give the host's role to the owner of this key, and stay as a player."""
        self._background.spawn(self._hand_over(seat))

    def come_back(self) -> None:
        """Sit down again at a table that was closed and is open again."""
        self._background.spawn(self._come_back())

    def take_over(self) -> None:
        """Go on with the own seat, which another program of this player has."""
        self._background.spawn(self._take_over())

    def sit_apart(self) -> None:
        """Leave that seat where it is, and sit down as somebody else."""
        held, self._held = self._held, None
        if held:
            self._background.spawn(held.go_on())

    async def move_away(self, holder: Holder) -> None:
        """Leave the seat to another program of this player. In the background thread."""
        self._notify(TakenOver(holder))
        self._closed = True
        if self._seat:
            await self._seat.move_away()
        await self._part()

    def hurry(self) -> None:
        """Have `close` come to its end within a second. In the background thread."""
        self._departure.hurry()

    async def close_at_once(self) -> None:
        """Leave because the program ends: the own table moves to somebody, or closes."""
        self.hurry()
        await self.close(self._table.successor(now()) if self._table else None)

    async def close(self, heir: bytes | None = None) -> None:
        """Leave the table; the own one closes, or moves to `heir`. In the background thread."""
        self._closed = True
        if heir is not None and self._table:
            await self._departure.move(self._hand_over(heir))
        await self._moves.wait()
        # First the table, so that the others hear that it closes and not that people go away.
        if self._seat:
            await self._seat.close()
        if self._watching:
            self._watching.cancel()
        await self._part()

    async def _part(self) -> None:
        """Wait until everything of this seat has ended."""
        for ending in (self._reopening, self._bots):
            if ending:
                await ending.close()
        if self._staying:
            await self._staying
        if self._other_identity:
            self._other_identity.release()

    def _tell(self, command: Callable[[Session], None]) -> None:
        session = self._session
        if session:
            self._background.call(command, session)

    def _heard(self, notice: FailoverNotice) -> None:
        if isinstance(notice, SeatState):
            self._state = notice
            return
        if isinstance(notice, WentOn):
            self._moves.go_along(notice.entry)
        if isinstance(notice, ContinuedAt) and self._moves.found(notice):
            return
        if isinstance(notice, Moved):
            self._departure.moved()
            served = self._seat.failover.served if self._seat else None
            if notice.me and served:
                self._notify(notice)
                self._tell_opened(served)
                return
        if self._gets_ready and isinstance(notice, ViewChanged) and notice.view.my_seat:
            self._gets_ready = False
            self.ready()
        if isinstance(notice, Ended) and notice.why is Farewell.CLOSED:
            self._await_reopening()
        self._notify(notice)

    def _await_reopening(self) -> None:
        guest = self._seat.guest if self._seat else None
        if self._seat and guest and guest.table and not self._closed:
            locator = self._seat.locator.another()
            self._reopening = Reopening(locator, self._reopened)

    def _reopened(self, address: Address) -> None:
        self.address = address
        self._notify(Reopened())

    async def _come_back(self) -> None:
        reopening, self._reopening = self._reopening, None
        if reopening is None or self._staying is None:
            return
        await asyncio.gather(reopening.close(), self._staying)
        self._sit_again([self.address] if self.address else [])

    # What `Moves` asks

    @property
    def place(self) -> Place | None:
        if self._seat is None or self._staying is None or self._key is None:
            return None
        return Place(self._seat, self._staying, self._key)

    async def arrive(self, key: SigningKey, new: NewTable) -> None:
        if new.hosted:
            await self._host(new.hosted, key)
        else:
            self._sit(key, new.id, new.addresses)

    def cannot_arrive(self, error: OSError) -> None:
        self._notify(CannotOpen(error))

    async def _hand_over(self, seat: bytes) -> bool:
        if self._seat is None:
            return False
        try:
            await self._seat.hand_over(seat)
        except Illegal as error:
            self._notify(NotAllowed(error))
            return False
        return True

    async def _open(self, plan: Plan, bots: int, level: Level) -> None:
        key = SigningKey(self._identity.seed)
        try:
            table = await HostedTable.open(plan, key)
        except (OSError, ProtocolError) as error:
            self._notify(CannotOpen(error))
            return
        if await self._host(table, key):
            self._add_bots(bots, level)

    async def _resume(self, saved: SavedTable) -> None:
        public = saved.seat or saved.host
        key = self._key_of(public)
        if key is None:
            holder = Identity.holder(public)
            if holder:
                self._held = HeldSeat(public, holder, lambda: self._resume(saved))
                self._notify(SeatHeld(holder, is_other_free=False))
            else:
                self._notify(CannotOpen(KeyInUse()))
            return
        if saved.seat is not None:
            self._sit(key, saved.table)
            return
        try:
            table = await HostedTable.resume(saved, key, self._search)
        except Elsewhere as found:
            assert found.answer.card
            self.address, self.card = found.answer.address, found.answer.card
            self._notify(OpenElsewhere(found.answer.card.host))
            self._sit(key, saved.table, (found.answer.address,))
        except (OSError, ProtocolError) as error:
            self._notify(CannotOpen(error))
        else:
            await self._host(table, key)

    def _key_of(self, public: bytes) -> SigningKey | None:
        key = SigningKey(self._identity.seed)
        if key.public == public:
            return key
        if self._own_key.public != public:
            self._other_identity = Identity.of(public)
        return self._own_key if self._other_identity else None

    @property
    def _own_key(self) -> SigningKey:
        """The key of the seat."""
        return SigningKey((self._other_identity or self._identity).seed)

    async def _take_over(self) -> None:
        held, self._held = self._held, None
        if held is None:
            return
        taken = await take_over(held.key)
        if taken is None:
            self._notify(CannotOpen(KeyInUse(Identity.holder(held.key))))
        elif self._closed:
            taken.release()
        else:
            self._other_identity = taken
            await held.go_on()

    async def _host(self, table: HostedTable, key: SigningKey) -> bool:
        """Sit at the own table; False if the player has left meanwhile."""
        if self._closed:
            await table.close()
            return False
        self._sit(key, table.server.host.table.id, hosted=table)
        self._tell_opened(table)
        return True

    def _tell_opened(self, table: HostedTable) -> None:
        plan = table.plan
        port, code = (table.port, table.code) if plan.public else (None, None)
        address = _own_address(port) if port is not None else ""
        self._notify(Opened(port, table.trouble, code, address))
        if code is not None:
            self._watch_code(table, code)

    def _watch_code(self, table: HostedTable, shown: str) -> None:
        def look() -> None:
            nonlocal shown
            if table.code and table.code_change and table.code != shown:
                shown = table.code
                self._notify(NewCode(shown, table.code_change))

        table.listen(look)

    def _renew_code(self) -> None:
        if self._table:
            self._table.renew_code()

    def _decide(self, measure: Measure, seat: bytes) -> None:
        if self._table is None:
            return
        try:
            self._table.decide(measure, seat)
        except Illegal as error:
            self._notify(NotAllowed(error))

    def _add_bots(self, count: int, level: Level) -> None:
        if self._table is None or self._seat is None:
            return
        if self._bots is None:
            self._bots = BotPlayers(self._moves.connect)
        seats = self._table.server.host.table.seats
        self._bots.add(count, level, lambda: [show(seat.name, MAX_CELLS) for seat in seats])

    async def _join(
        self, address: Address, code: str | None, sits: bool, is_asked: bool = False
    ) -> None:
        try:
            reached = await reach_any(own_scoped_addresses(address), TYPED_TIMEOUT)
        except ProbeFailed as error:
            self._notify(CannotOpen(error))
            return
        answer = reached.answer
        if answer.card is None:
            reached.hang_up()
            self._notify(CannotOpen(OtherVersion(answer.protocol, answer.program)))
            return
        self.card = answer.card
        go_on = partial(self._join, address, code, sits, is_asked=True)
        find = partial(held_seat, answer.card.table, self._own_key.public, go_on)
        if sits and not is_asked and (held := await disk.DISK.run(find)):
            reached.hang_up()
            self._held = held
            self._notify(SeatHeld(held.holder, is_other_free=True))
            return
        await disk.DISK.run(partial(recent.remember, answer.address))
        key = self._own_key
        addresses = answer.address, address
        self._sit(key, answer.card.table, addresses, reached=reached, code=code, sits=sits)

    def _sit(
        self,
        key: SigningKey,
        table: bytes,
        addresses: Iterable[Address] = (),
        *,
        hosted: HostedTable | None = None,
        reached: Reached | None = None,
        code: str | None = None,
        sits: bool = True,
    ) -> None:
        if self._closed:
            if reached:
                reached.hang_up()
            return
        self._sit_again = lambda where: self._sit(key, table, where, sits=sits)
        self._key = key
        name, store = own_text(self._name, MAX_NAME), self._open_store(table, key.public)
        self._seat = SeatedFailover(
            Participant(key, name, store, sits),
            table,
            self._heard,
            addresses=addresses,
            hosted=hosted,
            search=self._search,
        )
        self._seat.locator.use(reached)
        if code is not None:
            self._seat.session.use_code(code)
        self._staying = asyncio.get_running_loop().create_task(self._seat.run())
        if self._other_identity and self._watching is None:
            asked = give_up_when_asked(self._other_identity, self.move_away)
            self._watching = asyncio.get_running_loop().create_task(asked)

    def _open_store(self, table: bytes, key: bytes) -> SeatStore:
        try:
            return DiskSeatStore(table, key)
        except OSError as error:
            self._notify(NotSaved(error))
            return NoSeatStore()


def _own_address(port: int) -> str:
    """An address at which others reach a port of this machine."""
    return Address(next(iter(own_addresses()), "127.0.0.1"), port).text
