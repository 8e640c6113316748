"""One game at a table: its players, the finished rounds, and the running one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from protocol.crypto.seals import SealedHand, SealedShare, SealPlace, draw_lot, draw_toss
from protocol.encoding.replacing import replace
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.rules.bidding import BiddingRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import MIN_PLAYERS, START_COINS, BiddingRules, GuessingRules, Rules
from protocol.rules.words import Direction, RoundOutcome, Word, next_in

Round = BiddingRound | GuessingRound
"""One round of either game: who may speak, what was said, and how it is counted."""


def round_of(rules: Rules, coins: tuple[int, ...], starter: int) -> Round:
    """The round that `starter` opens under these rules; the only function that chooses between the
    two games."""
    if isinstance(rules, GuessingRules):
        return GuessingRound(rules, coins, starter)
    assert isinstance(rules, BiddingRules)
    return BiddingRound(rules, coins, starter)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A finished round."""

    words: Round
    """What was said, with the coins at the start."""
    hands: Mapping[int, int]
    """The opened hands in coins, by seat; a fist that stayed shut is absent (G3)."""
    outcome: RoundOutcome
    """What the round changed."""


@dataclass(frozen=True, slots=True)
class GamePlayer:
    """Somebody who plays in this game."""

    key: bytes
    """Public key of the seat."""
    name: ForeignText
    """The name at the start of the game."""
    seal: bytes
    """The seal of the player's share of the lot."""


