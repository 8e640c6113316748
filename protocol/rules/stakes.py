"""What the games of an evening are played for, chips and rounds of drinks (S1 to S3), and the coins
lost and games won.

Everything here follows from the games of a table. It is only counted, and never money.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.encoding.replacing import replace
from protocol.rules.options import BiddingRules, Rules, Stake

if TYPE_CHECKING:
    from protocol.rules.game import Game, PlayedRound


def stake_of(rules: Rules) -> Stake:
    """What a game by these rules is played for; none in the guessing game, where the slate is kept
    instead."""
    return rules.stake if isinstance(rules, BiddingRules) else Stake.NONE


def lost_coins(past: Sequence[PlayedRound]) -> int:
    """Number of coins that were lost in these rounds, and so lie on the pile in the middle (S1)."""
    changes = (change for played in past for change in played.outcome.changes.values())
    return sum(-change for change in changes if change < 0)


@dataclass(frozen=True, slots=True)
class Stakes:
    """The balances of all players. The chips of all keys and the pot always add up to zero."""

    chips: Mapping[bytes, int] = field(default_factory=dict)
    """Chips won or lost, by public key; chips in the pot count as lost (S1)."""
    pot: int = 0
    """Chips in the pot, all from the running game."""
    paid: tuple[bytes, ...] = ()
    """For each round of drinks, the public key that paid it (S2)."""
    pile: int = 0
    """Coins lost in the running or last game, whatever it is played for."""
    lost: Mapping[bytes, int] = field(default_factory=dict)
    """Coins lost over the evening, by public key, whatever is played for."""
    won: Mapping[bytes, int] = field(default_factory=dict)
    """Number of bidding games won over the evening, by public key."""

    def up(self, key: bytes) -> int:
        """Chips that `key` has won over the evening; negative if it has lost."""
        return self.chips.get(key, 0)

    def rounds(self, key: bytes) -> int:
        """Number of rounds of drinks that `key` has paid."""
        return Counter(self.paid)[key]

    def begun(self, game: Game) -> Stakes:
        """The stakes at the start of `game`: each player has put a chip into the pot (S1)."""
        cleared = replace(self, pile=0)
        if stake_of(game.rules) is not Stake.POT:
            return cleared
        return cleared._moved({player.key: -1 for player in game.players}, len(game.players))

    def counted(self, game: Game, rounds: int) -> Stakes:
        """The stakes after the last of the first `rounds` rounds of `game`: coins lost, and the
        round of drinks that the first player out pays (S2)."""
        *before, last = game.past[:rounds]
        lost = dict(self.lost)
        for seat, change in last.outcome.changes.items():
            if change < 0:
                key = game.players[seat].key
                lost[key] = lost.get(key, 0) - change
        piled = replace(self, pile=self.pile + lost_coins((last,)), lost=lost)
        if stake_of(game.rules) is not Stake.DRINKS or game.out_before is not None:
            return piled
        out = last.outcome.went_out
        if not out or any(played.outcome.went_out for played in before):
            return piled
        return replace(piled, paid=(*self.paid, game.players[out[0]].key))

    def over(self, game: Game) -> Stakes:
        """The stakes at the end of `game`: its winner takes the pot (S1).

        If a game is called off before anybody has won, everybody takes a chip back.
        """
        if game.winner is None or not isinstance(game.rules, BiddingRules):
            return self._pot_taken(game)
        winner = game.players[game.winner].key
        won = {**self.won, winner: self.won.get(winner, 0) + 1}
        return replace(self, won=won)._pot_taken(game)

    def _pot_taken(self, game: Game) -> Stakes:
        if stake_of(game.rules) is not Stake.POT:
            return self
        if game.winner is None:
            return self._moved({player.key: 1 for player in game.players}, -self.pot)
        return self._moved({game.players[game.winner].key: self.pot}, -self.pot)

    def _moved(self, chips: Mapping[bytes, int], into_pot: int) -> Stakes:
        after = {**self.chips, **{key: self.up(key) + moved for key, moved in chips.items()}}
        return replace(self, chips=after, pot=self.pot + into_pot)
