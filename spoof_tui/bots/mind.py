"""A player without a screen: it gets the view that anybody in its seat gets, and its own hand.

All its choices are random, with chances that depend on the worth (a mixed strategy, the quantal
response of McKelvey and Palfrey), so that its hand cannot be inferred from a word for certain. Its
thinking time and gestures depend on the view and on a random generator of their own, never on the
hand.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from protocol.errors import LocalError
from protocol.rules.words import Bid, Direction, Drink, Word
from protocol.table.fold import Phase
from protocol.table.statements import Gesture, Measure, Vote
from protocol.views import TableView
from spoof_tui import beats
from spoof_tui.beats import count_seconds
from spoof_tui.bots.guessing import call_plan_for, choose_call, heard
from spoof_tui.bots.heads_up import plan_for, words_by
from spoof_tui.bots.judging import Judge, any_hand, own_seat, soft_odds, softly
from spoof_tui.bots.learned import Taught, learned_hands
from spoof_tui.bots.levels import Level, Traits
from spoof_tui.bots.odds import at_least, even_total, normalised
from spoof_tui.bots.values import mean_coin

QUICKEST: Final = 0.6
"""Seconds for a move that needs no thought."""

SLOWEST: Final = 2.0
"""Seconds for the hardest move."""

WAVER: Final = 0.5
"""The part of the thinking time between `QUICKEST` and `SLOWEST` that is random."""


def patience(view: TableView, since: float) -> float:
    """Seconds to wait, `since` seconds after the last count began, until people have followed it to
    its end.

    The first word of the next round waits longer than the hiding of a fist, which nobody
    watches.
    """
    is_spoken = bool(view.words or view.calls)
    if not view.past or is_spoken:
        return 0.0
    count = count_seconds(len(view.past[-1].hands))
    return max(count + (0.0 if view.own_fist_due else beats.REST) - since, 0.0)


def _difficulty(view: TableView) -> float:
    """How hard the decision is: 1 for a standing bid that is as likely true as false, 0 for a
    certain one or for none."""
    if view.standing is None:
        return 0.0
    total = even_total(tuple(sorted(seat.coins for seat in view.seats if seat.coins)))
    return 1.0 - abs(2.0 * at_least(total, view.standing[1]) - 1.0)


BIG_BID: Final = 0.5
"""The share of all coins from which on a bid is big."""

SHOUT_CHANCE: Final = 0.08
"""The chance to shout when the next bid is a big one."""

GLOAT_CHANCE: Final = 0.85
"""The chance to gloat where that costs nothing."""

_DICE_BITS: Final = 64

_Choice = TypeVar("_Choice")


class BotMind:
    """A bot's judgement and its random generator; the same seed and the same views give the same
    play."""

    solves: bool = True
    """Whether it plays by the solved tables for two players; a bot with leans judges for itself."""

    def __init__(self, level: Level, rng: random.Random) -> None:
        self.level = level
        self._rng = rng
        # Separate from the generator of hands and words, whose number of draws depends on the hand.
        self._aloud = random.Random(rng.getrandbits(_DICE_BITS))
        self._won = (0, 0)
        """Number of the game, and of its rounds after which the bot last considered gloating."""

    def choose_hand(self, view: TableView) -> int:
        """The coins to hide, from 0 to all that the bot owns (R2)."""
        odds = hand_odds(view, self.level, self.solves)
        return self._rng.choices(range(len(odds)), odds)[0]

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A word that is legal now, and a direction if an opening bid changes it.

        In the guessing game the word is a call (H6). Raises `LocalError` if it is not the bot's
        turn.
        """
        if not view.my_turn:
            raise LocalError("a bot speaks on its own turn only")
        if view.is_guessing:
            return Bid(self._call(view, hand)), None
        if self.solves and (plan := plan_for(view, self.level)):
            said = words_by(plan, view, hand)
            return self._rng.choices(list(said), list(said.values()))[0], None
        judge = self._judge(view)
        shown = self._shown_hand(view, hand)
        worths = judge.worths(hand, shown)
        word = self._pick(judge, list(worths), list(worths.values()))
        return word, self._direction(judge, word, shown)

    def agrees_to(self, view: TableView) -> tuple[Vote, ...]:
        """The votes by which the bot joins others who want to play on without a player (G7).

        Nobody may propose that too early, and the bot never proposes it itself.
        """
        mine = view.my_seat
        if mine is None or not mine.counts:
            return ()
        motions = [each for each in view.votes if each.measure is Measure.PLAY_ON]
        others = [m for m in motions if mine.key != m.seat and mine.key not in m.voters]
        return tuple(Vote(Measure.PLAY_ON, each.seat, yes=True) for each in others)

    def goes_along(self, view: TableView) -> bool:
        """Whether it agrees now to go on at a new table: if that is offered and somebody else has
        agreed (G8)."""
        mine, offer = view.my_seat, view.new_table
        if mine is None or offer is None or offer.wait or mine.key not in offer.along:
            return False
        return bool(offer.agreed) and mine.key not in offer.agreed

    def choose_drink(self) -> Drink:
        """The drink to order for the school, at random (H10)."""
        return self._aloud.choice(list(Drink))

    def choose_gesture(self, view: TableView, hand: int) -> Gesture | None:
        """A shout before a big bid, rarely; None for no gesture. `hand` has no influence on it, so
        a shout reveals nothing."""
        del hand
        if not view.my_turn or view.lowest_bid is None:
            return None
        big = view.lowest_bid >= BIG_BID * view.most
        return Gesture.MITT_FULL if big and self._aloud.random() < SHOUT_CHANCE else None

    def heckle(self, view: TableView) -> Gesture | None:
        """A gesture before the game; None, because a bot without a character makes none."""
        del view
        return None

    def gloats(self, view: TableView) -> bool:
        """Whether it gloats about what it has just won; considered once for each win (S4)."""
        here = (view.game_number, len(view.past))
        if not view.may_gloat or here == self._won:
            return False
        self._won = here
        return self._aloud.random() < self._boasts(view)

    def _boasts(self, view: TableView) -> float:
        """The chance to gloat: 0 where it is fined."""
        return 0.0 if view.has_slate else GLOAT_CHANCE

    def think_seconds(self, view: TableView, pace: float = 1.0) -> float:
        """Seconds before the next move: `QUICKEST` to `SLOWEST`, times `pace` (0 for at once).

        The closer the standing bid is to even odds, the longer it takes. Getting ready for a first
        game takes no time.
        """
        if view.phase is Phase.GATHERING and not view.game_number:
            return 0.0
        thought = WAVER * self._aloud.random() + (1.0 - WAVER) * _difficulty(view)
        return pace * (QUICKEST + (SLOWEST - QUICKEST) * thought)

    def reacts(self, view: TableView) -> Gesture | None:
        """A gesture about the last round; None, because a bot without a character makes none."""
        del view
        return None

    def answers(self, view: TableView) -> str | None:
        """A line in answer to a gloat or to praise; None, because a bot without a character says
        nothing."""
        del view
        return None

    def remark(self, view: TableView) -> str | None:
        """A line of talk about the last round; None, because a bot without a character says
        nothing."""
        del view
        return None

    def _judge(self, view: TableView) -> Judge:
        return judge_of(view, self.level.traits, own_seat(view))

    def _call(self, view: TableView, hand: int) -> int:
        if plan := call_plan_for(view, self.level) if self.solves else None:
            odds = plan.call_odds(hand, heard(view))
            return self._rng.choices(range(len(odds)), odds)[0]
        return choose_call(view, self.level.traits, own_seat(view), hand, self._rng)

    def _shown_hand(self, view: TableView, hand: int) -> int:
        """The hand to bid by: the real one, or in a bluff a random one."""
        shown = any_hand(view.seats[own_seat(view)].coins, self._rng)
        return shown if self._rng.random() < _bluff(self.level.traits, view) else hand

    def _direction(self, judge: Judge, word: Word, shown: int) -> Direction | None:
        if not judge.view.may_turn or not isinstance(word, Bid):
            return None
        ways, odds = list(Direction), judge.odds(shown)
        way = self._pick(judge, ways, [judge.bid(word.number, odds, way) for way in ways])
        return None if way is Direction.CLOCKWISE else way

    def _pick(self, judge: Judge, choices: Sequence[_Choice], worths: Sequence[float]) -> _Choice:
        """One of the choices, drawn at random: the more it is worth, the likelier (softmax)."""
        whim = self.level.traits.whim * mean_coin(judge.beliefs.coins)
        return softly(choices, worths, whim, self._rng)


