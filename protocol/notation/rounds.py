"""What a judge of rounds is, and what it finds: the seam between the notation and a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from protocol.notation.faults import Fault, Slip, cut
from protocol.notation.records import RoundRecord, Token
from protocol.notation.tokens import is_long_number

if TYPE_CHECKING:
    from protocol.notation.hands import Hands
    from protocol.notation.position import Position
    from protocol.rules.bidding import BiddingRound
    from protocol.rules.guessing import GuessingRound
    from protocol.rules.outcome import RoundOutcome


class CheckedRound(Protocol):
    """A round, judged; every game has its own."""

    @property
    def number(self) -> int:
        """Number as it is written."""

    @property
    def said(self) -> BiddingRound | GuessingRound | None:
        """Everything that was said, as far as it can be read; None if nothing could be judged."""

    @property
    def outcome(self) -> RoundOutcome | None:
        """What the round did; None if it could not be counted."""

    @property
    def fists(self) -> Hands:
        """The hands, by seat."""

    @property
    def after(self) -> Position:
        """Where the game stands afterwards."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the round."""

    def as_json(self) -> dict[str, object]:
        """The round as `spoof check --json` shows it."""


class RoundChecker(Protocol):
    """Judges the rounds of one game in their order."""

    @property
    def clause(self) -> str:
        """Clause that says who is the result."""

    @property
    def title(self) -> str:
        """What that player is called in JSON."""

    @property
    def result(self) -> str | None:
        """Tag that `Result` has to hold; None while the game goes on."""

    def judge(self, record: RoundRecord) -> CheckedRound:
        """The round recomputed, with its faults."""


class Notes:
    """The faults of one round while it is judged."""

    def __init__(self, record: RoundRecord) -> None:
        self._record = record
        self.faults: list[Fault] = []
        """In the order in which they were found."""

    @property
    def number(self) -> int:
        """Number of the round, as it is written."""
        return self._record.number

    def add(self, slip: Slip, at: Token | None = None, /, **values: int | str) -> None:
        """Note a fault at a token, or at the round as a whole."""
        self.add_by(slip.clause, slip, at, **values)

    def add_by(
        self, clause: str, slip: Slip, at: Token | None = None, /, **values: int | str
    ) -> None:
        """Note a fault that another clause decides than that of its kind."""
        line = (at.line if at else 0) or self._record.line
        self.faults.append(Fault(line, self._record.number, slip, clause, values))

    def unreadable(self, token: Token, slip: Slip = Slip.UNREADABLE) -> None:
        """Note that a token says nothing that it could say here."""
        is_long = is_long_number(token.sign)
        self.add(Slip.BIG_NUMBER if is_long else slip, token, text=cut(token.text))


def seats_of(
    tokens: Sequence[Token], seats: Mapping[str, int], notes: Notes
) -> tuple[dict[int, Token], bool]:
    """The tokens by seat, and whether every one is of a seat and every seat has one at most."""
    found: dict[int, Token] = {}
    clear = True
    for token in tokens:
        seat = seats.get(token.tag)
        if seat is not None and seat not in found:
            found[seat] = token
            continue
        clear = False
        if not token.tag:
            notes.unreadable(token)
        elif seat is None:
            notes.add(Slip.NOBODY, token, text=token.tag)
        else:
            notes.add(Slip.TWICE, token, tag=token.tag)
    return found, clear


def first(tokens: tuple[Token, ...] | None) -> Token | None:
    """Where a fault of a whole part stands: at its first token, if it has one."""
    return tokens[0] if tokens else None
