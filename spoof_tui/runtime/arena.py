"""A tournament in several processes: each plays whole games, and is given the next number."""

from __future__ import annotations

import contextlib
import multiprocessing
import random
import signal
from collections.abc import Callable, Generator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Final, Self

from protocol.rules.options import Rules
from spoof_tui.bots.characters import CHARACTERS, CharacterMind
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import PLANS, Mind, Result, SimpleMind, dice, numbered, play_one
from spoof_tui.runtime.engine import ANSWER_TIMEOUT, Engine, EngineFailed
from spoof_tui.text import i18n
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

ENGINE: Final = "engine:"
"""The prefix of an engine's command."""

_AHEAD: Final = 2
"""Games that a process is given ahead, so that it need not wait for the next number."""

_DICE_BITS: Final = 64

Report = Callable[[str], None]
"""Called with a sentence about an engine's lapse."""

Maker = Callable[[random.Random], Mind]
"""Makes a player that uses this random generator."""


class Interrupted(Exception):
    """A process of the arena ended unexpectedly."""


def is_player(text: str) -> bool:
    """Whether this names a player; an engine's command is not tried."""
    if text.startswith(ENGINE):
        return bool(text.removeprefix(ENGINE).strip())
    name, colon, level = text.partition(":")
    levels = {each.value for each in Level}
    return (
        text in PLANS or text in levels or (name in CHARACTERS and (not colon or level in levels))
    )


@dataclass(frozen=True, slots=True)
class Tournament:
    """What every process has to know."""

    players: tuple[str, ...]
    """Names of the players: a level, a plan, a character with or without a colon and a level, or an
    engine with its command."""
    rules: str
    seed: int
    date: str = ""
    """The day for the records, such as 2026-11-21; if empty, nothing is recorded."""
    limit: float = ANSWER_TIMEOUT
    """Seconds for an engine's answer."""


class Cast:
    """The players of a tournament in one process; a context manager that ends the engines."""

    def __init__(self, tournament: Tournament, report: Report) -> None:
        self._tournament = tournament
        self._rules = Rules.parse(tournament.rules)
        self._report = report
        self._engines = contextlib.ExitStack()

    def __enter__(self) -> Self:
        """Start every engine; raises `EngineFailed`."""
        try:
            players = [self._player(player) for player in self._tournament.players]
        except BaseException:
            self._engines.close()
            raise
        self._makers = [maker for _name, maker in players]
        self._names = numbered([name for name, _maker in players])
        return self

    def __exit__(self, *_exception: object) -> None:
        self._engines.close()

    def play(self, number: int) -> Result:
        """Play game `number`; raises `EngineFailed`."""
        match = self._tournament
        throws = dice(match.seed, number)
        minds = [make(random.Random(throws.getrandbits(_DICE_BITS))) for make in self._makers]
        return play_one(minds, self._rules, match.seed, number, names=self._names, date=match.date)

    def _player(self, player: str) -> tuple[str, Maker]:
        """What a player is called, and what makes it."""
        if player.startswith(ENGINE):
            command = player.removeprefix(ENGINE)
            engine = Engine(command, self._report, self._tournament.limit)
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
    tournament: Tournament, games: int, jobs: int, report: Report
) -> Generator[Result, None, None]:
    """The results of all games as they end, in any order.

    Closing the iterator ends all processes. Raises `EngineFailed` and `Interrupted`.
    """
    if jobs > 1:
        yield from _side_by_side(tournament, games, min(jobs, games), report)
        return
    with Cast(tournament, report) as cast:
        for number in range(games):
            yield cast.play(number)


def _side_by_side(
    tournament: Tournament, games: int, jobs: int, report: Report
) -> Generator[Result, None, None]:
    numbers = iter(range(games))
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(_Worker(tournament)) for _ in range(jobs)]
        # A process that gets no game, because there are few, is not waited for.
        pipes = {
            worker.pipe: worker for worker in workers if worker.feed(list(islice(numbers, _AHEAD)))
        }
        while pipes:
            for ready in wait(list(pipes)):
                worker = pipes[ready]  # type: ignore[index]
                said = worker.heard()
                if isinstance(said, str):
                    report(said)
                    continue
                yield said
                if not worker.feed(list(islice(numbers, 1))):
                    del pipes[worker.pipe]


class _Worker(contextlib.AbstractContextManager["_Worker"]):
    """One process that plays; a context manager that ends it."""

    def __init__(self, tournament: Tournament) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._in_hand = 0
        self._process: SpawnProcess = context.Process(
            target=work, args=(tournament, theirs, i18n.spoken()), daemon=True
        )
        with _ignoring_interrupts():
            self._process.start()
        theirs.close()

    def __exit__(self, *_exception: object) -> None:
        self.pipe.close()
        if self._in_hand:
            self._process.terminate()
        self._process.join()

    def feed(self, numbers: list[int]) -> bool:
        """Give it more games; return whether it has any now."""
        self._in_hand += len(numbers)
        with contextlib.suppress(OSError):  # if it is gone, `heard` says so
            for number in numbers:
                self.pipe.send(number)
        return self._in_hand > 0

    def heard(self) -> Result | str:
        """A result, or a sentence about a lapse; raises `EngineFailed` and `Interrupted`."""
        try:
            said = self.pipe.recv()
        except (EOFError, OSError):
            raise Interrupted(_("A process of the arena ended unexpectedly.")) from None
        if isinstance(said, EngineFailed):
            raise said
        if isinstance(said, Result):
            self._in_hand -= 1
            return said
        return str(said)


@contextlib.contextmanager
def _ignoring_interrupts() -> Generator[None, None, None]:
    """Have processes that are started inside the block ignore Ctrl-C from the start."""
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def work(tournament: Tournament, pipe: Connection, language: str) -> None:
    """The main function of an arena process: play the numbers it is given until there are none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    i18n.install(language)
    with contextlib.suppress(EOFError, OSError):
        try:
            with Cast(tournament, pipe.send) as cast:
                while True:
                    pipe.send(cast.play(pipe.recv()))
        except EngineFailed as failed:
            pipe.send(failed)


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit
