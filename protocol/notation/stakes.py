"""The stakes of one game in its record: chips and pot (S1), and who pays the round (S2).

They follow from the headers and the rounds. A record may state them, and is then held to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from protocol.notation.faults import Fault, Slip, cut
from protocol.notation.records import GameHead, Header, first_header
from protocol.notation.rounds import CheckedRound
from protocol.notation.tokens import number, split_token
from protocol.rules.options import MAX_PLAYERS, Rules, Stake
from protocol.rules.stakes import stake_of

NOBODY: Final = "*"
"""Stands for whoever pays where nobody of this record does."""


class StakesCheck:
    """What is played for in one game, while its rounds are judged."""

    def __init__(self, rules: Rules, tags: tuple[str, ...], head: GameHead) -> None:
        self._stake = stake_of(rules)
        self._tags, self._head = tags, head
        self._first_out: str | None = None

    def take(self, checked: CheckedRound) -> None:
        """One more round was judged."""
        if self._first_out is None and checked.outcome and checked.outcome.went_out:
            self._first_out = self._tags[checked.outcome.went_out[0]]

    def tally(self, winner: str | None) -> dict[str, object]:
        """What `spoof check --json` shows of it at the end; nothing where nothing is kept."""
        if self._stake is Stake.POT:
            return {"pot": self._pot, "chips": self._chips(winner)}
        return {"paid": self._payer} if self._stake is Stake.DRINKS else {}

    def faults(self, winner: str | None) -> Iterator[Fault]:
        """What the record states wrongly, once its rounds are judged."""
        if self._stake is Stake.POT:
            yield from self._faults_of_pot()
            yield from self._faults_of_chips(winner)
        if self._stake is Stake.DRINKS and (header := self._find("Paid")) is not None:
            right = self._payer or NOBODY
            if header.value not in (NOBODY, *self._tags):
                yield _fault(header, Slip.NOBODY, text=cut(header.value))
            elif header.value != right:
                yield _fault(header, Slip.WRONG_PAYER, right=right, written=cut(header.value))

    @property
    def _payer(self) -> str | None:
        """The first out, unless the record goes on from one in which somebody was before."""
        stated, coins = self._find("Paid"), self._find("Coins")
        goes_on = coins is not None and stated is not None and stated.value == NOBODY
        return None if goes_on else self._first_out

    @property
    def _pot(self) -> int:
        """Chips in the pot: one of every seat, unless the record says how many there are."""
        header = self._find("Pot")
        stated = None if header is None else number(header.value)
        return len(self._tags) if stated is None or not self._may_be(stated) else stated

    def _may_be(self, pot: int) -> bool:
        return len(self._tags) <= pot <= MAX_PLAYERS

    def _chips(self, winner: str | None) -> Mapping[str, int] | None:
        """Chips won and lost, by tag; None while nobody has won."""
        if winner is None:
            return None
        return {tag: self._pot - 1 if tag == winner else -1 for tag in self._tags}

    def _faults_of_pot(self) -> Iterator[Fault]:
        header = self._find("Pot")
        if header is None:
            return
        stated = number(header.value)
        if stated is None or not self._may_be(stated):
            least, text = len(self._tags), cut(header.value)
            yield _fault(header, Slip.BAD_POT, least=least, most=MAX_PLAYERS, text=text)

    def _faults_of_chips(self, winner: str | None) -> Iterator[Fault]:
        header = self._find("Chips")
        if header is None:
            return
        stated = _stated(header.value, self._tags)
        chips = self._chips(winner)
        if stated is None:
            yield _fault(header, Slip.BAD_CHIPS, text=cut(header.value))
        elif chips is None:
            yield _fault(header, Slip.NO_CHIPS)
        elif stated != chips:
            right = written(chips)
            yield _fault(header, Slip.WRONG_CHIPS, right=right, written=written(stated))

    def _find(self, name: str) -> Header | None:
        return first_header(self._head.headers, name)


def written(chips: Mapping[str, int]) -> str:
    """Chips by tag as a record has them: `S+2 D-1 M-1`."""
    return " ".join(f"{tag}{count:+d}" for tag, count in chips.items())


def _stated(value: str, tags: tuple[str, ...]) -> Mapping[str, int] | None:
    """The chips of a header by tag, in the order of the seats; None unless each is there once."""
    found: dict[str, int] = {}
    for text in value.split()[: MAX_PLAYERS + 1]:
        tag, sign = split_token(text)
        count = number(sign[1:]) if sign[:1] in ("+", "-") else None
        if tag not in tags or tag in found or count is None:
            return None
        found[tag] = -count if sign[0] == "-" else count
    return {tag: found[tag] for tag in tags} if len(found) == len(tags) else None


def _fault(header: Header, slip: Slip, **values: int | str) -> Fault:
    return Fault.at(header.line, None, slip, **values)
