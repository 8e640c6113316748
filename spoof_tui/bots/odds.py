"""How likely a total is when most hands are hidden: sums of independent, discrete hands.

A `Distribution` holds the chance of 0, 1, 2, … coins at its index. The hands of different players
are independent, so the distribution of their sum is the convolution of theirs. What a player says
is evidence about the hand, weighed by Bayes' rule (`tilted`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce

from protocol.rules.words import Bid, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.levels import Traits

Distribution = tuple[float, ...]
"""The chance of each number of coins, by index; the chances add up to 1."""

NOTHING: Distribution = (1.0,)
"""The distribution of the sum of no hands at all: certainly 0."""


def even(coins: int) -> Distribution:
    """The distribution of a hand of 0 to `coins`, all equally likely (the principle of
    indifference)."""
    return (1.0 / (coins + 1),) * (coins + 1)


def normalised(weights: Iterable[float]) -> Distribution:
    """The weights, of which at least one is positive, scaled to add up to 1."""
    weights = tuple(weights)
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)


def convolved(one: Distribution, other: Distribution) -> Distribution:
    """The distribution of the sum of two independent hands: P(S = s) is the sum of P(x) P(s - x)
    over all x."""
    total = [0.0] * (len(one) + len(other) - 1)
    for x, chance in enumerate(one):
        for y, other_chance in enumerate(other):
            total[x + y] += chance * other_chance
    return tuple(total)


def total_of(hands: Iterable[Distribution]) -> Distribution:
    """The distribution of the sum of independent hands; without any, certainly 0."""
    return reduce(convolved, hands, NOTHING)


@lru_cache(maxsize=4096)
def even_total(coins: tuple[int, ...]) -> Distribution:
    """The distribution of the sum of one `even` hand for each number in `coins`; sort them to make
    use of the cache."""
    return total_of(even(count) for count in coins)


def at_least(total: Distribution, number: int) -> float:
    """P(S >= number); 1 for a number of 0 or less."""
    return 1.0 if number <= 0 else sum(total[number:])


def exactly(total: Distribution, number: int) -> float:
    """P(S = number)."""
    return total[number] if 0 <= number < len(total) else 0.0


def flattened(total: Distribution, weight: float) -> Distribution:
    """`total` as it looks to a player who trusts it only by `weight` (1 for wholly, 0 for not at
    all).

    The rest of the belief is spread evenly, which is the beginner's mistake: to think that a sum of
    0 is as likely as one in the middle.
    """
    spread = (1.0 - weight) / len(total)
    return tuple(weight * chance + spread for chance in total)


def tilted(hand: Distribution, bid: int, rest: Distribution, trust: float) -> Distribution:
    """The belief about a hand after its owner bid `bid`, while `rest` is the sum of all others.

    Bayes' rule, with a likelihood that mixes two kinds of bidder. With the chance `trust` the
    bidder is honest and says `bid` in proportion to its truth as seen from that hand, P(rest >= bid
    - hand); otherwise it is a bluff, equally likely with every hand:

    P(hand | bid) ~ P(hand) (trust P(rest >= bid - hand) + 1 - trust)

    So a high bid makes a full hand slightly likelier, and never makes any hand impossible while
    trust is below 1. A bid that no hand can reach changes nothing.
    """
    weights = tuple(
        chance * (trust * at_least(rest, bid - coins) + 1.0 - trust)
        for coins, chance in enumerate(hand)
    )
    return normalised(weights) if sum(weights) else hand


def tilted_exactly(hand: Distribution, call: int, rest: Distribution, trust: float) -> Distribution:
    """The distribution of a hand after its owner called `call` as the exact total; `rest` is the
    sum of all others.

    As `tilted`, with the likelihood of a call in place of that of a bid: P(rest = call - hand), or,
    for a bluff, the same for every number from 0 to the largest possible total.
    """
    bluff = (1.0 - trust) / (len(rest) + len(hand) - 1)
    weights = tuple(
        chance * (trust * exactly(rest, call - coins) + bluff) for coins, chance in enumerate(hand)
    )
    return normalised(weights) if sum(weights) else hand


@dataclass(frozen=True, slots=True)
class Odds:
    """The chances of the total T for a player who knows one hand."""

    hand: int
    """The player's own hand."""
    others: Distribution
    """The distribution of the sum of all other hands."""
    most: int
    """W, the number of coins that all players together own."""

    def at_least(self, bid: int) -> float:
        """P(T >= bid): the chance that the bid is true (R7)."""
        return at_least(self.others, bid - self.hand)

    def exactly(self, bid: int) -> float:
        """P(T = bid): the chance that a cliff is right (R8)."""
        return exactly(self.others, bid - self.hand)

    @property
    def everything(self) -> float:
        """P(T = W): the chance that a spoof is right (R9)."""
        return self.exactly(self.most)

    @property
    def nothing(self) -> float:
        """P(T = 0): the chance that a zero is right (R10)."""
        return self.exactly(0)

    def true(self, word: Word, standing: int) -> float:
        """The chance that the claim of `word` is true, if `standing` is the standing bid."""
        if isinstance(word, Bid):
            return self.at_least(word.number)
        if word is Ending.CALL:
            return 1.0 - self.at_least(standing)
        if word is Ending.CLIFF:
            return self.exactly(standing)
        return self.everything if word is Ending.SPOOF else self.nothing


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What one bot believes about the hands in a round, from what everybody knows."""

    coins: tuple[int, ...]
    """Coins of every seat; 0 if it is out or not in this game."""
    hands: tuple[Distribution, ...]
    """The distribution of the hand of each seat. That of the bot's own seat is what others would
    believe from its words."""

    @property
    def players(self) -> tuple[int, ...]:
        """Indices of the seats that have coins."""
        return tuple(seat for seat, count in enumerate(self.coins) if count)

    def except_for(self, *seats: int) -> tuple[Distribution, ...]:
        """The distributions of the hands of all players except those in `seats`."""
        return tuple(self.hands[seat] for seat in self.players if seat not in seats)

    def after_bid(self, seat: int, bid: int, reading: float) -> Distribution:
        """The distribution of the hand of `seat` if it bid `bid` now, for a bot that trusts bids by
        `reading`."""
        return tilted(self.hands[seat], bid, rest_of(self.coins, seat), reading)


def read_table(view: TableView, traits: Traits) -> Beliefs:
    """What a player with `traits` believes about the hands, from the words of this round and the
    earlier hands."""
    coins = tuple(seat.coins for seat in view.seats)
    hands = [habit(view, seat, traits.memory) for seat in range(len(coins))]
    for seat, bid in last_bids(view).items():
        hands[seat] = tilted(hands[seat], bid, rest_of(coins, seat), traits.reading)
    return Beliefs(coins, tuple(hands))


def habit(view: TableView, seat: int, memory: float) -> Distribution:
    """The distribution of a seat's hand before it speaks, shifted towards what it held before.

    Each hand counts 1, and `memory` more for every earlier round of the game in which the seat
    opened as many coins, or kept as many back (a Dirichlet prior and its observations).
    """
    coins = view.seats[seat].coins
    counts = [1.0] * (coins + 1)
    for played in view.past if memory else ():
        hand = played.hands.get(seat)
        if hand is not None:
            counts[min(hand, coins)] += memory / 2
            counts[max(coins - (played.words.coins[seat] - hand), 0)] += memory / 2
    return normalised(counts)


def last_bids(view: TableView) -> dict[int, int]:
    """The last bid of each seat that has bid in this round; it is the seat's highest and says the
    most."""
    return {seat: word.number for seat, word in view.words if isinstance(word, Bid)}


def rest_of(coins: tuple[int, ...], seat: int) -> Distribution:
    """The distribution of the sum of all hands but that of `seat`, if all hands are equally
    likely."""
    return even_total(
        tuple(sorted(count for other, count in enumerate(coins) if count and other != seat))
    )
