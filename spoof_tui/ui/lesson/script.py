"""The first game of somebody who has never heard of Spoof, in two lessons. Pure.

The rounds are played by the rules engine; the script only says who hides and says what. Its
first three rounds are those of the Kyiv guide. What is said about them is in
`ui.lesson.steps`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS, START_COINS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.text.i18n import _
from spoof_tui.ui.acts.act import Act
from spoof_tui.ui.acts.table import ENDING_KEYS, TableAct
from spoof_tui.ui.table.controls import PutIn, SayWord

RULES: Final = BIDDING_PRESETS["three-coins"]
"""The guide's rules, by which one plays on when the lesson is over."""

ME, DMYTRO, MARIA = range(3)
"""The seats; the player has Svitlana's."""

_LETTERS: Final = {ending: key for key, ending in ENDING_KEYS.items()}
_ON: Final = frozenset({"enter", "right", "space"})
_BACK: Final = frozenset({"left", "backspace"})


class Topic(Enum):
    """What there is to learn."""

    HAND = "hand"
    RAISE = "raise"
    CALL = "call"
    CLIFF = "cliff"
    SPOOF = "spoof"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class ScriptedRound:
    """What happens in a round: hands by seat, and words in their order."""

    hands: tuple[int, int, int]
    words: tuple[Word, ...]


ROUNDS: Final = (
    ScriptedRound((0, 2, 2), (Bid(4), Bid(6), Ending.CALL)),
    ScriptedRound((3, 0, 2), (Bid(1), Bid(2), Bid(3), Bid(4), Ending.CALL)),
    ScriptedRound((1, 1, 1), (Bid(3), Ending.CLIFF)),
    ScriptedRound((3, 2, 3), (Bid(7), Ending.SPOOF)),
    ScriptedRound((0, 0, 0), (Ending.ZERO,)),
)
"""D4-M6-S!, S1-D2-M3-S4-D! and D3-M= are the guide's; two more for the words it leaves out."""

FIRST_STARTER: Final = DMYTRO


def play(rounds: tuple[ScriptedRound, ...] = ROUNDS) -> tuple[PlayedRound, ...]:
    """The rounds as the rules have them; raises `Illegal` if they forbid a word."""
    coins, starter = (START_COINS,) * len(rounds[0].hands), FIRST_STARTER
    played: list[PlayedRound] = []
    for scripted in rounds:
        said = BiddingRound(RULES, coins, starter)
        for word in scripted.words:
            assert said.speaker is not None
            said = said.say(said.speaker, word)
        hands = {seat: scripted.hands[seat] for seat in said.players}
        outcome = said.count(hands)
        played.append(PlayedRound(said, hands, outcome))
        coins, starter = outcome.coins, outcome.next_starter or 0
    return tuple(played)


class Stage(Enum):
    """How far a round is."""

    EMPTY = "empty"
    """Nobody's fist is in."""
    CHOOSING = "choosing"
    """The others' fists are in."""
    SPEAKING = "speaking"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class GoOn:
    """Nothing is asked but to read."""


@dataclass(frozen=True, slots=True)
class Invite:
    """The end: to practise, on to the next lesson, or back."""

    goes_on: bool = False
    """Whether there is a next lesson."""


@dataclass(frozen=True, slots=True)
class Try:
    """Another word than the right one, which may be said once to see what comes of it."""

    words: tuple[Word, ...]
    """That word, and what the others say to it."""
    says: str
    """What there is to say about the end of it."""


