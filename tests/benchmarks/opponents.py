"""The strength of the bots: each of their aims, played or computed afresh."""

from __future__ import annotations

import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

import spoof_tui.bots.heads_up as heads_up
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS, Rules
from protocol.rules.words import Direction, Word
from protocol.views import TableView
from spoof_tui.bots.guessing import call_plan
from spoof_tui.bots.judging import any_hand
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind, hand_odds, odds_of
from spoof_tui.bots.odds import even_total
from spoof_tui.bots.tournament import (
    PLANS,
    Mind,
    SimpleMind,
    Spot,
    TournamentPlan,
    dice,
    play_game,
    play_one,
    share_of,
    view_of_round,
)
from spoof_tui.bots.values import winning_chances
from tests.benchmarks.coaching import coached
from tests.benchmarks.figures import SURE, Amount, Chance, Delay, Figure
from tests.benchmarks.recounting import recounted
from tests.solver.calls import best_against, of_table
from tests.solver.game import START, Game
from tests.solver.responder import Responder, trained
from tests.solver.shipped import strategies
from tests.solver.simple import WAITS, WANTED, simple
from tests.solver.tables import information, told_by

AHEAD: Final = 1.32
"""How many times its fair share hard wins at least, alone among simple players."""

SEATS: Final = (3, 4, 6)

AT_LEAST: Final = 100
"""Games played for every figure, and more until the result is `SURE` errors from its aim."""

SCHOOLS: Final = (2, 4, 6)

CALLERS: Final = ("mode", "value", "random")
"""Callers of the mode, of their own best, and of random numbers."""

BEATEN: Final = {Level.EASY: 0.96, Level.MEDIUM: 0.67, Level.HARD: 0.51}
"""The most that any opponent wins face to face who knows everything that the level does."""

HALF: Final = 0.5
"""The least that an honest beginner wins against easy, and the most that a mere waiter does."""

EASY_BY_HARD: Final = 0.62
"""How often hard wins at least against easy, face to face."""

OPENING_TELLS: Final = 0.10
"""Bits that the first word of hard reveals of its hand, with three or more players."""

RESPONDER: Final = 1.2
"""The most, in fair shares, that a player taught to beat hard wins."""

LEFT: Final = {Level.EASY: 0.645, Level.MEDIUM: 0.53, Level.HARD: 0.51}
"""How often a level is left behind at most, as one of the last two of a school, by an opponent who
knows everything that it does."""

TELLS: Final = 0.02
"""Bits that the first word of hard reveals of its hand."""

DEEP: Final = 12
"""Coins up to which a game without a cap is computed: more than the tables cover."""

SHIPPED: Final = 1_000_000
"""Bytes of all tables."""

POSITIONS: Final = (
    ("three-coins", (1, 3, 2)),
    ("milan", (2, 1, 2)),
    ("bid-spoof", (3, 1, 1)),
    ("milan", (1, 2, 3)),
    ("milan", (4, 1, 2)),
    ("three-coins", (3, 3, 3)),
    ("three-coins", (2, 3, 1, 1)),
    ("milan", (1, 3, 2, 2)),
    ("bid-spoof", (2, 2, 1, 3)),
)
"""Coins from the opener on."""

OFF: Final = 0.02
"""The most that they may be off."""

PACE: Final = 0.03
"""How far thinking time goes with the hand."""

PROCESSES: Final = 2

SLOWEST: Final = 0.05
"""Seconds of a word at nine seats, and of loading the tables."""


def _likeliest(spot: Spot) -> int:
    """The mode of the total, whatever the player's own hand is."""
    total = even_total(tuple(sorted(coins for coins in spot.coins if coins)))
    return max(range(len(total)), key=total.__getitem__)


_MODE: Final = TournamentPlan(any_hand, PLANS["value"].word, _likeliest)


def measure(count: int = 1000) -> list[Figure]:
    """Play up to this many games of every company; each result is printed at once, too."""
    # One thread each: there are two processes, and more threads only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    found: dict[int, list[Figure]] = {}
    with multiprocessing.get_context("spawn").Pool(PROCESSES) as pool:
        for index, part in pool.imap_unordered(_figures, enumerate(_parts(count))):
            for figure in part:
                row = figure.row()
                print(f"{row.name}: {row.measured}, aim {row.aim}", file=sys.stderr, flush=True)
            found[index] = part
    return [figure for index in sorted(found) for figure in found[index]]


def _figures(part: tuple[int, Callable[[], Iterable[Figure]]]) -> tuple[int, list[Figure]]:
    return part[0], list(part[1]())


