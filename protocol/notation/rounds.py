"""Checks rounds: what a record states is played again by the same rules as at the table.

The words of a round are said, its fists opened and its coins counted again. It is a fault if the
rules refuse a word, if a hand cannot be shown, or if the record ends the round differently. Only
the first fault of each round is reported.

- A round that the wrong player opens is played with that player as its starter.
- After a round that can be counted the game stands as counted, and not as the record states; so a
  wrong number of coins neither hides nor causes another fault.
- After any other round the game stands as the record states, if that is clear, and anybody who is
  in may open the next one.
- Where the rules toss for the first caller (H11), anybody may open: no record holds the toss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from protocol.encoding.replacing import replace
from protocol.errors import Illegal
from protocol.notation.faults import NOTATION, Fault, FaultKind, cut
from protocol.notation.lookalikes import meant
from protocol.notation.records import CheckedRound, RecordToken, RoundRecord
from protocol.notation.signs import (
    FINED,
    NOTHING,
    SHUT,
    SIGNS,
    TAKEN,
    Change,
    changes_of,
    left_by,
    number,
)
from protocol.rules.game import Round, round_of
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import START_COINS, FirstCaller, GuessingRules, Rules
from protocol.rules.words import Bid, Direction, RoundOutcome, Verdict, Word


class _Terms(NamedTuple):
    """The clauses of one of the two games, for the faults of its rounds."""

    hand: str
    """Clause about hands: their size, and whose are shown."""
    ending: str
    """Clause about when the fists open."""
    opener: str
    """Clause about who opens a round."""
    result: str
    """Clause about who is the last one still in."""
    title: str
    """The name of the field for the last player still in in JSON: "winner" or "payer"."""


_BIDDING: Final = _Terms("R2", "R5", "R14", "R13", "winner")
_GUESSING: Final = _Terms("H4", "H5", "H11", "H12", "payer")

_BIDS: Final = lru_cache(maxsize=1024)(Bid)
"""Bids by number: the same few occur in every round."""


class _Wrong(Exception):
    """The first fault of a round, raised while it is played."""

    def __init__(
        self, kind: FaultKind, clause: str = NOTATION, /, **values: int | str | Illegal
    ) -> None:
        super().__init__(kind)
        self._kind, self._clause, self._values = kind, clause, values

    def of(self, record: RoundRecord) -> Fault:
        """The fault, placed in the round `record`."""
        return Fault(record.line, record.number, self._kind, self._clause, self._values)


class RoundCheck:
    """Plays the rounds of one game again, in order."""

    def __init__(
        self, rules: Rules, tags: Sequence[str], coins: tuple[int, ...], opener: int | None
    ) -> None:
        self._rules = rules
        self._is_school = isinstance(rules, GuessingRules)
        self.terms: Final = _GUESSING if self._is_school else _BIDDING
        self._tags = tuple(tags)
        self._seats = {tag: seat for seat, tag in enumerate(tags)}
        self._coins = coins
        self._opener = opener if opener is not None and coins[opener] else None
        self._is_first = True

    @property
    def result(self) -> str | None:
        """The tag of the last player still in; None while the game goes on."""
        left = self._players
        return None if len(left) > 1 else self._tags[left[0]]

    @property
    def _players(self) -> list[int]:
        return [seat for seat, coins in enumerate(self._coins) if coins]

    def check(self, record: RoundRecord) -> CheckedRound:
        """The round worked out anew, with its first fault; the next call continues from its
        result."""
        if not record.tags <= self._seats.keys():
            record = record.respelt(self._respelt)
        if left := self.result:
            over = _Wrong(FaultKind.IS_OVER, self.terms.result, tag=left).of(record)
            return CheckedRound(record.number, self._is_school, over, coins=self._coins)
        said, wrong = self._opening(record.words)
        hands: dict[int, int] = {}
        outcome: RoundOutcome | None = None
        try:
            for token in record.words:
                said = self._heard(said, token, record.direction)
            if record.hands is None or record.changes is None or record.after is None:
                raise _Wrong(FaultKind.INCOMPLETE)
            if said.speaker is not None:
                raise _Wrong(FaultKind.NO_ENDING, self.terms.ending, tag=self._tags[said.speaker])
            hands = self._held(said, record.hands)
            changes, after = _texts(record.changes), _texts(record.after)
            outcome = self._counted(said, hands, changes)
            self._compare(said, outcome, changes, after)
        except _Wrong as first:
            wrong = wrong or first
        self._go_on(outcome, record.after or ())
        return CheckedRound(
            record.number,
            self._is_school,
            wrong.of(record) if wrong else None,
            self._tags,
            said,
            hands,
            outcome,
            self._coins,
            self._opener,
        )

    def _respelt(self, token: RecordToken) -> RecordToken:
        """The token with the known tag that its tag looks like."""
        if token.tag in self._seats:
            return token
        return RecordToken(meant(token.tag, self._tags), token.sign)

    def _opening(self, words: Sequence[RecordToken]) -> tuple[Round, _Wrong | None]:
        """The round before its first word, and what is wrong with its opener; None if nothing
        is."""
        due = self._opener
        seat = self._seats.get(words[0].tag) if words else None
        if seat is None or not self._coins[seat]:
            # A bad tag is reported with its word.
            seat = self._players[0] if due is None else due
        said = round_of(self._rules, self._coins, seat)
        if due is None or seat == due:
            return said, None
        clause = "R15" if self._is_first else self.terms.opener
        values = {"tag": self._tags[seat], "starter": self._tags[due]}
        return said, _Wrong(FaultKind.WRONG_STARTER, clause, **values)

    def _heard(self, said: Round, token: RecordToken, direction: Direction | None) -> Round:
        """The round after one more word (R4 to R10, H5 to H8); raises `_Wrong`. `direction` applies
        to the first word."""
        seat, word = self._seats.get(token.tag), self._word(token.sign)
        if word is None or not token.tag:
            forms = "S12 S12?" if self._is_school else "S4 S! S= S0 Smax"
            raise _Wrong(FaultKind.NO_WORD, text=cut(token.text), forms=forms)
        if seat is None:
            raise _Wrong(FaultKind.NOBODY, text=token.tag)
        turns = direction is Direction.COUNTER_CLOCKWISE or self._is_school
        turn = direction if turns and not said.words else None
        try:
            said = said.say(seat, word, turn)
        except Illegal as illegal:
            values = dict(illegal.values)
            if "speaker" in values:
                values["speaker"] = self._tags[int(values["speaker"])]
            why = Illegal(illegal.reason, **values)
            text = f"{turn.value} {token.text}" if turn else token.text
            raise _Wrong(FaultKind.REFUSED, why.reason.clause, text=cut(text), why=why) from None
        if isinstance(said, GuessingRound):
            right = f"{token.tag}{said.calls[-1].number}{TAKEN * said.calls[-1].taken}"
            if token.text != right:
                raise _Wrong(FaultKind.WRONG_MARK, "H8", text=token.text, right=right)
        return said

    def _word(self, sign: str) -> Word | None:
        """The word that a sign stands for; None if it stands for no word."""
        if not self._is_school:
            return SIGNS.get(sign) or _bid(sign)
        return _bid(sign.removesuffix(TAKEN)) or SIGNS.get(sign)

    def _held(self, said: Round, tokens: Sequence[RecordToken]) -> dict[int, int]:
        """The opened hands by seat (R2, H4); fists that stayed shut are absent (G3)."""
        hands: dict[int, int] = {}
        players = [self._tags[seat] for seat in said.players]
        if tokens and not any(token.tag for token in tokens):
            raise _Wrong(FaultKind.NO_HAND, text=cut(tokens[0].text))
        if sorted(token.tag for token in tokens) != sorted(players):
            raise _Wrong(FaultKind.HANDS, self.terms.hand, tags=" ".join(players))
        for token in tokens:
            seat, hand = self._seats[token.tag], number(token.sign)
            if hand is None and token.sign != SHUT:
                raise _Wrong(FaultKind.NO_HAND, text=cut(token.text))
            if hand is not None and hand > said.coins[seat]:
                owned, clause = said.coins[seat], self.terms.hand
                raise _Wrong(FaultKind.HAND_TOO_BIG, clause, tag=token.tag, hand=hand, coins=owned)
            if hand is not None:
                hands[seat] = hand
        return hands

    def _counted(
        self, said: Round, hands: Mapping[int, int], changes: Sequence[str]
    ) -> RoundOutcome:
        """What the round changed (R7 to R14, H7 to H12, G3): of the possible outcomes the one that
        the record states, otherwise the likeliest; raises `_Wrong` if several fists stayed shut."""
        shut = [seat for seat in said.players if seat not in hands]
        outcomes = [*map(said.void, shut)] or [*self._counts(said, hands, changes)]
        stated = [each for each in outcomes if _same(self._changes(each), changes)]
        if not stated and len(shut) > 1:
            raise _Wrong(FaultKind.SHUT_FISTS, "G3")
        return (stated or outcomes)[0]

    def _counts(
        self, said: Round, hands: Mapping[int, int], changes: Sequence[str]
    ) -> Iterator[RoundOutcome]:
        """The possible counts of a round without a shut fist.

        The second one, in the guessing game, takes every impossible call that is not fined and can
        have been the clock's as the clock's (H13), since a record does not say which were.
        """
        yield said.count(hands)
        if isinstance(said, GuessingRound):
            fined = {change.removesuffix(FINED) for change in changes if change.endswith(FINED)}
            calls = tuple(
                replace(
                    call,
                    is_of_house=self._tags[call.seat] not in fined
                    and not said.attempts(call.seat)
                    and said.may_be_none(call.seat),
                )
                for call in said.calls
            )
            yield replace(said, calls=calls).count(hands)

    def _compare(
        self, said: Round, outcome: RoundOutcome, changes: Sequence[str], after: Sequence[str]
    ) -> None:
        """Raise `_Wrong` if the record ends the round differently than the rules do."""
        right, left = self._changes(outcome), self._texts(left_by(said, outcome))
        if _same(right, changes) and _same(left, after):
            return
        text = " ".join([*(right or NOTHING), "=", *left])
        if outcome.total is None:
            raise _Wrong(FaultKind.WRONG_END_OF_VOID, outcome.verdict.clause, right=text)
        is_of_fines = _same(left, after) and _same(_moves(right), _moves(changes))
        clause = "H13" if is_of_fines else outcome.verdict.clause
        raise _Wrong(FaultKind.WRONG_END, clause, right=text, total=outcome.total)

    def _changes(self, outcome: RoundOutcome) -> list[str]:
        return self._texts(changes_of(outcome))

    def _texts(self, changes: Iterable[Change]) -> list[str]:
        return [f"{self._tags[seat]}{sign}" for seat, sign in changes]

    def _go_on(self, outcome: RoundOutcome | None, after: Sequence[RecordToken]) -> None:
        """Set the coins and opener of the next round: as counted, otherwise as the record
        states."""
        self._is_first, self._opener = False, None
        if outcome:
            self._coins = outcome.coins
            rules, is_void = self._rules, outcome.verdict is Verdict.VOID
            tossed = isinstance(rules, GuessingRules) and rules.first_caller is FirstCaller.TOSS
            self._opener = outcome.next_starter if is_void or not tossed else None
            return
        left: dict[int, int] = {}
        for token in after:
            seat, coins = self._seats.get(token.tag), number(token.sign)
            if self._is_school:
                coins = None if token.sign else START_COINS
            if seat is None or coins is None or seat in left or not self._coins[seat]:
                return
            left[seat] = coins
        if any(left.values()) and (self._is_school or len(left) == len(self._players)):
            self._coins = tuple(left.get(seat, 0) for seat in range(len(self._coins)))


def _texts(tokens: Iterable[RecordToken]) -> list[str]:
    return [token.text for token in tokens]


def _same(right: Sequence[str], stated: Sequence[str]) -> bool:
    """Whether both contain the same tokens, in any order."""
    return right == stated or sorted(right) == sorted(stated)


def _moves(changes: Iterable[str]) -> list[str]:
    return [change for change in changes if not change.endswith(FINED)]


def _bid(sign: str) -> Bid | None:
    value = number(sign)
    return None if value is None else _BIDS(value)
