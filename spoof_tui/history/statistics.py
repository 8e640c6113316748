"""Statistics about the player, computed from the sums of facts in the history."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.rules.words import Ending
from spoof_tui.history.facts import (
    ENDINGS,
    FIRST_WORDS,
    NEVER,
    SOON,
    TENTHS,
    Fact,
    Facts,
    Kind,
)
from spoof_tui.history.queries import Months, Rival, months, rivals, sums

MIN_ROUNDS: Final = 30
"""The fewest rounds that allow a statement on how readable the player is."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many of a total were right."""

    right: int
    all: int

    @property
    def share(self) -> float:
        """The share that is right; 0 if the total is 0."""
        return self.right / self.all if self.all else 0.0


@dataclass(frozen=True, slots=True)
class Readable:
    """How much my first word of a round reveals about my hand."""

    rounds: int
    guessed: float
    """The share of rounds in which a guesser who knows my habits and my first word finds my
    hand."""
    blind: float
    """The share in which the guesser finds the hand without the word."""
    bits: float
    """Mutual information of word and hand as a share of the hand's entropy, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Everything on the page of statistics."""

    games: int
    won: int
    places: Mapping[int, Mapping[int, int]]
    """How often I finished in each place: by the number of players, then by place."""
    bids: Mapping[int, int]
    """How many of my bids were each number of coins above the total; negative: below."""
    guesses: Mapping[int, int]
    """How many of my calls in the guessing game were each number of coins above the total."""
    odds: Mapping[Ending | None, tuple[Score, ...]]
    """How often my ending words were right, by tenths of their odds; under None, all words
    together."""
    doubted: Score
    """How many of my bids that were called were good."""
    readable: Readable
    hands: Mapping[int, Mapping[int, int]]
    """How often I hid each number of coins: by the coins I owned, then by the hand."""
    cliffs: Score
    """How many of the coins that I won by cliff were lost soon."""
    all_cliffs: Score
    """How many of the coins that anybody won by cliff were lost soon."""
    steady: Score
    """How many rounds of all players were soon followed by a lost coin, to compare with cliffs."""
    hoovers: int
    """Hoovers that I bid."""
    all_hoovers: int
    rivals: tuple[Rival, ...]
    months: Months


def statistics(preset: str | None = None) -> Callable[[sqlite3.Connection], Statistics]:
    """The query for all statistics, of one preset or of all games."""

    def ask(connection: sqlite3.Connection) -> Statistics:
        known, rows = tuple(rivals(connection, preset)), months(connection, preset)
        return _told(sums(connection, preset), known, rows)

    return ask


def _told(facts: Facts, known: tuple[Rival, ...], rows: Months) -> Statistics:
    places = _nested((fact.first, fact.second, n) for fact, n in _of(facts, Kind.PLACE))
    return Statistics(
        games=sum(games for _month, games, _won in rows),
        won=sum(won for _month, _games, won in rows),
        places=places,
        bids={fact.first: n for fact, n in _of(facts, Kind.BID)},
        guesses={fact.first: n for fact, n in _of(facts, Kind.GUESS)},
        odds=_odds(facts),
        doubted=Score(
            facts[Fact(Kind.DOUBTED, 1)], sum(n for _fact, n in _of(facts, Kind.DOUBTED))
        ),
        readable=readable(facts),
        hands=_nested((fact.first, fact.second, n) for fact, n in _of(facts, Kind.ROUND)),
        cliffs=_cliffs(facts, (1,)),
        all_cliffs=_cliffs(facts, (0, 1)),
        steady=Score(facts[Fact(Kind.STEADY, 1)], sum(n for _f, n in _of(facts, Kind.STEADY))),
        hoovers=facts[Fact(Kind.HOOVER, 1)],
        all_hoovers=sum(n for _fact, n in _of(facts, Kind.HOOVER)),
        rivals=known,
        months=rows,
    )


def _of(facts: Facts, kind: Kind) -> Iterable[tuple[Fact, int]]:
    return ((fact, n) for fact, n in sorted(facts.items()) if fact.kind is kind)


