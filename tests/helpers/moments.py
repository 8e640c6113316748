"""Moments of games with people's names, played by the engine, to be drawn in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.scene import Scene
from tests.helpers.laying import drawn
from tests.helpers.tables import MemoryTable
from tests.helpers.vector import Frame
from tests.spoof_tui.ui.table.scenes import play_zeros

NAMES: Final = (
    "Deft Ferret", "Ducat", "Guinea", "Krona", "Zloty", "Florin", "Denar", "Drachma", "Groat",
)  # fmt: skip
"""The players; the screen is the first one's."""

TABLE: Final = "Night train"
"""The name of their table."""

SIZE: Final = (80, 24)


def company(players: int = 4, rules: str = "milan", *, is_ready: bool = True) -> MemoryTable:
    """A table at which the first hands are to be hidden; the second player opens."""
    return _table(players, rules, _seed(players, rules), is_ready=is_ready)


@cache
def _seed(players: int, rules: str) -> int:
    """The first seed whose lot makes the second player open."""
    seeds = (seed for seed in count() if _table(players, rules, seed).clients[0].view.starter == 1)
    return next(seeds)


def _table(players: int, rules: str, seed: int, *, is_ready: bool = True) -> MemoryTable:
    table = MemoryTable(0, rules, seed=seed, start_when=players)
    for name in NAMES[:players]:
        table.add(name=name)
    if is_ready:
        table.ready()
    return table


def look(scene: Scene, table: MemoryTable, at: float = 0.0) -> Scene:
    """The first player's view."""
    scene.look(named(table.clients[0].view), at)
    return scene


def named(view: TableView) -> TableView:
    """The view of a table with a name."""
    return replace(view, table_name=ForeignText(TABLE))


def sheet(scene: Scene, size: tuple[int, int] = SIZE) -> Sheet:
    """The drawing of the screen."""
    return drawn(table_parts(scene, *size), *size)


@cache
def finished(players: int = 4, rules: str = "milan", seed: int = 5) -> TableView:
    """A table whose first game is over; large ones and schools end it soon."""
    table = _table(players, rules, seed)
    if players > 4 or rules == "hollywood":
        play_zeros(table)
    while table.host.table.phase is not Phase.GATHERING:
        table.play_on()
    return named(table.clients[0].view)


def a_round(size: tuple[int, int] = SIZE) -> Iterator[Frame]:
    """A round from the hiding of the hands to the coin that leaves, as one player sees it."""
    table, scene = company(rules="three-coins"), Scene()
    yield Frame(sheet(look(scene, table), size), 1.6)
    for client, hand in zip(table.clients, (2, 1, 3, 2), strict=True):
        table.act(client, client.guest.choose(hand, table.entropy()))
        yield Frame(sheet(look(scene, table), size), 0.6)
    for number in (5, 7, 9):
        table.say(Bid(number))
        yield Frame(sheet(look(scene, table), size), 2.6 if number == 9 else 1.2)
    assert scene.view is not None
    scene.controls.press("c", scene.view)
    yield Frame(sheet(scene, size), 0.9)
    table.say(Ending.CALL)
    now = 0.0
    look(scene, table, now)
    while scene.pacing.is_running:
        due = scene.pacing.due or now
        yield Frame(sheet(scene, size), max(due - now, 0.1))
        now = due
        scene.pacing.advance(now)
        scene.follow()
    yield Frame(sheet(scene, size), 3.5)