def _parts(count: int) -> list[Callable[[], Iterable[Figure]]]:
    """What is measured side by side; what takes longest comes first."""
    return [
        partial(recounted, 100),
        partial(_responders, count),
        *(partial(_crowds, size, plan, count) for size in reversed(SEATS) for plan in PLANS),
        partial(_schools, count),
        partial(coached, 4000),
        partial(_positions, 4 * count),
        _told,
        *(partial(_best_responses, preset) for preset in BIDDING_PRESETS),
        _speed,
    ]


def _crowds(size: int, plan: str, count: int) -> Iterator[Figure]:
    yield from (_alone(preset, size, plan, count) for preset in BIDDING_PRESETS)


def _schools(count: int) -> Iterator[Figure]:
    for size in SCHOOLS:
        yield from (_school(size, plan, count) for plan in CALLERS)
    for level, aim in LEFT.items():
        left = best_against(of_table(call_plan(level)))
        yield Chance(f"the last two: {level.value} is left by its best opponent", left, 0.0, aim)


def _told() -> Iterator[Figure]:
    """What the words and the time of hard tell, and how well it is foreseen."""
    for size in SEATS:
        told = opening_bits(size)
        yield Chance(f"bits told by the first word among {size}", told, 0.0, OPENING_TELLS)
    yield _foreseen(300)
    yield _pace(5000)


def _speed() -> Iterator[Figure]:
    yield Delay("a word at nine seats", _words(3), SLOWEST)
    yield Delay("the tables, loaded", _loading(), SLOWEST)
    yield Amount("the tables", [sum(each.stat().st_size for each in _tables())], SHIPPED)


def _alone(preset: str, size: int, plan: str, games: int) -> Chance:
    minds = [Level.HARD.value, *[plan] * (size - 1)]
    name = f"{preset}: hard among {size - 1} {plan}"
    return _share(name, preset, minds, games, AHEAD / size, least=True)


def _school(size: int, plan: str, games: int) -> Chance:
    name = f"hollywood: hard pays among {size - 1} {plan}"
    return _share(name, "hollywood", [Level.HARD.value, *[plan] * (size - 1)], games, 1 / size)


def _share(
    name: str, rules: str, players: Sequence[str], games: int, aim: float, least: bool = False
) -> Chance:
    """How often the first of the players wins, or pays."""

    def first(number: int) -> bool:
        throws = dice(1, number)
        minds = [_mind(player, random.Random(throws.random())) for player in players]
        return play_one(minds, Rules.parse(rules), 1, number).entry == 0

    return _counted(name, first, games, aim, least)


def _counted(
    name: str, happens: Callable[[int], bool], games: int, aim: float, least: bool = False
) -> Chance:
    """How often that happens, in as many games as it takes to know which side of the aim it is
    on."""
    found = number = 0
    sure = False
    while number < games and not sure:
        found += happens(number)
        number += 1
        part, error = share_of(found, number)
        sure = number >= AT_LEAST and abs(part - aim) > SURE * error
    return Chance(f"{name} (n={number})", part, error, aim, least)


def _mind(player: str, rng: random.Random) -> Mind:
    plans = {**PLANS, "mode": _MODE}
    return SimpleMind(plans[player], rng) if player in plans else BotMind(Level(player), rng)


def _responders(games: int) -> Iterator[Chance]:
    net = trained(SEATS)
    for size in SEATS:

        def first(number: int, others: int = size - 1) -> bool:
            throws = dice(2, number)
            minds: list[Mind] = [Responder(net, random.Random(throws.random()))]
            minds += [BotMind(Level.HARD, random.Random(throws.random())) for _ in range(others)]
            return play_one(minds, Rules.parse("milan"), 2, number).entry == 0

        name = f"milan: trained against {size - 1} hard"
        yield _counted(name, first, games, RESPONDER / size)


def _foreseen(games: int) -> Chance:
    """How far the winning chances of four are off, by tenths, in games of hard."""
    tenths: dict[int, list[tuple[float, bool]]] = {}
    for number in range(games):
        minds = [BotMind(Level.HARD, random.Random(f"{number} {seat}")) for seat in range(4)]
        game = play_game(minds, BIDDING_PRESETS["milan"], number % 4)
        for each in game:
            coins = each.words.coins
            chances = winning_chances(each.words.rules, coins, each.words.starter)
            for seat, chance in enumerate(chances if len(each.words.players) > 2 else ()):
                tenths.setdefault(int(10 * chance), []).append(
                    (chance, seat == game[-1].outcome.winner)
                )
    known = sum(map(len, tenths.values()))
    off = sum(abs(sum(chance - won for chance, won in each)) for each in tenths.values())
    error = sum(c * (1 - c) for each in tenths.values() for c, _ in each) ** 0.5
    return Chance("chances to win with three and more are off by", off / known, error / known, 0.03)


