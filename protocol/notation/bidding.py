"""The judge of the bidding game (R2 to R15): every round recomputed from its words and hands.

After a fault judging goes on from the best state that is known:

- Words count as they are written, illegal ones too. The turn goes on from the player who
  spoke; the player who would follow the right one may speak as well, so that one wrong tag is
  one fault. A word of nobody, or of a player who is out, counts as said by whose turn it is.
- A direction that is not allowed is not taken.
- Coins, who is out and who opens follow from what was recomputed, never from what the record
  says about them; so a wrong coin count neither hides nor causes another fault.
- Where a round cannot be counted (no ending word, a hand that is missing or unreadable, a call
  of no bid), its changes and coins are held against each other, the coins go on as the record
  has them if it has them whole, and anybody who is in may open the next round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.notation.bidding_count import HAND_RULES, StatedCoins, add_up, compare, count, state
from protocol.notation.bidding_words import hear
from protocol.notation.faults import Fault, Slip
from protocol.notation.hands import NO_HANDS, Hands, look
from protocol.notation.position import NOWHERE, Position
from protocol.notation.records import RoundRecord
from protocol.notation.rounds import Notes
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules
from protocol.rules.outcome import RoundOutcome, Verdict
from protocol.rules.words import Bid, Direction, Ending, Word


@dataclass(frozen=True, slots=True)
class CheckedBiddingRound:
    """A round of the bidding game, recomputed; its properties give players by their tags."""

    number: int
    """Number as it is written."""
    faults: tuple[Fault, ...]
    """What is wrong with it."""
    said: BiddingRound | None = None
    """Everything that was said, as far as it can be read; None if nothing could be judged."""
    fists: Hands = NO_HANDS
    """The hands."""
    outcome: RoundOutcome | None = None
    """What the round did; None if it could not be counted."""
    after: Position = NOWHERE
    """Where the game stands afterwards."""

    @property
    def starter(self) -> str | None:
        """Who spoke first; None if nothing could be judged."""
        return self.after.tags[self.said.starter] if self.said else None

    @property
    def direction(self) -> Direction:
        """Which way the word went."""
        return self.said.direction if self.said else Direction.CLOCKWISE

    @property
    def words(self) -> tuple[tuple[str, Word], ...]:
        """What was said, as far as it can be read."""
        words = self.said.words if self.said else ()
        return tuple((self.after.tags[seat], word) for seat, word in words)

    @property
    def hands(self) -> Mapping[str, int | None]:
        """The fists; None for one that stayed shut."""
        return {self.after.tags[seat]: hand for seat, hand in self.fists.shown.items()}

    @property
    def verdict(self) -> Verdict | None:
        """How it ended; None if it could not be counted."""
        return self.outcome.verdict if self.outcome else None

    @property
    def total(self) -> int | None:
        """T; None if it could not be counted."""
        return self.outcome.total if self.outcome else None

    @property
    def changes(self) -> Mapping[str, int] | None:
        """Coins won and lost; None if it could not be counted."""
        if self.outcome is None:
            return None
        return {self.after.tags[seat]: n for seat, n in sorted(self.outcome.changes.items())}

    @property
    def coins(self) -> Mapping[str, int]:
        """Coins afterwards of everybody who was in at the start."""
        players = self.said.players if self.said else ()
        return {self.after.tags[seat]: self.after.coins[seat] for seat in players}

    @property
    def out(self) -> tuple[str, ...]:
        """Who went out."""
        gone = self.outcome.went_out if self.outcome else ()
        return tuple(self.after.tags[seat] for seat in gone)

    @property
    def next_starter(self) -> str | None:
        """Who opens the next round; None when the game is over, or when it cannot be known."""
        return None if self.after.opener is None else self.after.tags[self.after.opener]

    @property
    def ending(self) -> Ending | None:
        """The word that ended the round."""
        return self.said.ending if self.said else None

    @property
    def right(self) -> bool | None:
        """Whether the ender was right; None if nobody can say."""
        if self.verdict is None or self.verdict is Verdict.VOID:
            return None
        return self.verdict.ender_is_right

    def as_json(self) -> dict[str, object]:
        """The round as `spoof check --json` shows it."""
        return {
            "round": self.number,
            "starter": self.starter,
            "direction": self.direction.value,
            "words": [
                [tag, word.number if isinstance(word, Bid) else word.value]
                for tag, word in self.words
            ],
            "hands": dict(self.hands),
            "total": self.total,
            "ending": self.ending.value if self.ending else None,
            "right": self.right,
            "changes": self.changes,
            "coins": dict(self.coins),
            "out": list(self.out),
            "next_starter": self.next_starter,
        }


class BiddingChecker:
    """Judges the rounds of one bidding game in their order."""

    clause: Final = "R13"
    title: Final = "winner"

    def __init__(
        self, rules: BiddingRules, tags: Sequence[str], coins: tuple[int, ...], opener: int | None
    ) -> None:
        self._rules = rules
        self._position = Position.first(tags, coins, opener)

    @property
    def result(self) -> str | None:
        """Tag of the winner (R13)."""
        return self._position.last_left

    def judge(self, record: RoundRecord) -> CheckedBiddingRound:
        """The round recomputed, with its faults."""
        position, notes = self._position, Notes(record)
        if winner := self.result:
            notes.add(Slip.GAME_IS_OVER, winner=winner)
            return CheckedBiddingRound(record.number, tuple(notes.faults))
        said, ended = hear(self._rules, position, record, notes)
        hands = look(position, record, HAND_RULES, notes)
        stated = state(position, record, notes)
        outcome = count(said, hands, stated, notes) if ended else None
        if outcome:
            compare(position, outcome, stated, record, notes)
        else:
            add_up(position, stated, record, notes)
        self._position = after = _after(position, outcome, stated)
        faults = tuple(notes.faults)
        return CheckedBiddingRound(record.number, faults, said, hands, outcome, after)


def _after(position: Position, outcome: RoundOutcome | None, stated: StatedCoins) -> Position:
    """The position after a round; if it cannot be counted, what the record says is believed."""
    if outcome:
        return position.after(outcome.coins, outcome.next_starter)
    coins = position.coins
    if stated.coins and set(stated.coins) == set(position.players) and any(stated.coins.values()):
        coins = tuple(stated.coins.get(seat, 0) for seat in range(len(coins)))
    return position.after(coins, None)
