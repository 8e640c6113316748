"""The judge of rounds: it plays what a record states on the engine that the table uses.

A round is said, opened and counted again. It is a fault if the engine refuses it, if it cannot be
read, or if the engine counts it differently. Only the first fault of each round is reported.

- A round that the wrong player opens is judged with that player as its starter.
- After a round that can be counted the game stands as counted, and not as the record states; so a
  wrong number of coins neither hides nor causes another fault.
- After any other round the game stands as the record states, if that is clear, and anybody who is
  in may open the next one.
- Where the rules toss for the first caller (H11) anybody may: a record does not hold the toss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Final

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.notation.faults import Fault, Slip, cut
from protocol.notation.records import (
    CheckedRound,
    GameHead,
    Header,
    RoundRecord,
    Token,
)
from protocol.notation.signs import (
    FINED,
    LEAVES,
    LOST,
    NOTHING,
    SHUT,
    SIGNS,
    TAKEN,
    WON,
    Change,
    changes_of,
    is_long_number,
    left_by,
    number,
    split_token,
)
from protocol.rules.game import Round, round_of
from protocol.rules.guessing import ATTEMPTS, Call, GuessingRound
from protocol.rules.options import (
    MAX_PLAYERS,
    START_COINS,
    FirstCaller,
    GuessingRules,
    Impossible,
    Rules,
    Stake,
)
from protocol.rules.stakes import stake_of
from protocol.rules.words import Bid, Direction, RoundOutcome, Verdict, Word


@dataclass(frozen=True, slots=True)
class Terms:
    """How a game names its faults and its result."""

    result: str
    """The clause that decides the result."""
    title: str
    """What that player is called in JSON."""
    hand: str
    """Clause that limits a hand, and requires one of everybody."""
    moves: tuple[str, ...]
    """The signs of changes."""
    loss: str
    """The change for a fist that stays shut."""
    is_over: Slip
    is_gone: Slip
    no_word: Slip
    no_owner: Slip
    differs: Slip


_BIDDING: Final = Terms(
    result="R13",
    title="winner",
    hand="R2",
    moves=(LOST, WON),
    loss=LOST,
    is_over=Slip.GAME_IS_OVER,
    is_gone=Slip.IS_OUT,
    no_word=Slip.NO_WORD,
    no_owner=Slip.SHUT_FISTS,
    differs=Slip.COINS,
)
_GUESSING: Final = Terms(
    result="H12",
    title="payer",
    hand="H4",
    moves=(LEAVES, FINED),
    loss=FINED,
    is_over=Slip.SCHOOL_IS_OVER,
    is_gone=Slip.HAS_LEFT,
    no_word=Slip.NO_CALL,
    no_owner=Slip.SHUT_FISTS_FINED,
    differs=Slip.SCHOOL,
)

_OF_THE_DIRECTION: Final = frozenset(
    {Reason.DIRECTION_RULE, Reason.DIRECTION_FOR_TWO, Reason.DIRECTION_FIXED}
)
"""The fault of the mark after the number, as opposed to the first word."""


_BIDS: Final = lru_cache(maxsize=1024)(Bid)
"""Bids by number: the same few occur in every round."""


class _Wrong(Exception):
    """The first fault of a round, at a token or at the round as a whole."""

    def __init__(
        self, slip: Slip, at: Token | None = None, clause: str = "", /, **values: int | str
    ) -> None:
        super().__init__(slip)
        self._slip, self._at, self._clause, self._values = slip, at, clause, values

    @classmethod
    def unreadable(cls, token: Token, slip: Slip = Slip.UNREADABLE) -> _Wrong:
        """The token makes no sense here."""
        is_long = is_long_number(token.sign)
        return cls(Slip.BIG_NUMBER if is_long else slip, token, text=cut(token.text))

    def of(self, record: RoundRecord) -> Fault:
        """The fault of this round."""
        line = (self._at.line if self._at else 0) or record.line
        clause = self._clause or self._slip.clause
        return Fault(line, record.number, self._slip, clause, self._values)


class Judge:
    """Judges the rounds of one game in their order."""

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
        """The tag that `Result` has to hold: of the last player left; None while the game goes
        on."""
        if self._coins.count(0) < len(self._coins) - 1:
            return None
        return self._tags[self._players[0]]

    @property
    def _players(self) -> list[int]:
        return [seat for seat, coins in enumerate(self._coins) if coins]

    def judge(self, record: RoundRecord) -> CheckedRound:
        """The round recomputed, with its first fault."""
        if last := self.result:
            over = _Wrong(self.terms.is_over, **{self.terms.title: last}).of(record)
            return CheckedRound(record.number, self._is_school, over, coins=self._coins)
        said, fault = self._opening(record)
        hands: dict[int, int] = {}
        outcome: RoundOutcome | None = None
        try:
            for token in record.words:
                said = self._heard(said, token, record.direction)
            # Reading has reported that a round without hands is cut short; it may also lack its
            # last word.
            if record.hands is not None:
                self._check_end(said)
                shut = self._held(said, record.hands, hands)
                outcome = self._counted(said, hands, shut, record)
                self._compare(said, hands, outcome, record)
        except _Wrong as wrong:
            fault = fault or wrong.of(record)
        self._go_on(outcome, record)
        return CheckedRound(
            record.number,
            self._is_school,
            fault,
            self._tags,
            said,
            hands,
            outcome,
            self._coins,
            self._opener,
        )

    # What was said

    def _opening(self, record: RoundRecord) -> tuple[Round, Fault | None]:
        """The round before its first word, and what is wrong with its opener."""
        token, due = _first(record.words), self._opener
        seat = self._seats.get(token.tag) if token else None
        if seat is None or not self._coins[seat]:
            # A bad tag is reported with its word.
            seat = self._players[0] if due is None else due
        said = round_of(self._rules, self._coins, seat)
        if due is None or seat == due:
            return said, None
        slip = Slip.WRONG_OPENER if self._is_first else Slip.WRONG_STARTER
        slip = Slip.WRONG_CALLER if self._is_school else slip
        wrong = _Wrong(slip, token, tag=self._tags[seat], starter=self._tags[due])
        return said, wrong.of(record)

    def _heard(self, said: Round, token: Token, direction: Direction | None) -> Round:
        """The round after one more word (R4 to R10, H5 to H8); the first one turns it."""
        if self._is_school and direction:
            raise _Wrong(Slip.NO_DIRECTION)
        turns = direction is Direction.COUNTER_CLOCKWISE and not said.words
        turn = direction if turns else None
        word = _word(token.sign, self._is_school) if token.tag else None
        if word is None:
            raise _Wrong.unreadable(token, self.terms.no_word)
        try:
            said = said.say(self._seat(token), word, turn)
        except Illegal as illegal:
            values = {**illegal.values, "tag": token.tag, "text": cut(token.text)}
            if "speaker" in values:
                values["speaker"] = self._tags[int(values["speaker"])]
            at = None if illegal.reason in _OF_THE_DIRECTION else token
            raise _Wrong(Slip[illegal.reason.name], at, **values) from None
        if isinstance(said, GuessingRound) and said.calls[-1].taken != token.sign.endswith(TAKEN):
            slip = Slip.CALL_TAKEN if said.calls[-1].taken else Slip.CALL_STANDS
            raise _Wrong(slip, token, text=cut(token.text))
        return said

    def _check_end(self, said: Round) -> None:
        if said.speaker is not None:
            slip = Slip.CALL_MISSING if self._is_school else Slip.NO_ENDING
            raise _Wrong(slip, tag=self._tags[said.speaker])

    # What was held

    def _held(self, said: Round, tokens: Sequence[Token], hands: dict[int, int]) -> list[int]:
        """The seats whose fists stayed shut (G3); opened hands are added to `hands` (R2, H4)."""
        clause, shut, at = self.terms.hand, list[int](), _first(tokens)
        self._stated(tokens, lambda sign: sign == SHUT or number(sign) is not None)
        for token in tokens:
            seat, tag, hand = self._seats[token.tag], token.tag, number(token.sign)
            coins = said.coins[seat]
            if not coins:
                raise _Wrong(self.terms.is_gone, token, tag=tag)
            if hand is None:
                shut.append(seat)
            elif hand > coins:
                raise _Wrong(Slip.HAND_TOO_BIG, token, clause, tag=tag, hand=hand, coins=coins)
            else:
                hands[seat] = hand
        for seat in said.players:
            if seat not in hands and seat not in shut:
                raise _Wrong(Slip.HAND_MISSING, at, clause, tag=self._tags[seat])
        return shut

    def _stated(self, tokens: Iterable[Token], may_be: Callable[[str], object]) -> list[Change]:
        """What tokens state, by seat; only a fine may occur twice for a seat."""
        found: dict[int, Change] = {}
        fines: list[Change] = []
        for token in tokens:
            seat, sign = self._seat(token), token.sign
            if not may_be(sign):
                raise _Wrong.unreadable(token)
            if sign == FINED:
                fines.append((seat, sign))
            elif seat in found:
                raise _Wrong(Slip.TWICE, token, tag=token.tag)
            else:
                found[seat] = (seat, sign)
        return sorted([*found.values(), *fines], key=itemgetter(0))

    def _seat(self, token: Token) -> int:
        seat = self._seats.get(token.tag)
        if seat is not None:
            return seat
        raise _Wrong(Slip.NOBODY, token, text=token.tag) if token.tag else _Wrong.unreadable(token)

    # What it did

    def _counted(
        self, said: Round, hands: Mapping[int, int], shut: Sequence[int], record: RoundRecord
    ) -> RoundOutcome:
        """What the round did (R7 to R14, H7 to H12, G3)."""
        losers = [token.tag for token in record.changes or () if token.sign == self.terms.loss]
        if len(shut) > 1:
            # If several fists stayed shut, the record says which one voids the round.
            shut = [seat for seat in shut if self._tags[seat] in losers]
            if len(shut) != 1:
                raise _Wrong(self.terms.no_owner)
        if shut:
            return said.void(shut[0])
        outcome = said.count(hands)
        if isinstance(said, GuessingRound) and not self._fines(outcome, losers):
            by_clock = replace(said, calls=tuple(self._by_the_clock(said, losers))).count(hands)
            return by_clock if self._fines(by_clock, losers) else outcome
        return outcome

    def _fines(self, outcome: RoundOutcome, fined: Sequence[str]) -> bool:
        """Whether these are the tags of all players that the house fines, once for each fine."""
        return sorted(fined) == sorted(self._tags[seat] for seat in outcome.fined)

    def _by_the_clock(self, said: GuessingRound, fined: Sequence[str]) -> Iterator[Call]:
        """The calls; where the record has no fine, an impossible one may be the clock's (H13).

        A record does not say which calls the clock made: each can only be the lowest free number.
        """
        for call in said.calls:
            is_spared = self._tags[call.seat] not in fined and not said.attempts(call.seat)
            yield replace(call, is_of_house=is_spared and said.may_be_none(call.seat))

    def _compare(
        self, said: Round, hands: Mapping[int, int], outcome: RoundOutcome, record: RoundRecord
    ) -> None:
        """Raise `_Wrong` where the record states something else than the round did."""
        clause = outcome.verdict.clause
        if record.changes is not None:
            at, right = _first(record.changes), changes_of(outcome)
            stated = self._stated(record.changes, self.terms.moves.__contains__)
            total = {} if outcome.total is None else {"total": outcome.total}
            slip = Slip.CHANGES if total else Slip.CHANGES_OF_VOID
            self._hold(slip, at, clause, _moves(right), _moves(stated), **total)
            if isinstance(said, GuessingRound):
                fines = Counter(seat for seat, _ in _fines(stated))
                by = _clause_of_fines(said, hands, outcome, fines)
                self._hold(Slip.FINES, at, by, _fines(right), _fines(stated))
        if record.after is not None:
            at, right = _first(record.after), left_by(said, outcome)
            stated = self._stated(record.after, self._may_be_left)
            self._hold(self.terms.differs, at, clause, right, stated)

    def _hold(
        self,
        slip: Slip,
        at: Token | None,
        clause: str,
        right: Sequence[Change],
        stated: Sequence[Change],
        **values: int,
    ) -> None:
        """Raise `_Wrong` unless the record states what is right."""
        if right != stated:
            texts = {"right": self._text(right), "written": self._text(stated)}
            raise _Wrong(slip, at, clause, **texts, **values)

    def _text(self, changes: Iterable[Change]) -> str:
        return " ".join(f"{self._tags[seat]}{sign}" for seat, sign in changes) or NOTHING

    def _may_be_left(self, sign: str) -> bool:
        return not sign if self._is_school else number(sign) is not None

    def _go_on(self, outcome: RoundOutcome | None, record: RoundRecord) -> None:
        """The state of the game afterwards: as counted, or else as the record states."""
        self._is_first, self._opener = False, None
        if outcome:
            self._coins = outcome.coins
            rules, is_void = self._rules, outcome.verdict is Verdict.VOID
            tossed = isinstance(rules, GuessingRules) and rules.first_caller is FirstCaller.TOSS
            self._opener = outcome.next_starter if is_void or not tossed else None
            return
        try:
            stated = self._stated(record.after or (), self._may_be_left)
        except _Wrong:
            return
        coins = {seat: START_COINS if self._is_school else int(sign) for seat, sign in stated}
        players = set(self._players)
        is_clear = coins.keys() <= players if self._is_school else coins.keys() == players
        if is_clear and any(coins.values()):
            self._coins = tuple(coins.get(seat, 0) for seat in range(len(self._coins)))


def _first(tokens: Sequence[Token]) -> Token | None:
    """Where to report a fault of a whole part: at its first token, if it has one."""
    return tokens[0] if tokens else None


def _word(sign: str, is_call: bool) -> Word | None:
    """The word that a sign stands for; None if it stands for none."""
    if is_call:
        return _bid(sign.removesuffix(TAKEN))
    return SIGNS.get(sign) or _bid(sign)


def _bid(sign: str) -> Bid | None:
    value = number(sign)
    return None if value is None else _BIDS(value)


def _moves(changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if change[1] != FINED]


def _fines(changes: Iterable[Change]) -> list[Change]:
    return [change for change in changes if change[1] == FINED]


def _clause_of_fines(
    said: GuessingRound, hands: Mapping[int, int], outcome: RoundOutcome, stated: Counter[int]
) -> str:
    """The clause of the first fine that is missing or should not be there."""
    right = Counter(outcome.fined)
    wrong = [seat for seat in sorted(right | stated) if right[seat] != stated[seat]]
    if outcome.verdict is Verdict.VOID or not wrong:
        return outcome.verdict.clause
    duplicate = said.attempts(wrong[0]) >= ATTEMPTS
    impossible = not said.is_possible(said.called[wrong[0]], hands[wrong[0]])
    if stated[wrong[0]] > right[wrong[0]]:
        is_allowed = impossible and said.rules.impossible is Impossible.ALLOW
        return "H7" if is_allowed else Slip.FINES.clause
    if duplicate and impossible:
        return Slip.FINES.clause
    return "H8" if duplicate else "H7"


NOBODY: Final = "*"
"""Stands for the payer if nobody in this record pays."""


class StakesCheck:
    """The stakes of one game, while its rounds are judged."""

    def __init__(self, rules: Rules, tags: tuple[str, ...], head: GameHead) -> None:
        self._stake = stake_of(rules)
        self._tags, self._head = tags, head
        self._first_out: str | None = None

    def take(self, checked: CheckedRound) -> None:
        """Note one more judged round."""
        if self._first_out is None and checked.outcome and checked.outcome.went_out:
            self._first_out = self._tags[checked.outcome.went_out[0]]

    def tally(self, winner: str | None) -> dict[str, object]:
        """What `spoof check --json` shows of it at the end; empty if nothing is kept."""
        if self._stake is Stake.POT:
            return {"pot": self._pot, "chips": self._chips(winner)}
        return {"paid": self._payer} if self._stake is Stake.DRINKS else {}

    def faults(self, winner: str | None) -> Iterator[Fault]:
        """The first wrong statement about the stakes, once the rounds are judged."""
        if self._stake is Stake.POT:
            yield from self._faults_of_pot()
            yield from self._faults_of_chips(winner)
        if self._stake is Stake.DRINKS and (header := self._head.find("Paid")) is not None:
            right = self._payer or NOBODY
            if header.value not in (NOBODY, *self._tags):
                yield _fault(header, Slip.NOBODY, text=cut(header.value))
            elif header.value != right:
                yield _fault(header, Slip.WRONG_PAYER, right=right, written=cut(header.value))

    @property
    def _payer(self) -> str | None:
        """The first player out; None if the record goes on from one in which somebody was out
        before."""
        stated, coins = self._head.find("Paid"), self._head.find("Coins")
        goes_on = coins is not None and stated is not None and stated.value == NOBODY
        return None if goes_on else self._first_out

    @property
    def _pot(self) -> int:
        """Chips in the pot: one for each seat, unless the record says otherwise."""
        header = self._head.find("Pot")
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
        header = self._head.find("Pot")
        if header is None:
            return
        stated = number(header.value)
        if stated is None or not self._may_be(stated):
            least, text = len(self._tags), cut(header.value)
            yield _fault(header, Slip.BAD_POT, least=least, most=MAX_PLAYERS, text=text)

    def _faults_of_chips(self, winner: str | None) -> Iterator[Fault]:
        header = self._head.find("Chips")
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


def written(chips: Mapping[str, int]) -> str:
    """Chips by tag as a record writes them: `S+2 D-1 M-1`."""
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
