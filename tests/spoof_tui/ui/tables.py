"""A table screen to press keys in: the real app, at a table in memory."""

from __future__ import annotations

from typing import Any, cast

from textual.pilot import Pilot

from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.notices import Notice, ViewChanged
from spoof_tui.ui.messages import Noticed
from spoof_tui.ui.table.screen.screen import TableScreen
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.chairs import MemoryClient
from tests.spoof_tui.ui.lobbies import Lobby


class AtTable(Lobby):
    """The app with a table screen, and a seat of it."""

    def __init__(self, table: MemoryTable, seat: GuestSide) -> None:
        super().__init__()
        self.take(table, seat)

    def take(self, table: MemoryTable, seat: GuestSide) -> None:
        """Take a seat of a table; nothing is left of others."""
        self.table = table
        self.seat = seat
        self.asked: list[tuple[Any, ...]] = []
        """What the client was asked for that a table in memory cannot do."""

    async def sit_down(self, pilot: Pilot[int], *, is_host: bool = False) -> TableScreen:
        """Put the table on the screen."""
        screen = await self.come(is_host=is_host)
        await self.look(pilot)
        return screen

    async def come(self, *, is_host: bool = False) -> TableScreen:
        """Put a table on the screen about which nothing is known yet."""
        screen = TableScreen()
        client = MemoryClient(
            self.table, self.seat, lambda notice: screen.post_message(Noticed(notice))
        )
        client.know(is_host=is_host)
        client.asked = self.asked
        self.client = cast(TableClient, client)
        await self.push_screen(screen)
        return screen

    async def hear(self, pilot: Pilot[int], notice: Notice) -> None:
        """Give the table screen a notice."""
        screen = next(each for each in self.screen_stack if isinstance(each, TableScreen))
        screen.post_message(Noticed(notice))
        await pilot.pause()

    async def look(self, pilot: Pilot[int]) -> None:
        """Show what has happened at the table."""
        screen = next(each for each in self.screen_stack if isinstance(each, TableScreen))
        screen.post_message(Noticed(ViewChanged(self.seat.view)))
        await pilot.pause()
