"""The lessons: the games played in them, and what is explained, asked and answered.

The rules engine plays the rounds; the script says what everybody hides and says. The eight rounds
of the bidding game are the examples of the Kyiv guide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Final

from protocol.errors import Illegal, Reason
from protocol.rules.game import PlayedRound, Round, round_of
from protocol.rules.options import BIDDING_PRESETS, PRESETS, START_COINS, Rules
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.acts.act import Act
from spoof_tui.acts.table import ENDING_KEYS, LETTERS, PEEK, TableAct
from spoof_tui.text.i18n import _, respelt
from spoof_tui.text.texts import Point, texts
from spoof_tui.ui.table.screen.controls import PutIn, SayWord
from spoof_tui.ui.table.static_table import spoken

RULES: Final = BIDDING_PRESETS["three-coins"]
"""The guide's rules, by which the player can practise after the first two lessons."""

SCHOOL: Final = PRESETS["hollywood"]
"""The rules of the third lesson."""

ME, DMYTRO, MARIA = range(3)
"""The seats; the player has Svitlana's."""

_ON: Final = frozenset({"enter", "right", "space"})
_BACK: Final = frozenset({"left", "backspace"})


class Topic(Enum):
    """A thing to learn, as listed beside the table."""

    HAND = "hand"
    BID = "bid"
    CALL = "call"
    RAISE = "raise"
    CLIFF = "cliff"
    ZERO = "zero"
    SPOOF = "spoof"
    NAMES = "names"
    TAKEN = "taken"
    LEAVING = "leaving"
    FINES = "fines"


@dataclass(frozen=True, slots=True)
class ScriptedRound:
    """The script of a round: hands by seat, and words in order."""

    hands: tuple[int, int, int]
    words: tuple[Word, ...]


ROUNDS: Final = (
    ScriptedRound((0, 2, 2), (Bid(4), Bid(6), Ending.CALL)),
    ScriptedRound((3, 0, 2), (Bid(1), Bid(2), Bid(3), Bid(4), Ending.CALL)),
    ScriptedRound((1, 1, 1), (Bid(3), Ending.CLIFF)),
    ScriptedRound((1, 1, 1), (Bid(1), Bid(2), Bid(3), Bid(4), Ending.CLIFF)),
    ScriptedRound((0, 0, 0), (Ending.ZERO,)),
    ScriptedRound((1, 0, 0), (Bid(1), Bid(2), Ending.ZERO)),
    ScriptedRound((2, 1, 0), (Bid(1), Bid(2), Ending.SPOOF)),
    ScriptedRound((2, 0, 1), (Bid(1), Ending.SPOOF)),
)
"""The rounds of the bidding game, in the guide's notation:

D4-M6-S!, S1-D2-M3-S4-D!, D3-M= and M1-S2-D3-M4-S=, then zero right and wrong, and max wrong, by
which one player goes out, and right with two players.
"""

SCHOOL_ROUNDS: Final = (
    ScriptedRound((2, 1, 0), (Bid(4), Bid(5), Bid(4), Bid(3))),
    ScriptedRound((0, 1, 2), (Bid(1), Bid(3))),
)
"""The rounds of the guessing game: a taken number and a right one; an impossible call, and the
end."""

FIRST_STARTER: Final = DMYTRO
"""The seat that opens the first round of either game."""

_LESSONS: Final = (range(2), range(2, len(ROUNDS)), range(len(ROUNDS), len(ROUNDS) + 2))
"""For each lesson the indices of its rounds."""


def play() -> tuple[PlayedRound, ...]:
    """All rounds, played by the rules engine; raises `Illegal` if the rules forbid a word."""
    return (*_played(RULES, ROUNDS), *_played(SCHOOL, SCHOOL_ROUNDS))


def _played(rules: Rules, rounds: Sequence[ScriptedRound]) -> Iterator[PlayedRound]:
    coins: tuple[int, ...] = (START_COINS,) * len(rounds[0].hands)
    starter = FIRST_STARTER
    for scripted in rounds:
        said = round_of(rules, coins, starter)
        for word in scripted.words:
            assert said.speaker is not None
            said = said.say(said.speaker, word)
        hands = {seat: scripted.hands[seat] for seat in said.players}
        outcome = said.count(hands)
        yield PlayedRound(said, hands, outcome)
        coins, starter = outcome.coins, outcome.next_starter or 0


class LessonStage(Enum):
    """The stage of a round that a step shows."""

    EMPTY = "empty"
    """Nobody has hidden a hand."""
    CHOOSING = "choosing"
    """Everybody but the player has hidden a hand."""
    LOCKED = "locked"
    """All fists are in, and nobody has the word yet."""
    SPEAKING = "speaking"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class GoOn:
    """The player only has to read on."""


