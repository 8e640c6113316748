"""Every state of the screens that are drawn as a whole, by name, to be drawn at any size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final, TypeAlias

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Measure, Say, Vote
from protocol.views import LinkState, SeatStatus
from protocol.wire.messages import Farewell
from spoof_tui.beats import Beat
from spoof_tui.runtime.notices import CodeChange, SeatState
from spoof_tui.telling import doors
from spoof_tui.telling.notices import code_renewed
from spoof_tui.telling.sentences import forbidden, turned_away
from spoof_tui.telling.table_state import Told
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.lesson.screen import lesson_parts
from spoof_tui.ui.lesson.steps import Lesson, script
from spoof_tui.ui.table.felt.wheel import Wheel
from spoof_tui.ui.table.scene import Page, Scene
from tests.helpers.drawings import Draw, drawings
from tests.helpers.laying import drawn
from tests.helpers.moments import company, finished, look, named, sheet
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.schools import a_school, by_call, scene_of

Size: TypeAlias = tuple[int, int]
TALK: Final = ("Mitt-full!", "I do not believe a word of it", "[b]no[/b]")
"""The talk at the table."""

HOST: Final = SeatState(is_host=True)

ENOUGH: Final = SeatState(can_move=True, could_move=True)


@cache
def scenes() -> Mapping[str, Scene]:
    """A table in every state, as its first player sees it."""
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
        assert scene.pacing.reveal is not None
        while scene.reveal and scene.reveal.beat < beat:
            scene.pacing.advance(scene.pacing.due or 0.0)
            scene.follow()
        yield f"reveal-{beat.name.lower()}", scene
    for those in (
        _ends, _others, _gestures, _of_turn, _of_hand, _of_links, _of_seats, _of_talk, _of_schools,
    ):  # fmt: skip
        yield from those()


def _ends() -> Iterator[tuple[str, Scene]]:
    for name, players, rules in (
        ("game-over", 4, "milan"), ("game-over-nine", 9, "milan"), ("school-over", 4, "hollywood"),
        ("game-over-drinks", 4, "milan stake=drinks"),
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
        table.act(who, who.guest.propose(Gesticulate(gesture)))
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
    for name, players in (("gathering", 4), ("two-gathering", 2)):
        scene = Scene(known=HOST, code="K7M4Q", address="192.168.1.20:7763")
        yield name, look(scene, company(players, is_ready=False))
    two = company(2, "three-coins")
    two.choose(2, 1)
    two.say(Bid(2))
    yield "two-my-turn", look(Scene(), two)


def _seen(table: MemoryTable, client: int = 0, **shown: Any) -> Scene:
    """The first view of a player."""
    scene = Scene(**shown)
    scene.look(named(table.clients[client].view))
    return scene


def _played(*bids: int, players: int = 4, rules: str = "milan") -> MemoryTable:
    """All fists are in, and these bids were made."""
    table = company(players, rules)
    table.choose(*[index % 4 for index in range(players)])
    table.say(*map(Bid, bids))
    return table


def _of_turn() -> Iterator[tuple[str, Scene]]:
    """A player's own turn: what can be done, and how much of it was typed."""
    yield "opening", _seen(_played(), 1)
    other_way = _seen(_played(), 1)
    yield "opening-three-coins", _seen(_like(_played(), "three-coins"), 1)
    turned, typed = _seen(_played(5), 2), _seen(_played(5), 2)
    for scene, key in ((other_way, "d"), (turned, "s"), (typed, "8")):
        assert scene.view is not None
        scene.controls.press(key, scene.view)
    yield "opening-other-way", other_way
    yield "second-press-spoof", turned
    yield "typed-bid", typed
    yield "no-bid-left", _seen(_played(12), 2)
    at_cap = _seen(_like(_played(5), "bid-spoof"), 2)
    yield "at-the-cap", at_cap
    yield "refused", _seen(_played(5), 2, remark=forbidden(Illegal(Reason.NOTHING_TO_GLOAT), ()))
    clock = _seen(_played(5), 2)
    assert clock.view is not None
    due = clock.now + 27_000
    seats = tuple(
        replace(seat, time_up_from=due if seat.is_me else None) for seat in clock.view.seats
    )
    clock.look(replace(clock.view, seats=seats, clock=60))
    yield "turn-clock", clock
    yield "peek", _seen(_played(5), 2, peek=2)


