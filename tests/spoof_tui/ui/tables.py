"""A table screen to press keys in: the real app, at a table in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from textual.pilot import Pilot

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest.effects import GuestEffect
from protocol.rules.words import Direction, Word
from protocol.table.statements import Measure, Sit, Vote
from protocol.wire.messages import Card
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.notices import ClientNotice, NotAllowed, SeatState, ViewChanged
from spoof_tui.ui.messages import Noticed
from spoof_tui.ui.table.screen import TableScreen
from tests.helpers.tables import MemoryTable
from tests.helpers.tables import SeatedGuest as MemoryChair
from tests.spoof_tui.ui.lobbies import Lobby


class AtTable(Lobby):
    """The app with a table screen, and a seat of it."""

    def __init__(self, table: MemoryTable, seat: MemoryChair) -> None:
        super().__init__()
        self.take(table, seat)

    def take(self, table: MemoryTable, seat: MemoryChair) -> None:
        """Take a seat of a table; nothing is left of others."""
        self.table = table
        self.seat = seat
        self.codes: list[str] = []
        """Codes that were typed, and "renewed" for another one."""
        self.followed = 0
        """How often it was asked to go where the game went."""
        self.heirs: list[bytes | None] = []
        """The seats that the table was left to."""
        self.takeovers: list[str] = []
        """Decisions about a seat in another window."""
        self.cleared: tuple[bytes, ...] = ()
        """The players sent away from an open table."""
        self.doors: list[bool] = []
        """Whether the ssh door was opened or closed, each time."""
        self.returns = 0
        """How often the player has come back to a table that was closed."""

    async def sit_down(self, pilot: Pilot[int], *, is_host: bool = False) -> TableScreen:
        """Put the table on the screen."""
        screen = await self.come(is_host=is_host)
        await self.look(pilot)
        return screen

    async def come(self, *, is_host: bool = False) -> TableScreen:
        """Put a table on the screen about which nothing is known yet."""
        screen = TableScreen()
        client = _Chair(self, screen)
        client.is_host = is_host
        self.client = cast(TableClient, client)
        await self.push_screen(screen)
        return screen

    def give_heirs(self, *keys: bytes) -> None:
        """Make these seats able to host the table."""
        cast(_Chair, self.client).heirs = frozenset(keys)

    async def hear(self, pilot: Pilot[int], notice: ClientNotice) -> None:
        """Give the table screen a notice."""
        screen = next(each for each in self.screen_stack if isinstance(each, TableScreen))
        screen.post_message(Noticed(notice))
        await pilot.pause()

    async def look(self, pilot: Pilot[int]) -> None:
        """Show what has happened at the table."""
        screen = next(each for each in self.screen_stack if isinstance(each, TableScreen))
        screen.post_message(Noticed(ViewChanged(self.seat.view)))
        await pilot.pause()


class _Chair:
    """The acts of a seat, carried out at the table in memory at once."""

    is_host = False
    is_shut: bool | None = None
    known = SeatState()
    heirs: frozenset[bytes] = frozenset()
    address: Address | None = Address("10.0.0.7", 7763)
    card: Card | None = None

    def __init__(self, app: AtTable, screen: TableScreen) -> None:
        self._app = app
        self._screen = screen

    def peek(self) -> int | None:
        return self._app.seat.guest.own_hand

    def choose(self, coins: int) -> None:
        guest = self._app.seat.guest
        self._tell(lambda: guest.choose(coins, self._app.table.entropy()))

    def speak(self, word: Word, direction: Direction | None = None) -> None:
        self._tell(lambda: self._app.seat.guest.speak(word, direction))

    def state(self, statement: Message) -> None:
        self._tell(lambda: self._app.seat.guest.state(statement))

    def sit(self) -> None:
        self._tell(lambda: self._app.seat.guest.state(Sit(ForeignText("Again"))))

    def agree(self, *, yes: bool = True) -> None:
        self._tell(lambda: self._app.seat.guest.departure.agree(yes=yes))

    def stay_behind(self) -> None:
        self._tell(self._app.seat.guest.departure.come_back)

    def follow(self) -> None:
        self._app.followed += 1

    def turn_door(self, *, is_open: bool) -> None:
        self._app.doors.append(is_open)

    def vote(self, measure: Measure, seat: bytes, yes: bool = True) -> None:
        self._tell(lambda: self._app.seat.guest.state(Vote(measure, seat, yes=yes)))

    def decide(self, measure: Measure, seat: bytes) -> None:
        self._app.table.decide(measure, seat)
        self._screen.post_message(Noticed(ViewChanged(self._app.seat.view)))

    def use_code(self, code: str) -> None:
        self._app.codes.append(code)

    def renew_code(self) -> None:
        self._app.codes.append("renewed")

    def shut(self) -> None:
        self.is_shut = not self.is_shut

    def clear(self, strangers: tuple[bytes, ...]) -> None:
        self._app.cleared += strangers

    def take_over(self) -> None:
        self._app.takeovers.append("take over")

    def sit_apart(self) -> None:
        self._app.takeovers.append("sit apart")

    def come_back(self) -> None:
        self._app.returns += 1

    def hurry(self) -> None:
        """Nothing takes time here."""

    async def close_at_once(self) -> None:
        await self.close()

    async def close(self, heir: bytes | None = None) -> None:
        self._app.heirs.append(heir)

    def _tell(self, command: Callable[[], list[GuestEffect]]) -> None:
        try:
            effects = command()
        except Illegal as error:
            self._screen.post_message(Noticed(NotAllowed(error)))
            return
        self._app.table.act(self._app.seat, effects)
        self._screen.post_message(Noticed(ViewChanged(self._app.seat.view)))
