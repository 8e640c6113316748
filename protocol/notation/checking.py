"""Checks records: headers, numbers, results and stakes; `rounds` checks the rounds.

If rules, seats or coins cannot be read, rounds are only read and numbered, not played.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from protocol.errors import Malformed
from protocol.limits import MAX_RULES
from protocol.notation.faults import NOTATION, Fault, FaultKind, cut
from protocol.notation.lookalikes import aligned, meant, plain, skeleton
from protocol.notation.records import (
    CheckedRound,
    GameEnd,
    GameHead,
    GameRecord,
    Header,
    Piece,
    RoundRecord,
)
from protocol.notation.rounds import RoundCheck
from protocol.notation.signs import (
    NOBODY,
    UNFINISHED,
    chips_text,
    number,
    split_token,
    won_chips,
)
from protocol.rules.options import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    START_COINS,
    GuessingRules,
    Rules,
    Stake,
    expects_gloating,
)
from protocol.rules.stakes import stake_of

MAX_FAULTS: Final = 10_000
"""Maximum faults of one game that are reported: more than a person reads, and few enough to hold in
memory."""

_DATE: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game whose headers have been checked."""

    rules: str | None
    """The rules in their shortest form; None if they cannot be read."""
    seats: tuple[str, ...]
    """Tags of the seats, clockwise; empty if they cannot be read."""
    coins: tuple[int, ...] = ()
    """Coins of each seat before round 1; empty if the rounds cannot be played."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """The end of a game's record, as the rules work it out."""

    winner: str | None
    """Tag of the last player still in, who won (R13) or pays (H12); None if the game goes on."""
    title: str = "winner"
    """The name of the field for that player in JSON: "winner" or "payer"."""
    tally: Mapping[str, object] = field(default_factory=dict)
    """The stake, as JSON shows it: pot and chips (S1), or who paid for the round of drinks (S2)."""

    def as_json(self) -> dict[str, object]:
        """The end of the game as `spoof check --json` shows it."""
        return {self.title: self.winner, **self.tally}


Judged = GameBegun | CheckedRound | Fault | GameOver
"""A result of checking: the beginning, rounds and end of every game, and faults anywhere."""


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """One game with everything worked out anew from its record."""

    rules: str | None
    """The rules in their shortest form; None if they cannot be read."""
    seats: tuple[str, ...]
    """Tags of the seats, clockwise; empty if they cannot be read."""
    rounds: tuple[CheckedRound, ...]
    """Every round of the record."""
    end: GameOver
    """Who won or pays, and the stake."""
    faults: tuple[Fault, ...]
    """All faults, in the order of their lines."""


def check(record: GameRecord) -> CheckedGame:
    """The game worked out anew from its headers, words and hands, with every fault."""
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
    """The results of checking these pieces, one after the other; a fault comes before the piece
    that it belongs to."""
    check = _GameCheck()
    for piece in pieces:
        yield from check.take(piece)
        if isinstance(piece, GameEnd):
            check = _GameCheck()