@dataclass(frozen=True, slots=True)
class Invite:
    """The end of a lesson: practise, go on to the next one, or back."""

    goes_on: bool = False
    """Whether there is a next lesson."""


Ask = GoOn | PutIn | SayWord | TableAct | Invite
"""What the player has to do at a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """A step of a lesson: what is shown, explained and asked."""

    round_index: int = 0
    """Index of its round among those of all lessons."""
    stage: LessonStage = LessonStage.SPEAKING
    words: int = 0
    """Number of words of the round that have been said."""
    ask: Ask = field(default_factory=GoOn)
    says: str = ""
    """The explanation."""
    request: str = ""
    """The task."""
    offer: str = ""
    """A sentence saying what may be tried instead, shown until it was tried."""
    otherwise: str = ""
    """The reply to a wrong key; empty to repeat the task."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Replies to particular wrong keys, by key."""
    tries: Mapping[str, tuple[Word, ...]] = field(default_factory=dict)
    """By key, a wrong word that may be tried once, followed by the words of the others."""
    says_tried: Mapping[str, str] = field(default_factory=dict)
    """By key, the comment on how a try ends."""
    topic: Topic | None = None
    """The topic that this step completes; None for none."""
    peeks: bool = False
    """Whether the player sees their own hand."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys that are right at this step."""
        ask = self.ask
        if isinstance(ask, PutIn):
            return frozenset({str(ask.coins)})
        if isinstance(ask, SayWord):
            return frozenset({LETTERS[ask.word] if isinstance(ask.word, Ending) else "enter"})
        if isinstance(ask, Act):
            return frozenset({ask.key})
        return _ON if isinstance(ask, GoOn) else frozenset()


