"""What one game says about one of its players, as counts that can be added up over the years.

A `Fact` is a kind and two numbers; statistics need only how often each occurred. This module knows
no names: seats are indices, and hands are those that were opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from protocol.rules.bidding import BiddingRound
from protocol.rules.guessing import GuessingRound
from protocol.rules.house import is_hoover
from protocol.rules.words import Bid, Ending, Verdict
from spoof_tui.bots.odds import Odds, even_total

if TYPE_CHECKING:
    from protocol.rules.game import PlayedRound

MAX_MISS: Final = 9
"""The largest distance of a number from the total that is told apart; larger ones count as this."""

SOON: Final = 3
"""A coin was lost soon if it was lost within this many rounds."""

MAX_WAIT: Final = 9
"""The most rounds until the loss of a coin that are told apart; more count as this many."""

NEVER: Final = 0
"""Stands for the number of rounds if the coin was not lost in this game."""

TENTHS: Final = 10
"""Number of classes into which odds are divided."""

MAX_COINS: Final = 9
"""The most coins that are told apart; more count as this many."""

ENDINGS: Final = tuple(Ending)

FIRST_WORDS: Final = 14
"""Number of classes of first words: ten for bids, and one for each of the four ending words."""

_BID_CLASSES: Final = FIRST_WORDS - len(ENDINGS)
_MIDDLE: Final = 4
"""The class of a bid that fits an empty hand."""


class Kind(IntEnum):
    """The kind of an event, with what its two numbers are; the values are stored in the history's
    file."""

    PLACE = 1
    """A game ended: the number of players, and my place."""
    BID = 2
    """I bid: how far above the total."""
    ENDING = 3
    """I said an ending word: which one and its odds (`odds_class`), and whether it was right."""
    DOUBTED = 4
    """My bid was called: whether it was good."""
    FIRST_WORD = 5
    """My first word of a round: my coins and the word (`said_class`), and my hand."""
    CLIFF = 6
    """Somebody won a coin by cliff: rounds until they lost one, or `NEVER`; whether that was me."""
    STEADY = 7
    """Somebody began a round with coins: whether they lost one within `SOON` rounds."""
    HOOVER = 8
    """A Hoover occurred: whether the bid was mine."""
    GUESS = 9
    """I called a number in the guessing game: how far above the total."""
    ROUND = 10
    """I played a round: my coins, and my hand."""


class Fact(NamedTuple):
    """An event of a kind, with up to two numbers."""

    kind: Kind
    first: int = 0
    second: int = 0


Facts = Counter[Fact]


def facts_of(rounds: Sequence[PlayedRound], me: int) -> Facts:
    """How often each fact about seat `me` occurred in these rounds of a game."""
    found: Facts = Counter()
    for played in rounds:
        found.update(_round(played, me))
    found.update(_losses(rounds, me))
    return found


def _round(played: PlayedRound, me: int) -> Iterator[Fact]:
    # Counting needs none of the rules.

    said, hand, total = played.words, played.hands.get(me), played.outcome.total
    if is_hoover(played) and isinstance(said, BiddingRound) and said.standing:
        yield Fact(Kind.HOOVER, int(said.standing[0] == me))
    if hand is None or total is None or not said.coins[me]:
        return
    yield Fact(Kind.ROUND, min(said.coins[me], MAX_COINS), min(hand, MAX_COINS))
    if isinstance(said, GuessingRound):
        if me in said.called:
            yield Fact(Kind.GUESS, _miss(said.called[me] - total))
        return
    yield from _words(said, played, me, hand, total)


def _words(
    said: BiddingRound, played: PlayedRound, me: int, hand: int, total: int
) -> Iterator[Fact]:
    own = [word for seat, word in said.words if seat == me]
    if own:
        yield Fact(Kind.FIRST_WORD, said_class(said, me, own[0]), min(hand, MAX_COINS))
    for word in own:
        if isinstance(word, Bid):
            yield Fact(Kind.BID, _miss(word.number - total))
        else:
            right = played.outcome.verdict.ender_is_right
            yield Fact(Kind.ENDING, odds_class(said, me, hand, word), int(right))
    if said.ending is Ending.CALL and said.standing and said.standing[0] == me:
        yield Fact(Kind.DOUBTED, int(total >= said.standing[1]))


def _miss(above: int) -> int:
    return max(-MAX_MISS, min(above, MAX_MISS))


# Odds


def odds_class(said: BiddingRound, me: int, hand: int, word: Ending) -> int:
    """Ten times the index of `word`, plus the tenth (0 to 9) into which its chance of being right
    falls.

    The chance is that of a player who holds `hand` and takes all other hands to be equally likely.
    """
    others = sorted(coins for seat, coins in enumerate(said.coins) if coins and seat != me)
    odds = Odds(hand, even_total(tuple(others)), said.most)
    bid = said.standing[1] if said.standing else 0
    tenth = min(int(odds.true(word, bid) * TENTHS + 1e-9), TENTHS - 1)
    return ENDINGS.index(word) * TENTHS + tenth


# What a word gives away


def said_class(said: BiddingRound, me: int, word: Bid | Ending) -> int:
    """My coins times `FIRST_WORDS`, plus the class of the word.

    The class of a bid is that of the hand that would make it true if the others hide half their
    coins.
    """
    coins = min(said.coins[me], MAX_COINS)
    if isinstance(word, Bid):
        fits = word.number - (said.most - said.coins[me] + 1) // 2
        spoken = max(0, min(fits + _MIDDLE, _BID_CLASSES - 1))
    else:
        spoken = _BID_CLASSES + ENDINGS.index(word)
    return coins * FIRST_WORDS + spoken


# How soon coins are lost


def _losses(rounds: Sequence[PlayedRound], me: int) -> Iterator[Fact]:
    """For each player and round whether a coin was lost soon; for each cliff that won one, how
    soon."""
    for place, played in enumerate(rounds):
        if not isinstance(played.words, BiddingRound):
            continue
        for seat in played.words.players:
            lost = _wait(rounds[place : place + SOON], seat)
            yield Fact(Kind.STEADY, int(lost != NEVER))
        if played.outcome.verdict is Verdict.CLIFF_RIGHT:
            winner = played.outcome.ender
            yield Fact(Kind.CLIFF, _wait(rounds[place + 1 :], winner), int(winner == me))


def _wait(rounds: Sequence[PlayedRound], seat: int) -> int:
    """The number, from 1, of the first round in which the seat lost a coin, at most `MAX_WAIT`;
    `NEVER` if it lost none."""
    for number, played in enumerate(rounds, 1):
        if played.outcome.changes.get(seat, 0) < 0:
            return min(number, MAX_WAIT)
    return NEVER


# Who took coins from whom


def takers(played: PlayedRound, me: int) -> Iterator[tuple[int, int]]:
    """The seats that took a coin from `me` in a round, each paired with 1, and those that lost one
    to `me`, with -1."""
    said, outcome = played.words, played.outcome
    if not isinstance(said, BiddingRound) or outcome.verdict is Verdict.VOID:
        return
    rival = said.standing[0] if said.standing else None
    if said.ending is Ending.ZERO:
        yield from _zero(played, me)
    elif rival is None or rival == outcome.ender or said.ending is Ending.SPOOF:
        return
    else:
        loser = next((seat for seat, change in outcome.changes.items() if change < 0), None)
        if loser == me and me in (rival, outcome.ender):
            yield (outcome.ender if rival == me else rival), 1
        elif loser is not None and me in (rival, outcome.ender):
            yield loser, -1


def _zero(played: PlayedRound, me: int) -> Iterator[tuple[int, int]]:
    ender = played.outcome.ender
    if played.outcome.verdict is not Verdict.ZERO_RIGHT:
        return
    if me in played.outcome.changes:
        yield ender, 1
    elif me == ender:
        yield from ((seat, -1) for seat in played.outcome.changes)
