"""The lessons: the games that are played in them, and what is explained, asked and answered.

The rounds are played by the rules engine; the script says who hides and says what. The first three
are those of the Kyiv guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Final

from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import BIDDING_PRESETS, START_COINS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.acts.act import Act
from spoof_tui.acts.table import ENDING_KEYS, LETTERS, PEEK, TableAct
from spoof_tui.text.i18n import _
from spoof_tui.ui.table.screen.controls import PutIn, SayWord

RULES: Final = BIDDING_PRESETS["three-coins"]
"""The guide's rules, which the player continues with when the lesson is over."""

ME, DMYTRO, MARIA = range(3)
"""The seats; the player has Svitlana's."""

_ON: Final = frozenset({"enter", "right", "space"})
_BACK: Final = frozenset({"left", "backspace"})


class Topic(Enum):
    """What there is to learn."""

    HAND = "hand"
    CALL = "call"
    RAISE = "raise"
    CLIFF = "cliff"
    SPOOF = "spoof"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class ScriptedRound:
    """What happens in a round: hands by seat, and words in order."""

    hands: tuple[int, int, int]
    words: tuple[Word, ...]


ROUNDS: Final = (
    ScriptedRound((0, 2, 2), (Bid(4), Bid(6), Ending.CALL)),
    ScriptedRound((3, 0, 2), (Bid(1), Bid(2), Bid(3), Bid(4), Ending.CALL)),
    ScriptedRound((1, 1, 1), (Bid(3), Ending.CLIFF)),
    ScriptedRound((3, 2, 3), (Bid(8), Ending.SPOOF)),
    ScriptedRound((0, 0, 0), (Ending.ZERO,)),
)
"""D4-M6-S!, S1-D2-M3-S4-D! and D3-M= are the guide's; two more for the words it leaves out."""

FIRST_STARTER: Final = DMYTRO

_SECOND_LESSON: Final = 2
"""Index of the first round of the second lesson."""


def play(rounds: tuple[ScriptedRound, ...] = ROUNDS) -> tuple[PlayedRound, ...]:
    """The rounds, played by the rules; raises `Illegal` if they forbid a word."""
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
    """Nothing to do but read on."""


@dataclass(frozen=True, slots=True)
class Invite:
    """The end: to practise, on to the next lesson, or back."""

    goes_on: bool = False
    """Whether there is a next lesson."""


@dataclass(frozen=True, slots=True)
class Try:
    """A word other than the right one, which may be said once to see what comes of it."""

    words: tuple[Word, ...]
    """That word, and how the others go on."""
    says: str
    """The comment on how it ends."""


Ask = GoOn | PutIn | SayWord | TableAct | Invite
"""What the player has to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the lesson: what is shown, said and asked."""

    round_index: int = 0
    """Index of its round in `ROUNDS`."""
    stage: Stage = Stage.SPEAKING
    words: int = 0
    """How many words of the round have been said."""
    ask: Ask = field(default_factory=GoOn)
    says: str
    """The explanation."""
    request: str = field(default_factory=lambda: _("Press Enter to go on."))
    """The task."""
    otherwise: str = ""
    """The reply to any wrong key, if it is not the task again."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """The reply to a particular wrong key."""
    tries: Mapping[str, Try] = field(default_factory=dict)
    """What may be tried once, by key."""
    topic: Topic | None = None
    """What has been learned once this step is done."""
    peeks: bool = False
    """Whether the player sees their own hand."""

    @property
    def keys(self) -> frozenset[str]:
        """The keys that are right."""
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
    """A player in the middle of a lesson."""

    script: tuple[Step, ...]
    place: int = 0
    """Index of the current step."""
    known: tuple[Topic, ...] = ()
    """What an earlier lesson has taught."""
    remark: str | Illegal = ""
    """A remark about the last key: a sentence, or the objection of the rules."""
    tried: tuple[Try, PlayedRound] | None = None
    """What is being tried, and the round as it ended with that."""
    told: int | None = None
    """The beat of the count that is being shown; None once all of it is."""
    has_tried: set[int] = field(default_factory=set)
    """The steps at which something was tried."""

    @cached_property
    def rounds(self) -> tuple[PlayedRound, ...]:
        """All rounds, played by the rules."""
        return play()

    @property
    def step(self) -> Step:
        """The current step."""
        step = self.script[self.place]
        if self.tried is None:
            return step
        return Step(
            round_index=step.round_index,
            stage=Stage.COUNT,
            says=self.tried[0].says,
            request=_("Press Enter to take it back and choose again."),
            otherwise=_("Enter takes it back."),
        )

    @property
    def reply(self) -> str:
        """The reply to any wrong key."""
        return self.step.otherwise or self.step.request

    @property
    def round(self) -> PlayedRound:
        """The round of the current step, to its end."""
        return self.tried[1] if self.tried else self.rounds[self.step.round_index]

    @property
    def said(self) -> BiddingRound:
        """The round as far as it has been bid."""
        said = self.round.words
        assert isinstance(said, BiddingRound)
        spoken = BiddingRound(said.rules, said.coins, said.starter, said.direction)
        words = len(said.words) if self.step.stage is Stage.COUNT else self.step.words
        for seat, word in said.words[:words]:
            spoken = spoken.say(seat, word)
        return spoken

    @property
    def topics(self) -> list[Topic]:
        """What there is to learn up to the end of this lesson."""
        taught = {step.topic for step in self.script}
        return [topic for topic in Topic if topic in taught or topic in self.known]

    @property
    def learned(self) -> tuple[Topic, ...]:
        """What the steps so far have taught."""
        return (*self.known, *(step.topic for step in self.script[: self.place] if step.topic))

    def press(self, key: str) -> None:
        """Go on with the right key, back with left; any other key only changes the remark.

        A trial ends its round differently, once, and is then taken back.
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
        """The reply to a wrong key."""
        return self.step.instead.get(key) or self._forbidden(key) or self.reply

    def _forbidden(self, key: str) -> Illegal | None:
        """The objection of the rules to a key; None if it would be allowed, or means nothing."""
        coins = self.said.coins[ME]
        if self.step.stage is Stage.CHOOSING and key in "123456789" and int(key) > coins:
            return Illegal(Reason.HAND_TOO_BIG, coins=coins)
        if self.step.stage is Stage.SPEAKING and key in ENDING_KEYS:
            try:
                self.said.check(ME, ENDING_KEYS[key])
            except Illegal as illegal:
                return illegal
        return None


