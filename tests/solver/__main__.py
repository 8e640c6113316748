"""Solves the game of two for every preset, and writes the tables of the bots.

    python -m tests.solver [--levels] [PRESET …]

takes ten minutes, and prints how often the best opponent beats each level. With presets named,
the tables of the others stay as they are; with `--levels`, those of the strongest level too.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import spoof_tui.bots.guessing as last_two_of_school
import spoof_tui.bots.heads_up as heads_up
from protocol.rules.options import BIDDING_PRESETS
from spoof_tui.bots.guessing import call_plan
from spoof_tui.bots.levels import Level
from tests.solver import calls
from tests.solver.game import START, Game, Strategies, mistaken
from tests.solver.shipped import strategies
from tests.solver.tables import information, save, written
from tests.solver.tree import Coins

PASSES, STEPS, LAST_STEPS = 7, 60, 800
"""Passes over all rounds, and steps of each; only the last pass counts."""

MISTAKES = {Level.MEDIUM: (0.15, 1.0), Level.EASY: (0.85, 1.0)}
"""The part of all choices in which a level makes a mistake, and how careful it is then."""

LEVELS = "--levels"
"""Leaves the strongest level as it is shipped."""

PATH = Path(heads_up.__file__).with_name(heads_up.FILE)


def main(words: Sequence[str]) -> int:
    """Solve the presets of these names, or all."""
    names = [word for word in words if word != LEVELS]
    keeps = LEVELS in words
    tables = {}
    if (names or keeps) and PATH.exists():
        with zipfile.ZipFile(PATH) as file:
            tables = {name: file.read(name) for name in file.namelist()}
    for name in names or (*BIDDING_PRESETS, last_two_of_school.MEMBER):
        if name == last_two_of_school.MEMBER:
            tables |= last_two(keeps)
        else:
            tables |= weaker(name) if keeps else solved(name)
    save(PATH, tables)
    print(f"{PATH.name}: {len(tables)} tables, {PATH.stat().st_size} bytes")
    return 0


def solved(preset: str) -> dict[str, bytes]:
    """The tables of one preset, by name."""
    game = Game(BIDDING_PRESETS[preset], max(heads_up.MAX_WHOLE.values()))
    best, worths = game.solve(
        PASSES, STEPS, LAST_STEPS, lambda told: print(f"{preset}: {told}", flush=True)
    )
    rows = [f"{coins[0]} {coins[1]} {worth:.5f}" for coins, worth in worths.items()]
    tables = {f"{preset}/{heads_up.CHANCES}": "\n".join(rows).encode()}
    tables |= _written(game, preset, Level.HARD, best)
    print(f"{preset}: {Level.HARD.value} {told(game, best, best)}", flush=True)
    return tables | _mistaken(game, preset, best, worths)


def weaker(preset: str) -> dict[str, bytes]:
    """The tables of the weaker levels of one preset, from the shipped ones of the strongest."""
    game = Game(BIDDING_PRESETS[preset], max(heads_up.MAX_WHOLE[level] for level in MISTAKES))
    best = strategies(game, preset, Level.HARD)
    return _mistaken(game, preset, best, heads_up.chances_of(preset))


def _mistaken(
    game: Game, preset: str, best: Strategies, worths: Mapping[Coins, float]
) -> dict[str, bytes]:
    tables: dict[str, bytes] = {}
    for level, (part, whim) in MISTAKES.items():
        plays = mistaken(game, best, worths, part, whim)
        tables |= _written(game, preset, level, plays)
        print(f"{preset}: {level.value} {told(game, plays, best)}", flush=True)
    return tables


def _written(game: Game, preset: str, level: Level, plays: Strategies) -> dict[str, bytes]:
    return {
        heads_up.member(preset, level, *coins): written(each.tree, plays[coins])
        for coins, each in game.rounds.items()
        if each.tree.whole <= heads_up.MAX_WHOLE[level]
    }


def last_two(keeps: bool) -> dict[str, bytes]:
    """The tables of the last two of a school; with `keeps`, that of the strongest as shipped."""
    best = calls.of_table(call_plan(Level.HARD)) if keeps else calls.solved()
    tables = {}
    for level in Level:
        plays = calls.mistaken(best, MISTAKES[level][0]) if level in MISTAKES else best
        kept = keeps and level not in MISTAKES
        table = call_plan(level).table if kept else calls.written(plays)
        tables[f"{last_two_of_school.MEMBER}/{level.value}"] = table
        leaves = calls.best_against(plays)
        print(f"the last two: the best opponent of {level.value} leaves first in {leaves:.3f}")
    return tables


def told(game: Game, plays: Strategies, best: Strategies) -> str:
    """The strength of a level, in words."""
    answered, by_hard = (sum(game.chances(plays, own)) / 2 for own in (None, best))
    return (
        f"is beaten by its best opponent in {answered:.3f} and by hard in {by_hard:.3f} of all "
        f"games; its opening word tells {information(plays[START]):.3f} bits"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