def judge_of(view: TableView, traits: Traits, me: int) -> Judge:
    """The judgement of words by a player with these traits in seat `me`."""
    return (Taught if traits.taught else Judge).of(view, traits, me)


def hand_odds(view: TableView, level: Level, solves: bool = True) -> Sequence[float]:
    """The chance of each hand, from 0 to all coins, of a bot in the viewer's seat.

    `solves` tells whether it plays by the solved tables for two players.
    """
    coins = view.seats[own_seat(view)].coins
    if plan := plan_for(view, level) if solves else None:
        return plan.hand_odds(view.starter == view.me)
    if calls := call_plan_for(view, level) if solves else None:
        return calls.hand_odds(view.starter == view.me)
    players = sum(1 for seat in view.seats if seat.coins)
    if level.traits.taught and not view.is_guessing and (odds := learned_hands(players, coins)):
        return odds
    ends, middle = level.traits.extremes, max(coins - 1, 0)
    return normalised([ends, *([1.0] * middle), ends] if coins else [1.0])


def odds_of(view: TableView, hand: int, level: Level) -> Mapping[Word, float]:
    """The chance of each word that a bot with this hand may say now, on its turn in the bidding
    game."""
    return odds_by_hand(view, [hand], level)[hand]


def odds_by_hand(
    view: TableView, hands: Iterable[int], level: Level
) -> dict[int, Mapping[Word, float]]:
    """For each of these hands, the chance of each word that a bot would say now, on its turn in the
    bidding game."""
    if plan := plan_for(view, level):
        return {hand: words_by(plan, view, hand) for hand in hands}
    judge = judge_of(view, level.traits, own_seat(view))
    return {hand: judged_odds(judge, hand) for hand in hands}


def judged_odds(judge: Judge, hand: int) -> Mapping[Word, float]:
    """The chance of each word of a bot that has no table for the round, and judges for itself."""
    traits = judge.traits
    whim = traits.whim * mean_coin(judge.beliefs.coins)
    hands = range(judge.beliefs.coins[judge.me] + 1)
    # As in `_shown_hand`: the real hand, or for a bluff any.
    bluff = _bluff(traits, judge.view)
    shown = {each: bluff / len(hands) for each in hands}
    shown[hand] += 1.0 - bluff
    odds: dict[Word, float] = {}
    for each, chance in shown.items():
        if not chance:
            continue
        worths = judge.worths(hand, each)
        for word, part in zip(worths, soft_odds([*worths.values()], whim), strict=True):
            odds[word] = odds.get(word, 0.0) + chance * part
    return odds


def _bluff(traits: Traits, view: TableView) -> float:
    """The chance that a player with these traits bluffs now."""
    if not view.words:
        return traits.opening_bluff
    # What was learned about later words depends on the real hand.
    return 0.0 if traits.taught else traits.bluff
