"""What the judge finds of a round, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.notation.faults import Fault
from protocol.rules.bidding import BiddingRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.outcome import RoundOutcome, Verdict
from protocol.rules.words import Bid, Direction

if TYPE_CHECKING:
    # A game needs seals; a command that only checks records does not.
    from protocol.rules.game import Round


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round, judged."""

    number: int
    """Number as it is written."""
    is_school: bool = False
    """Whether it is of the guessing game."""
    fault: Fault | None = None
    """The first thing that is wrong with it."""
    tags: tuple[str, ...] = ()
    """Tags by seat, clockwise."""
    said: Round | None = None
    """What was said before the first fault; None if nothing could be judged."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The opened fists by seat; those that stayed shut are absent."""
    outcome: RoundOutcome | None = None
    """What the round did; None if it could not be counted."""
    coins: tuple[int, ...] = ()
    """Coins of every seat afterwards; 0 is out, or has left the school."""
    opener: int | None = None
    """Seat that opens the next round; None if nobody does, or if it cannot be known."""

    def as_json(self) -> dict[str, object]:
        """The round as `spoof check --json` shows it."""
        said, outcome = self.said, self.outcome
        players = said.players if said else ()
        way = {} if self.is_school else {"direction": self._direction.value}
        return {
            "round": self.number,
            "starter": self.tags[said.starter] if said else None,
            **way,
            "words": self._words(),
            "hands": {self.tags[s]: self.hands.get(s) for s in players if outcome},
            "total": outcome.total if outcome else None,
            **(self._of_school(players) if self.is_school else self._of_bidding(players)),
            "next_starter": None if self.opener is None else self.tags[self.opener],
        }

    @property
    def _direction(self) -> Direction:
        return self.said.direction if self.said else Direction.CLOCKWISE

    def _words(self) -> list[list[object]]:
        if isinstance(self.said, GuessingRound):
            calls = self.said.calls
            return [[self.tags[c.seat], c.number, *["taken"] * c.taken] for c in calls]
        words = self.said.words if self.said else ()
        return [[self.tags[s], w.number if isinstance(w, Bid) else w.value] for s, w in words]

    def _of_bidding(self, players: Iterable[int]) -> dict[str, object]:
        said, outcome = self.said, self.outcome
        ending = said.ending if isinstance(said, BiddingRound) else None
        is_told = outcome is not None and outcome.verdict is not Verdict.VOID
        return {
            "ending": ending.value if ending else None,
            "right": outcome.verdict.ender_is_right if outcome and is_told else None,
            "changes": {self.tags[s]: n for s, n in sorted(outcome.changes.items())}
            if outcome
            else None,
            "coins": {self.tags[seat]: self.coins[seat] for seat in players},
            "out": self._named(outcome.went_out if outcome else ()),
        }

    def _of_school(self, players: Iterable[int]) -> dict[str, object]:
        outcome = self.outcome
        return {
            "left": self._named(outcome.went_out if outcome else ()),
            "fined": self._named(outcome.fined if outcome else ()),
            "in": self._named(seat for seat in players if self.coins[seat]),
        }

    def _named(self, seats: Iterable[int]) -> list[str]:
        return [self.tags[seat] for seat in seats]
