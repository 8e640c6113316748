"""A seat's client at a table in memory, for screens and plain lines alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.failover.election import Election
from protocol.guest.effects import GuestEffect
from protocol.rules.words import Direction, Word
from protocol.table.statements import Measure, Sit, Vote
from protocol.wire.messages import Card
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.notices import NotAllowed, Notice, SeatState, ViewChanged
from spoof_tui.telling.absence import STALE
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable


class MemoryClient:
    """The acts of a seat, carried out at the table in memory at once; all others are noted."""

    address: Address | None = Address("10.0.0.7", 7763)
    card: Card | None = None

    def __init__(
        self, table: MemoryTable, seat: GuestSide, hear: Callable[[Notice], object]
    ) -> None:
        self._table, self._seat, self._hear = table, seat, hear
        self._known = SeatState()
        self.asked: list[tuple[Any, ...]] = []
        """What a table in memory cannot do, each with its arguments."""

    def know(self, **changed: Any) -> None:
        self._known = replace(self._known, **changed)

    @property
    def known(self) -> SeatState:
        guest = self._seat.guest
        lost = guest.table if guest.link in STALE else None
        has_hope = lost is not None and Election(guest._key, guest).has_hope(lost)
        return replace(self._known, own_hand=guest.own_hand, could_move=has_hope)

    def ready(self) -> None:
        guest = self._seat.guest
        self._tell(lambda: guest.ready(self._table.entropy(), self._table.entropy()))

    def choose(self, coins: int) -> None:
        self._tell(lambda: self._seat.guest.choose(coins, self._table.entropy()))

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        self._tell(lambda: self._seat.guest.speak(word, direction))

    def propose(self, statement: Message) -> None:
        self._tell(lambda: self._seat.guest.propose(statement))

    def sit(self) -> None:
        self.propose(Sit(ForeignText("Again")))

    def vote(self, measure: Measure, seat: bytes, yes: bool = True) -> None:
        self.propose(Vote(measure, seat, yes=yes))

    def agree(self, *, yes: bool = True) -> None:
        self._tell(lambda: self._seat.guest.departure.agree(yes=yes))

    def stay_behind(self) -> None:
        self._tell(self._seat.guest.departure.come_back)

    def decide(self, measure: Measure, seat: bytes) -> None:
        self._table.decide(measure, seat)
        self._hear(ViewChanged(self._seat.view))

    def shut(self) -> None:
        self.know(is_shut=not self.known.is_shut)
        self.asked.append(("shut",))

    @property
    def player(self) -> MemoryClient:
        """Whatever ends with the seat."""
        return self

    def hurry(self) -> None:
        """Nothing takes time here."""

    async def close(self, heir: bytes | None = None, *, is_asked: bool = True) -> None:
        self.asked.append(("close", heir))

    async def close_at_once(self) -> None:
        await self.close()

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *given, **named: self.asked.append((name, *given, *named.values()))

    def _tell(self, command: Callable[[], list[GuestEffect]]) -> None:
        try:
            effects = command()
        except Illegal as error:
            self._hear(NotAllowed(error))
        else:
            self._table.act(self._seat, effects)
            self._hear(ViewChanged(self._seat.view))
