"""Walks through the app by keys, with a camera: what only Textual draws, at two sizes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias, cast

from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending, Offence
from protocol.table.fold import Phase
from protocol.table.statements import AwardFine, LiftFine, Measure, Vote
from protocol.wire.messages import Farewell
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.runtime.notices import CodeAsked, SeatHeld, SeatState
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.identity import Holder
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.dialogs.examination import ExaminationDialog
from spoof_tui.ui.dialogs.frame import Frame
from spoof_tui.ui.messages import Examined, TablesKept
from spoof_tui.ui.table.slate import is_chairman
from tests.helpers.drawings import TABLES
from tests.helpers.moments import company
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.lobbies import Lobby
from tests.spoof_tui.ui.table.schools import a_school
from tests.spoof_tui.ui.tables import AtTable, _Chair

SIZES: Final = ((80, 24), (45, 20))
"""The usual terminal, and a telephone's."""

Photograph: TypeAlias = Mapping[tuple[int, int], Sheet]
"""A screen at each of the sizes."""

Walk: TypeAlias = Callable[[], Awaitable[Mapping[str, Photograph]]]

_PATIENCE: Final = 500
"""Looks until something must have come."""

_LOOKS: Final = 3
"""Looks in a row that see the same when a screen is at rest."""


class Camera:
    """Presses keys, and takes what is on the screen at every size of `SIZES`."""

    def __init__(self, pilot: Pilot[int]) -> None:
        self._pilot = pilot
        self.taken: dict[str, Photograph] = {}

    async def take(self, name: str, *keys: str) -> None:
        """The dialog that the first of these keys opens, after all of them; it is left again."""
        app = self._pilot.app
        below = app.screen
        await self._pilot.press(keys[0])
        await self._until(lambda: app.screen is not below)
        await self._pilot.press(*keys[1:])
        await self.look(name)
        await self._until_left(below)

    async def _until_left(self, below: Screen[object]) -> None:
        for _ in range(3):  # a field that is typed in is left first
            await self._pilot.press("escape")
            await self._pilot.pause()
            if self._pilot.app.screen is below:
                return
        await self._until(lambda: self._pilot.app.screen is below)

    async def look(self, name: str) -> None:
        """The screen as it is."""
        self.taken[name] = {size: await self._at(size) for size in SIZES}
        await self._pilot.resize_terminal(*SIZES[0])

    async def comes(self, kind: type[Screen[Any]]) -> None:
        """Wait until a screen of this kind lies on top."""
        await self._until(lambda: isinstance(self._pilot.app.screen, kind))

    async def _at(self, size: tuple[int, int]) -> Sheet:
        """The frame that lies over other screens, or the whole screen, once it is at rest."""
        await self._pilot.resize_terminal(*size)
        await self._until(lambda: self._pilot.app.screen.size == size)
        before: list[Strip] = []
        same = 0
        while same < _LOOKS:
            await self._pilot.pause(0.01)
            screen = self._pilot.app.screen
            lines = screen._compositor.render_strips(screen.size)
            before, same = lines, same + 1 if lines == before else 0
        x, y, width, height = next((each.region for each in screen.query(Frame)), screen.region)
        cropped = [line.crop(x, x + width) for line in lines[y : y + height]]
        return Sheet.of(cropped, width, height)

    async def _until(self, holds: Callable[[], bool]) -> None:
        for _ in range(_PATIENCE):
            if holds():
                return
            await self._pilot.pause(0.01)
        raise AssertionError("it never comes")


@asynccontextmanager
async def _driven(app: Lobby) -> AsyncIterator[tuple[Pilot[int], Camera]]:
    async with app.run_test(size=SIZES[0]) as pilot:
        yield pilot, Camera(pilot)


async def in_the_lobby() -> Mapping[str, Photograph]:
    """The dialogs over the lobby."""
    app = _Examining("Deft Ferret")
    async with _driven(app) as (pilot, camera):
        await app.find(pilot, *TABLES)
        await camera.look("lobby")
        await camera.take("lobby-help", "question_mark")
        await camera.take("options", "o")
        await camera.take("options-at-the-end", "o", "end")
        await camera.take("new-table", "n")
        await camera.take("new-table-at-the-end", "n", "end")
        await camera.take("new-table-changed", "n", "3", "down", "down", "right")
        await camera.take("join", "a")
        await camera.take("join-wrong-address", "a", *"10.0.0.7:99999", "enter")
        await camera.take("rename", "e")
        await camera.take("rename-blank", "e", "ctrl+u", "space", "enter")
        await camera.take("cover", "ctrl+l")
        await pilot.press("c")
        await camera.look("nothing-to-continue")
        await pilot.press("slash", *"nig")
        await camera.look("search")
        await pilot.press("escape")
        broken = SavedTable(
            bytes(32), ForeignText("Pier"), now().wall - 90_000, Phase.SPEAKING, 2, 3, b"h" * 32
        )
        app.screen.post_message(TablesKept((broken,)))
        await camera.take("continue", "c")
        await pilot.press("x")
        await camera.comes(ExaminationDialog)
        await camera.look("examining")
        address = Address("10.0.0.1", 7763)
        silent = Finding(Code.HOST_SILENT, Severity.PROBLEM, address)
        app.screen.post_message(Examined((silent,), ()))
        await pilot.pause()
        await camera.look("examined")
    return camera.taken


