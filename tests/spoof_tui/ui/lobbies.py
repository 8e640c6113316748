"""A lobby to press keys in: the real app, without a network and without a table."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from textual import events
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen

from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.wire.messages import Card, State
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import FoundTable
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage.settings import Practice, Settings
from spoof_tui.ui.app import SpoofApp
from spoof_tui.ui.messages import TablesFound
from tests.helpers.telling import told

LIMIT = 20.0
"""Seconds to wait for what is sure to come."""


def found(
    number: int = 1,
    *,
    name: str = "Maria's table",
    host: str = "Maria",
    rules: str = "milan",
    seats: int = 9,
    taken: int = 3,
    state: State = State.GATHERING,
    locked: bool = True,
) -> FoundTable:
    """A table that answers; those of different numbers are different tables."""
    identity = number.to_bytes(32, "big")
    called, by = ForeignText(name), ForeignText(host)
    card = Card(identity, called, by, Rules.parse(rules), seats, taken, state, locked, 0)
    return FoundTable(Address(f"10.0.0.{number}", 7763), card, 1, "0.1.0")


def strange(number: int = 9) -> FoundTable:
    """A table of another version."""
    return FoundTable(Address(f"10.0.0.{number}", 7763), None, 7, "4.2.0")


def shown(screen: Screen[object]) -> list[str]:
    """The lines of the frame that a screen lays over others, or of the whole screen."""
    region = frame_of(screen)
    strips = screen._compositor.render_strips(screen.size)
    lines = strips[region.y : region.bottom]
    return [line.crop(region.x, region.right).text for line in lines]


def frame_of(screen: Screen[object]) -> Region:
    """The place of the frame that a screen lays over others, or of the whole screen."""
    return next((frame.region for frame in screen.query("DialogBox")), screen.region)


async def until(pilot: Pilot[int], holds: Callable[[], object]) -> bool:
    """Whether this comes true, however busy the machine is."""
    loop = asyncio.get_running_loop()
    late = loop.time() + LIMIT
    while not holds():
        if loop.time() > late:
            return False
        await pilot.pause(0.01)
    return True


S = TypeVar("S", bound=Screen[Any])


@contextlib.asynccontextmanager
async def opened(
    make: Callable[[], S], size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Lobby, Pilot[int], S]]:
    """A screen over the lobby; its result goes into the lobby's `results`."""
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        screen = make()
        app.push_screen(screen, app.results.append)
        await pilot.pause()
        yield app, pilot, screen


class Lobby(SpoofApp):
    """The app, which only notes what leads to a table."""

    def __init__(self, name: str = "Brisk Otter", theme: str | None = None) -> None:
        super().__init__(Settings(name=name, theme=theme))
        self.deeds: list[str] = []
        """What the app was asked for, in order."""
        self.results: list[Any] = []

    def run_test(self, *arguments: Any, **options: Any) -> Any:
        """Run with its remarks in the corner, which Textual leaves out of tests."""
        return super().run_test(*arguments, **{"notifications": True, **options})

    def _begin(self) -> None:
        self.background.start()

    def _note(self, *words: object) -> None:
        self.deeds.append(" ".join(str(each) for each in words if each))

    def look_at(self, address: Address) -> None:
        self._note("look at", address.short)

    def begin(self, launch: Launch) -> None:
        """Note where it leads, unless that is the lesson."""
        if launch.lesson:
            super().begin(launch)
        elif launch.practice:
            preset = self.settings.practice.preset
            meanwhile = self._waits and "meanwhile"
            self._note("practise", None if preset == Practice().preset else preset, meanwhile)
        elif launch.plan:
            bots = launch.bots and f"{launch.bots} {told(launch.level)}"
            self._note("open", told(launch.plan), bots, told(launch.company))
        elif launch.saved:
            where = launch.address and f"at {launch.address.short}"
            self._note("resume", launch.saved.name.raw, where)
        elif launch.address:
            self._note("join" if launch.sits else "watch", launch.address.short, launch.code)

    def examine(self, told: Callable[..., None], address: Address | None = None) -> None:
        self._note("examine", address)

    async def find(
        self, pilot: Pilot[int], *tables: FoundTable, trouble: str | None = None
    ) -> None:
        """Have exactly these tables be found."""
        self.screen_stack[0].post_message(TablesFound(tables, trouble))
        await pilot.pause()

    @property
    def lines(self) -> list[str]:
        """The text of the top screen: the frame that it lays over others, or all of it."""
        return shown(self.screen)

    @property
    def text(self) -> str:
        """The same as one string."""
        return "\n".join(self.lines)

    async def sees(self, pilot: Pilot[int], *words: str) -> bool:
        """Whether all of this appears on the top screen."""
        return await until(
            pilot, lambda: all(each in self.text or each in self.said for each in words)
        )

    async def shows(self, pilot: Pilot[int], is_so: Callable[[list[str]], bool]) -> bool:
        """Whether lines that satisfy this appear on the top screen."""
        return await until(pilot, lambda: is_so(self.lines))

    async def misses(self, pilot: Pilot[int], words: str) -> bool:
        """Whether this disappears."""
        return await until(pilot, lambda: words not in self.text)

    @property
    def said(self) -> str:
        """The same text with its line breaks removed."""
        return " ".join(" ".join(line.strip(" │▁▂▃▄▅▆▇█") for line in self.lines).split())

    @property
    def selected(self) -> str:
        """The line that is selected."""
        return next((line.strip("│▶ ") for line in self.lines if "▶" in line), "")

    async def click(self, pilot: Pilot[int], words: str) -> None:
        """Click where this stands on the top screen."""
        await pilot.click(offset=self.place_of(words))
        await pilot.pause()

    def place_of(self, words: str) -> tuple[int, int]:
        """The column and the row of the terminal where this stands on the top screen."""
        region = frame_of(self.screen)
        places = [(line.index(words), y) for y, line in enumerate(self.lines) if words in line]
        assert places, f"{words} is not to be seen"
        return region.x + places[0][0], region.y + places[0][1]

    async def move_mouse(
        self, pilot: Pilot[int], kind: type[events.MouseEvent], place: tuple[int, int]
    ) -> None:
        """Do something with the mouse here, as a terminal reports it: clicks come from that."""
        x, y = place
        self.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
        await pilot.pause()
