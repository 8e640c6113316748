"""Mishaps without chance, and how soon play has to go on: slowness breaks no law of an evening."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from tests.simulation.departures import Way, is_killed, is_told_to_end, quits
from tests.simulation.evening import HOST, Evening
from tests.simulation.laws import Broken
from tests.simulation.memory import remembered
from tests.simulation.runs import Failure
from tests.simulation.world import World

PLAYERS: Final = 7

APART: Final = 17.0
"""Seconds that the halves are apart."""

GATHER: Final = 20.0
"""Seconds after which everybody sits at the table and plays."""

STEP: Final = 0.1

MOVED_AFTER: Final = 4.5
"""Seconds from the death of a host until the table has another one, whoever was away before."""

FELT_AFTER: Final = 16.0
"""The same where no system says that its program is gone, and only silence tells of it."""

SIZES: Final = (2, 3, 5, 9)
"""Players at the tables whose host leaves."""

ENDED_AFTER: Final = 2.0
"""Seconds from the polite end of a host until the table has another one."""

JOINED_AFTER: Final = 3.0
"""Seconds from the end of a partition in which two halves stood in vain until there is a host."""


def dead_host(seed: int) -> None:
    """The host dies when those are gone whose turn it would be to stand; raises `Failure`."""

    _drill(seed, _three_die, MOVED_AFTER)


def dead_host_unnoticed(seed: int) -> None:
    """The same without a word of any system: only silence tells of it; raises `Failure`."""

    def mishap(evening: Evening) -> None:
        evening.is_noticed = False
        _three_die(evening)

    _drill(seed, mishap, FELT_AFTER)


def host_leaves(seed: int) -> None:
    """A host that is told to end, or leaves by a key, is followed as soon as one that dies.

    At tables of 2, 3, 5 and 9, in the middle of a game. Of two players, nobody follows a host that
    dies (G8). Raises `Failure`.
    """
    players = SIZES[seed % len(SIZES)]
    died = MOVED_AFTER if players == 2 else _time_without_host(seed, players, is_killed)
    for way in (is_told_to_end, quits):
        ended = _time_without_host(seed, players, way)
        if ended > min(died, ENDED_AFTER):
            why = f"who {way.__name__} keeps {players} waiting {ended:.1f} s, who dies {died:.1f} s"
            raise Failure(seed, 0.0, why)


def _time_without_host(seed: int, players: int, way: Way) -> float:
    """Seconds from the host's leaving until the table has another one, as far as one waits."""
    world = World(seed)
    with remembered(), Evening(world, players) as evening:
        try:
            evening.is_noticed = True
            world.run(GATHER)
            begun = world.time
            evening.dead.add(HOST)
            way(evening, HOST)
            while evening.host is None and world.time - begun < MOVED_AFTER:
                world.run(world.time + STEP)
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error
        return world.time - begun


def _three_die(evening: Evening) -> None:
    for name in _in_order(evening)[1:3]:
        _die(evening, name)
    evening.world.run(evening.world.time + GATHER)
    _die(evening, HOST)


def healed_halves(seed: int) -> None:
    """The host dies, two halves without a majority stand, and meet; raises `Failure`."""

    def mishap(evening: Evening) -> None:
        order = _in_order(evening)
        _die(evening, HOST)
        ways = list(_ways(order[1:4], order[4:]))
        for way in ways:
            evening.network.block(*way)
        evening.world.run(evening.world.time + APART)
        evening.network.heal(ways)

    _drill(seed, mishap, JOINED_AFTER)


def _drill(seed: int, mishap: Callable[[Evening], None], within: float) -> None:
    world = World(seed)
    with remembered(), Evening(world, PLAYERS) as evening:
        try:
            evening.is_noticed = True
            world.run(GATHER)
            mishap(evening)
            begun = world.time
            while evening.host is None:
                world.run(world.time + STEP)
                if world.time - begun > within:
                    raise Broken(f"the table has no host after {within} s")
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def _in_order(evening: Evening) -> list[str]:
    """Machines in the order of their seats; the host first."""
    host = evening.programs[HOST].guest
    assert host is not None and host.table is not None
    names = {key: name for name, key in evening.laws.keys.items()}
    return [names[seat.key] for seat in host.table.seats]


def _ways(some: Iterable[str], others: Iterable[str]) -> Iterable[tuple[str, str]]:
    for one in some:
        for other in others:
            yield from ((one, other), (other, one))


def _die(evening: Evening, name: str) -> None:
    evening.dead.add(name)
    evening.machines[name].crash()
