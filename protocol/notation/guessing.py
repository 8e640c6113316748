"""The judge of the guessing game (H3 to H13): every round recomputed from its calls and hands.

After a fault judging goes on from the best state that is known:

- Calls count as they are written, illegal ones too; of two calls of one number the first has
  it. A call whose `?` is wrong counts by what follows: the same player calls again, or not.
- One wrong tag is one fault: see `guessing_calls`.
- Who leaves, who is fined, who is still in the school and who calls first follow from what was
  recomputed, never from what the record says about them.
- Where a round cannot be counted (a call or a hand that is missing or unreadable), its changes
  and its school are held against each other, the school goes on as the record has it if it is
  clear, and anybody who is in may call first in the next round.
- Where the rules toss for the first caller (H11) anybody may: no record holds the toss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from protocol.notation.faults import Fault, Slip
from protocol.notation.guessing_calls import hear
from protocol.notation.guessing_count import HAND_RULES, StatedSchool, add_up, compare, count, state
from protocol.notation.hands import NO_HANDS, Hands, look
from protocol.notation.position import NOWHERE, Position
from protocol.notation.records import RoundRecord
from protocol.notation.rounds import Notes
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS, FirstCaller, GuessingRules
from protocol.rules.outcome import RoundOutcome, Verdict


@dataclass(frozen=True, slots=True)
class CheckedGuessingRound:
    """A round of the guessing game, recomputed."""

    number: int
    """Number as it is written."""
    faults: tuple[Fault, ...]
    """What is wrong with it."""
    said: GuessingRound | None = None
    """Every call, as far as it can be read; None if nothing could be judged."""
    fists: Hands = NO_HANDS
    """The hands."""
    outcome: RoundOutcome | None = None
    """What the round did; None if it could not be counted."""
    after: Position = NOWHERE
    """Where the game stands afterwards."""

    def as_json(self) -> dict[str, object]:
        """The round as `spoof check --json` shows it."""
        tags, said, outcome = self.after.tags, self.said, self.outcome
        opener = self.after.opener
        return {
            "round": self.number,
            "starter": tags[said.starter] if said else None,
            "words": [
                [tags[call.seat], call.number, *(["taken"] if call.taken else [])]
                for call in (said.calls if said else ())
            ],
            "hands": {tags[seat]: hand for seat, hand in self.fists.shown.items()},
            "total": outcome.total if outcome else None,
            "left": [tags[seat] for seat in (outcome.went_out if outcome else ())],
            "fined": [tags[seat] for seat in (outcome.fined if outcome else ())],
            "in": [tags[seat] for seat in self.after.players],
            "next_starter": None if opener is None else tags[opener],
        }


class GuessingChecker:
    """Judges the rounds of one school in their order."""

    clause: Final = "H12"
    title: Final = "payer"

    def __init__(self, rules: GuessingRules, tags: Sequence[str]) -> None:
        self._rules = rules
        self._position = Position.first(tags, (START_COINS,) * len(tags), None)

    @property
    def result(self) -> str | None:
        """Tag of the player who pays (H12)."""
        return self._position.last_left

    def judge(self, record: RoundRecord) -> CheckedGuessingRound:
        """The round recomputed, with its faults."""
        position, notes = self._position, Notes(record)
        if payer := self.result:
            notes.add(Slip.SCHOOL_IS_OVER, payer=payer)
            return CheckedGuessingRound(record.number, tuple(notes.faults))
        said = hear(self._rules, position, record, notes)
        hands = look(position, record, HAND_RULES, notes)
        stated = state(position, record, notes)
        outcome = count(said, hands, stated, notes)
        if outcome:
            compare(position, said, hands, outcome, stated, record, notes)
        else:
            add_up(position, stated, record, notes)
        self._position = after = self._after(outcome, stated)
        faults = tuple(notes.faults)
        return CheckedGuessingRound(record.number, faults, said, hands, outcome, after)

    def _after(self, outcome: RoundOutcome | None, stated: StatedSchool) -> Position:
        """The position after a round; if it cannot be counted, what the record says is believed."""
        position = self._position
        if outcome:
            tossed = self._rules.first_caller is FirstCaller.TOSS
            is_known = not tossed or outcome.verdict is Verdict.VOID
            return position.after(outcome.coins, outcome.next_starter if is_known else None)
        staying = stated.staying or frozenset()
        if not staying or not staying <= set(position.players):
            staying = frozenset(position.players)
        coins = tuple(START_COINS if s in staying else 0 for s in range(len(position.coins)))
        return position.after(coins, None)
