"""What a bot thinks of every hand, from what everybody at the table can see and hear."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.rules.words import Bid
from protocol.views import TableView
from spoof_tui.bots.levels import Traits
from spoof_tui.bots.odds import Distribution, even_total, normalised, tilted


@dataclass(frozen=True, slots=True)
class Beliefs:
    """The public side of a round, as one bot reads it."""

    coins: tuple[int, ...]
    """Coins of every seat; 0 is out or not in this game."""
    hands: tuple[Distribution, ...]
    """What is thought of the hand of each seat. The own seat is among them, as the others see
    it: it is read from the own words like anybody's."""

    @property
    def players(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat, count in enumerate(self.coins) if count)

    def except_for(self, *seats: int) -> tuple[Distribution, ...]:
        """What is thought of the hands of all players but these."""
        return tuple(self.hands[seat] for seat in self.players if seat not in seats)

    def after_bid(self, seat: int, bid: int, reading: float) -> Distribution:
        """What would be thought of the hand of `seat`, had it just bid so much."""
        return tilted(self.hands[seat], bid, rest_of(self.coins, seat), reading)


def read_table(view: TableView, traits: Traits) -> Beliefs:
    """What the words of this round and the hands of earlier ones tell somebody with `traits`."""
    coins = tuple(seat.coins for seat in view.seats)
    hands = [habit(view, seat, traits.memory) for seat in range(len(coins))]
    for seat, bid in last_bids(view).items():
        hands[seat] = tilted(hands[seat], bid, rest_of(coins, seat), traits.reading)
    return Beliefs(coins, tuple(hands))


def habit(view: TableView, seat: int, memory: float) -> Distribution:
    """The hand of a seat before it speaks: even, and leaning to what it held before.

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
    """The last bid of each seat this round; it is the highest and tells the most."""
    return {seat: word.number for seat, word in view.words if isinstance(word, Bid)}


def rest_of(coins: tuple[int, ...], seat: int) -> Distribution:
    """The sum of the hands of all but `seat`, as `seat` would guess it without reading anybody."""
    return even_total(
        tuple(sorted(count for other, count in enumerate(coins) if count and other != seat))
    )