def names() -> tuple[str, str, str]:
    """The players, as in the Kyiv guide; the first is the player's part."""
    return _("Svitlana"), _("Dmytro"), _("Maria")


def script(number: int = 1) -> tuple[Step, ...]:
    """The steps of a lesson in the current language.

    {bid} and {most} are the round's.
    """
    rounds = _first_round(), _second_round(), _third_round(), _fourth_round(), _fifth_round()
    told = [
        replace(step, round_index=place) for place, steps in enumerate(rounds) for step in steps
    ]
    return tuple(step for step in told if (step.round_index < _SECOND_LESSON) is (number == 1))


def lesson(number: int = 1) -> Lesson:
    """The beginning of the first or the second lesson."""
    before = [step.topic for step in script(1) if step.topic] if number > 1 else []
    return Lesson(script(number), known=tuple(before))


def _first_round() -> tuple[Step, ...]:
    return (
        Step(
            stage=Stage.EMPTY,
            says=_(
                "You are on the night train from Kyiv to Lviv, as {me}, with {dmytro} and {maria}. "
                "Everybody owns three coins."
            ),
            request=_("Press Enter to begin, or 2 for lesson two."),
            otherwise=_("Enter begins, Esc leaves at any time."),
        ),
        Step(
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_(
                "Every round, everybody hides some of their coins in a fist, or none. The question "
                "is: how many are there in all the fists?"
            ),
            request=_("This time hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("A fine hand, for another round. Now press 0.")),
            topic=Topic.HAND,
        ),
        Step(
            ask=PEEK,
            says=_(
                "All fists are locked now. If you forget what you hold, the space bar shows it, to "
                "you alone."
            ),
            request=_("Have a look: press the space bar."),
            otherwise=_("First look into your fist, with the space bar."),
        ),
        Step(
            peeks=True,
            says=_("Empty, as you left it. Now {dmytro} speaks first."),
        ),
        Step(
            words=1,
            says=_(
                "{dmytro} bids {bid}: he claims that the three fists hold {bid} coins or more. The "
                "next player bids more, or doubts it: then the fists open."
            ),
        ),
        Step(
            words=2,
            ask=SayWord(Ending.CALL),
            says=_(
                "{maria} raises to {bid}. Your fist is empty, so these two would have to hold "
                "every coin they own. You doubt it: call!"
            ),
            request=_("Press c to call, or Enter to try a raise to 7."),
            otherwise=_("You could go on, but this bid is too good to miss: press c."),
            instead={"enter": _("You may raise to 7, but it would cost you. Press c.")},
            tries={
                "enter": Try(
                    (Bid(7), Ending.CALL),
                    _(
                        "You raised to 7, and {dmytro} called it. This was a trial: you get the "
                        "coin back."
                    ),
                )
            },
            topic=Topic.CALL,
        ),
        Step(
            stage=Stage.COUNT,
            says=_(
                "Your call was right, so {maria} pays for her bid. Had there been {bid} coins or "
                "more, you would have paid."
            ),
        ),
    )


def _second_round() -> tuple[Step, ...]:
    return (
        Step(
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_(
                "A new round, and new hands. You ended the last round, so you begin this one. Hide "
                "all you have."
            ),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            ask=SayWord(Bid(1)),
            says=_(
                "You hold 3 yourself, so a bid of up to 3 is surely true. Begin with 1. The "
                "highest possible bid is {most}, all the coins there are."
            ),
            request=_("Press Enter to bid 1."),
            otherwise=_("In a game, digits or arrows choose a higher bid. Now press Enter."),
        ),
        Step(
            words=3,
            ask=SayWord(Bid(4)),
            says=_(
                "{dmytro} said 2, {maria} {bid}. A raise must be higher than the last bid, by as "
                "much as you like. For 4, the other two fists need only one coin."
            ),
            request=_("Press Enter to raise to 4."),
            otherwise=_("Raise by one: Enter bids 4."),
            instead={
                "c": _("A call says: fewer than 3. You hold three yourself! Press Enter."),
                "l": _("A cliff says: exactly 3. Are both the other fists empty? Press Enter."),
                "s": _(
                    "A spoof says: all coins are in the fists. That is too bold here. Press Enter."
                ),
            },
            topic=Topic.RAISE,
        ),
        Step(
            words=5,
            says=_("{dmytro} doubts your {bid}, and calls. All the fists will open."),
        ),
        Step(
            stage=Stage.COUNT,
            says=_("A bid is good if there are that many coins or more: whoever called it pays."),
        ),
        Step(
            stage=Stage.COUNT,
            ask=Invite(goes_on=True),
            says=_(
                "That is the game: hide, bid, doubt. Without coins you are out; the last one left "
                "wins. Lesson two has three more words that open the fists."
            ),
            request=_("Press Enter for lesson two, or p to play against three bots."),
            otherwise=_("Enter goes on, p plays, Esc goes back to the lobby."),
        ),
    )


def _third_round() -> tuple[Step, ...]:
    return (
        Step(
            stage=Stage.EMPTY,
            says=_(
                "Three more words open the fists. You own three coins, {dmytro} and {maria} two "
                "each."
            ),
            request=_("Press Enter to begin."),
            otherwise=_("Enter begins, Esc leaves at any time."),
        ),
        Step(
            stage=Stage.CHOOSING,
            ask=PutIn(1),
            says=_("{dmytro} ended the last round, so he begins. This time you only watch."),
            request=_("Press 1 to hide one coin."),
            otherwise=_("A digit says how many coins you hide. This time: 1."),
            instead=dict.fromkeys("023", _("That would be allowed. This time hide one: press 1.")),
        ),
        Step(
            words=2,
            says=_(
                "{dmytro} bids {bid}, and {maria} says: cliff! She claims that there are exactly "
                "{bid} coins, not one more and not one less."
            ),
            topic=Topic.CLIFF,
        ),
        Step(
            stage=Stage.COUNT,
            says=_("Only a correct cliff wins a coin back, up to three. A wrong one costs a coin."),
        ),
    )


def _fourth_round() -> tuple[Step, ...]:
    return (
        Step(
            stage=Stage.CHOOSING,
            ask=PutIn(3),
            says=_("Two words are left. {maria} begins this round: mind her bid."),
            request=_("Press 3 to hide three coins."),
            otherwise=_("A digit says how many coins you hide. This time: 3."),
            instead=dict.fromkeys(
                "012", _("That would be allowed. This time hide three: press 3.")
            ),
        ),
        Step(
            words=1,
            ask=SayWord(Ending.SPOOF),
            says=_(
                "{maria} bids {bid}, all the coins in play: nobody can bid more. You hold three, "
                "and she may be right. Then say spoof: it claims that all {most} are in."
            ),
            request=_("Press s to say spoof, or c to try a call."),
            otherwise=_("This is the moment for a spoof: press s."),
            instead={
                "enter": _("No bid is higher than all the coins. Press s."),
                "c": _("You hold three: the bid is most likely good. Press s."),
            },
            tries={
                "c": Try(
                    (Ending.CALL,),
                    _("Your call was wrong. This was a trial: you get the coin back."),
                )
            },
            topic=Topic.SPOOF,
        ),
        Step(
            stage=Stage.COUNT,
            says=_("A correct spoof saves you: nobody pays. A wrong one costs you a coin."),
        ),
    )


def _fifth_round() -> tuple[Step, ...]:
    return (
        Step(
            stage=Stage.CHOOSING,
            ask=PutIn(0),
            says=_("You ended the last round, so you begin. Nobody expects empty fists now."),
            request=_("Hide nothing: press 0."),
            otherwise=_("A digit says how many coins you hide. This time: 0."),
            instead=dict.fromkeys("123", _("That would be allowed. This time hide none: press 0.")),
        ),
        Step(
            ask=SayWord(Ending.ZERO),
            says=_(
                "Zero claims that every fist is empty. You can say it only on your first turn in a "
                "round. Wrong, it costs you a coin; right, it costs everybody else one."
            ),
            request=_("Dare it: press z to say zero."),
            otherwise=_("Be bold: press z."),
            instead={
                "enter": _("A bid of 1 with an empty fist? Say zero: press z."),
                "s": _("Spoof says that all coins are in, and you are hiding none. Press z."),
            },
            topic=Topic.ZERO,
        ),
        Step(
            stage=Stage.COUNT,
            says=_("Right: both others pay. Now you know all the words."),
        ),
        Step(
            stage=Stage.COUNT,
            ask=Invite(),
            says=_(
                "In a game, this panel shows what you may say, and words that open the fists need "
                "a second press. The bots play by these rules, Three Coins."
            ),
            request=_("Press p to play against three bots, or Enter to go back to the lobby."),
            otherwise=_("p plays, Enter goes back to the lobby."),
        ),
    )
