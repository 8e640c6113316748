"""Checking records: headers, numbers and results; rounds go to the judge.

If rules or seats cannot be read, rounds are only read and numbered, not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from protocol.errors import Malformed
from protocol.limits import MAX_RULES
from protocol.notation.faults import Fault, Slip, cut
from protocol.notation.judging import Judge, StakesCheck
from protocol.notation.records import (
    CheckedRound,
    GameEnd,
    GameHead,
    GameRecord,
    Header,
    Piece,
    RoundRecord,
)
from protocol.notation.signs import number, split_token
from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    START_COINS,
    GuessingRules,
    Rules,
    expects_gloating,
)

MAX_FAULTS: Final = 10_000
"""The most faults of one game that are reported: more than a person reads, few enough to hold."""

UNFINISHED: Final = "*"
"""The result of a game that is not over."""

_DATE: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game whose headers are judged."""

    rules: str | None
    """The rules in their shortest form; None if they cannot be read."""
    seats: tuple[str, ...]
    """Tags, clockwise; empty if they cannot be read."""
    coins: tuple[int, ...] = ()
    """Coins before round 1, by seat; empty if nobody can play."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The end of a game's record."""

    winner: str | None
    """Tag of the player left, who won (R13) or pays (H12); None while the game goes on."""
    title: str = "winner"
    """What that player is called in JSON."""
    tally: Mapping[str, object] = field(default_factory=dict)
    """The stake, as JSON shows it: pot and chips (S1), or who paid the round (S2)."""

    def as_json(self) -> dict[str, object]:
        """The end as `spoof check --json` shows it."""
        return {self.title: self.winner, **self.tally}


Judged = GameBegun | CheckedRound | Fault | GameOver
"""What checking finds: the beginning, rounds and end of every game; faults anywhere."""


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """One game, recomputed."""

    rules: str | None
    """The rules in their shortest form; None if they cannot be read."""
    seats: tuple[str, ...]
    """Tags, clockwise; empty if they cannot be read."""
    rounds: tuple[CheckedRound, ...]
    """Every round of the record."""
    end: GameOver
    """The player who is left."""
    faults: tuple[Fault, ...]
    """Everything that is wrong, in the order of the lines."""


def check(record: GameRecord) -> CheckedGame:
    """The game recomputed from its headers, words and hands, with every fault."""
    begun, end = GameBegun(None, ()), GameOver(None)
    rounds: list[CheckedRound] = []
    faults: list[Fault] = []
    for found in judged(record.pieces()):
        if isinstance(found, Fault):
            faults.append(found)
        elif isinstance(found, GameBegun):
            begun = found
        elif isinstance(found, GameOver):
            end = found
        else:
            rounds.append(found)
    faults.sort(key=lambda fault: fault.line)
    return CheckedGame(begun.rules, begun.seats, tuple(rounds), end, tuple(faults))


def judged(pieces: Iterable[Piece]) -> Iterator[Judged]:
    """The judged pieces, as they come; faults come before the piece they belong to."""
    check = _GameCheck()
    for piece in pieces:
        yield from check.take(piece)
        if isinstance(piece, GameEnd):
            check = _GameCheck()


class _GameCheck:
    """One game while it is being checked."""

    def __init__(self) -> None:
        self._head = GameHead((), 1)
        self._judge: Judge | None = None
        self._stakes: StakesCheck | None = None
        self._count = 0
        self._last = 0
        """Number of the last round, as written."""
        self._tags: tuple[str, ...] = ()
        self._told = 0
        """Number of faults reported so far."""
        self._given_up = False

    def take(self, piece: Piece) -> Iterator[Judged]:
        """The results of one piece; after too many faults only the end of the game."""
        for found in () if self._given_up else self._judged(piece):
            self._told += isinstance(found, Fault)
            if isinstance(found, Fault) and self._told > MAX_FAULTS:
                yield Fault.at(found.line, None, Slip.TOO_MANY_FAULTS, most=MAX_FAULTS)
                self._given_up, self._judge = True, None
                break
            yield found
        if isinstance(piece, GameEnd):
            judge, stakes = self._judge, self._stakes
            if judge is None:
                yield GameOver(None)
            else:
                tally = stakes.tally(judge.result) if stakes else {}
                yield GameOver(judge.result, judge.terms.title, tally)

    def _judged(self, piece: Piece) -> Iterator[Judged]:
        if isinstance(piece, Fault):
            yield piece
        elif isinstance(piece, GameHead):
            yield from self._begin(piece)
        elif isinstance(piece, RoundRecord):
            yield from self._round(piece)
        else:
            yield from self._end()

    def _begin(self, head: GameHead) -> Iterator[Judged]:
        self._head = head
        reader = _Headers(head)
        rules, self._tags = reader.rules(), reader.seats()
        coins, opener = reader.coins(self._tags, rules), reader.crap(self._tags)
        reader.date()
        reader.silent(self._tags, rules)
        yield from reader.faults
        if rules and self._tags and coins:
            self._judge = Judge(rules, self._tags, coins, None if rules.draws_lot else opener)
            self._stakes = StakesCheck(rules, self._tags, head)
        yield GameBegun(rules.text if rules else None, self._tags, coins or ())

    def _round(self, record: RoundRecord) -> Iterator[Judged]:
        self._count += 1
        # Accept both the right number and the one after a wrong number: one slip is one fault.
        if record.number not in (self._count, self._last + 1):
            yield Fault.at(
                record.line,
                record.number,
                Slip.WRONG_NUMBER,
                right=self._count,
                written=record.number,
            )
        self._last = record.number
        checked = self._judge.judge(record) if self._judge else CheckedRound(record.number)
        if self._stakes:
            self._stakes.take(checked)
        if checked.fault:
            yield checked.fault
        yield checked

    def _end(self) -> Iterator[Judged]:
        result = self._judge.result if self._judge else None
        header = self._head.find("Result")
        if header is None:
            yield Fault.at(self._head.line, None, Slip.NO_HEADER, name="Result")
        else:
            yield from self._result(header, result)
        if self._stakes:
            yield from self._stakes.faults(result)

    def _result(self, header: Header, result: str | None) -> Iterator[Judged]:
        right = result or UNFINISHED
        if self._tags and header.value not in (UNFINISHED, *self._tags):
            yield Fault.at(header.line, None, Slip.NOBODY, text=cut(header.value))
        elif self._judge and header.value != right:
            values = {"right": right, "written": cut(header.value)}
            yield Fault(header.line, None, Slip.WRONG_RESULT, self._judge.terms.result, values)


