"""A player without a screen: it gets the view that anybody on its seat gets, and its own hand.

Whatever it does is drawn at random with chances that depend on the worth (a mixed strategy, the
quantal response of McKelvey and Palfrey), so that neither a word nor a hand can be read from it
for certain. What it does aloud besides its words, thinking and gestures, comes from the view
and from dice of its own, never from the hand.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from protocol.errors import LocalError
from protocol.rules.words import Bid, Direction, Drink, Word
from protocol.table.statements import Gesture, Measure, Vote
from protocol.views import TableView
from spoof_tui.bots.dice import soft_odds, softly
from spoof_tui.bots.guessing import choose_call
from spoof_tui.bots.heads_up import RoundPlan, bids_heard, plan_for
from spoof_tui.bots.judging import Judge
from spoof_tui.bots.levels import Level
from spoof_tui.bots.pacing import think_seconds
from spoof_tui.bots.stakes import mean_coin

BIG_BID: Final = 0.5
"""A bid is big from this part of everything on the table on."""

SHOUT_CHANCE: Final = 0.08
"""How often a bot shouts when the next bid is a big one."""

GLOAT_CHANCE: Final = 0.85
"""How often a bot gloats where that costs nothing."""

_DICE_BITS: Final = 64

_Choice = TypeVar("_Choice")


class BotMind:
    """One bot's judgement and its dice; the same seed and the same views give the same play."""

    solves: bool = True
    """Whether it plays by the tables for two; one with leanings of its own judges for itself."""

    def __init__(self, level: Level, rng: random.Random) -> None:
        self.level = level
        self._rng = rng
        # Apart from the dice of hands and words, whose number of throws depends on the hand.
        self._aloud = random.Random(rng.getrandbits(_DICE_BITS))
        self._won = (0, 0)
        """Number of the game and rounds of it after which it thought of gloating."""

    def choose_hand(self, view: TableView) -> int:
        """Coins for the fist, 0 to what the bot owns (R2)."""
        coins = view.seats[_own_seat(view)].coins
        if plan := self._plan(view):
            odds = plan.hand_odds(view.starter == view.me)
            return self._rng.choices(range(coins + 1), odds)[0]
        ends, middle = self.level.traits.extremes, max(coins - 1, 0)
        weights = [ends, *([1.0] * middle), ends] if coins else [1.0]
        return self._rng.choices(range(coins + 1), weights)[0]

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A word that is legal now, and a direction when an opening bid turns the round.

        In the guessing game the word is a call (H6). Needs the bot's own turn; raises
        `LocalError` otherwise.
        """
        if not view.my_turn:
            raise LocalError("a bot speaks on its own turn only")
        if view.is_guessing:
            traits = self.level.traits
            return Bid(choose_call(view, traits, _own_seat(view), hand, self._rng)), None
        if plan := self._plan(view):
            said = plan.word_odds(bids_heard(view), hand)
            return self._rng.choices(list(said), list(said.values()))[0], None
        judge = Judge.of(view, self.level.traits, _own_seat(view))
        shown = self._shown_hand(view, hand)
        worths = worths_of(judge, hand, shown)
        word = self._pick(judge, list(worths), list(worths.values()))
        return word, self._direction(judge, word, shown)

    def agrees_to(self, view: TableView) -> tuple[Vote, ...]:
        """Votes for playing on without those of whom somebody else wants that (G7).

        It is due: before that nobody may propose it. The bot proposes nothing itself.
        """
        mine = view.my_seat
        if mine is None or not mine.counts:
            return ()
        motions = [each for each in view.votes if each.measure is Measure.PLAY_ON]
        others = [m for m in motions if mine.key != m.seat and mine.key not in m.voters]
        return tuple(Vote(Measure.PLAY_ON, each.seat, yes=True) for each in others)

    def goes_along(self, view: TableView) -> bool:
        """Whether it agrees now to go on at a new table, because somebody else wants that (G8)."""
        mine, offer = view.my_seat, view.new_table
        if mine is None or offer is None or offer.wait or mine.key not in offer.along:
            return False
        return bool(offer.agreed) and mine.key not in offer.agreed

    def choose_drink(self) -> Drink:
        """What to order for the school (H10)."""
        return self._aloud.choice(list(Drink))

    def choose_gesture(self, view: TableView, hand: int) -> Gesture | None:
        """A shout before a big bid, rarely. `hand` plays no part in it: a shout tells nothing."""
        del hand
        if not view.my_turn or view.lowest_bid is None:
            return None
        big = view.lowest_bid >= BIG_BID * view.most
        return Gesture.MITT_FULL if big and self._aloud.random() < SHOUT_CHANCE else None

    def heckle(self, view: TableView) -> Gesture | None:
        """What it calls out before the game; a bot without a character says nothing."""
        del view
        return None

    def gloats(self, view: TableView) -> bool:
        """Whether it gloats about what it has just won; it is asked once about each win (S4)."""
        here = (view.game_number, len(view.past))
        if not view.may_gloat or here == self._won:
            return False
        self._won = here
        return self._aloud.random() < self._boasts(view)

    def _boasts(self, view: TableView) -> float:
        """How often it gloats: mostly where that is expected, never where it is fined."""
        return 0.0 if view.has_slate else GLOAT_CHANCE

    def think_seconds(self, view: TableView, pace: float = 1.0) -> float:
        """Seconds to wait before the next move; 0 with a `pace` of 0."""
        return think_seconds(view, self._aloud, pace)

    def remark(self, view: TableView) -> str | None:
        """A line of talk about the last round; a bot without a character says none."""
        del view
        return None

    def _plan(self, view: TableView) -> RoundPlan | None:
        return plan_for(view, self.level) if self.solves else None

    def _shown_hand(self, view: TableView, hand: int) -> int:
        """The hand to bid by: the real one or, for a bluff, any."""
        any_hand = self._rng.randint(0, view.seats[_own_seat(view)].coins)
        return any_hand if self._rng.random() < self.level.traits.bluff else hand

    def _direction(self, judge: Judge, word: Word, shown: int) -> Direction | None:
        if not judge.view.may_turn or not isinstance(word, Bid):
            return None
        ways, odds = list(Direction), judge.odds(shown)
        way = self._pick(judge, ways, [judge.bid(word.number, odds, way) for way in ways])
        return None if way is Direction.CLOCKWISE else way

    def _pick(self, judge: Judge, choices: Sequence[_Choice], worths: Sequence[float]) -> _Choice:
        """One of the choices: likelier the more it is worth, and certain for none (softmax)."""
        whim = self.level.traits.whim * mean_coin(judge.beliefs.coins)
        return softly(choices, worths, whim, self._rng)


def odds_of(view: TableView, hand: int, level: Level) -> Mapping[Word, float]:
    """The chance of every word that a bot says now, in the bidding game; its own turn only."""
    if plan := plan_for(view, level):
        return plan.word_odds(bids_heard(view), hand)
    traits = level.traits
    judge = Judge.of(view, traits, _own_seat(view))
    whim = traits.whim * mean_coin(judge.beliefs.coins)
    hands = range(view.seats[judge.me].coins + 1)
    # As `_shown_hand` has it: the own hand, or for a bluff any.
    shown = {each: traits.bluff / len(hands) for each in hands}
    shown[hand] += 1.0 - traits.bluff
    odds: dict[Word, float] = {}
    for each, chance in shown.items():
        worths = worths_of(judge, hand, each)
        for word, part in zip(worths, soft_odds([*worths.values()], whim), strict=True):
            odds[word] = odds.get(word, 0.0) + chance * part
    return odds


def worths_of(judge: Judge, hand: int, shown: int) -> dict[Word, float]:
    """What every word is worth that may be said now, the bids as if `shown` was the hand."""
    return {**_endings(judge, hand), **_bids(judge, shown)}


def _endings(judge: Judge, hand: int) -> dict[Word, float]:
    """What every ending word is worth that may be said now."""
    odds = judge.odds(hand)
    return {
        option.word: judge.ending(option.word, odds)
        for option in judge.view.options
        if option.forbidden is None
    }


def _bids(judge: Judge, hand: int) -> dict[Word, float]:
    """What every bid is worth that may be made now, to somebody who holds `hand`."""
    view, odds = judge.view, judge.odds(hand)
    if view.lowest_bid is None:
        return {}
    numbers = range(view.lowest_bid, view.most + 1)
    return {Bid(number): judge.bid(number, odds, view.direction) for number in numbers}


def _own_seat(view: TableView) -> int:
    if view.me is None:
        raise LocalError("a bot that only watches has nothing to choose")
    return view.me
