"""Scenes of real games in memory, and the whole table screen drawn as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from textual.strip import Strip

from protocol.crypto.keys import is_signed
from protocol.rules.options import GuessingRules
from protocol.rules.words import Bid, Ending
from protocol.table import log
from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui.ui.table.controls import Controls
from spoof_tui.ui.table.panel import draw_panel
from spoof_tui.ui.table.ring import draw_ring
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seats import pictures
from spoof_tui.ui.table.side import draw_bar, draw_side
from tests.helpers.tables import Chair, MemoryTable

NARROW, SHORT = 74, 23
"""Below so many columns there is no side, below so many rows a low panel."""
PANEL, LOW_PANEL = 8, 6

MOMENTS = ("gathering", "ready", "choosing", "speaking", "answering", "counted", "over")
"""Moments of a table that need at least two players, in their order."""


def seen(client: Chair, scene: Scene | None = None) -> Scene:
    """The scene in front of this chair; an older one looks again."""
    scene = scene or Scene(controls=Controls())
    scene.look(client.view)
    return scene


def at(moment: str, players: int = 3, rules: str = "milan", seed: int = 1) -> MemoryTable:
    """A table in one of `MOMENTS`."""
    with pytest.MonkeyPatch.context() as patch:
        # Here every guest checks the same signatures: once is enough.
        patch.setattr(log, "is_signed", cache(is_signed))
        return _at(MOMENTS.index(moment), MemoryTable(players, rules, seed=seed))


def _at(reached: int, table: MemoryTable) -> MemoryTable:
    players = len(table.clients)
    if reached >= MOMENTS.index("ready"):
        table.ready(table.clients[0])
    if reached >= MOMENTS.index("choosing"):
        table.ready(*table.clients[1:])
    if reached >= MOMENTS.index("speaking"):
        table.choose(*[index % 3 for index in range(players)])
    if reached >= MOMENTS.index("answering"):
        table.say(Bid(2))
    is_guessing = isinstance(table.host.table.opened.rules, GuessingRules)
    if reached >= MOMENTS.index("counted"):
        calls = [Bid(number) for number in range(3, players + 2)]
        table.say(*calls if is_guessing else (Bid(3), Ending.CALL))
    if reached >= MOMENTS.index("over"):
        play_zeros(table)
    return table


def play_zeros(table: MemoryTable) -> None:
    """A quick end of a game: every fist is empty, and whoever opens says zero, or calls it."""
    while table.host.table.phase is not Phase.GATHERING:
        owing = [client for client in table.clients if client.view.own_fist_due]
        table.choose(*[0 for _ in owing])
        if owing[0].view.is_guessing:
            table.say(*(Bid(number) for number in range(len(owing))))
        else:
            table.say(Ending.ZERO)


def scene_at(moment: str, client: int = 0, players: int = 3, rules: str = "milan") -> Scene:
    """What one chair sees in a moment, having seen nothing before."""
    scene = Scene(controls=Controls())
    scene.look(_view(moment, client, players, rules))
    return scene


@cache
def _view(moment: str, client: int, players: int, rules: str) -> TableView:
    return at(moment, players, rules).clients[client].view


def counted(players: int = 3, rules: str = "milan", ending: Ending = Ending.CALL) -> Scene:
    """What a chair sees when a round has just ended, after a bid of 2."""
    table = at("answering", players, rules)
    scene = seen(table.clients[0])
    table.say(ending)
    assert scene.look(table.clients[0].view)
    return scene


def _ring(scene: Scene, width: int, height: int) -> list[Strip]:
    view = scene.view
    seats = pictures(view, scene.names, scene.showing, scene.peek) if view else ()
    return draw_ring(seats, view.me if view else None, scene.centre(), width, height)


def drawn(scene: Scene, width: int = 80, height: int = 24) -> dict[str, list[Strip]]:
    """Every part of a screen of this size, about as large as it is there."""
    side = min(max(width * 3 // 10, 20), 40) if width >= NARROW else 0
    panel = LOW_PANEL if height < SHORT else PANEL
    middle = height - panel - 1
    parts = {
        "bar": (draw_bar, width, 1),
        "ring": (_ring, width - side - 1, middle),
        "side": (draw_side, side or 20, middle),
        "panel": (draw_panel, width, panel),
    }
    strips = {name: draw(scene, cells, rows) for name, (draw, cells, rows) in parts.items()}
    for name, (_, cells, rows) in parts.items():
        assert [strip.cell_length for strip in strips[name]] == [cells] * rows, name
    return strips


def text(strips: Sequence[Strip]) -> str:
    """What strips show, line by line."""
    return "\n".join(strip.text for strip in strips)


def shown(scene: Scene, width: int = 80, height: int = 24) -> str:
    """All that the screen shows."""
    return "\n".join(map(text, drawn(scene, width, height).values()))


def said(scene: Scene, part: str = "panel", width: int = 120, height: int = 30) -> str:
    """What a part says, however its lines are broken."""
    return " ".join(text(drawn(scene, width, height)[part]).replace("│", " ").split())