def _nested(triples: Iterable[tuple[int, int, int]]) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for first, second, n in triples:
        found.setdefault(first, {})[second] = n
    return found


def _odds(facts: Facts) -> dict[Ending | None, tuple[Score, ...]]:
    counted: Counter[tuple[Ending | None, int, int]] = Counter()
    for fact, n in _of(facts, Kind.ENDING):
        word, tenth = divmod(fact.first, TENTHS)
        for each in (ENDINGS[word], None):
            counted[each, tenth, fact.second] += n
    return {
        word: tuple(
            Score(counted[word, tenth, 1], counted[word, tenth, 0] + counted[word, tenth, 1])
            for tenth in range(TENTHS)
        )
        for word in (*ENDINGS, None)
    }


def _cliffs(facts: Facts, whose: tuple[int, ...]) -> Score:
    waits = Counter[int]()
    for fact, n in _of(facts, Kind.CLIFF):
        if fact.second in whose:
            waits[fact.first] += n
    soon = sum(n for wait, n in waits.items() if wait != NEVER and wait <= SOON)
    return Score(soon, sum(waits.values()))


# How readable


def readable(facts: Facts) -> Readable:
    """How much first words reveal about hands, over all numbers of coins owned."""
    counts: dict[int, Counter[tuple[int, int]]] = {}
    for fact, n in _of(facts, Kind.FIRST_WORD):
        coins, said = divmod(fact.first, FIRST_WORDS)
        counts.setdefault(coins, Counter())[said, fact.second] += n
    rounds = sum(sum(each.values()) for each in counts.values())
    if not rounds:
        return Readable(0, 0.0, 0.0, 0.0)
    guessed = sum(_guessed(each) for each in counts.values()) / rounds
    blind = sum(_guessed(_without_words(each)) for each in counts.values()) / rounds
    return Readable(rounds, guessed, blind, _given_away(counts.values()))


def _without_words(counts: Counter[tuple[int, int]]) -> Counter[tuple[int, int]]:
    blind: Counter[tuple[int, int]] = Counter()
    for (_said, hand), n in counts.items():
        blind[0, hand] += n
    return blind


def _guessed(counts: Counter[tuple[int, int]]) -> float:
    """The expected number of rounds in which a guesser is right who names the hand most often seen
    with that word.

    The round itself is left out, since the guesser has not seen it.
    """
    by_word: dict[int, Counter[int]] = {}
    for (said, hand), n in counts.items():
        by_word.setdefault(said, Counter())[hand] += n
    right = 0.0
    for hands in by_word.values():
        for hand, n in hands.items():
            others = [count for other, count in hands.items() if other != hand]
            most = max(others, default=0)
            if n - 1 > most or not others:
                right += n if n > 1 else 0.0
            elif n - 1 == most and most:
                right += n / (1 + others.count(most))
    return right


def _given_away(counts: Iterable[Counter[tuple[int, int]]]) -> float:
    """The share of the hand's entropy that the word reveals, 0 to 1.

    What a few rounds would seem to reveal by chance alone is subtracted (the Miller–Madow
    correction).
    """
    told = asked = 0.0
    for each in counts:
        n = sum(each.values())
        words, hands = Counter[int](), Counter[int]()
        for (said, hand), count in each.items():
            words[said] += count
            hands[hand] += count
        asked += n * _entropy(hands, n)
        shared = _entropy(words, n) + _entropy(hands, n) - _entropy(each, n)
        told += n * shared - (len(words) - 1) * (len(hands) - 1) / (2 * math.log(2))
    return min(max(told / asked, 0.0), 1.0) if asked else 0.0


def _entropy(counts: Counter[int] | Counter[tuple[int, int]], n: int) -> float:
    """The entropy in bits of a distribution given by counts; `n` is their sum."""
    # Python 3.11's `sum` rounds differently from that of later versions.
    return -math.fsum(count / n * math.log2(count / n) for count in counts.values() if count)