class _GameCheck:
    """Checks one game, piece by piece."""

    def __init__(self) -> None:
        self._head = GameHead((), 1)
        self._rounds: RoundCheck | None = None
        self._stake, self._pot = Stake.NONE, 0
        self._tags: tuple[str, ...] = ()
        self._count = 0
        self._last = 0
        """Number of the last round, as written."""
        self._first_out: str | None = None
        """Tag of the first player who went out."""
        self._told = 0
        """Number of faults reported so far."""
        self._given_up = False

    def take(self, piece: Piece) -> Iterator[Judged]:
        """The results of checking one piece; after too many faults only the end of the game."""
        for found in () if self._given_up else self._judged(piece):
            self._told += isinstance(found, Fault)
            if isinstance(found, Fault) and self._told > MAX_FAULTS:
                yield Fault.at(found.line, None, FaultKind.TOO_MANY_FAULTS, most=MAX_FAULTS)
                self._given_up, self._rounds = True, None
                break
            yield found
        if isinstance(piece, GameEnd):
            yield self._over()

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
        rules = yield from self._rules()
        self._tags = yield from self._seats()
        coins = yield from self._coins(isinstance(rules, GuessingRules))
        opener = yield from self._seat("Crap")
        yield from self._seat("Silent")
        if rules and not expects_gloating(rules):
            yield from self._derived("Silent", None, "S4")
        date = head.find("Date")
        if date and not _DATE.fullmatch(plain(date.value)):
            yield _fault(date, FaultKind.BAD_DATE, text=cut(date.value))
        if rules and coins:
            self._stake = stake_of(rules)
            self._rounds = RoundCheck(rules, self._tags, coins, None if rules.draws_lot else opener)
            self._pot = yield from self._chips_in_pot()
        yield GameBegun(rules.text if rules else None, self._tags, coins)

    def _need(self, name: str) -> Generator[Fault, None, Header | None]:
        """The header of this name, which every game needs; yields a fault and returns None if it is
        missing."""
        header = self._head.find(name)
        if header is None:
            yield Fault.at(self._head.line, None, FaultKind.NO_HEADER, name=name)
        return header

    def _rules(self) -> Generator[Fault, None, Rules | None]:
        """The rules; None, and a fault, if they cannot be read."""
        header = yield from self._need("Rules")
        if header is None:
            return None
        try:
            if len(header.value) > MAX_RULES:
                raise Malformed(f"they have more than {MAX_RULES} characters")
            return Rules.parse(skeleton(header.value))
        except Malformed as malformed:
            yield _fault(header, FaultKind.BAD_RULES, why=str(malformed))
            return None

    def _seats(self) -> Generator[Fault, None, tuple[str, ...]]:
        """The tags, clockwise; empty if it is not clear who sits where. A seat without a name still
        counts as a seat."""
        header = yield from self._need("Seats")
        seats = aligned(header.value).split() if header else []
        if header and not MIN_PLAYERS <= len(seats) <= MAX_PLAYERS:
            yield _wrong_number_of_players(header, len(seats))
            return ()
        tags: list[str] = []
        for seat in seats:
            written, _, name = seat.partition(":")
            tag, rest = split_token(written)
            if header and (rest or not (tag and name) or tag in tags):
                yield _fault(header, FaultKind.BAD_SEAT, text=cut(seat))
            tags.append("" if rest else tag)
        return tuple(tags) if "" not in tags and len(set(tags)) == len(tags) else ()

    def _coins(self, is_school: bool) -> Generator[Fault, None, tuple[int, ...]]:
        """Coins of each seat before round 1; empty if the rounds cannot be played."""
        if is_school:
            yield from self._derived("Coins", None, "H4")
        header = self._head.find("Coins")
        if header is None or is_school or not self._tags:
            return (START_COINS,) * len(self._tags)
        tokens = plain(header.value).split()
        stated = {meant(tag, self._tags): number(n) for tag, n in map(split_token, tokens)}
        coins = tuple([n for tag in self._tags if (n := stated.get(tag)) is not None])
        if not len(coins) == len(tokens) == len(self._tags):
            yield _fault(header, FaultKind.BAD_COINS, text=cut(header.value))
            return ()
        if (players := sum(map(bool, coins))) < MIN_PLAYERS:
            yield _wrong_number_of_players(header, players)
            return ()
        return coins

    def _seat(self, name: str) -> Generator[Fault, None, int | None]:
        """The index of the seat whose tag the header `name` holds; None without that header, or if
        the tag is unknown."""
        header = self._head.find(name)
        if header is None or not self._tags:
            return None
        tag = meant(plain(header.value), self._tags)
        if tag not in self._tags:
            yield _fault(header, FaultKind.NOBODY, text=cut(header.value))
            return None
        return self._tags.index(tag)

    def _chips_in_pot(self) -> Generator[Fault, None, int]:
        """Chips in the pot: one for each seat, unless the record states another number."""
        least, header = len(self._tags), self._head.find("Pot")
        if header is None or self._stake is not Stake.POT:
            return least
        stated = number(plain(header.value))
        if stated is None or not least <= stated <= MAX_PLAYERS:
            text = cut(header.value)
            yield _fault(header, FaultKind.BAD_POT, least=least, most=MAX_PLAYERS, text=text)
            return least
        return stated

    def _derived(self, name: str, right: str | None, clause: str) -> Iterator[Fault]:
        """The fault of a header whose value follows from the rest of the record, if it is there and
        wrong. `right` is the right value; None if these rules have no such header."""
        header = self._head.find(name)
        if header is None:
            return
        if right is None:
            yield _fault(header, FaultKind.HEADER_APART, clause, name=name)
        elif sorted(map(skeleton, header.value.split())) != sorted(map(skeleton, right.split())):
            yield _fault(header, FaultKind.WRONG_HEADER, clause, name=name, right=right)

    def _round(self, record: RoundRecord) -> Iterator[Judged]:
        self._count += 1
        # Accept both the right number and the one after a wrong number: one slip is one fault.
        if record.number not in (self._count, self._last + 1):
            values = {"right": self._count, "written": record.number}
            yield Fault.at(record.line, record.number, FaultKind.WRONG_NUMBER, **values)
        self._last = record.number
        checked = self._rounds.check(record) if self._rounds else CheckedRound(record.number)
        if not self._first_out and checked.outcome and checked.outcome.went_out:
            self._first_out = self._tags[checked.outcome.went_out[0]]
        if checked.fault:
            yield checked.fault
        yield checked

    def _end(self) -> Iterator[Fault]:
        yield from self._need("Result")
        if self._rounds is None:
            return
        left, clause = self._rounds.result, self._rounds.terms.result
        yield from self._derived("Result", left or UNFINISHED, clause)
        if self._stake is Stake.POT:
            chips = self._chips
            yield from self._derived("Chips", chips_text(chips) if chips else None, "S1")
        if self._stake is Stake.DRINKS:
            yield from self._derived("Paid", self._payer or NOBODY, "S2")

    @property
    def _chips(self) -> Mapping[str, int] | None:
        """Chips won and lost, by tag; None while nobody has won."""
        left = self._rounds.result if self._rounds else None
        return won_chips(self._tags, left, self._pot) if left else None

    @property
    def _payer(self) -> str | None:
        """The tag of the first player out, who pays; None if the record continues another one in
        which somebody was out before."""
        stated = self._head.find("Paid")
        goes_on = self._head.find("Coins") and stated and stated.value == NOBODY
        return None if goes_on else self._first_out

    def _over(self) -> GameOver:
        if self._rounds is None:
            return GameOver(None)
        left, tally = self._rounds.result, dict[str, object]()
        if self._stake is Stake.POT:
            tally = {"pot": self._pot, "chips": self._chips}
        if self._stake is Stake.DRINKS:
            tally = {"paid": self._payer}
        return GameOver(left, self._rounds.terms.title, tally)


def _fault(
    header: Header, kind: FaultKind, clause: str = NOTATION, /, **values: int | str
) -> Fault:
    return Fault.at(header.line, None, kind, clause, **values)


def _wrong_number_of_players(header: Header, players: int) -> Fault:
    values = {"least": MIN_PLAYERS, "most": MAX_PLAYERS, "players": players}
    return _fault(header, FaultKind.PLAYERS, "G6", **values)