class _Headers:
    """The headers of one game; their faults are gathered in `faults`."""

    def __init__(self, head: GameHead) -> None:
        self._head = head
        self.faults: list[Fault] = []

    def _fault(self, header: Header, slip: Slip, **values: int | str) -> None:
        self.faults.append(Fault.at(header.line, None, slip, **values))

    def _need(self, name: str) -> Header | None:
        header = self._head.find(name)
        if header is None:
            self.faults.append(Fault.at(self._head.line, None, Slip.NO_HEADER, name=name))
        return header

    def silent(self, tags: tuple[str, ...], rules: Rules | None) -> None:
        """The winner who did not gloat after the game before, which a record cannot show otherwise
        (S4)."""
        header = self._head.find("Silent")
        if header is None:
            return
        if tags and header.value not in tags:
            self._fault(header, Slip.NOBODY, text=cut(header.value))
        if rules is not None and not expects_gloating(rules):
            self._fault(header, Slip.NOT_EXPECTED)

    def rules(self) -> Rules | None:
        """The rules, if they can be read."""
        header = self._need("Rules")
        if header is None:
            return None
        try:
            if len(header.value) > MAX_RULES:
                raise Malformed(f"they have more than {MAX_RULES} characters")
            return Rules.parse(header.value)
        except Malformed as malformed:
            self._fault(header, Slip.BAD_RULES, why=str(malformed))
            return None

    def seats(self) -> tuple[str, ...]:
        """The tags, clockwise; empty unless it is clear who sits where."""
        header = self._need("Seats")
        if header is None:
            return ()
        seats = header.value.split()
        if not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
            self._fault(
                header, Slip.SEAT_COUNT, least=MIN_PLAYERS, most=MAX_PLAYERS, seats=len(seats)
            )
            return ()
        tags = [self._tag(header, seat) for seat in seats]
        for place, tag in enumerate(tags):
            if tag and tag in tags[:place]:
                self._fault(header, Slip.TAG_TWICE, tag=tag)
        return tuple(tags) if "" not in tags and len(set(tags)) == len(tags) else ()

    def _tag(self, header: Header, seat: str) -> str:
        """The tag of a seat; empty if it has none. A seat without a name is still a seat."""
        written, _, name = seat.partition(":")
        tag, rest = split_token(written)
        if not (tag and name) or rest:
            self._fault(header, Slip.BAD_SEAT, text=cut(seat))
        return "" if rest else tag

    def coins(self, tags: tuple[str, ...], rules: Rules | None) -> tuple[int, ...] | None:
        """Coins before round 1; None if too few players own any."""
        header = self._head.find("Coins")
        if header is not None and isinstance(rules, GuessingRules):
            self._fault(header, Slip.NO_SUCH_HEADER, name=header.name)
            header = None
        if header is None or not tags:
            return (START_COINS,) * len(tags)
        coins = self._stated_coins(header, tags)
        found = tuple(coins.get(tag, START_COINS) for tag in tags)
        if sum(map(bool, found)) < MIN_PLAYERS:
            self._fault(header, Slip.TOO_FEW_PLAY)
            return None
        return found

    def _stated_coins(self, header: Header, tags: tuple[str, ...]) -> dict[str, int]:
        """The coins of a header by tag, as far as they can be read."""
        coins: dict[str, int] = {}
        unclear = []
        for text in header.value.split()[: MAX_PLAYERS + 1]:
            tag, sign = split_token(text)
            value = number(sign)
            if tag not in tags or tag in coins or value is None:
                unclear.append(text)
            else:
                coins[tag] = value
        if len(coins) < len(tags) and not unclear:
            unclear.append(header.value)
        for text in unclear:
            self._fault(header, Slip.BAD_COINS, text=cut(text))
        return coins

    def crap(self, tags: tuple[str, ...]) -> int | None:
        """Seat of the first player out of the previous game (R15)."""
        header = self._head.find("Crap")
        if header is None or not tags:
            return None
        if header.value not in tags:
            self._fault(header, Slip.NOBODY, text=cut(header.value))
            return None
        return tags.index(header.value)

    def date(self) -> None:
        """Check the date."""
        header = self._head.find("Date")
        if header and not _DATE.fullmatch(header.value):
            self._fault(header, Slip.BAD_DATE, text=cut(header.value))
