"""How the last two of a school call (H4 to H12): a table that was solved, like those for two.

One of the two leaves with the exact number and the other one pays, so that the round is played
against the other; if neither is right, the first call moves on. The table holds the odds of every
hand of the first caller and of the other one, then for every hand those of the first caller's
number, then for every number heard and every hand those of the answer. It calls nothing that its
hand makes impossible (H7), whatever the other one does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from protocol.rules.options import START_COINS
from protocol.views import TableView
from spoof_tui.bots.heads_up import Odds, table_of, weighed
from spoof_tui.bots.levels import Level

HANDS: Final = START_COINS + 1

NUMBERS: Final = 2 * START_COINS + 1

MEMBER: Final = "last-two"
"""The name of the table in the file."""


@dataclass(frozen=True, slots=True)
class CallPlan:
    """The odds of every hand and number of a round between two."""

    table: bytes
    """The odds, laid out as the head of this module says."""

    def hand_odds(self, first: bool) -> Odds:
        """The chance of each hand of the first caller, or of the other one."""
        return self._odds(0 if first else HANDS, HANDS)

    def call_odds(self, hand: int, heard: int | None) -> Odds:
        """The chance of each number from 0, after the other one's call, or None: of the first."""
        row = hand if heard is None else HANDS * (heard + 1) + hand
        return self._odds(2 * HANDS + NUMBERS * row, NUMBERS)

    def _odds(self, start: int, size: int) -> Odds:
        return weighed(self.table[start : start + size])


def call_plan_for(view: TableView, level: Level) -> CallPlan | None:
    """The table for the last two, for the strongest level only; None with more, or others."""
    in_school = sum(1 for seat in view.seats if seat.coins)
    if in_school != 2 or not view.is_guessing or not level.traits.taught:
        return None
    table = table_of(MEMBER)
    return CallPlan(table) if table else None


def heard(view: TableView) -> int | None:
    """The number that the other one has called; None: nothing yet."""
    return next((call.number for call in view.calls if not call.taken), None)