class _Examining(Lobby):
    def examine(self, screen: object, address: Address | None = None) -> None:
        """Nothing is looked at."""


async def in_books() -> Mapping[str, Photograph]:
    """The rulebook and the lesson."""
    app = Lobby("Deft Ferret")
    async with _driven(app) as (pilot, camera):
        await pilot.press("h")
        for book in ("milan", "bid-spoof", "three-coins", "hollywood"):
            await camera.look(f"rulebook-{book}")
            await pilot.press("right")
        await pilot.press("end")
        await camera.look("rulebook-at-the-end")
        await pilot.press("escape")
        await camera.take("lesson", "l")
    return camera.taken


async def at_a_table() -> Mapping[str, Photograph]:
    """The dialogs over a table of the bidding game, as its host sees them."""
    table = company()
    table.choose(2, 1, 3, 2)
    table.say(Bid(5))
    app = AtTable(table, table.clients[2])
    async with _driven(app) as (pilot, camera):
        screen = await app.sit_down(pilot, is_host=True)
        screen.scene.address, screen.scene.code = "192.168.1.20:7763", "K7M4Q"
        await camera.look("table")
        await camera.take("table-help", "question_mark")
        await camera.take("why", "w")
        await camera.take("rounds-none", "g")
        await camera.take("measures", "v")
        about = Vote(Measure.REMOVE, table.clients[1].guest.key, yes=True)
        table.act(table.clients[0], table.clients[0].guest.state(about))
        await app.look(pilot)
        await camera.take("measures-vote", "v")
        await camera.take("measures-the-whole-table", "v", "up", "left", "left")
        await camera.take("invitation", "i")
        await camera.take("leave-as-host", "q")
        app.give_heirs(table.clients[1].guest.key)
        await camera.take("leave-to-an-heir", "q")
        strangers = tuple(each.guest.key for each in table.clients[:2])
        cast(_Chair, app.client).known = SeatState(strangers=strangers)
        await camera.take("strangers", "e")
        screen.scene.is_practice = True
        await camera.take("coach", "k")
        table.say(Ending.CALL)
        await app.look(pilot)
        while screen.scene.presentation.is_running:
            screen.scene.presentation.advance(screen.scene.presentation.due or 0.0)
            screen.scene.follow()
        await camera.take("rounds", "g")
        await camera.take("why-counted", "w")
    return camera.taken


async def at_the_door() -> Mapping[str, Photograph]:
    """What is asked before one sits at a table."""
    table = MemoryTable(1)
    app = AtTable(table, table.clients[0])
    async with _driven(app) as (pilot, camera):
        await app.come()
        await app.hear(pilot, SeatHeld(Holder(4711, "/dev/pts/3"), is_other_free=True))
        await camera.look("takeover")
        await pilot.press("enter")
        await app.hear(pilot, CodeAsked(Farewell.NO_CODE))
        for name, keys in (("code", "k7m"), ("code-too-short", ("enter",)), ("code-wrong", "0")):
            await pilot.press(*keys)
            await camera.look(name)
    return camera.taken


async def at_a_school() -> Mapping[str, Photograph]:
    """The dialogs over a table of the guessing game, as a player of it sees them."""
    table = a_school((1, 1, 1), 3)
    app = AtTable(table, table.clients[0])
    async with _driven(app) as (pilot, camera):
        await app.sit_down(pilot)
        await camera.take("school-why", "w")
        await camera.take("slate-empty", "f")
        me = table.clients[0].guest
        table.act(table.clients[0], me.state(AwardFine(me.key, Offence.GLOATING)))
        await app.look(pilot)
        await camera.take("slate", "f")
        await camera.take("slate-offences", "f", "a")
        chairman = next(each for each in table.clients if is_chairman(each.view))
        table.act(chairman, chairman.guest.state(AwardFine(me.key, Offence.REFUSING)))
        table.act(chairman, chairman.guest.state(LiftFine(0)))
        await app.look(pilot)
        await camera.take("slate-lifted", "f")
        await camera.take("leave-as-player", "q")
    return camera.taken


WALKS: Final[Sequence[Walk]] = (
    in_the_lobby, in_books, at_a_table, at_the_door, at_a_school,
)  # fmt: skip
