"""One run: an evening from a seed, its faults, its end, and the judgement."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Final

from protocol.host.later_epochs import BELIEVED_AGAIN
from tests.simulation.break_up import go_on_elsewhere, host_falls_silent, most_leave
from tests.simulation.evening import GIVEN_UP_AFTER, Evening
from tests.simulation.faults import calm, plan
from tests.simulation.laws import Broken
from tests.simulation.memory import remembered
from tests.simulation.world import World

STORMS: Final = (15.0, 60.0)
"""Least and most seconds in which things go wrong."""

SLACK: Final = 10.0
"""Seconds, beyond the grace time, after which a player who left no longer stops the others."""

KEYS: Final = 5.0
"""Seconds within which people press the keys that are up to them."""

NOTICED_AFTER: Final = 5.0
"""Seconds for which the log may call somebody away who is at the table, at most."""

SEATED_AFTER: Final = 10.0
"""Seconds for which a bot may be at the table without a seat, at most."""

ELECTED_WITHIN: Final = 5.0
"""Seconds that an election takes at most, from the lie that causes it to its `host-moved`."""

LONGEST: Final = 400.0
"""Seconds that a game gets after that: in the guessing game a bad loser never ends it."""


class Failure(AssertionError):
    """A law was broken, in a run that can be repeated."""

    def __init__(self, world: World, why: str, drill: str = "") -> None:
        super().__init__(
            f"seed {world.seed}, after {world.time:.1f} s: {why}\n"
            f"Again: python -m tests.simulation {f'--drill {drill} ' if drill else ''}"
            f"--first {world.seed} --seeds 1 --trace"
        )
        self.seed = world.seed
        self.why = why


@contextlib.contextmanager
def reported(world: World, drill: str = "") -> Iterator[None]:
    """Inside the context, anything that goes wrong in a world is a `Failure`."""
    try:
        yield
    except Exception as error:
        raise Failure(world, f"{type(error).__name__}: {error}", drill) from error


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a run."""

    seed: int
    seconds: float
    """Virtual seconds that it took."""
    entries: int = 0
    """Entries of the final log."""
    epochs: int = 0
    """The last epoch."""
    finished: bool = True
    """Whether the games were over; otherwise too few were left, or the games are very long."""
    is_elsewhere: bool = False
    """Whether it went on at a new table, because most had left (G8)."""
    trace: str = ""
    """Hash of everything that happened."""


def fresh_seed() -> int:
    """The seed of an evening that nobody has played before."""
    return secrets.randbelow(1_000_000_000)


def run(seed: int, tell: Callable[[str], None] | None = None, is_remembered: bool = True) -> Result:
    """Let an evening pass; raises `Failure` when a law is broken.

    `tell` gets the trace line by line. Without memory the run takes longer and is the same.
    """
    world = World(seed, tell)
    once = remembered() if is_remembered else contextlib.nullcontext()
    with reported(world), once, Evening(world) as evening:
        is_elsewhere = _pass(evening)
        table = evening.host.host.table if evening.host and evening.host.host else None
        return Result(
            seed,
            world.time,
            table.head.length if table else 0,
            table.epoch if table else 0,
            evening.is_over and not (evening.goes_along or evening.laws.is_closed),
            is_elsewhere,
            world.trace,
        )


def _pass(evening: Evening) -> bool:
    """The storm, the calm, and the end; returns whether the game went on at a new table."""
    world = evening.world
    storm = world.random.uniform(*STORMS)
    plan(evening, storm)
    world.run(storm)
    calm(evening)
    if most_leave(evening, world.seed):
        return go_on_elsewhere(evening, SLACK + KEYS)
    host_falls_silent(evening, world.seed)
    _wait(evening, world)
    if evening.can_go_on and not evening.laws.is_closed:
        evening.laws.judge((program.machine, guest) for program, guest in evening.present)
    return False


def _wait(evening: Evening, world: World) -> None:
    """Pass the time until the evening is over, or too few are left; raises `Broken` if it stops.

    A player who is gone without a word is noticed after `GIVEN_UP_AFTER`.
    """
    patience, end = evening.grace + SLACK + KEYS, world.time + LONGEST
    turn, began, hoped = -1, world.time + GIVEN_UP_AFTER, world.time
    epoch, host, renewed = evening.epoch, evening.led_by, -inf
    overlooked: dict[str, float] = {}
    seatless: dict[str, float] = {}
    while world.time < end and not (evening.is_over or evening.laws.is_closed):
        world.run(world.time + 1.0)
        if not evening.can_go_on:
            began = world.time
            if world.time - hoped > patience:
                return
            continue
        hoped = world.time
        overlooked = {name: overlooked.get(name, world.time) for name in evening.overlooked}
        for name, since in overlooked.items():
            if world.time - since > NOTICED_AFTER:
                raise Broken(f"{name} is at the table and counts as away")
        seatless = {name: seatless.get(name, world.time) for name in evening.seatless}
        for name, since in seatless.items():
            if world.time - since > SEATED_AFTER:
                raise Broken(f"{name} is at the table, has no seat and does not know why")
        if evening.turn != turn:
            turn, began = evening.turn, max(began, world.time)
        # Who lies about the epoch costs an election, which leaves the host, but is believed again
        # only after a while (FAILOVER, "One seat's word"). A `host-moved` begins every wait anew
        # (TABLE, "Playing on"), so that people may vote only after another grace time (G3).
        if evening.epoch != epoch:
            is_renewed = bool(evening.liars) and evening.led_by == host
            # One lie can cost a longer election than the next.
            if is_renewed and world.time - renewed >= BELIEVED_AGAIN - ELECTED_WITHIN:
                renewed, began = world.time, max(began, world.time)
            epoch, host = evening.epoch, evening.led_by
        if world.time - began > patience:
            raise Broken(f"play does not resume within {patience:.0f} s: {_state(evening)}")


def _state(evening: Evening) -> str:
    return "; ".join(
        f"{p.machine.name} {guest.link.value} {len(guest.log)}"
        f"@{guest.epoch} {guest.table.phase.value if guest.table else '-'}"
        f"{'' if p.host is None else ' host' if p.is_host else ' standing'}"
        for p, guest in evening.present
    )