Ask = GoOn | PutIn | SayWord | TableAct | Invite
"""What the player has to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the lesson: what is shown, said and asked."""

    round_index: int
    """Place of its round in `ROUNDS`."""
    stage: Stage
    words: int = 0
    """How many words of the round are said."""
    ask: Ask = field(default_factory=GoOn)
    says: str
    """What is explained."""
    request: str = ""
    """What the player shall do."""
    otherwise: str = ""
    """What is said when another key is pressed."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """What is said when a certain other key is pressed."""
    tries: Mapping[str, Try] = field(default_factory=dict)
    """What may be tried once, by its key."""
    topic: Topic | None = None
    """What is learned once this step is done."""
    peeks: bool = False
    """Whether the player's hand is shown to the player."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys that are right."""
        ask = self.ask
        if isinstance(ask, PutIn):
            return frozenset({str(ask.coins)})
        if isinstance(ask, SayWord):
            return frozenset({_LETTERS[ask.word] if isinstance(ask.word, Ending) else "enter"})
        if isinstance(ask, Act):
            return frozenset({ask.key})
        return _ON if isinstance(ask, GoOn) else frozenset()


@dataclass
class Lesson:
    """Somebody in the middle of a lesson."""

    script: tuple[Step, ...]
    place: int = 0
    """Index of the present step."""
    known: tuple[Topic, ...] = ()
    """What an earlier lesson has taught."""
    remark: str | Illegal = ""
    """What there is to say about the last key: a sentence, or what the rules object to."""
    tried: tuple[Try, PlayedRound] | None = None
    """What is being tried, and the round as it ended by that."""
    told: int | None = None
    """At which of its beats the count is that is told; None once all of it is."""
    has_tried: set[int] = field(default_factory=set)
    """The steps at which something was tried."""

    @cached_property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """All rounds, played by the rules."""
        return play()

    @property
    def step(self) -> Step:
        """The present step."""
        step = self.script[self.place]
        if self.tried is None:
            return step
        return Step(
            round_index=step.round_index,
            stage=Stage.COUNT,
            says=self.tried[0].says,
            request=_("Press Enter to take it back."),
            otherwise=_("Enter takes it back."),
        )

    @property
    def round(self) -> PlayedRound:
        """The round of the present step, to its end."""
        return self.tried[1] if self.tried else self.rounds[self.step.round_index]

    @property
    def said(self) -> BiddingRound:
        """The round as far as it is spoken."""
        said = self.round.words
        assert isinstance(said, BiddingRound)
        spoken = BiddingRound(said.rules, said.coins, said.starter, said.direction)
        words = len(said.words) if self.step.stage is Stage.COUNT else self.step.words
        for seat, word in said.words[:words]:
            spoken = spoken.say(seat, word)
        return spoken

    @property
    def learned(self) -> tuple[Topic, ...]:
        """What the steps so far have taught."""
        return (*self.known, *(step.topic for step in self.script[: self.place] if step.topic))

    def press(self, key: str) -> None:
        """Go on by the right key, back by left; any other key changes nothing but the remark.

        What may be tried once ends its round otherwise, and is then taken back.
        """
        self.remark = ""
        if self.tried is not None and key in _ON | _BACK:
            self.tried = None
        elif key in self.step.keys:
            self.place = min(self.place + 1, len(self.script) - 1)
        elif key in self.step.tries and self.place not in self.has_tried:
            self.has_tried.add(self.place)
            self._try(self.step.tries[key])
        elif key in _BACK:
            self.place = max(self.place - 1, 0)
        else:
            self.remark = self._objection(key)

    def _try(self, what: Try) -> None:
        said, hands = self.said, self.round.hands
        for word in what.words:
            assert said.speaker is not None
            said = said.say(said.speaker, word)
        self.tried = what, PlayedRound(said, hands, said.count(hands))

    def _objection(self, key: str) -> str | Illegal:
        """What is said when a key is not the right one."""
        step = self.step
        if key in step.instead:
            return step.instead[key]
        illegal = self._forbidden(key)
        return illegal or step.otherwise

    def _forbidden(self, key: str) -> Illegal | None:
        """What the rules object to a key; None when it would be allowed, or means nothing."""
        coins = self.said.coins[ME]
        if self.step.stage is Stage.CHOOSING and key in "123456789" and int(key) > coins:
            return Illegal(Reason.HAND_TOO_BIG, coins=coins)
        if self.step.stage is Stage.SPEAKING and key in ENDING_KEYS:
            try:
                self.said.check(ME, ENDING_KEYS[key])
            except Illegal as illegal:
                return illegal
        return None
