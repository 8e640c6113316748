"""A drill: a mishap without chance, at a table of its own, and what all of them need."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Final

from tests.simulation.evening import HOST, Evening
from tests.simulation.laws import Broken
from tests.simulation.memory import remembered
from tests.simulation.runs import Result, reported
from tests.simulation.world import World

GATHER: Final = 20.0
"""Seconds after which everybody sits at the table and plays."""

STEP: Final = 0.1

LATEST: Final = 90.0
"""Seconds within which a game begins, whatever strangers and wrong codes delay it."""


SILENT_AFTER: Final = 6.0
"""Seconds until the table has another host, if no system reports that a program is gone, and only
silence shows it."""

ENDED_AFTER: Final = 2.0
"""Seconds from the polite end of a host until the table has another one."""

SIZES: Final = (2, 3, 5, 9)
"""Numbers of players at the tables whose host leaves."""


class Drill:
    """What is played in a world of its own, from a seed."""

    def __init__(self, play: Callable[[World], None]) -> None:
        """`play` raises `Broken` if play does not go on in time."""
        functools.update_wrapper(self, play)
        self.name: Final = play.__name__
        self._play = play

    def __call__(self, seed: int, tell: Callable[[str], None] | None = None) -> Result:
        """Play it; raises `Failure`. `tell` gets the trace line by line."""
        world = World(seed, tell)
        with reported(world, self.name), remembered():
            self._play(world)
        return Result(seed, world.time, trace=world.trace)


@contextlib.contextmanager
def table(world: World, players: int, *, is_calm: bool = False) -> Iterator[Evening]:
    """A table of this many, where every system reports that its program is gone.

    With `is_calm` people only want to play; and a game is on.
    """
    with Evening(world, players) as evening:
        evening.is_noticed, evening.is_calm = True, is_calm
        if is_calm:
            wait_for(evening, lambda: bool(coins_of(evening)), LATEST, "no game begins")
        else:
            world.run(GATHER)
        yield evening


def wait_for(evening: Evening, is_so: Callable[[], bool], within: float, why: str) -> None:
    """Pass the time until this holds; raises `Broken` for this reason if it does not in time."""
    world, begun = evening.world, evening.world.time
    while not is_so():
        if world.time - begun > within:
            raise Broken(why)
        world.run(world.time + STEP)


def wait_for_host(evening: Evening, within: float) -> None:
    """Pass the time until the table has a host."""
    why = f"the table has no host after {within} s"
    wait_for(evening, lambda: evening.host is not None, within, why)


def wait_for_turn(evening: Evening, within: float, why: str) -> None:
    """Pass the time until somebody else has a turn, or nobody can."""
    turn = evening.turn
    wait_for(evening, lambda: evening.turn != turn or evening.is_over, within, why)


def coins_of(evening: Evening) -> dict[str, int]:
    """Everybody's coins at the last count, by machine."""
    names = {key: name for name, key in evening.laws.keys.items()}
    tables = [guest.table for _, guest in evening.present if guest.table]
    games = [each.game for each in tables if each.game and each.in_play]
    if not games:
        return {}
    game = games[0]
    return {names[p.key]: n for p, n in zip(game.players, game.coins, strict=True)}


def die(evening: Evening, name: str) -> None:
    """Somebody's machine goes for good."""
    evening.dead.add(name)
    evening.machines[name].crash()


def all_count(evening: Evening) -> bool:
    """Whether all were dealt in: nobody came late, and no stranger took a seat."""
    guest, players = evening.programs[HOST].guest, evening.players
    return guest is not None and guest.table is not None and len(guest.table.electors) == players


def in_order(evening: Evening) -> list[str]:
    """Machines in the order of their seats; the host first."""
    host = evening.programs[HOST].guest
    assert host is not None and host.table is not None
    names = {key: name for name, key in evening.laws.keys.items()}
    return [names[seat.key] for seat in host.table.seats]