def _like(table: MemoryTable, rules: str) -> MemoryTable:
    """A table with other rules at which the same was said."""
    count, words = len(table.clients), [word for _, word in table.clients[0].view.words]
    again = company(count, rules)
    again.choose(*[index % 4 for index in range(count)])
    again.say(*words)
    return again


def _of_hand() -> Iterator[tuple[str, Scene]]:
    """The hand is asked for, or in."""
    rich = _seen(company())
    assert rich.view is not None
    rich.view = replace(rich.view, seats=tuple(replace(seat, coins=12) for seat in rich.view.seats))
    yield "hiding-twelve", rich
    table = company()
    table.act(table.clients[0], table.clients[0].guest.choose(2, table.entropy()))
    yield "fist-is-in", _seen(table)
    yield "sealed-elsewhere", _with(_seen(_played(5)), lacks_secret=True)
    due = _with(_seen(_played(5)), lacks_secret=True)
    due.put_away_news()
    assert due.view is not None
    since, until = due.view.time - 10_000, due.view.time + 50_000
    seats = tuple(
        replace(seat, waits_since=since, play_on_from=until) if seat.is_me else seat
        for seat in due.view.seats
    )
    yield "sealed-elsewhere-due", _with(due, phase=Phase.OPENING, seats=seats)
    lot = _seen(company())
    assert lot.view is not None
    lot.view = replace(lot.view, phase=Phase.LOT)
    yield "lot", lot


def _of_links() -> Iterator[tuple[str, Scene]]:
    """Troubles on the way to the table, and what was reported of it."""
    yield "joining", Scene()
    for link in (LinkState.DOWN, LinkState.MEETING, LinkState.UNSTEADY, LinkState.MOVING):
        yield f"link-{link.value}", _with(_seen(_played(5), 2, known=ENOUGH), link=link)
    off = SeatState(has_network=False)
    yield "no-network", _with(_seen(_played(5), 1, known=off), link=LinkState.DOWN)
    yield "slow-network", _with(_seen(_played(5), 2), lag=1500)
    yield "paused", _with(_seen(_played(5), 2), paused=True)
    told = turned_away(Farewell.IMPOSTOR)
    away = _with(_seen(_played(5), 2, known=ENOUGH), link=LinkState.DOWN)
    away.turned_away = told
    yield "turned-away", away
    yield "closed", _seen(_played(5), 2, over="The host has closed the table.")
    news = _seen(_played(5), 2)
    news.take(Told(tuple(f"Line {number}." for number in range(9)), "While you were away"))
    yield "news", news
    through = _seen(company(4, is_ready=False))
    assert through.view is not None
    seats = tuple(replace(seat, through_door=seat.is_me) for seat in through.view.seats)
    lines = tuple(doors.brought(None, replace(through.view, seats=seats)))
    through.take(Told(lines, "By ssh or browser"))
    yield "through-a-door", through


def _with(scene: Scene, **changed: Any) -> Scene:
    assert scene.view is not None
    scene.look(replace(scene.view, **changed))
    return scene


def _of_seats() -> Iterator[tuple[str, Scene]]:
    """Everything that can be the matter with a seat, and what the others can do."""
    table = _played(5)
    table.cut(table.clients[2])
    yield "away", _seen(table)
    waited = _seen(table)
    assert waited.view is not None
    waited.wall = waited.view.time + 61_000
    yield "away-for-a-minute", waited
    scene = _seen(_played(5))
    assert scene.view is not None
    first, second, third, last = scene.view.seats
    marked = (
        replace(first, through_door=True), replace(second, presence=SeatStatus.UNSTEADY),
        replace(third, presence=SeatStatus.GONE), replace(last, coins=0),
    )  # fmt: skip
    yield "unsteady-left-out", _with(scene, seats=marked)
    moderated = _played(5)
    moderated.decide(Measure.MUTE, moderated.clients[1].guest.key)
    moderated.decide(Measure.REMOVE, moderated.clients[2].guest.key)
    yield "muted-and-removed", _seen(moderated)
    voting = company(4, is_ready=False)
    about = Vote(Measure.REMOVE, voting.clients[1].guest.key, yes=True)
    voting.act(voting.clients[0], voting.clients[0].guest.propose(about))
    yield "vote", _seen(voting, 2)
    yield "vote-of-mine", _seen(voting)
    free, full = MemoryTable(2, seats=3), MemoryTable(3, seats=3)
    yield "watching", _watching(free)
    yield "watching-a-full-table", _watching(full)
    ready = company(4, is_ready=False)
    ready.ready(ready.clients[1])
    yield "one-is-ready", _seen(ready)
    yield "i-am-ready", _seen(ready, 1)
    scene = Scene(known=HOST, code="K7M4Q", address="192.168.1.20:7763")
    scene.trouble = "Nobody hears of it."
    scene.code_news = code_renewed(CodeChange.GUESSED, "K7M4Q")
    yield "gathering-in-trouble", look(scene, company(4, is_ready=False))
    for name, table in (("removed", company(4, is_ready=False)), ("removed-in-a-game", company())):
        scene = _seen(table)
        table.decide(Measure.REMOVE, table.clients[0].guest.key)
        scene.look(named(table.clients[0].view))
        yield name, scene


