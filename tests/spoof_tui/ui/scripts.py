"""Scripts for the screens: keys, clicks, deeds of others, notices, and what is then to be seen.

A file of scripts has for each a name and where it begins, and then a step a line:

    # a name
    @ speaking seat=2 players=3 rules=hollywood size=60x20 host unknown slow quick still
    @ lobby         or `history games=30`, or one of `SCREENS`
    > q enter       keys, with spaces between them; a text between quotes is typed
    < words         a click on these words
    / words | more  a drag from these words to others
    ^ down up       the mouse's wheel is turned
    + words | more  words that come to be seen
    - words         words that go
    * cut 2         a deed at the table, after which it is looked at
    ! closed        a notice
    = heirs Player3 what comes to hold
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

import pytest
from textual.content import Content
from textual.events import MouseDown, MouseScrollDown, MouseScrollUp, MouseUp, Paste
from textual.pilot import Pilot
from textual.screen import Screen
from textual.style import Style
from textual.widgets import Static

from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import CodeWanted
from protocol.rules.words import Bid, Offence
from protocol.table.fold import Phase
from protocol.table.statements import (
    NO_ONE,
    AwardFine,
    Gesticulate,
    Gesture,
    Leave,
    Measure,
    Say,
    Sit,
    Vote,
)
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui import beats
from spoof_tui.acts.act import key_of
from spoof_tui.clock import now
from spoof_tui.door.program import DoorOpened
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime import notices
from spoof_tui.runtime.notices import CodeChange, Notice
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Holder
from spoof_tui.storage.settings import Settings
from spoof_tui.telling.table_state import TableState, Told
from spoof_tui.text import i18n
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import USUAL
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.dialogs.choices import Choice
from spoof_tui.ui.dialogs.dialog import Dialog, DialogBox, Field
from spoof_tui.ui.dialogs.reading import Reading, stacked
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.messages import Examined, Failed, TablesFound, TablesKept
from spoof_tui.ui.replay.screen import ReplayScreen
from spoof_tui.ui.table.dialogs.slate import is_chairman
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.screen import timers
from spoof_tui.ui.table.screen.screen import MAX_LINE, TableScreen
from tests.helpers.histories import fill
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.helpers.telling import told
from tests.helpers.vectors import word_of
from tests.protocol.moving import stuck
from tests.spoof_tui.chairs import MemoryClient
from tests.spoof_tui.ui.lobbies import found, strange, until
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording
from tests.spoof_tui.ui.table.scenes import MOMENTS, at, pay
from tests.spoof_tui.ui.table.schools import a_school, by_call
from tests.spoof_tui.ui.tables import AtTable


@dataclass(frozen=True)
class Script:
    """The steps in front of a screen."""

    kind: str
    """Where the script begins."""
    options: Mapping[str, str]
    steps: tuple[str, ...]

    async def play_in(self, app: AtTable, pilot: Pilot[int]) -> None:
        """Do it in an app that shows the lobby."""
        await pilot.resize_terminal(*map(int, self.options.get("size", "80x24").split("x")))
        if self.kind in ("lobby", "history", *SCREENS):
            await self._begin(app, pilot)
        else:
            await self._sit(app, pilot)
        with pytest.MonkeyPatch.context() as patch:
            if "slow" in self.options:
                _have_all_last(60.0, patch)
            if "quick" in self.options:
                _have_all_last(0.01, patch)
            app.animation_level = "none" if "still" in self.options else "full"
            for step in self.steps:
                await _do(app, pilot, step)

    async def _begin(self, app: AtTable, pilot: Pilot[int]) -> None:
        await app.push_screen(LobbyScreen())  # another one, at which nothing was done yet
        if self.kind == "history":
            fill(paths.state_folder(), int(self.options["games"]))
            await pilot.press("g")
            assert await until(pilot, lambda: _screen(app) == "history")
        elif self.kind in SCREENS:
            app.push_screen(SCREENS[self.kind](), app.results.append)
        await pilot.pause()

    async def _sit(self, app: AtTable, pilot: Pilot[int]) -> None:
        table, is_host = _table(self.kind, self.options), "host" in self.options
        app.take(table, _seat(table, self.options.get("seat", "1")))
        if "unknown" in self.options:
            await app.come(is_host=is_host)
        else:
            await app.sit_down(pilot, is_host=is_host)


def _have_all_last(seconds: float, patch: pytest.MonkeyPatch) -> None:
    """A count, a peek and a tick of the clock take this long; a key is never held."""
    for name in ("WORD", "FIST", "FIST_OF_MANY", "HELD", "LAST", "STAMP", "REST", "NEXT_WORD"):
        patch.setattr(beats, name, seconds)
    patch.setattr(timers, "REPEAT_INTERVAL", 0.0)
    patch.setattr(timers, "PEEK_TIMEOUT", seconds)
    patch.setattr(timers, "TICK_INTERVAL", seconds)


async def failures(scripts: Mapping[str, Script]) -> list[str]:
    """Play scripts one after the other in one app; returns what was not seen."""
    app, failed = first(), []
    async with app.run_test() as pilot:
        for name, script in scripts.items():
            await _clear(app, pilot)
            try:
                await script.play_in(app, pilot)
            except AssertionError as failure:
                failed.append(f"{name}: {failure}")
    return failed


async def _clear(app: AtTable, pilot: Pilot[int]) -> None:
    """Go back to a fresh lobby, in English and in the usual colours."""
    assert await until(pilot, lambda: all(each.done() for each in app._leaving.values()))
    app.client = None
    while len(app.screen_stack) > 1:
        await app.pop_screen()
    app.clear_notifications()
    app.deeds.clear()
    app.results.clear()
    app.settings = Settings(name="Brisk Otter")
    app.theme = USUAL
    i18n.install("en")
    if paths.settings_path().is_dir():
        paths.settings_path().rmdir()
    app.settings.save()
    shutil.rmtree(paths.games_folder())


def scripts(name: str) -> Mapping[str, Script]:
    """The scripts of a file below this one, by name."""
    text = Path(__file__).parent.joinpath(f"{name}.txt").read_text("utf-8")
    found = {}
    for block in re.split(r"^# ", text, flags=re.MULTILINE)[1:]:
        title, table, *steps = block.strip().splitlines()
        kind, *options = table.removeprefix("@ ").split()
        values = {name: value for name, _, value in (each.partition("=") for each in options)}
        found[title] = Script(kind, values, tuple(steps))
    return found


def _table(kind: str, values: Mapping[str, str]) -> MemoryTable:
    if kind in MOMENTS:
        rules = values.get("rules", "milan").replace("+", " ")
        return at(kind, int(values.get("players", 3)), rules)
    if kind == "stuck":
        return stuck(waited=float(values["waited"])) if "waited" in values else stuck()
    hands, calls = (values.get(name, "") for name in ("hands", "calls"))
    table = a_school(tuple(map(int, hands or "111")), *map(int, calls))
    for offence in list(Offence) * (3 if kind == "long-slate" else 0):
        table.pass_time(2)
        _fine(table, _seat(table, "chairman"), offence)
    return table


def _seat(table: MemoryTable, name: str) -> GuestSide:
    if name == "watcher":
        return table.add(sit=False)
    found: dict[str, Callable[[GuestSide], bool]] = {
        "speaker": lambda each: each.view.my_turn,
        "chairman": lambda each: is_chairman(each.view),
        "other": lambda each: not is_chairman(each.view),
        "opener": lambda each: each.view.me == each.view.starter,
        "winner": lambda each: each.view.may_gloat,
        "first-out": lambda each: each is by_call(table)[0],
    }
    if name in found:
        return next(filter(found[name], table.clients))
    return table.clients[int(name) - 1]


async def _do(app: AtTable, pilot: Pilot[int], step: str) -> None:
    await _take(app, pilot, step)
    assert not (dead := [*dead_labels(app.screen)]), _failure(app, f"no click on {dead}")


def dead_labels(screen: Screen[Any]) -> Iterator[str]:
    """Keys that are shown as such, but do not react to a click."""
    for frame in screen.query(DialogBox):
        captions = (caption for caption, _words in frame._written[1])
        yield from (key for each in captions for key in each.split() if key_of(key) is None)
    for line in screen.query(Static):
        content = line.content if isinstance(line.content, Content) else Content()
        for span in content.spans:
            if isinstance(span.style, Style) and "None" in str(span.style.meta.get("@click", "")):
                yield content.plain[span.start : span.end]
    for stage in screen.query(Stage):
        for y, row in enumerate(stage._shown.rows):
            keys = (x for x, style in enumerate(row.styles) if style == palette.KEY)
            dead = "".join(row.letters[x] for x in keys if not stage.key_at(x, y))
            yield from (word for word in dead.split() if key_of(word))


async def _take(app: AtTable, pilot: Pilot[int], step: str) -> None:
    sign, words = step[0], step[2:]
    if sign == "+":
        assert await app.sees(pilot, *words.split(" | ")), _failure(app, step)
    elif sign == "-":
        assert await app.misses(pilot, words), _failure(app, step)
    elif sign == ">":
        await pilot.press(*_keys(words))
        await pilot.pause()
    elif sign == "<":
        await app.click(pilot, words)
    elif sign == "/":
        start, end = (app.place_of(each) for each in words.split(" | "))
        await app.move_mouse(pilot, MouseDown, start)
        await app.move_mouse(pilot, MouseUp, end)
    elif sign == "^":
        for way in words.split():
            turned = MouseScrollUp if way == "up" else MouseScrollDown
            await app.move_mouse(pilot, turned, (app.size.width // 2, app.size.height // 2))
    elif sign == "!":
        notice = NOTICES[words]
        await app.hear(pilot, notice(app) if callable(notice) else notice)
    elif sign == "*":
        deed, *rest = words.split(" ")
        DEEDS[deed](app, *rest)
        await pilot.pause()
        if app.client is not None:
            await app.look(pilot)
    else:
        name, _, value = words.partition(" ")
        shown = FACTS[name]
        is_so = await until(pilot, lambda: _told(app, shown(app)) == value)
        assert is_so, _failure(app, f"{step}, but it is {_told(app, shown(app))}")


def _keys(words: str) -> Iterator[str]:
    """The keys of a line: by their names, or letter by letter between quotes."""
    for typed, named in re.findall(r'"([^"]*)"|(\S+)', words):
        yield from typed or [named]


def _failure(app: AtTable, expected: str) -> str:
    return "\n".join([expected, *app.lines])


def _told(app: AtTable, value: object) -> str:
    if isinstance(value, bytes):
        names = app.table.host.table.names
        return "the table" if value == NO_ONE else names[value].raw if value in names else "?"
    if isinstance(value, Measure | Offence | Gesture):
        return str(value.value)
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(_told(app, each) for each in value) or "nobody"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


class Order(Dialog[str]):
    """A drink, how many of it, and whether it is cold."""

    def __init__(self, more: int = 0) -> None:
        self.drink = Field("Drink", "beer")
        self.amount = Choice("Amount", ["one", "two", "three"], keys="123", help="Of them.")
        self.ice = Choice("Ice", ["no", "yes"], spread=True)
        choices = [self.amount, self.ice, *(Choice(f"Number {n}", ["a"]) for n in range(more))]
        super().__init__("Order", "order", [self.drink], choices, help="Of any kind.", back="none")

    def result(self) -> str:
        if not self.drink.value:
            raise ValueError("Nothing is no drink.")
        how = " on ice" if self.ice.index else ""
        return f"{self.amount.values[self.amount.index]} {self.drink.value}{how}"


class Poem(Reading):
    """More than there is room for."""

    def __init__(self) -> None:
        verses = [Content(f"[b]verse[/] {number}") for number in range(99)]
        super().__init__("A [poem]", lambda width: stacked(verses))


SCREENS: Final[Mapping[str, Callable[[], Screen[Any]]]] = {
    "order": Order,
    "poem": Poem,
    "replay": lambda: ReplayScreen(recording(TWO_GAMES)),
}
"""Screens to be laid over the lobby."""


# The text of a screen


def first(moment: str = "speaking", players: int = 3, rules: str = "milan") -> AtTable:
    """In front of the first player, whose turn it is not."""
    return seat(at(moment, players, rules), 0)


def seat(table: MemoryTable, number: int) -> AtTable:
    """In front of one of the seats."""
    return AtTable(table, table.clients[number])


def screen(app: AtTable) -> TableScreen:
    """The table screen, whatever lies over it."""
    return next(each for each in app.screen_stack if isinstance(each, TableScreen))


def lobby(app: AtTable) -> LobbyScreen:
    """The lobby at which a script began."""
    return [each for each in app.screen_stack if isinstance(each, LobbyScreen)][-1]


def scene(app: AtTable) -> Scene:
    """The text that it shows."""
    return screen(app).scene


def _chair(app: AtTable) -> MemoryClient:
    return cast(MemoryClient, app.client)


def _asked(app: AtTable, *names: str) -> list[Any]:
    """What was asked for by these names: its argument, or the name where it has none."""
    return [
        each[1] if len(each) > 1 else each[0].replace("_", " ")
        for each in app.asked
        if each[0] in names
    ]


def _screen(app: AtTable) -> str:
    name = type(app.screen).__name__.removesuffix("Screen").casefold()
    return name if name in ("table", "lobby", "history", "replay", "lesson", "cover") else "dialog"


FACTS: Final[Mapping[str, Callable[[AtTable], object]]] = {
    "beats": lambda app: [each.beat.name.casefold() for each in _reveal(app)],
    "bid": lambda app: app.seat.view.standing and app.seat.view.standing[1],
    "chairs": lambda app: [*app.seat.view.slate.votes.values()],
    "cleared": lambda app: _asked(app, "clear"),
    "client": lambda app: app.client is not None,
    "asked": lambda app: [each[0] for each in app.asked],
    "code": lambda app: scene(app).code,
    "codes": lambda app: _asked(app, "use_code", "renew_code"),
    "continued": lambda app: scene(app).continued is not None,
    "counted": lambda app: scene(app).is_counted,
    "counting": lambda app: scene(app).pacing.is_running,
    "deeds": lambda app: ", ".join(app.deeds) or None,
    "doors": lambda app: _asked(app, "turn_door"),
    "events": lambda app: len(scene(app).events),
    "fines": lambda app: [(each.key, each.offence) for each in app.seat.view.slate.fines],
    "fist-due": lambda app: app.seat.view.own_fist_due,
    "gestures": lambda app: bool(scene(app).gestures.shown),
    "hand": lambda app: app.seat.guest.own_hand,
    "heirs": lambda app: _asked(app, "close"),
    "judged": lambda app: scene(app).is_judged,
    "last": lambda app: (now := scene(app).last) and app.seat.view.past.index(now) + 1,
    "hints": lambda app: sorted(scene(app).seen),
    "hint": lambda app: (hint := scene(app).hint) and hint.value,
    "lifted": lambda app: [each.lifted for each in app.seat.view.slate.fines],
    "muted": lambda app: app.table.host.table.muted,
    "orders": lambda app: [each[2].value for each in app.seat.view.slate.orders],
    "over": lambda app: bool(scene(app).over),
    "owes": lambda app: app.seat.view.slate.owed(app.seat.guest.key),
    "paused": lambda app: app.table.host.table.paused,
    "name": lambda app: app.settings.name,
    "remark": lambda app: bool(scene(app).remark),
    "results": lambda app: app.results,
    "returns": lambda app: len(_asked(app, "come_back")),
    "screen": _screen,
    "seats": lambda app: [each.key for each in app.table.host.table.seats],
    "seen": lambda app: Settings.load().seen,
    "settings": lambda app: told(replace(Settings.load(), name="")),
    "shut": lambda app: _chair(app).known.is_shut,
    "standing": lambda app: scene(app).is_standing,
    "takeovers": lambda app: _asked(app, "take_over", "sit_apart"),
    "talk": lambda app: [_said(each.said) for each in app.seat.view.talk],
    "talking": lambda app: scene(app).talking and len(scene(app).talking or ""),
    "theme": lambda app: app.theme,
    "ticking": lambda app: screen(app)._ticking.is_running,
    "votes": lambda app: list(app.table.host.table.votes),
    "words": lambda app: len(app.seat.view.words),
    "wheel": lambda app: scene(app).wheel is not None,
}


def _reveal(app: AtTable) -> Sequence[beats.Step]:
    reveal = scene(app).reveal
    return reveal.steps if reveal else ()


def _said(said: ForeignText | Gesture) -> str:
    return said.raw if isinstance(said, ForeignText) else said.value


# Deeds at the table


def _key(app: AtTable, number: str) -> bytes:
    if number == "table":
        return NO_ONE
    client = app.seat if number == "me" else app.table.clients[int(number) - 1]
    return client.guest.key


def _fine(table: MemoryTable, seat: GuestSide, offence: Offence = Offence.OTHER) -> None:
    chairman = _seat(table, "chairman")
    table.act(chairman, chairman.guest.propose(AwardFine(seat.guest.key, offence)))


def _state(app: AtTable, number: str, statement: Say | Vote | Leave | Gesticulate) -> None:
    client = app.table.clients[int(number) - 1]
    app.table.act(client, client.guest.propose(statement))


def _get_ready(app: AtTable, *numbers: str) -> None:
    for client in (app.table.clients[int(number) - 1] for number in numbers):
        entropy = app.table.entropy
        app.table.act(client, client.guest.ready(entropy(), entropy()))


def _wait(app: AtTable) -> None:
    app.table.time += 61
    scene(app).ahead = app.table.now(0).wall - scene(app).wall


def _until_mine(app: AtTable) -> None:
    while not app.seat.view.my_turn:
        app.table.say(Bid(app.table.speaker().view.lowest_bid or 1))


def _pay(app: AtTable) -> None:
    pay(scene(app))
    screen(app).redraw()


def _know(app: AtTable, *numbers: str) -> None:
    _chair(app).know(strangers=tuple(_key(app, each) for each in numbers))


def _give_heirs(app: AtTable, *who: str) -> None:
    _chair(app).know(heirs=frozenset(_key(app, each) for each in who))


def _come_by_ssh(app: AtTable, name: str) -> None:
    late = app.table.add(sit=False)
    app.table.act(late, late.guest.propose(Sit(ForeignText(name), through_door=True)))


def _set(app: AtTable, name: str, *value: str) -> None:
    setattr(scene(app), name, " ".join(value) or True)


def _practise_meanwhile(app: AtTable, *table: str) -> None:
    name, view = ForeignText(" ".join(table)), scene(app).view
    assert view
    silent = TableState(view=replace(view, table_name=name, link=LinkState.DOWN))
    scene(app).is_practice, scene(app).waiting = True, silent
    screen(app).hear_of_waiting()


def _answer_from_there(app: AtTable) -> None:
    there = scene(app).waiting
    assert there and there.view
    there.view = replace(there.view, link=LinkState.UP)
    screen(app).hear_of_waiting()


def _end_there(app: AtTable, *why: str) -> None:
    there = scene(app).waiting
    assert there
    there.over = " ".join(why)
    screen(app).hear_of_waiting()


def _tell(app: AtTable, *lines: str) -> None:
    scene(app).take(Told(lines, "News"))
    screen(app).redraw()


def _paste(app: AtTable, *text: str) -> None:
    app.screen.post_message(Paste(" ".join(text)))


def _fail(app: AtTable) -> None:
    screen(app).post_message(Failed("Something went wrong, see /tmp/trouble."))


def _go_along(app: AtTable, *numbers: str) -> None:
    for client in (app.table.clients[int(number) - 1] for number in numbers):
        app.table.act(client, client.guest.departure.agree())


def _find(app: AtTable, *words: str) -> None:
    names = (word.replace("_", " ") for word in words if word != "strange")
    tables = [found(number, name=name) for number, name in enumerate(names, 1)]
    tables += [strange()] * words.count("strange")
    lobby(app).post_message(TablesFound(tuple(tables), None))


def _find_rules(app: AtTable, *rules: str) -> None:
    lobby(app).post_message(TablesFound((found(rules=" ".join(rules)),), None))


def _examine(app: AtTable) -> None:
    app.screen.post_message(Examined((_SILENT,), ()))


def _keep(app: AtTable, *names: str) -> None:
    time, titles = now().wall - 90_000, [name.replace("_", " ") for name in names]
    tables = (
        SavedTable(
            number.to_bytes(32, "big"), ForeignText(title), time, Phase.SPEAKING, 2, 3, b"h" * 32,
            is_free=title != "in-use",
        )
        for number, title in enumerate(titles, 1)
    )  # fmt: skip
    lobby(app).post_message(TablesKept(tuple(tables)))


def _spoil_settings(app: AtTable) -> None:
    paths.settings_path().unlink()
    paths.settings_path().mkdir()


DEEDS: Final[Mapping[str, Callable[..., None]]] = {
    "say": lambda app, *words: app.table.say(*map(word_of, words)),
    "choose": lambda app, *hands: app.table.choose(*map(int, hands)),
    "cut": lambda app, who: app.table.cut(app.table.clients[int(who) - 1]),
    "connect": lambda app, who="": app.table.connect(
        app.table.clients[int(who) - 1] if who else app.seat
    ),
    "copy": lambda app: app.table.go_on_with_copy(app.seat),
    "vote": lambda app, who, what, whom: _state(
        app, who, Vote(Measure(what), _key(app, whom), yes=True)
    ),
    "withdraw": lambda app, who, what, whom: _state(
        app, who, Vote(Measure(what), _key(app, whom), yes=False)
    ),
    "ready": _get_ready,
    "decide": lambda app, what, whom: app.table.decide(Measure(what), _key(app, whom)),
    "leave": lambda app, who: _state(app, who, Leave()),
    "gesture": lambda app, who, gesture: _state(app, who, Gesticulate(Gesture(gesture))),
    "talk": lambda app, who, *line: _state(app, who, Say(ForeignText(" ".join(line)))),
    "fine": lambda app: _fine(app.table, app.seat),
    "heirs": _give_heirs,
    "strangers": _know,
    "wait": _wait,
    "until-mine": _until_mine,
    "pay": _pay,
    "ssh": _come_by_ssh,
    "set": _set,
    "meanwhile": _practise_meanwhile, "there": _answer_from_there, "ended": _end_there,
    "tell": _tell,
    "open": lambda app: _chair(app).know(is_shut=False),
    "forget": lambda app: setattr(scene(app), "remark", ""),
    "fill": lambda app: setattr(scene(app), "talking", "x" * (MAX_LINE - 1)),
    "paste": _paste,
    "fail": _fail,
    "along": _go_along,
    "find": _find,
    "find-rules": _find_rules,
    "kept": _keep,
    "examined": _examine,
    "spoil-settings": _spoil_settings,
}  # fmt: skip

_HOLDER: Final = Holder(4711, "/dev/pts/3")
_ELSEWHERE: Final = Finding(
    Code.OTHER_ADDRESS, Severity.PROBLEM, Address("10.0.0.1", 9), ("10.0.0.1:7763", "10.0.0.1:7764")
)
_SILENT: Final = Finding(Code.HOST_SILENT, Severity.PROBLEM, Address("10.0.0.1", 7763))


def _seeing(**changed: Any) -> Callable[[AtTable], Notice]:
    """The table is now seen with these changes."""
    return lambda app: notices.ViewChanged(replace(app.seat.view, **changed))


def _hosted_by(number: str, epoch: int) -> Callable[[AtTable], Notice]:
    return lambda app: _seeing(host=_key(app, number), epoch=epoch)(app)


def _went_on(app: AtTable) -> Notice:
    host = app.table.host
    return notices.ContinuedAt(Address("10.0.0.7", 7763), host.card, host.log[0])


def _at_new_table(_app: AtTable) -> Notice:
    return notices.ViewChanged(replace(at("choosing", 2).clients[1].view, table_id=b"n" * 32))


NOTICES: Final[Mapping[str, Notice | Callable[[AtTable], Notice]]] = {
    "down": _seeing(link=LinkState.DOWN),
    "up": _seeing(),
    "word-sent": _seeing(own_word=Bid(2)),
    "standing": notices.Standing(),
    "hosts-me": _hosted_by("me", 1),
    "hosts-another": _hosted_by("1", 2),
    "moved-here": notices.Moved(me=True),
    "moved-away": notices.Moved(me=False),
    "went-on": _went_on,
    "new-table": _at_new_table,
    "asked": CodeWanted(Farewell.NO_CODE),
    "wrong-code": CodeWanted(Farewell.WRONG_CODE),
    "too-many-tries": CodeWanted(Farewell.TOO_MANY_TRIES),
    "banned": notices.Ended(Farewell.BARRED),
    "no-proof": notices.Ended(Farewell.NO_PROOF),
    "closed": notices.Ended(Farewell.CLOSED),
    "reopened": notices.Reopened(),
    "impostor": notices.TurnedAway(Farewell.IMPOSTOR),
    "opened": notices.Opened(7763, None, "K7M4Q", "192.168.1.20:7763"),
    "new-code": notices.NewCode("AAAAA", CodeChange.GUESSED),
    "door": notices.DoorChanged(DoorOpened(2222, "SHA256:x")),
    "held": notices.SeatHeld(_HOLDER, is_other_free=True),
    "held-by-own": notices.SeatHeld(_HOLDER, is_other_free=False),
    "taken-over": notices.TakenOver(_HOLDER),
    "stopped": notices.CannotOpen(notices.KeyInUse(_HOLDER)),
    "nowhere": notices.CannotOpen(ProbeFailed(Address("10.0.0.1", 9), Failure.REFUSED)),
    "found-elsewhere": notices.Explained((_ELSEWHERE,)),
    "not-saved": notices.NotSaved(OSError(28, "No space left")),
    "elsewhere": notices.OpenElsewhere(ForeignText("Maria")),
}