def _positions(games: int) -> Iterator[Chance]:
    """How far the chances to win are off in positions of unequal coins, beside games of hard."""
    for preset, coins in POSITIONS:
        rules, won = BIDDING_PRESETS[preset], [0] * len(coins)
        for number in range(games):
            minds = [
                BotMind(Level.HARD, random.Random(f"{number} {seat}")) for seat in range(len(coins))
            ]
            winner = play_game(minds, rules, 0, coins=coins)[-1].outcome.winner
            if winner is not None:
                won[winner] += 1
        told = winning_chances(rules, coins, 0)
        off, error = max(
            (abs(chance - count / games), share_of(count, games)[1])
            for chance, count in zip(told, won, strict=True)
        )
        name = f"{preset}: chances to win with {','.join(map(str, coins))} are off by"
        yield Chance(name, off, error, OFF)


def _pace(words: int) -> Chance:
    """How far the thinking time of hard goes with its hand: the correlation."""
    mind = _Timed(0)
    hands: list[int] = []
    times: list[float] = []
    running = BiddingRound(BIDDING_PRESETS["milan"], (3, 3, 3, 3), 0)
    view = view_of_round(running, 0)
    for _ in range(words):
        hands.append(mind.choose_hand(view))
        mind.choose_word(view, hands[-1])
        times.append(mind.think_seconds(view))
    related = abs(statistics.correlation(hands, times))
    return Chance("thinking time and hand", related, words**-0.5, PACE)


def _best_responses(preset: str) -> Iterator[Chance]:
    game = Game(BIDDING_PRESETS[preset], DEEP)
    for level, aim in BEATEN.items():
        plays = strategies(game, preset, level)
        won = sum(game.chances(plays)) / 2
        yield Chance(f"{preset}: its best opponent against {level.value}", won, 0.0, aim)
    yield from _beginners(game, preset)
    told = information(plays[START])
    yield Chance(f"{preset}: bits told by the first word of hard", told, 0.0, TELLS)


def _beginners(game: Game, preset: str) -> Iterator[Chance]:
    """What simple players and hard win against weaker levels, computed exactly."""
    levels = {level: strategies(game, preset, level) for level in Level}
    waits = simple(game, WAITS)
    for level, plays in levels.items():
        won = sum(game.chances(plays, waits)) / 2
        yield Chance(f"{preset}: {WAITS} against {level.value}", won, 0.0, HALF)
    easy = levels[Level.EASY]
    for name in (each for each in WANTED if each != WAITS):
        won = sum(game.chances(easy, simple(game, name))) / 2
        yield Chance(f"{preset}: {name} against easy", won, 0.0, HALF, least=True)
    won = sum(game.chances(easy, levels[Level.HARD])) / 2
    yield Chance(f"{preset}: hard against easy", won, 0.0, EASY_BY_HARD, least=True)


def opening_bits(players: int) -> float:
    """Bits that the first word of hard reveals, by its own odds of hands and words.

    With three coins each, before anything is known about anybody.
    """
    view = view_of_round(BiddingRound(BIDDING_PRESETS["milan"], (3,) * players, 0), 0)
    hands = np.array(hand_odds(view, Level.HARD))
    said = [odds_of(view, hand, Level.HARD) for hand in range(len(hands))]
    words = list(dict.fromkeys(word for each in said for word in each))
    odds = np.array([[each.get(word, 0.0) for word in words] for each in said])
    return told_by(hands, odds)


class _Timed(BotMind):
    """A bot that notes how long each word takes."""

    def __init__(self, seed: int) -> None:
        super().__init__(Level.HARD, random.Random(seed))
        self.seconds: list[float] = []

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        begun = time.thread_time()
        said = super().choose_word(view, hand)
        self.seconds.append(time.thread_time() - begun)
        return said


def _words(games: int) -> list[float]:
    """Seconds of every word that hard says at nine seats."""
    minds = [_Timed(seat) for seat in range(9)]
    for number in range(games):
        play_one(minds, Rules.parse("milan"), 3, number)
    return [seconds for mind in minds for seconds in mind.seconds]


def _tables() -> list[Path]:
    return list(Path(heads_up.__file__).parent.glob("*.zip"))


def _loading() -> list[float]:
    """Seconds from nothing to the first hand and word by a table, and by the network."""
    program = (
        "import time; begun = time.thread_time();"
        "from spoof_tui.bots import heads_up, learned;"
        "read = time.thread_time();"
        "heads_up.table_of(heads_up.member('milan', heads_up.Level.HARD, 4, 4));"
        "learned.learned_network(); learned.learned_hands(4, 3);"
        "print(time.thread_time() - read)"
    )
    return [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(5)]
