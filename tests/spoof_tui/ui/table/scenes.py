"""Scenes of real games in memory, and the whole table screen drawn as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from textual.strip import Strip

from protocol.rules.options import GuessingRules
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Measure, Vote
from protocol.views import TableView
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.table.drawing import ring
from spoof_tui.ui.table.frame import frame
from spoof_tui.ui.table.panel.panel import table_panel
from spoof_tui.ui.table.panel.side import bar, side_parts
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen.controls import Controls
from tests.helpers import laying
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable

MOMENTS = ("gathering", "ready", "choosing", "speaking", "answering", "counted", "over")
"""Moments of a table that need at least two players, in their order."""


def seen(client: GuestSide, scene: Scene | None = None) -> Scene:
    """The scene in front of this seat; an older one looks again."""
    scene = scene or Scene(controls=Controls())
    scene.look(client.view)
    return scene


def at(moment: str, players: int = 3, rules: str = "milan", seed: int = 3) -> MemoryTable:
    """A table in one of `MOMENTS`."""
    reached, table = MOMENTS.index(moment), MemoryTable(players, rules, seed=seed)
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
    """A quick end of a game: every fist is empty, and each opener says zero or calls it."""
    while table.host.table.phase is not Phase.GATHERING:
        owing = [client for client in table.clients if client.view.own_fist_due]
        table.choose(*[0 for _ in owing])
        if owing[0].view.is_guessing:
            table.say(*(Bid(number) for number in range(len(owing))))
        else:
            table.say(Ending.ZERO)


def scene_at(moment: str, client: int = 0, players: int = 3, rules: str = "milan") -> Scene:
    """One seat's first view of a moment."""
    scene = Scene(controls=Controls())
    scene.look(_view(moment, client, players, rules))
    return scene


@cache
def _view(moment: str, client: int, players: int, rules: str) -> TableView:
    return at(moment, players, rules).clients[client].view


def counted(players: int = 3, rules: str = "milan", ending: Ending = Ending.CALL) -> Scene:
    """One seat's view when a round has just ended, after a bid of 2."""
    table = at("answering", players, rules)
    scene = seen(table.clients[0])
    table.say(ending)
    scene.look(table.clients[0].view)
    assert scene.pacing.is_running
    return scene


def with_a_shut_fist(rules: str = "milan") -> tuple[MemoryTable, GuestSide]:
    """A table at which all fists open but one, and its owner, who is on another computer now."""
    table = at("answering", 3, rules)
    is_guessing = table.clients[0].view.is_guessing
    if is_guessing:
        table.say(Bid(3))
    gone = next(client for client in reversed(table.clients) if not client.view.my_turn)
    table.go_on_with_copy(gone)
    table.say(Bid(4) if is_guessing else Ending.CALL)
    return table, gone


def play_on_without(table: MemoryTable, gone: GuestSide) -> None:
    """All others vote to play on without a seat that keeps them waiting (G3)."""
    table.pass_time(table.host.table.opened.grace + 1)
    for client in table.clients:
        if client is not gone:
            vote = Vote(Measure.PLAY_ON, gone.guest.key, yes=True)
            table.act(client, client.guest.propose(vote))


def step(scene: Scene) -> None:
    """Let the time pass until the next beat."""
    due = scene.pacing.due
    if due is not None:
        scene.pacing.advance(due)
        scene.follow()


def open_next(scene: Scene) -> None:
    """Let the time pass until one more fist is open."""
    opened = scene.opened
    while scene.pacing.is_running and scene.opened == opened:
        step(scene)


def catch_up(scene: Scene) -> None:
    """Let the time pass until all is shown that has happened, and the verdict is read."""
    while scene.pacing.due is not None:
        step(scene)
    scene.pacing.catch_up(0.0)
    scene.follow()


def pay(scene: Scene) -> None:
    """Let the time pass until the count is paid."""
    while scene.pacing.is_running:
        step(scene)


def lines(parts: Sequence[Part], width: int, height: int) -> list[Strip]:
    """Parts on a stage of this size, line by line."""
    return [row.strip() for row in laying.drawn(parts, width, height).rows]


def draw_bar(scene: Scene, width: int) -> list[Strip]:
    """The top line."""
    return lines([Part(Place(0, 0, width, 1), bar(scene))], width, 1)


def draw_side(scene: Scene, width: int, height: int) -> list[Strip]:
    """The column beside the table."""
    return lines(side_parts(scene, Place(0, 0, width, height)), width, height)


def draw_panel(scene: Scene, width: int, height: int) -> list[Strip]:
    """The panel below."""
    return lines(table_panel(scene, Place(0, 0, width, height)), width, height)


def draw_table(scene: Scene, width: int, height: int) -> list[Strip]:
    """The seats round the table."""
    return lines(ring(scene, Place(0, 0, width, height)), width, height)


def drawn(scene: Scene, width: int = 80, height: int = 24) -> dict[str, list[Strip]]:
    """Every part of a screen of this size; a column too where the screen has none."""
    places = frame(width, height)
    side = places.side.width or 20
    return {
        "bar": draw_bar(scene, width),
        "ring": draw_table(scene, *places.ring[2:]),
        "side": draw_side(scene, side, places.side.height),
        "panel": draw_panel(scene, *places.panel[2:]),
    }


def text(strips: Sequence[Strip]) -> str:
    """The text of strips, line by line."""
    return "\n".join(strip.text for strip in strips)


def shown(scene: Scene, width: int = 80, height: int = 24) -> str:
    """All that the screen shows."""
    return "\n".join(map(text, drawn(scene, width, height).values()))


def said(scene: Scene, part: str = "panel", width: int = 120, height: int = 30) -> str:
    """The text of a part, with its line breaks removed."""
    return " ".join(text(drawn(scene, width, height)[part]).replace("│", " ").split())


def foot(scene: Scene, width: int = 100) -> str:
    """The line of keys."""
    return text(drawn(scene, width, 30)["panel"]).splitlines()[-1]
