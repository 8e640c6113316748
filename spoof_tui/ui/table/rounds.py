"""What the counted rounds of a game show of its players: nothing that the table has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from protocol.rules.game import PlayedRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.words import Bid, Ending


@dataclass(slots=True)
class Tally:
    """What one seat has been seen to hold and to say."""

    hid: Counter[int] = field(default_factory=Counter)
    """How often it held so many coins, of the fists that opened."""
    bids: int = 0
    """Bids, or calls of the guessing game, in rounds that were counted."""
    good: int = 0
    """Those of them that were there: as many coins or more, or just as many as were called."""
    endings: int = 0
    """Words with which it opened the fists."""
    right: int = 0
    """Those of them that were right."""


def tallies(past: Sequence[PlayedRound], seats: int) -> list[Tally]:
    """The tally of every seat, by index; a round with a shut fist only shows hands (G3)."""
    told = [Tally() for _seat in range(seats)]
    for played in past:
        for seat, hand in played.hands.items():
            told[seat].hid[hand] += 1
        total = played.outcome.total
        if total is None:
            continue
        exact = isinstance(played.words, GuessingRound)
        for seat, bid in _bids(played):
            told[seat].bids += 1
            told[seat].good += total == bid if exact else total >= bid
        if not exact:
            ender = told[played.outcome.ender]
            ender.endings += 1
            ender.right += played.outcome.verdict.ender_is_right
    return told


def _bids(played: PlayedRound) -> list[tuple[int, int]]:
    if isinstance(played.words, GuessingRound):
        return list(played.words.called.items())
    return [(seat, word.number) for seat, word in played.words.words if isinstance(word, Bid)]


@dataclass(frozen=True, slots=True)
class Bluff:
    """A bid that was far above the bidder's own hand, and that nobody called a lie."""

    seat: int
    bid: int
    hand: int
    round: int
    """Number of the round among those that were counted, from 1."""


def boldest_bluff(past: Sequence[PlayedRound]) -> Bluff | None:
    """The bid that was furthest above its own hand and did not cost its bidder a coin."""
    bluffs = [
        Bluff(seat, bid, played.hands[seat], number)
        for number, played in enumerate(past, 1)
        if not isinstance(played.words, GuessingRound)
        for seat, bid in _bids(played)
        if seat in played.hands and played.outcome.changes.get(seat, 0) >= 0
    ]
    return max(bluffs, key=lambda each: each.bid - each.hand, default=None)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A right call."""

    seat: int
    short: int
    """How many coins were missing."""
    round: int
    """Number of the round among those that were counted, from 1."""


def sharpest_doubt(past: Sequence[PlayedRound]) -> Doubt | None:
    """The right call of a bid that was only just too high."""
    doubts = [
        Doubt(played.outcome.ender, played.words.standing[1] - played.outcome.total, number)
        for number, played in enumerate(past, 1)
        if not isinstance(played.words, GuessingRound)
        and played.words.ending is Ending.CALL
        and played.words.standing
        and played.outcome.total is not None
        and played.outcome.verdict.ender_is_right
    ]
    return min(doubts, key=lambda each: each.short, default=None)


def coins_by_round(past: Sequence[PlayedRound], seat: int) -> list[int]:
    """The coins of a seat after each round."""
    return [played.outcome.coins[seat] for played in past]


def out_in(past: Sequence[PlayedRound]) -> Mapping[int, int]:
    """In which round each seat went out (R12) or left the school (H10), by seat."""
    return {
        seat: number for number, played in enumerate(past, 1) for seat in played.outcome.went_out
    }


def places(past: Sequence[PlayedRound], seats: int) -> list[int]:
    """The seats from the winner down; who went out later stands higher.

    In the guessing game whoever left first is the best, and the last one pays (H12).
    """
    out = out_in(past)
    if past and isinstance(past[0].words, GuessingRound):
        return sorted(range(seats), key=lambda seat: out.get(seat, len(past) + 1))
    return sorted(range(seats), key=lambda seat: -out.get(seat, len(past) + 1))
