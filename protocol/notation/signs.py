"""The signs of a record, which follow a tag in either game, and what they say of a round."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from protocol.rules.bidding import BiddingRound
from protocol.rules.outcome import RoundOutcome, Verdict
from protocol.rules.words import Ending

if TYPE_CHECKING:
    # A game needs seals; a command that only checks records does not.
    from protocol.rules.game import Round

SIGNS: Final[Mapping[str, Ending]] = MappingProxyType(
    {"!": Ending.CALL, "=": Ending.CLIFF, "max": Ending.SPOOF, "0": Ending.ZERO}
)
"""How the words that end a round of the bidding game are written (R5)."""

SHUT: Final = "?"
"""The hand of a fist that stayed shut (G3)."""

LOST: Final = "-"
"""How a coin that is lost is written."""

WON: Final = "+"
"""How a coin that is won is written."""

TAKEN: Final = "?"
"""What stands behind a call that was refused because the number was taken (H8)."""

LEAVES: Final = "*"
"""How a right guess is written, by which its player leaves the school (H10)."""

FINED: Final = "$"
"""How a fine is written (H13)."""

NOTHING: Final = "."
"""How no changes are written."""

Change = tuple[int, str]
"""A seat, and the sign behind its tag."""


def changes_of(outcome: RoundOutcome) -> list[Change]:
    """What a round did, as it is written: by seats, and fines last."""
    changes = [(seat, LOST if n < 0 else WON) for seat, n in outcome.changes.items()]
    if outcome.verdict is Verdict.GUESSED:
        changes += [(seat, LEAVES) for seat in outcome.went_out]
    changes += [(seat, FINED) for seat in outcome.fined]
    return sorted(changes, key=lambda change: (change[0], change[1] == FINED))


def left_by(said: Round, outcome: RoundOutcome) -> list[Change]:
    """What a round left, as it is written: everybody's coins, or who is in the school."""
    coins = outcome.coins
    if isinstance(said, BiddingRound):
        return [(seat, str(coins[seat])) for seat in said.players]
    return [(seat, "") for seat in said.players if coins[seat]]
