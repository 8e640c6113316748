"""Every state of the screens that are drawn as a whole, by name, to be drawn at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Final, TypeAlias
from unittest.mock import patch

from protocol.crypto.keys import is_signed
from protocol.rules.words import Bid, Ending
from protocol.table import log
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture
from spoof_tui.beats import Beat
from spoof_tui.ui.canvas.cells import Sheet, drawn
from spoof_tui.ui.lesson.drawing import lesson_parts
from spoof_tui.ui.lesson.script import Lesson
from spoof_tui.ui.lesson.steps import lesson, script
from spoof_tui.ui.lobby.drawing import LobbyView, draw_lobby
from spoof_tui.ui.lobby.menu import Entry
from spoof_tui.ui.table.scene import Page, Scene
from spoof_tui.ui.table.wheel import Wheel
from tests.helpers.moments import company, finished, look, sheet
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.lobbies import found

Size: TypeAlias = tuple[int, int]
Draw: TypeAlias = Callable[[Size], Sheet]

SIZES: Final = ((200, 60), (120, 40), (80, 24), (60, 20), (40, 12))


@cache
def scenes() -> Mapping[str, Scene]:
    """A table in every state, as its first player sees it."""
    # Here every guest checks the same signatures: once is enough.
    with patch.object(log, "is_signed", cache(is_signed)):
        return dict(_scenes())


def _scenes() -> Iterator[tuple[str, Scene]]:
    table = company()
    yield "hiding", look(Scene(), table)
    table.choose(2, 1, 3, 2)
    table.say(Bid(5))
    yield "others-speak", look(Scene(), table)
    table.say(Bid(7), Bid(9))
    yield "my-turn", look(Scene(), table)
    armed = look(Scene(), table)
    assert armed.view is not None
    armed.controls.press("c", armed.view)
    yield "second-press", armed
    before = table.clients[0].view
    table.say(Ending.CALL)
    for beat in Beat:
        scene = Scene()
        scene.look(before)
        look(scene, table)
        assert scene.presentation.reveal is not None
        while scene.reveal and scene.reveal.beat < beat:
            scene.presentation.advance(scene.presentation.due or 0.0)
            scene.follow()
        yield f"reveal-{beat.name.lower()}", scene
    yield from _ends()
    yield from _others()
    yield from _gestures()


def _ends() -> Iterator[tuple[str, Scene]]:
    for name, players, rules in (
        ("game-over", 4, "milan"), ("game-over-nine", 9, "milan"), ("school-over", 4, "hollywood"),
    ):  # fmt: skip
        scene = Scene()
        scene.look(finished(players, rules))
        yield name, scene
    for page in (Page.ROUND, Page.ROUNDS, Page.TALK):
        scene = Scene(page=page)
        scene.look(finished())
        yield f"page-{page.value}", scene


def _gestures() -> Iterator[tuple[str, Scene]]:
    """Each gesture of the second player on the felt, the wheel, and a winner who did not gloat."""
    for gesture in Gesture:
        table = company() if gesture is not Gesture.GLOAT else _after_a_game()
        if gesture is not Gesture.GLOAT:
            table.choose(2, 1, 3, 2)
            table.say(Bid(5))
        scene = look(Scene(), table)
        who = next((each for each in table.clients if each.view.may_gloat), table.clients[1])
        table.act(who, who.guest.state(Gesticulate(gesture)))
        yield f"gesture-{gesture.value}", look(scene, table)
    table = company()
    table.choose(2, 1, 3, 2)
    yield "wheel", look(Scene(wheel=Wheel(Gesture.WOBBLE)), table)
    table = _after_a_game()
    scene = look(Scene(), table)
    table.ready()
    table.choose(1, 1, 1, 1)
    yield "did-not-gloat", look(scene, table)


def _after_a_game() -> MemoryTable:
    """A table whose first game is over."""
    table = company()
    while table.host.table.phase is not Phase.GATHERING:
        table.play_on()
    return table


def _others() -> Iterator[tuple[str, Scene]]:
    nine = company(9)
    nine.choose(1, 2, 0, 3, 1, 2, 3, 0, 2)
    nine.say(*map(Bid, (6, 9, 12, 13, 14)))
    yield "nine", look(Scene(), nine)
    nine.say(*map(Bid, (15, 16, 17)))
    yield "nine-my-turn", look(Scene(), nine)
    school = company(4, "hollywood")
    school.choose(2, 1, 3, 2)
    school.say(Bid(5), Bid(7), Bid(8))
    yield "school-my-call", look(Scene(), school)
    scene = Scene(may_add_bots=True, code="K7M4Q", address="192.168.1.20:7763")
    yield "gathering", look(scene, company(4, is_ready=False))


def lobby(tables: int) -> LobbyView:
    """The lobby with so many tables on the network."""
    found_ = (
        found(1, name="Night train", host="Crown", taken=3, locked=False),
        found(2, name="Kitchen", host="Sou", rules="three-coins", seats=4, taken=4),
    )
    return LobbyView(name="Deft Ferret", tables=found_[:tables], selected=Entry.PLAY)


def _of_lobby(tables: int) -> Draw:
    return lambda size: Sheet.of(draw_lobby(lobby(tables), *size).lines, *size)


def _of_scene(name: str) -> Draw:
    return lambda size: sheet(scenes()[name], size)


def _of_lesson(number: int, step: int) -> Draw:
    def draw(size: Size) -> Sheet:
        taught = Lesson(script(number), step, lesson(number).known)
        return drawn(lesson_parts(taught, *size), *size)

    return draw


@cache
def states() -> Mapping[str, Draw]:
    """Every state by name."""
    told = {"lobby-empty": _of_lobby(0), "lobby": _of_lobby(2)}
    told |= {name: _of_scene(name) for name in scenes()}
    for number in (1, 2):
        for step in range(len(script(number))):
            told[f"lesson-{number}-{step:02}"] = _of_lesson(number, step)
    return told
