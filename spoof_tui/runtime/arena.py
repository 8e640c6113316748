"""A tournament of bots and engines in several processes, each of which plays whole games."""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import random
import signal
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Final, Self

from protocol.rules.options import Rules
from spoof_tui import system
from spoof_tui.bots.characters import CHARACTERS, CharacterMind
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import (
    PLANS,
    Mind,
    SimpleMind,
    TournamentResult,
    dice,
    numbered,
    play_one,
)
from spoof_tui.runtime.engine import ANSWER_TIMEOUT, Engine, EngineFailed
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _

ENGINE: Final = "engine:"
"""The prefix that marks the command of an engine among the names of players."""

_TOGETHER: Final = 8
"""Maximum number of games that a process is given at a time."""

_AHEAD: Final = 2048
"""Number of games handed to the processes before the first result is read."""

_DICE_BITS: Final = 64

Maker = Callable[[random.Random], Mind]
"""A function that makes a player, which takes its random choices from this generator."""


class Interrupted(Exception):
    """A process of the arena ended unexpectedly."""


def is_player(text: str) -> bool:
    """Whether `text` names a player; the command of an engine is not tried out."""
    if text.startswith(ENGINE):
        return bool(text.removeprefix(ENGINE).strip())
    name, colon, level = text.partition(":")
    levels = {each.value for each in Level}
    return (
        text in PLANS or text in levels or (name in CHARACTERS and (not colon or level in levels))
    )


@dataclass(frozen=True, slots=True)
class Tournament:
    """The settings of a tournament, sent to every process."""

    players: tuple[str, ...]
    """Names of the players: a level, a plan, a character (`name` or `name:level`), or an engine
    (`engine:` and its command)."""
    rules: str
    seed: int
    date: str = ""
    """The day for the records, such as 2026-11-21; empty to record nothing."""
    limit: float = ANSWER_TIMEOUT
    """Seconds that an engine may take for an answer."""


class Cast:
    """The players of a tournament in one process; a context manager that ends the engines."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._rules = Rules.parse(tournament.rules)
        self._lapses: list[str] = []
        """Sentences about the engines' lapses in the running game that were forgiven."""
        self._engines = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start every engine; raises `EngineFailed`."""
        try:
            players = [self._player(player) for player in self._tournament.players]
        except BaseException:
            self.close()
            raise
        self._makers = [maker for _name, maker in players]
        self._names = numbered([name for name, _maker in players])
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engines of this process."""
        self._engines.close()

    def play(self, number: int) -> TournamentResult:
        """The result of game `number`, which is played now; raises `EngineFailed`."""
        match = self._tournament
        throws = dice(match.seed, number)
        minds = [make(random.Random(throws.getrandbits(_DICE_BITS))) for make in self._makers]
        names, date = self._names, match.date
        self._lapses.clear()
        try:
            result = play_one(minds, self._rules, match.seed, number, names=names, date=date)
        except EngineFailed as failed:
            raise EngineFailed(" ".join([*self._lapses, str(failed)])) from failed
        return replace(result, lapses=tuple(self._lapses))

    def _player(self, player: str) -> tuple[str, Maker]:
        """The name of a player, and what makes it; starts the program of an engine."""
        if player.startswith(ENGINE):
            command = player.removeprefix(ENGINE)
            engine = Engine(command, self._lapses.append, self._tournament.limit)
            self._engines.enter_context(engine).start()
            return engine.name, lambda rng: engine
        return player, self._maker(player)

    def _maker(self, player: str) -> Maker:
        if player in PLANS:
            return lambda rng: SimpleMind(PLANS[player], rng)
        name, _colon, level = player.partition(":")
        if name in CHARACTERS:
            strength = Level(level or Level.MEDIUM.value)
            return lambda rng: CharacterMind(CHARACTERS[name], strength, rng)
        return lambda rng: BotMind(Level(player), rng)


def results(
    tournament: Tournament, games: int, jobs: int
) -> Generator[TournamentResult, None, None]:
    """The results of all games, in order, as they are played by `jobs` processes.

    Closing the iterator ends all processes. Raises `EngineFailed` and `Interrupted`.
    """
    if jobs > 1:
        yield from _side_by_side(tournament, games, jobs)
        return
    with Cast(tournament) as cast:
        yield from map(cast.play, range(games))


def _side_by_side(
    tournament: Tournament, games: int, jobs: int
) -> Generator[TournamentResult, None, None]:
    play = partial(_play, tournament, i18n.spoken())
    together = max(1, min(games // (4 * jobs), _TOGETHER))
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
    try:
        for first in range(0, games, _AHEAD):
            numbers = range(first, min(first + _AHEAD, games))
            with system.putting_off_interrupts():
                played = pool.map(play, numbers, chunksize=together)
            yield from played
    except BrokenProcessPool:
        raise Interrupted(_("A process of the arena ended unexpectedly.")) from None
    except BaseException:
        # Nobody waits for the games that run: an engine may think for long.
        for process in set(multiprocessing.active_children()) - set(others):
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _play(tournament: Tournament, language: str, number: int) -> TournamentResult:
    """The result of a game, played in a process of the arena that may be ended at any time."""
    return _cast(tournament, language).play(number)


@cache
def _cast(tournament: Tournament, language: str) -> Cast:
    """The players of this process, made once; its engines end when the process does."""

    def leave(*_signal: object) -> None:
        cast.close()
        os._exit(1)

    i18n.install(language)
    cast = Cast(tournament)
    atexit.register(cast.close)
    signal.signal(signal.SIGTERM, leave)
    return cast.__enter__()