def _watching(table: MemoryTable) -> Scene:
    scene = Scene()
    scene.look(named(table.add(sit=False).view))
    return scene


def _of_talk() -> Iterator[tuple[str, Scene]]:
    """Talk, thinking time and the rounds before."""
    table = _played(5, 7)
    for number, line in enumerate(TALK):
        client = table.clients[number + 1]
        table.act(client, client.guest.propose(Say(ForeignText(line))))
    yield "talk", _seen(table)
    yield "typing", _seen(table, talking="hello")
    several = company()
    while len(several.host.table.game.past if several.host.table.game else ()) < 4:
        several.play_on()
    yield "earlier-rounds", _seen(several)
    slow = _like(_played(), "milan thinking=shown stake=drinks")
    slow.pass_time(12.2)
    slow.say(Bid(2))
    yield "thinking", _seen(slow)


def _of_schools() -> Iterator[tuple[str, Scene]]:
    """The guessing game: calls that were taken, an impossible one, and who is safe."""
    taken = a_school((1, 1, 1), 7)
    taken.say(Bid(7))
    yield "school-taken", _watched(by_call(taken)[1])
    counted = a_school((1, 1, 1), 3, 7)
    caller = by_call(counted)[0]
    before = named(caller.view)
    counted.say(Bid(9))
    for opened in range(1, 4):
        scene = Scene()
        scene.look(before)
        scene.look(named(caller.view))
        while (scene.opened or 0) < opened:
            scene.pacing.advance(scene.pacing.due or 0.0)
            scene.follow()
        yield f"school-count-{opened}", scene

    calling: list[tuple[str, Sequence[int], Sequence[int], int]] = [
        ("school-call", (1, 1, 1), (2, 6), 0), ("school-attempts", (1, 1, 1), (7, 7, 7), 1),
        ("school-last-attempt", (1, 1, 1), (7, 7, 7, 7), 1), ("school-nine", (1,) * 9, range(9), 0),
    ]  # fmt: skip
    for name, hands, calls, who in calling:
        yield name, _watched(by_call(a_school(hands, *calls))[who])
    counts: list[tuple[str, Sequence[int], Sequence[int], int, int | None]] = [
        ("school-nobody", (1, 1, 1), (9, 8, 7), 0, 3),
        ("school-impossible", (3, 3, 3), (0, 4, 5), 1, 1),
        ("school-safe", (1, 1, 1), (3, 4, 5), 1, None),
        ("school-left", (1, 1), (2, 3), 0, 2), ("school-pays", (1, 1), (2, 3), 1, 2),
    ]  # fmt: skip
    for name, hands, calls, who, shown in counts:
        yield name, scene_of(by_call(a_school(hands, *calls))[who], shown)


def _watched(client: GuestSide) -> Scene:
    scene = Scene()
    scene.look(named(client.view))
    return scene


def _of_scene(name: str) -> Draw:
    return lambda size: sheet(scenes()[name], size)


def _of_lesson(number: int, step: int) -> Draw:
    def draw(size: Size) -> Sheet:
        taught = Lesson(script(number), step)
        return drawn(lesson_parts(taught, *size), *size)

    return draw


@cache
def states() -> Mapping[str, Draw]:
    """Every state by name."""
    told = dict(drawings()) | {name: _of_scene(name) for name in scenes()}
    for number in (1, 2, 3):
        for step in range(len(script(number))):
            told[f"lesson-{number}-{step:02}"] = _of_lesson(number, step)
    return told