@dataclass
class Lesson:
    """The state of a lesson that a player is in."""

    script: tuple[LessonStep, ...]
    place: int = 0
    """Index of the current step."""
    remark: str | Illegal = ""
    """The reply to the last key: a sentence, or why the rules forbid it; may be empty."""
    tried: tuple[str, PlayedRound] | None = None
    """The key of the word being tried, and the round as it ended with that; None without a try."""
    told: int | None = None
    """Index of the count's step that is shown; None once the count is over."""
    has_tried: set[int] = field(default_factory=set)
    """Indices of the steps at which something was tried."""

    @property
    def number(self) -> int:
        """The number of the lesson, from 1."""
        first = self.script[0].round_index
        return next(n for n, rounds in enumerate(_LESSONS, 1) if first in rounds)

    @cached_property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """All rounds, played by the rules."""
        return play()

    @property
    def step(self) -> LessonStep:
        """The current step; during a try, a step made for it."""
        step = self.script[self.place]
        if self.tried is None:
            return step
        return LessonStep(
            round_index=step.round_index,
            stage=LessonStage.COUNT,
            says=step.says_tried[self.tried[0]],
            request=_("That was only a try. Press Enter to undo it and choose again."),
            otherwise=_("Press Enter to undo that try."),
        )

    @property
    def tries(self) -> Mapping[str, tuple[Word, ...]]:
        """What can still be tried at this step, by key."""
        return {} if self.place in self.has_tried else self.step.tries

    @property
    def task(self) -> str:
        """The task of the current step, with the offer to try something."""
        return " ".join(filter(None, (self.step.request, self.step.offer if self.tries else "")))

    @property
    def reply(self) -> str:
        """The reply to a wrong key at the current step."""
        return self.step.otherwise or self.step.request

    @property
    def round(self) -> PlayedRound:
        """The whole round of the current step, or of the try."""
        return self.tried[1] if self.tried else self.rounds[self.step.round_index]

    @property
    def said(self) -> Round:
        """The round up to the words said at the current step."""
        said = self.round.words
        return said if self.step.stage is LessonStage.COUNT else spoken(said, self.step.words)

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics of this lesson, in order."""
        return _topics(self.script)

    @property
    def learned(self) -> tuple[Topic, ...]:
        """The topics completed before the current step."""
        return _topics(self.script[: self.place])

    @property
    def next_topic(self) -> Topic | None:
        """The topic being taught; None once all are completed."""
        return next((topic for topic in self.topics if topic not in self.learned), None)

    def press(self, key: str) -> None:
        """Handle a key: go on if it is right, back on left, try a word; otherwise set the remark.

        A try ends the round differently, once, and is then taken back.
        """
        self.remark = ""
        if self.tried is not None and key in _ON | _BACK:
            self.tried = None
        elif key in self.step.keys:
            self.place = min(self.place + 1, len(self.script) - 1)
        elif key in self.tries:
            self.has_tried.add(self.place)
            self._try(key)
        elif key in _BACK:
            self.place = max(self.place - 1, 0)
        else:
            self.remark = self._objection(key)

    def _try(self, key: str) -> None:
        said, hands = self.said, self.round.hands
        for word in self.step.tries[key]:
            assert said.speaker is not None
            said = said.say(said.speaker, word)
        self.tried = key, PlayedRound(said, hands, said.count(hands))

    def _objection(self, key: str) -> str | Illegal:
        """The reply to a wrong key."""
        return self.step.instead.get(key) or self._forbidden(key) or self.reply

    def _forbidden(self, key: str) -> Illegal | None:
        """Why the rules forbid what a key stands for; None if they allow it, or the key means
        nothing."""
        coins = self.said.coins[ME]
        if self.step.stage is LessonStage.CHOOSING and key in "123456789" and int(key) > coins:
            return Illegal(Reason.HAND_TOO_BIG, coins=coins)
        if self.step.stage is LessonStage.SPEAKING and key in ENDING_KEYS:
            try:
                self.said.check(ME, ENDING_KEYS[key])
            except Illegal as illegal:
                return illegal
        return None


def _topics(steps: Sequence[LessonStep]) -> tuple[Topic, ...]:
    return tuple(step.topic for step in steps if step.topic)


def names() -> tuple[str, str, str]:
    """The players' names, as in the Kyiv guide; the first is the player's."""
    return _("Svitlana"), _("Dmytro"), _("Maria")


_STEPS: Final = (
    (
        LessonStep(stage=LessonStage.EMPTY),
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(0)),
        LessonStep(stage=LessonStage.LOCKED, ask=PEEK),
        LessonStep(peeks=True, topic=Topic.HAND),
        LessonStep(words=1, topic=Topic.BID),
        LessonStep(words=2, ask=SayWord(Ending.CALL), tries={"enter": (Bid(7), Ending.CALL)}),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.CALL),
    ),
    (
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(3)),
        LessonStep(ask=SayWord(Bid(1))),
        LessonStep(words=3, ask=SayWord(Bid(4))),
        LessonStep(words=5),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.RAISE),
        LessonStep(stage=LessonStage.COUNT, ask=Invite(goes_on=True)),
    ),
    (
        LessonStep(stage=LessonStage.EMPTY),
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(1)),
        LessonStep(words=2),
        LessonStep(stage=LessonStage.COUNT),
    ),
    (
        LessonStep(words=4, ask=SayWord(Ending.CLIFF)),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.CLIFF),
    ),
    (
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(0)),
        LessonStep(ask=SayWord(Ending.ZERO)),
        LessonStep(stage=LessonStage.COUNT),
    ),
    (
        LessonStep(words=3),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.ZERO),
    ),
    (
        LessonStep(words=3),
        LessonStep(stage=LessonStage.COUNT),
    ),
    (
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(2)),
        LessonStep(words=1, ask=SayWord(Ending.SPOOF), tries={"c": (Ending.CALL,)}),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.SPOOF),
        LessonStep(stage=LessonStage.COUNT, ask=Invite(goes_on=True)),
    ),
    (
        LessonStep(stage=LessonStage.EMPTY),
        LessonStep(stage=LessonStage.CHOOSING, ask=PutIn(2)),
        LessonStep(words=1, topic=Topic.NAMES),
        LessonStep(words=2, ask=SayWord(Bid(4))),
        LessonStep(words=3, ask=SayWord(Bid(3)), topic=Topic.TAKEN),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.LEAVING),
    ),
    (
        LessonStep(words=1),
        LessonStep(words=2),
        LessonStep(stage=LessonStage.COUNT, topic=Topic.FINES),
        LessonStep(stage=LessonStage.COUNT, ask=Invite()),
    ),
)  # fmt: skip
"""The steps of each round, without their texts, which are in `spoof_tui/docs/texts/`."""


def script(number: int = 1) -> tuple[LessonStep, ...]:
    """The steps of a lesson with their texts in the current language.

    In the texts, {bid} and {most} stand for numbers of the round.
    """
    told = {each.name: each.points for each in texts("lesson").sections}
    return tuple(
        replace(step, round_index=index, **_said([*told["default"], *told[f"{index + 1}.{place}"]]))
        for index in _LESSONS[number - 1]
        for place, step in enumerate(_STEPS[index], 1)
    )


def _said(points: Sequence[Point]) -> dict[str, Any]:
    """The texts of a step as fields of `LessonStep`; of points with the same name, the last one
    counts."""
    said: dict[str, Any] = {"instead": {}, "says_tried": {}}
    for point in points:
        what, _blank, key = point.name.partition(" ")
        text = respelt(point.text)
        if what == "try":
            said["says_tried"][key] = text
        elif what == "instead":
            said["instead"].update(dict.fromkeys([key] if key in _NAMED else key, text))
        else:
            said[what] = text
    return said


_NAMED: Final = frozenset({"enter"})
"""Keys that the file of texts names by a word rather than by one letter."""


def lesson(number: int = 1) -> Lesson:
    """A lesson at its first step."""
    return Lesson(script(number))
