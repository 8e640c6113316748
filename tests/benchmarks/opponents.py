"""What the bots are worth: every aim of theirs, played or computed anew."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Final

from protocol.rules.options import BIDDING_PRESETS, Rules
from protocol.rules.words import Direction, Word
from protocol.views import TableView
from spoof_tui.bots.arena import Mind, play_game
from spoof_tui.bots.dice import any_hand
from spoof_tui.bots.levels import Level
from spoof_tui.bots.odds import even_total
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.simple import PLANS, Plan, SimpleMind, Spot
from spoof_tui.bots.tournament import dice, play_one, share_of
from spoof_tui.bots.values import winning_chances
from tests.benchmarks.figures import Chance, Delay, Figure
from tests.solver.calls import best_against, of_table
from tests.solver.game import Game
from tests.solver.responder import Responder, trained
from tests.solver.shipped import last_two, strategies

AHEAD: Final = 1.32
"""How many times its fair share hard wins at least, alone among simple players."""

SEATS: Final = (3, 4, 6)

SCHOOLS: Final = (2, 4, 6)

CALLERS: Final = ("mode", "value", "random")
"""Callers of the mode, of their own best, and of random numbers."""

BEATEN: Final = {Level.EASY: 0.60, Level.MEDIUM: 0.55, Level.HARD: 0.51}
"""How often anybody wins at most, face to face; so no fixed plan wins more often."""

RESPONDER: Final = 0.30
LEAVES_FIRST: Final = 0.42

SLOWEST: Final = 0.05
"""Seconds of a word at nine seats, and of loading the tables."""


def _likeliest(spot: Spot) -> int:
    """The mode of the total, whatever the own hand is."""
    total = even_total(tuple(sorted(coins for coins in spot.coins if coins)))
    return max(range(len(total)), key=total.__getitem__)


_MODE: Final = Plan(any_hand, PLANS["value"].word, _likeliest)


def measure(count: int = 300) -> list[Figure]:
    """Play so many games of every company."""
    return [
        *(_alone(preset, size, plan, count)
          for preset in BIDDING_PRESETS for size in SEATS for plan in PLANS),
        _responder(2 * count),
        *(_school(size, plan, count) for size in SCHOOLS for plan in CALLERS),
        Chance("leaves first against its best opponent", 1 - best_against(of_table(last_two())),
               0.0, LEAVES_FIRST, least=True),
        *_best_responses(),
        _foreseen(count),
        Delay("a word at nine seats", _words(max(count // 100, 1)), SLOWEST),
        Delay("the tables, loaded", _loading(), SLOWEST),
    ]  # fmt: skip


def _alone(preset: str, size: int, plan: str, games: int) -> Chance:
    won, error = _share(preset, [Level.HARD.value, *[plan] * (size - 1)], games)
    aim = AHEAD / size
    return Chance(f"{preset}: hard among {size - 1} {plan}", won, error, aim, least=True)


def _school(size: int, plan: str, games: int) -> Chance:
    pays, error = _share("hollywood", [Level.HARD.value, *[plan] * (size - 1)], games)
    return Chance(f"hollywood: hard pays among {size - 1} {plan}", pays, error, 1 / size)


def _share(rules: str, players: Sequence[str], games: int) -> tuple[float, float]:
    """How often the first of the players wins, or pays."""
    found = 0
    for number in range(games):
        throws = dice(1, number)
        minds = [_mind(player, random.Random(throws.random())) for player in players]
        found += play_one(minds, Rules.parse(rules), 1, number).entry == 0
    return share_of(found, games)


def _mind(player: str, rng: random.Random) -> Mind:
    plans = {**PLANS, "mode": _MODE}
    return SimpleMind(plans[player], rng) if player in plans else BotMind(Level(player), rng)


def _responder(games: int) -> Chance:
    net, won = trained(), 0
    for number in range(games):
        throws = dice(2, number)
        minds: list[Mind] = [Responder(net, random.Random(throws.random()))]
        minds += [BotMind(Level.HARD, random.Random(throws.random())) for _ in range(3)]
        won += play_one(minds, Rules.parse("milan"), 2, number).entry == 0
    return Chance("milan: trained against three hard", *share_of(won, games), RESPONDER)


def _foreseen(games: int) -> Chance:
    """How far the winning chances of four are off, by tenths, in games of hard."""
    tenths: dict[int, list[tuple[float, bool]]] = {}
    for number in range(games):
        minds = [BotMind(Level.HARD, random.Random(f"{number} {seat}")) for seat in range(4)]
        game = play_game(minds, BIDDING_PRESETS["milan"], number % 4)
        for each in game.rounds:
            coins = each.words.coins
            chances = winning_chances(each.words.rules, coins, each.words.starter)
            for seat, chance in enumerate(chances if len(each.words.players) > 2 else ()):
                tenths.setdefault(int(10 * chance), []).append((chance, seat == game.last_in))
    known = sum(map(len, tenths.values()))
    off = sum(abs(sum(chance - won for chance, won in each)) for each in tenths.values())
    return Chance("chances to win with three and more are off by", off / known, 0.0, 0.03)


def _best_responses() -> Iterator[Chance]:
    for preset, rules in BIDDING_PRESETS.items():
        game = Game(rules)
        for level, aim in BEATEN.items():
            won = sum(game.chances(strategies(game, preset, level))) / 2
            yield Chance(f"{preset}: its best opponent against {level.value}", won, 0.0, aim)


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
