"""What each call of the guessing game is worth (H4 to H12), and the choice of one.

Whoever calls the right number leaves the school; the last to remain pays. So a call is worth its
chance to be right, less what it tells the players who call after it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.rules.options import START_COINS, GuessingRules, Impossible
from protocol.rules.words import Direction, next_in
from protocol.views import TableView
from spoof_tui.bots.heads_up import Odds, table_of, weighed
from spoof_tui.bots.judging import any_hand, possible_calls, softly
from spoof_tui.bots.levels import Level, Traits
from spoof_tui.bots.odds import (
    Distribution,
    convolved,
    exactly,
    flattened,
    habit,
    rest_of,
    tilted_exactly,
    total_of,
)


@dataclass(frozen=True, slots=True)
class Caller:
    """One player's judgement of the numbers that may be called now."""

    view: TableView
    """The table, with this player's turn."""
    traits: Traits
    me: int
    """This player's seat."""
    hands: tuple[Distribution, ...]
    """For each seat, the chances of its hands, given the calls of this round and the earlier
    hands."""

    @classmethod
    def of(cls, view: TableView, traits: Traits, me: int) -> Caller:
        """The judgement of the player in seat `me` with `traits`."""
        return cls(view, traits, me, read_calls(view, traits))

    @property
    def school(self) -> tuple[int, ...]:
        """The seats that are still in."""
        return tuple(seat for seat, each in enumerate(self.view.seats) if each.coins)

    def chances(self, hand: int) -> Distribution:
        """The chance of each total, from 0 on, for a player who holds `hand`."""
        others = flattened(self._total_without(self.me), self.traits.odds)
        return (0.0,) * hand + others

    def worths(self, numbers: Sequence[int], hand: int) -> list[float]:
        """The worth of each number: its chance to be right, less a penalty for what the call tells
        the next caller.

        If I leave, I am spared an n-th of the bill; if another leaves, my part rises by 1 / n(n-1),
        so that counts n-1 times less.
        """
        chances, rivals = self.chances(hand), len(self.school) - 1
        weight = self.traits.foresight * self._later() / rivals
        return [
            exactly(chances, number) - (weight * self._given_away(number, hand) if weight else 0.0)
            for number in numbers
        ]

    def _later(self) -> int:
        """Number of seats that call after this one in this round."""
        called = {call.seat for call in self.view.calls if not call.taken}
        return len(set(self.school) - called - {self.me})

    def _given_away(self, number: int, hand: int) -> float:
        """The chance that the next caller, who hears this player call `number`, is right."""
        coins = tuple(seat.coins for seat in self.view.seats)
        answerer = next_in(coins, self.me, Direction.CLOCKWISE)
        others = self._total_without(self.me, answerer)
        shown = tilted_exactly(
            self.hands[self.me], number, rest_of(coins, self.me), self.traits.reading
        )
        heard = convolved(others, shown)
        free = [each for each in self.view.free if each != number]
        right = 0.0
        for held, chance in enumerate(self.hands[answerer]):
            best = max(free, key=lambda each: exactly(heard, each - held))
            right += chance * exactly(others, best - held - hand)
        return right

    def _total_without(self, *seats: int) -> Distribution:
        return total_of(self.hands[seat] for seat in self.school if seat not in seats)


def choose_call(view: TableView, traits: Traits, me: int, hand: int, rng: random.Random) -> int:
    """A number to call, drawn at random by its worth: a free one that is possible for `hand`,
    except in a rare bluff.

    A number whose worth is below the best by `whim` times the best chance is called e times less
    often.
    """
    caller = Caller.of(view, traits, me)
    shown = any_hand(START_COINS, rng) if rng.random() < traits.bluff else hand
    bluffs = shown != hand and _may_bluff(view, traits, rng)
    numbers = view.free if bluffs else possible_calls(view, hand)
    worths = caller.worths(numbers, shown)
    scale = traits.whim * max(caller.chances(shown))
    return softly(numbers, worths, scale, rng)


def _may_bluff(view: TableView, traits: Traits, rng: random.Random) -> bool:
    """Whether to pretend to hold a hand whose numbers are impossible for the real one.

    True only if that is neither fined nor refused, and mostly for players who foresee its effect.
    """
    rules = view.rules
    allowed = isinstance(rules, GuessingRules) and rules.impossible is Impossible.ALLOW
    return allowed and rng.random() < traits.foresight


def read_calls(view: TableView, traits: Traits) -> tuple[Distribution, ...]:
    """For each seat, the chances of its hands after the calls of this round.

    A call that hit a taken number says as much as one that stands: its caller wanted it.
    """
    coins = tuple(seat.coins for seat in view.seats)
    hands = [habit(view, seat, traits.memory) for seat in range(len(coins))]
    for call in view.calls:
        rest = rest_of(coins, call.seat)
        hands[call.seat] = tilted_exactly(hands[call.seat], call.number, rest, traits.reading)
    return tuple(hands)


HANDS: Final = START_COINS + 1

NUMBERS: Final = 2 * START_COINS + 1

MEMBER: Final = "last-two"
"""The first part of a table's name in the file, before the level."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The chances of every hand and number in a round between the last two players."""

    table: bytes
    """The odds, laid out as described at the top of `heads_up`."""

    def hand_odds(self, first: bool) -> Odds:
        """The chance of each hand, from 0 coins on, of the first caller or of the other player."""
        return self._odds(0 if first else HANDS, HANDS)

    def call_odds(self, hand: int, heard: int | None) -> Odds:
        """The chance of each number from 0 on, for a caller who holds `hand` after the other player
        has called `heard`; None for the first caller."""
        row = hand if heard is None else HANDS * (heard + 1) + hand
        return self._odds(2 * HANDS + NUMBERS * row, NUMBERS)

    def _odds(self, start: int, size: int) -> Odds:
        return weighed(self.table[start : start + size])


def call_plan_for(view: TableView, level: Level) -> CallPlan | None:
    """The plan for a round between the last two players; None for any other round."""
    in_school = sum(1 for seat in view.seats if seat.coins)
    return call_plan(level) if in_school == 2 and view.is_guessing else None


def call_plan(level: Level) -> CallPlan:
    """The plan by which a level plays with the last two of a school. The weaker levels play as the
    strongest one, except that some of their choices are random."""
    table = table_of(f"{MEMBER}/{level.value}")
    assert table
    return CallPlan(table)


def heard(view: TableView) -> int | None:
    """The number that the other player has called in this round; None if there is none yet."""
    return next((call.number for call in view.calls if not call.taken), None)
