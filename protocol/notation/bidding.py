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
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from protocol.bidding import BiddingRound, RoundOutcome, Verdict
from protocol.notation.bidding_count import Hands, Stated, add_up, compare, count, look, state
from protocol.notation.bidding_position import Position
from protocol.notation.bidding_words import hear
from protocol.notation.faults import Fault, Slip
from protocol.notation.records import RoundRecord
from protocol.notation.rounds import Notes
from protocol.rules import BiddingRules
from protocol.words import Bid, Direction, Ending, Word

_NONE: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CheckedBiddingRound:
    """A round of the bidding game, recomputed; players are given by their tags."""

    number: int
    """Number as it is written."""
    faults: tuple[Fault, ...]
    """What is wrong with it."""
    starter: str | None = None
    """Who spoke first; None if nothing could be judged."""
    direction: Direction = Direction.CLOCKWISE
    """Which way the word went."""
    words: tuple[tuple[str, Word], ...] = ()
    """What was said, as far as it can be read."""
    hands: Mapping[str, int | None] = field(default_factory=lambda: _NONE)
    """The fists; None for one that stayed shut."""
    verdict: Verdict | None = None
    """How it ended; None if it could not be counted."""
    total: int | None = None
    """T; None if it could not be counted."""
    changes: Mapping[str, int] | None = None
    """Coins won and lost; None if it could not be counted."""
    coins: Mapping[str, int] = field(default_factory=lambda: _NONE)
    """Coins afterwards of everybody who was in at the start."""
    out: tuple[str, ...] = ()
    """Who went out."""
    next_starter: str | None = None
    """Who opens the next round; None when the game is over, or when it cannot be known."""

    @property
    def ending(self) -> Ending | None:
        """The word that ended the round."""
        word = self.words[-1][1] if self.words else None
        return word if isinstance(word, Ending) else None

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
            "changes": None if self.changes is None else dict(self.changes),
            "coins": dict(self.coins),
            "out": list(self.out),
            "next_starter": self.next_starter,
        }


class BiddingJudge:
    """Judges the rounds of one bidding game in their order."""

    def __init__(
        self, rules: BiddingRules, tags: Sequence[str], coins: tuple[int, ...], opener: int | None
    ) -> None:
        seats = {tag: seat for seat, tag in enumerate(tags)}
        opens = opener if opener is not None and coins[opener] else None
        self._position = Position(rules, seats, coins, opens)

    @property
    def result(self) -> str | None:
        """Tag of the winner (R13)."""
        players = self._position.players
        return self._position.tags[players[0]] if len(players) == 1 else None

    def judge(self, record: RoundRecord) -> CheckedBiddingRound:
        """The round recomputed, with its faults."""
        position, notes = self._position, Notes(record)
        if winner := self.result:
            notes.add(Slip.GAME_IS_OVER, winner=winner)
            return CheckedBiddingRound(record.number, tuple(notes.faults))
        said, ended = hear(position, record, notes)
        hands = look(position, record, notes)
        stated = state(position, record, notes)
        outcome = count(said, hands, stated, notes) if ended else None
        if outcome:
            compare(position, outcome, stated, record, notes)
        else:
            add_up(position, stated, record, notes)
        self._position = _after(position, outcome, stated)
        return self._checked(position, said, hands, outcome, notes)

    def _checked(
        self,
        before: Position,
        said: BiddingRound,
        hands: Hands,
        outcome: RoundOutcome | None,
        notes: Notes,
    ) -> CheckedBiddingRound:
        """The round as a value, when the position is already the one after it."""
        tags, after = before.tags, self._position
        checked = CheckedBiddingRound(
            number=notes.number,
            faults=tuple(notes.faults),
            starter=tags[said.starter],
            direction=said.direction,
            words=tuple((tags[seat], word) for seat, word in said.words),
            hands={tags[seat]: hand for seat, hand in hands.shown.items()},
            coins={tags[seat]: after.coins[seat] for seat in before.players},
            next_starter=None if after.opener is None else tags[after.opener],
        )
        if outcome is None:
            return checked
        return replace(
            checked,
            verdict=outcome.verdict,
            total=outcome.total,
            changes={tags[seat]: change for seat, change in sorted(outcome.changes.items())},
            out=tuple(tags[seat] for seat in outcome.went_out),
        )


def _after(position: Position, outcome: RoundOutcome | None, stated: Stated) -> Position:
    """The position after a round; if it cannot be counted, what the record says is believed."""
    coins, opener = position.coins, None
    if outcome:
        coins, opener = outcome.coins, outcome.next_starter
    elif stated.coins and set(stated.coins) == set(position.players) and any(stated.coins.values()):
        coins = tuple(stated.coins.get(seat, 0) for seat in range(len(coins)))
    return replace(position, coins=coins, opener=opener, is_first=False)