@dataclass(frozen=True)
class Game:
    """A game from its lot to its winner. Seats are indices into `players`, clockwise."""

    table: bytes
    """Table id."""
    number: int
    """Number of the game at this table, from 1."""
    rules: Rules
    players: tuple[GamePlayer, ...]
    started: int
    """When the game started, in milliseconds since 1970."""
    crap: int | None = None
    """Seat of the first player out of the previous game, if that seat opens this one (R15); None
    otherwise."""
    silent: frozenset[bytes] = frozenset()
    """Public keys of those who won the previous game and did not gloat although it was expected;
    known once the first fist is in (S4)."""
    shares: Mapping[int, bytes] = field(default_factory=dict)
    """Opened shares of the lot, by seat."""
    round: Round | None = None
    """The round that is running; None before the lot is drawn and after the end."""
    seals: Mapping[int, bytes] = field(default_factory=dict)
    """Seals of the fists that have been put in this round, by seat."""
    witnesses: frozenset[int] = frozenset()
    """Seats that have confirmed the ending word of this round."""
    hands: Mapping[int, int] = field(default_factory=dict)
    """The opened hands of this round in coins, by seat; a seat without a seal holds none by G3."""
    nonces: tuple[bytes, ...] = ()
    """Nonces of the fists that are open this round, for the toss (H11)."""
    past: tuple[PlayedRound, ...] = ()
    """The rounds that are over."""
    removed: Mapping[int, int] = field(default_factory=dict)
    """Seats whose coins left the table, each with the number of rounds that were over then (G5)."""
    voided: int = 0
    """Number of rounds that are void because a seat was taken away during them; nothing else of
    them is kept (G5)."""
    carried: tuple[int, ...] = ()
    """Coins of every seat at the start, if the game continues from an old table (G8); otherwise
    empty."""
    out_before: bytes | None = None
    """Public key of the first player who went out of this game at an old table (G8); None if nobody
    did."""

    @cached_property
    def round_number(self) -> int:
        """Number of the running round, from 1; at the end of the game that of the last one, and 0
        before the first."""
        return len(self.past) + self.voided + (1 if self.round else 0)

    @cached_property
    def coins(self) -> tuple[int, ...]:
        """Coins of every seat now."""
        coins = self.carried or (START_COINS,) * len(self.players)
        if self.past:
            coins = self.past[-1].outcome.coins
        if not self.removed:
            return coins
        return tuple(0 if seat in self.removed else count for seat, count in enumerate(coins))

    @cached_property
    def winner(self) -> int | None:
        """The last seat still in: it won (R13), or it pays (H12); None while the game goes on."""
        if self.removed and self.round is None:
            return next(seat for seat, coins in enumerate(self.coins) if coins)
        return self.past[-1].outcome.winner if self.past else None

    @property
    def first_out(self) -> int | None:
        """The first seat that went out; None if nobody did, or if somebody did before at an old
        table (G8)."""
        if self.out_before is not None:
            return None
        return next((p.outcome.went_out[0] for p in self.past if p.outcome.went_out), None)

    @property
    def next_crap(self) -> bytes | None:
        """Public key of the first player out, who is crap in the next game (R15); None if nobody
        went out."""
        first = self.first_out
        return self.out_before if first is None else self.players[first].key

    @cached_property
    def seats(self) -> Mapping[bytes, int]:
        """Index of each player, by public key."""
        return {player.key: seat for seat, player in enumerate(self.players)}

    def toss(self, seat: int, share: bytes, nonce: bytes) -> Game:
        """The game with this share of the lot open; the last share picks who opens (G1). Raises
        `Illegal`."""
        if seat in self.shares:
            raise Illegal(Reason.OPENED_ALREADY)
        player = self.players[seat]
        sealed = SealedShare(SealPlace(self.table, self.number, 0, player.key), share, nonce)
        if not sealed.opens(player.seal):
            raise Illegal(Reason.WRONG_SHARE)
        shares = {**self.shares, seat: share}
        game = replace(self, shares=shares)
        if len(shares) < len(self.players):
            return game
        ordered = [shares[index] for index in range(len(shares))]
        return game.with_round(draw_lot(self.table, self.number, ordered))

    def without(self, seat: int) -> Game:
        """The game after the coins of `seat` left the table (G5).

        Before the first fist of a round is in, next(seat) opens the round if `seat` was to, in the
        direction of the last round. A round that has begun is void, and next(seat) opens another
        one, in its direction.
        """
        running, has_begun = self._running, bool(self.seals)
        direction = self.past[-1].words.direction if self.past else Direction.CLOCKWISE
        game = replace(
            self,
            removed={**self.removed, seat: len(self.past)},
            voided=self.voided + has_begun,
            crap=None if (has_begun or seat == self.crap) and not self.past else self.crap,
        )
        if len(game.coins) - game.coins.count(0) < MIN_PLAYERS:
            return replace(game, round=None)
        if has_begun:
            return game.with_round(next_in(game.coins, seat, running.direction))
        opens = seat == running.starter
        return game.with_round(next_in(game.coins, seat, direction) if opens else running.starter)

    def with_round(self, starter: int) -> Game:
        """The game with a new round, which `starter` opens (R2, R14)."""
        return replace(
            self,
            round=round_of(self.rules, self.coins, starter),
            seals={},
            witnesses=frozenset(),
            hands={},
            nonces=(),
        )

    @property
    def shares_missing(self) -> tuple[int, ...]:
        """Seats whose share of the lot is not open yet."""
        return tuple(seat for seat in range(len(self.players)) if seat not in self.shares)

    @property
    def speakers(self) -> tuple[int, ...]:
        """The seat that speaks next; empty once the ending word is said."""
        speaker = self._running.speaker
        return () if speaker is None else (speaker,)

    def put_in(self, seat: int, seal: bytes) -> Game:
        """The game with one more fist in (R2, R3); raises `Illegal`."""
        if seat in self.hands:
            raise Illegal(Reason.HOLDS_NONE)
        if seat in self.seals:
            raise Illegal(Reason.FIST_IS_IN)
        if not self.coins[seat]:
            raise Illegal(self._why_out)
        return replace(self, seals={**self.seals, seat: seal})

    def hold_none(self, seat: int) -> Game:
        """The game in which the fist of `seat`, which is not in, counts as empty, for all to see
        (G3)."""
        return replace(self, hands={**self.hands, seat: 0})

    @cached_property
    def fists_missing(self) -> tuple[int, ...]:
        """Seats whose fist is not in yet."""
        there = (*self.seals, *self.hands)
        return tuple([seat for seat in self._running.players if seat not in there])

    def say(self, seat: int, word: Word, direction: Direction | None) -> Game:
        """The game after a word (R4 to R10); raises `Illegal`."""
        return replace(self, round=self._running.say(seat, word, direction))

    def say_none(self, seat: int) -> Game:
        """The game after `seat` "calls none" because it does not answer: bid 1 as the opening word,
        otherwise a call; in the guessing game the lowest free number (G3)."""
        return self.say(seat, self._running.none, None)

    def say_for(self, seat: int) -> Game:
        """The game after the clock has spoken for a seat (G4): as `say_none`, but in the guessing
        game the call counts as the house's (H13)."""
        game = self.say_none(seat)
        if not isinstance(game.round, GuessingRound):
            return game
        *calls, last = game.round.calls
        return replace(
            game, round=replace(game.round, calls=(*calls, replace(last, is_of_house=True)))
        )

    def witness(self, seat: int) -> Game:
        """The game after `seat`, which has a fist in, has confirmed the ending word; raises
        `Illegal`."""
        self._check_sealed(seat)
        if seat == self.ender:
            raise Illegal(Reason.OWN_ENDING)
        if seat in self.witnesses:
            raise Illegal(Reason.REPEATED)
        return replace(self, witnesses=self.witnesses | {seat})

    @cached_property
    def witnesses_missing(self) -> tuple[int, ...]:
        """Seats that have a fist in and have not confirmed the ending word."""
        there = (*self.witnesses, self.ender)
        return tuple([seat for seat in self.seals if seat not in there])

    @cached_property
    def ender(self) -> int | None:
        """Seat whose word ended the running round; None before that word."""
        running = self._running
        return running.words[-1][0] if running.is_over else None

    def open(self, seat: int, coins: int, nonce: bytes) -> Game:
        """The game with one more fist open; the last one ends the round (R11). Raises `Illegal`."""
        self._check_sealed(seat)
        if seat in self.hands:
            raise Illegal(Reason.OPENED_ALREADY)
        if coins > self.coins[seat]:
            raise Illegal(Reason.HAND_TOO_BIG, coins=self.coins[seat])
        place = SealPlace(self.table, self.number, self.round_number, self.players[seat].key)
        if not SealedHand(place, coins, nonce).opens(self.seals[seat]):
            raise Illegal(Reason.WRONG_OPENING)
        hands, nonces = {**self.hands, seat: coins}, (*self.nonces, nonce)
        game = replace(self, hands=hands, nonces=nonces)
        return game if game.fists_shut else game.counted()

    def _check_sealed(self, seat: int) -> None:
        """Raise `Illegal` unless the seat has put a fist in this round."""
        if seat not in self.seals:
            raise Illegal(Reason.HOLDS_NONE if seat in self.hands else self._why_out)

    @cached_property
    def fists_shut(self) -> tuple[int, ...]:
        """Seats whose fist is in and still shut."""
        return tuple([seat for seat in self.seals if seat not in self.hands])

    def counted(self) -> Game:
        """The game after the count of a round whose fists are all open (R11 to R14)."""
        running = self._running
        if isinstance(running, GuessingRound):
            # Nobody knew all nonces before the fists opened, so nobody could aim the toss.
            lot = draw_toss(self.table, self.number, self.round_number, sorted(self.nonces))
            outcome = running.count(self.hands, lot)
        else:
            outcome = running.count(self.hands)
        return self._after(outcome)

    def void(self, owner: int) -> Game:
        """The game after a round that is void because the fist of `owner` stayed shut (G3)."""
        return self._after(self._running.void(owner))

    def _after(self, outcome: RoundOutcome) -> Game:
        played = PlayedRound(self._running, self.hands, outcome)
        game = replace(self, past=(*self.past, played), round=None)
        return game if outcome.next_starter is None else game.with_round(outcome.next_starter)

    @property
    def _why_out(self) -> Reason:
        """Why a seat without coins has no fist: it is out (R12), or has left the school (H10)."""
        return Reason.HAS_LEFT if isinstance(self.rules, GuessingRules) else Reason.IS_OUT

    @property
    def _running(self) -> Round:
        if self.round is None:
            raise Illegal(Reason.NO_GAME)
        return self.round
