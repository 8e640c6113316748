"""Five people at one table, three of them programs with a character, for as long as you like.

Nothing goes wrong here: it is about what such an evening sounds like, and whether it is seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Final

from protocol.encoding.codec import Message
from protocol.errors import Illegal
from protocol.rules.house import Pronounced
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Say
from protocol.views import TableView
from spoof_tui.bots.characters import CharacterMind, company
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind, patience
from spoof_tui.text.safe_text import own_text
from spoof_tui.ui.wording.house import pronounced
from tests.helpers.tables import MemoryTable, SeatedGuest

RULES: Final = "milan thinking=shown"
"""The pot, gloating and thinking time: everything that can be switched on."""

PEOPLE: Final = 2
PROGRAMS: Final = ("wobbler", "loudmouth", "bluffer")

ANTICS: Final = (Gesture.WOBBLE, Gesture.SWEAT, Gesture.INDECISION, Gesture.SMUGNESS)
GESTURE_CHANCE: Final = 0.1
"""How often a person makes a gesture before a word."""


class CompanyEvening:
    """An evening in virtual time, from a seed, and everything that was heard."""

    def __init__(self, seed: int, on_change: Callable[[TableView], None] = lambda view: None):
        """`on_change` gets the first person's view after everything that happens."""
        self.dice: Final = random.Random(seed)
        self.table: Final = MemoryTable(PEOPLE + len(PROGRAMS), RULES, seed, start_when=5)
        self.house: Final = Counter[tuple[str, str]]()
        """How often the house said each thing, by kind."""
        self.twice: Final[list[str]] = []
        """The things that it said twice running."""
        self.remarks: Final = Counter[str]()
        self.gestures: Final = Counter[Gesture]()
        self._on_change = on_change
        self._heard = 0
        self._last: Pronounced | None = None
        self._before: dict[str, str] = {}
        dice = [random.Random(self.dice.getrandbits(64)) for _ in self.table.clients]
        cast = [company(name)[0] for name in PROGRAMS]
        self._minds: Final[list[BotMind]] = [
            *(BotMind(Level.MEDIUM, each) for each in dice[:PEOPLE]),
            *(
                CharacterMind(who, Level.MEDIUM, each)
                for who, each in zip(cast, dice[PEOPLE:], strict=True)
            ),
        ]

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return self.table.time

    def play(self, seconds: float) -> None:
        """Go on until it has lasted this long."""
        while self.seconds < seconds:
            for client, mind in zip(self.table.clients, self._minds, strict=True):
                self._move(client, mind)

    def _move(self, client: SeatedGuest, mind: BotMind) -> None:
        view = client.view
        is_idle = view.phase is Phase.GATHERING and view.my_seat and not view.my_seat.ready
        if not (is_idle or view.own_fist_due or view.my_turn):
            return
        self.table.pass_time(max(mind.think_seconds(view), patience(view, 0.0)), 1.0)
        if is_idle:
            if mind.gloats(view):
                self._state(client, Gesticulate(Gesture.GLOAT))
            self._remark(client, mind)
            self.table.ready(client)
        elif view.own_fist_due:
            self._remark(client, mind)
            self._gesticulate(client, mind.heckle(view))
            coins = mind.choose_hand(view)
            self.table.act(client, client.guest.choose(coins, self.table.entropy()))
        else:
            self._gesticulate(client, self._gesture(mind, view, client.guest.own_hand or 0))
            word, way = mind.choose_word(view, client.guest.own_hand or 0)
            self.table.act(client, client.guest.speak(word, way))
        self._listen()

    def _gesture(self, mind: BotMind, view: TableView, hand: int) -> Gesture | None:
        is_program = isinstance(mind, CharacterMind)
        if is_program or self.dice.random() > GESTURE_CHANCE:
            return mind.choose_gesture(view, hand)
        return self.dice.choice(ANTICS)

    def _remark(self, client: SeatedGuest, mind: BotMind) -> None:
        line = mind.remark(client.view)
        if line is not None:
            self._state(client, Say(own_text(line, 400)))

    def _gesticulate(self, client: SeatedGuest, gesture: Gesture | None) -> None:
        if gesture is not None:
            self._state(client, Gesticulate(gesture))

    def _state(self, client: SeatedGuest, statement: Message) -> None:
        try:
            self.table.act(client, client.guest.state(statement))
        except Illegal:
            return  # the ration of talk is used up
        self._listen()

    def _listen(self) -> None:
        """Count what was said since the last time."""
        log, view = self.table.host.log, self.table.clients[0].view
        for entry in log[self._heard :]:
            if isinstance(entry.statement, Say):
                self.remarks[entry.statement.text.raw] += 1
            elif isinstance(entry.statement, Gesticulate):
                self.gestures[entry.statement.gesture] += 1
        self._heard = len(log)
        self._hear_house(view)
        self._on_change(view)

    def _hear_house(self, view: TableView) -> None:
        said = list(view.pronounced)
        fresh = said[said.index(self._last) + 1 :] if self._last in said else said
        for each in fresh:
            kind, text = each.what.name, pronounced(view, each)
            self.house[kind, text] += 1
            if self._before.get(kind) == text:
                self.twice.append(text)
            self._before[kind] = text
        self._last = said[-1] if said else self._last
