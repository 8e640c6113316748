"""The engine: keeps the inputs that reach something new, mutates them, and stores what fails.

All it does follows from the seed; the clock decides only when a long run ends.
"""

from __future__ import annotations

import hashlib
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType, ModuleType, TracebackType
from typing import Any, Final

from tests.fuzzing.mutation import mutated, smaller

KEPT: Final = Path(__file__).parent / "kept"
"""Inputs that failed once, by target; the ordinary suite tries them again."""

MAX_STEPS: Final = 400_000
"""Lines of watched code for one input: more is as bad as never ending."""

_MINIMISING: Final = 1500
"""Inputs that are tried to make a failing one smaller."""

_NEWEST: Final = (1, 4, 16, 1 << 30)
"""A mutation starts from one of so many inputs that were kept last, each number as often."""

Arc = tuple[str, int, int, int]
"""File, line before, line, and how many binary digits the number of times has."""


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes bytes, and the laws that hold whatever the bytes are."""

    name: str
    run: Callable[[bytes], None]
    """Raises when a law is broken; what the code may refuse is caught in here."""
    seeds: Callable[[], Iterable[bytes]]
    """Inputs to begin with, mostly from real games."""
    watched: tuple[ModuleType, ...]
    """Modules whose lines count as reached."""
    words: tuple[bytes, ...] = ()
    """Pieces that chance would not find."""
    tries: int = 100
    """Inputs that the ordinary suite makes."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An input that breaks a law."""

    target: str
    seed: int
    data: bytes
    told: str
    """The traceback."""

    def keep(self, folder: Path) -> Path:
        """Put the input into `folder`, by target and hash."""
        path = folder / self.target / hashlib.sha256(self.data).hexdigest()[:16]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.data)
        return path


@dataclass(slots=True)
class Run:
    """What came of fuzzing one target."""

    tried: int = 0
    corpus: list[bytes] = field(default_factory=list)
    """Inputs each of which reached something new, or smaller ones that go the same way."""
    places: dict[frozenset[Arc], int] = field(default_factory=dict)
    """Where in the corpus the smallest input is that goes such a way."""
    reached: set[Arc] = field(default_factory=set)
    failure: Failure | None = None


class TooLong(Exception):
    """An input keeps the code busy for too long."""


def fuzz(
    target: Target,
    seed: int,
    tries: int | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Run:
    """Try the seeds of the target and then `tries` mutations; stop at the first failure."""
    draw, run, seeds = Random(f"{target.name} {seed}"), Run(), list(target.seeds())
    for data in seeds:
        if not _try(target, seed, data, run):
            return run
    while (tries is None or run.tried < len(seeds) + tries) and not is_over():
        newest = run.corpus[-draw.choice(_NEWEST) :]
        other = draw.choice(seeds if draw.random() < 0.5 else run.corpus)
        data = mutated(draw.choice(newest), other, target.words, draw)
        if not _try(target, seed, data, run):
            break
    return run


def _try(target: Target, seed: int, data: bytes, run: Run) -> bool:
    """Whether the laws hold for `data`; what it reached is added to the run."""
    run.tried += 1
    arcs, error = watch(target, data)
    if error is not None:
        data, error = _minimised(target, data, error)
        run.failure = Failure(target.name, seed, data, "".join(traceback.format_exception(error)))
    elif not arcs <= run.reached or not run.corpus:
        run.reached |= arcs
        run.places[frozenset(arcs)] = len(run.corpus)
        run.corpus.append(data)
    elif (at := run.places.get(frozenset(arcs))) is not None and len(data) < len(run.corpus[at]):
        # What takes fewer bytes to get there leaves fewer places for a useless change.
        run.corpus[at] = data
    return error is None


def watch(target: Target, data: bytes) -> tuple[set[Arc], Exception | None]:
    """What `data` reaches in the watched modules, and what it breaks."""
    tracer = _Tracer({str(module.__file__) for module in target.watched})
    before = sys.gettrace()
    sys.settrace(tracer.entered)
    try:
        target.run(data)
    except Exception as error:
        return tracer.arcs, error
    finally:
        sys.settrace(before)
    return tracer.arcs, None


class _Tracer:
    """Counts how often execution goes from one line to another inside of a function."""

    def __init__(self, files: set[str]) -> None:
        self._files = files
        self._counts: dict[tuple[str, int, int], int] = {}
        self._left = MAX_STEPS

    @property
    def arcs(self) -> set[Arc]:
        return {(*arc, min(count.bit_length(), 5)) for arc, count in self._counts.items()}

    def entered(self, frame: FrameType, _: str, __: Any) -> Callable[..., Any] | None:
        file, last = frame.f_code.co_filename, 0
        if file not in self._files:
            return None
        counts = self._counts

        def went_on(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
            nonlocal last
            if event == "line":
                self._left -= 1
                if self._left < 0:
                    raise TooLong(f"more than {MAX_STEPS} lines")
                arc = (file, last, frame.f_lineno)
                counts[arc] = counts.get(arc, 0) + 1
                last = frame.f_lineno
            return went_on

        return went_on


def _minimised(target: Target, data: bytes, error: Exception) -> tuple[bytes, Exception]:
    """The smallest input found that fails in the same place, and how it fails."""
    place, left = _place(error), _MINIMISING
    while True:
        for less in smaller(data):
            left -= 1
            if left < 0:
                return data, error
            _, found = watch(target, less)
            if len(less) < len(data) and found is not None and _place(found) == place:
                data, error = less, found
                break
        else:
            return data, error


def _place(error: Exception) -> tuple[type[Exception], str, int]:
    """Where an error was raised."""
    at: TracebackType | None = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    assert at is not None
    return type(error), at.tb_frame.f_code.co_filename, at.tb_lineno
