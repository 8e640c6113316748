"""What the house announces of its own accord: customs rather than rules.

All of it follows from the games of a table, so every screen shows the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from protocol.encoding.replacing import replace
from protocol.errors import Illegal, Reason
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import BiddingRules, FirstCaller, GuessingRules, Rules, expects_gloating
from protocol.rules.words import Verdict

if TYPE_CHECKING:
    from protocol.rules.game import Game, PlayedRound


KEPT: Final = 20
"""Number of pronouncements that a table remembers."""


class Pronouncement(Enum):
    """A kind of announcement of the house."""

    STICK = "stick"
    """The lot, or the toss, has fallen to somebody (G1, H3)."""
    HANDS_OUT = "hands-out"
    """All fists are in: in the first round, and whenever fewer play than before."""
    HOOVER = "hoover"
    """Somebody made a big bid although hardly any coins were in the fists."""
    CLIFF = "cliff"
    """A coin that was won by a cliff has been lost again."""
    FIRST_OUT = "first-out"
    """Somebody is the first out of the game, or of the school."""
    LAST_IN = "last-in"
    """One player is left, and has won or pays (R13, H12)."""


@dataclass(frozen=True, slots=True)
class Pronounced:
    """One announcement of the house."""

    what: Pronouncement
    key: bytes | None
    """Public key of the seat that it is about; None if it is about none."""
    ordinal: int
    """How many of the same kind came before it at this table."""
    position: int
    """Position of the log entry that it follows from."""
    rounds: int = 0
    """Number of rounds of its game that were over then."""


@dataclass(frozen=True, slots=True)
class House:
    """The announcements that the house has made at a table."""

    said: tuple[Pronounced, ...] = ()
    """The last announcements, oldest first."""
    counts: Mapping[Pronouncement, int] = field(default_factory=dict)
    """Number of announcements of each kind."""

    def saying(
        self, position: int, what: Pronouncement, key: bytes | None = None, rounds: int = 0
    ) -> House:
        """The house after one more announcement."""
        ordinal = self.counts.get(what, 0)
        said = (*self.said, Pronounced(what, key, ordinal, position, rounds))[-KEPT:]
        return replace(self, said=said, counts={**self.counts, what: ordinal + 1})

    def after_lot(self, game: Game, position: int) -> House:
        """The house after the lot of `game` is drawn: it announces that the stick has fallen to the
        player who opens."""
        if game.round is None or not game.shares:
            return self
        return self.saying(position, Pronouncement.STICK, game.players[game.round.starter].key)

    def after_fists(self, game: Game, position: int) -> House:
        """The house once all fists of a round of `game` are in: it announces that in the first
        round, and whenever fewer play than before."""
        assert game.round is not None
        before = game.past[-1].words.players if game.past else ()
        if len(before) == len(game.round.players):
            return self
        return self.saying(position, Pronouncement.HANDS_OUT, rounds=len(game.past))

    def after_round(self, game: Game, rounds: int, position: int) -> House:
        """The house after a round of `game`, of which the first `rounds` are over."""
        house = self
        for what, seat in _of_round(game, game.past[:rounds]):
            house = house.saying(position, what, game.players[seat].key, rounds)
        return house

    def after_game(self, game: Game, position: int) -> House:
        """The house once `game` is over."""
        if game.winner is None:
            return self
        key = game.players[game.winner].key
        return self.saying(position, Pronouncement.LAST_IN, key, len(game.past))


def is_hoover(played: PlayedRound) -> bool:
    """Whether the last bidder made a big bid although hardly any coins were in the fists.

    That is a bid of at least half of all coins, rightly called too high, with at most a third of
    all coins in the fists.
    """
    return _hoovered(played) is not None


def _hoovered(played: PlayedRound) -> int | None:
    """The seat of the last bidder, if `is_hoover` is true of the round; None otherwise."""
    words, outcome = played.words, played.outcome
    if isinstance(words, GuessingRound) or outcome.verdict is not Verdict.CALL_BID_FALSE:
        return None
    if words.standing is None or outcome.total is None:
        return None
    bidder, bid = words.standing
    return bidder if 2 * bid >= words.most >= 3 * outcome.total else None


def cliff_coins_lost(past: Sequence[PlayedRound]) -> tuple[int, ...]:
    """The seats that lost, in the last of these rounds, a coin that they had won by a cliff.

    The first coin lost after a right cliff counts as the one that was won.
    """
    last = past[-1].outcome
    return tuple(seat for seat, change in last.changes.items()
                 if change < 0 and _won_by_cliff(past[:-1], seat))  # fmt: skip


def _won_by_cliff(past: Sequence[PlayedRound], seat: int) -> bool:
    """Whether the last change of a seat's coins was a coin won by a cliff."""
    changes = (played.outcome for played in reversed(past) if played.outcome.changes.get(seat))
    last = next(changes, None)
    return last is not None and last.verdict is Verdict.CLIFF_RIGHT and last.changes[seat] > 0


def _of_round(game: Game, past: Sequence[PlayedRound]) -> Iterator[tuple[Pronouncement, int]]:
    outcome, bidder = past[-1].outcome, _hoovered(past[-1])
    if bidder is not None:
        yield Pronouncement.HOOVER, bidder
    for seat in cliff_coins_lost(past):
        yield Pronouncement.CLIFF, seat
    is_first = not any(each.outcome.went_out for each in past[:-1]) and game.out_before is None
    if outcome.went_out and is_first:
        yield Pronouncement.FIRST_OUT, outcome.went_out[0]
    if outcome.next_starter is not None and _tosses(game):
        yield Pronouncement.STICK, outcome.next_starter


def _tosses(game: Game) -> bool:
    """Whether the rules of this game toss for the first caller in every round (H11)."""
    rules = game.rules
    return isinstance(rules, GuessingRules) and rules.first_caller is FirstCaller.TOSS


@dataclass(frozen=True, slots=True)
class Gloats:
    """Who may gloat at a table, who has, and who has not; all keys are public keys of seats."""

    winners: frozenset[bytes] = frozenset()
    """Keys that may gloat until the next fist is in."""
    since: int = 0
    """Log length at the end of the round that the winners won; whoever gloats must have seen
    that."""
    gloated: frozenset[bytes] = frozenset()
    """Winners who have gloated."""
    silent: frozenset[bytes] = frozenset()
    """Winners who were expected to gloat and did not; kept until the end of the next game."""

    def after_round(self, game: Game, length: int) -> Gloats:
        """Who may gloat after a round of `game`, in a log of this length."""
        if not isinstance(game.rules, BiddingRules):
            return Gloats(_guessed_right(game), length)
        if game.winner is None:
            return self
        return Gloats(frozenset({game.players[game.winner].key}), length)

    def after_removal(self, game: Game, length: int) -> Gloats:
        """Who may gloat after a seat was taken away from `game` (G5)."""
        if game.winner is None or not isinstance(game.rules, BiddingRules):
            return self
        return self.after_round(game, length)

    def after_fist(self, rules: Rules, able: frozenset[bytes]) -> Gloats:
        """What is left once a fist is in: nobody may gloat any more, and where the rules expect it,
        the winners among the keys `able` who did not are noted."""
        if not self.winners:
            return self
        quiet = (self.winners - self.gloated) & able
        return Gloats(silent=quiet if expects_gloating(rules) else frozenset())

    def gloat(self, key: bytes) -> Gloats:
        """The state after `key` has gloated; raises `Illegal` unless it may."""
        if key not in self.winners:
            raise Illegal(Reason.NOTHING_TO_GLOAT)
        if key in self.gloated:
            raise Illegal(Reason.REPEATED)
        return replace(self, gloated=self.gloated | {key})

    def may_gloat(self, key: bytes) -> bool:
        """Whether `key` may gloat now."""
        return key in self.winners - self.gloated


def _guessed_right(game: Game) -> frozenset[bytes]:
    """Public keys of the seats that left the school by a right guess in the last round (H10)."""
    played = game.past[-1]
    assert isinstance(played.words, GuessingRound)
    return frozenset(game.players[seat].key for seat in played.outcome.went_out)
