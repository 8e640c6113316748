"""Gloating: who may, who did, and who let the moment pass (S4).

Everything here follows from the log, so that every seat and every later host agrees on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, Rules, expects_gloating

if TYPE_CHECKING:
    from protocol.rules.game import Game


@dataclass(frozen=True, slots=True)
class Gloats:
    """What a table knows about gloating; all keys are public keys of seats."""

    winners: frozenset[bytes] = frozenset()
    """Who may gloat, until the next fist is in."""
    since: int = 0
    """Log length at the end of the round that they won: whoever gloats has seen it."""
    gloated: frozenset[bytes] = frozenset()
    """Which of them have."""
    silent: frozenset[bytes] = frozenset()
    """Who did not, though it was expected, until the end of the game that began then."""

    def after_round(self, game: Game, length: int) -> Gloats:
        """What is known once a round of `game` is over, in a log of this length."""
        if not isinstance(game.rules, BiddingRules):
            return Gloats(_guessed_right(game), length)
        if game.winner is None:
            return self
        return Gloats(frozenset({game.players[game.winner].key}), length)

    def after_removal(self, game: Game, length: int) -> Gloats:
        """What is known once a seat was taken away from `game` (G5)."""
        if game.winner is None or not isinstance(game.rules, BiddingRules):
            return self
        return self.after_round(game, length)

    def after_fist(self, rules: Rules, able: frozenset[bytes]) -> Gloats:
        """What is known once a fist is in; `able` are those who could have gloated."""
        if not self.winners:
            return self
        quiet = (self.winners - self.gloated) & able
        return Gloats(silent=quiet if expects_gloating(rules) else frozenset())

    def gloat(self, key: bytes) -> Gloats:
        """What is known once `key` gloats; raises `Illegal` unless it may."""
        if key not in self.winners:
            raise Illegal(Reason.NOTHING_TO_GLOAT)
        if key in self.gloated:
            raise Illegal(Reason.REPEATED)
        return replace(self, gloated=self.gloated | {key})

    def may_gloat(self, key: bytes) -> bool:
        """Whether `key` may gloat now."""
        return key in self.winners - self.gloated


def _guessed_right(game: Game) -> frozenset[bytes]:
    """Who left the school by a right guess in the last round (H10)."""
    played = game.past[-1]
    assert isinstance(played.words, GuessingRound)
    return frozenset(game.players[seat].key for seat in played.outcome.went_out)
