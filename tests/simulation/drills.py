"""Mishaps without chance, and how soon play has to go on: slowness breaks no law of an evening."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from typing import Final

from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS
from protocol.timing import LOST_DELAY
from protocol.views import LinkState
from spoof_tui.storage.disk import RETRY_DELAY
from tests.simulation.departures import (
    SILENT,
    UNFORESEEN,
    Way,
    is_killed,
    is_told_to_end,
    quits,
)
from tests.simulation.evening import HOST, Evening
from tests.simulation.laws import Broken
from tests.simulation.memory import remembered
from tests.simulation.runs import KEYS, SLACK, Failure
from tests.simulation.world import World

PLAYERS: Final = 7

APART: Final = 17.0
"""Seconds that the halves are apart."""

GATHER: Final = 20.0
"""Seconds after which everybody sits at the table and plays."""

STEP: Final = 0.1

MOMENT: Final = 2.0
"""Seconds for which a disk is full."""

MOVED_AFTER: Final = 4.5
"""Seconds from the death of a host until the table has another one, whoever was away before."""

FELT_AFTER: Final = 16.0
"""Seconds in which a host or a player whose disk is full is missed, and back when there is room."""

SILENT_AFTER: Final = 6.0
"""The same where no system says that its program is gone, and only silence tells of it."""

LOSS: Final = 0.2
"""How many packets a bad network loses."""

SILENT_AFTER_LOSSES: Final = 12.0
"""The same on such a network."""

SIZES: Final = (2, 3, 5, 9)
"""Players at the tables whose host leaves."""

GAME: Final = 5.0
"""Seconds for which a game is on, at most, when most of its players leave."""

ENDED_AFTER: Final = 2.0
"""Seconds from the polite end of a host until the table has another one."""

SLOWNESS: Final = ((0.1, 0.0), (0.3, 0.0), (0.0, 0.8))
"""Seconds that every disk takes with what it is to keep, and for which the host is busy."""

TORN_AFTER: Final = 30.0
"""The same where those who could choose one are bound to another one, who died meanwhile."""

SET_BACK: Final = 3600.0
"""Seconds by which a clock is set back."""

TURNS: Final = 8
"""Turns of which one at least has to wait for whoever is gone."""

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

    _drill(seed, mishap, SILENT_AFTER)


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


def host_leaves_slow_disks(seed: int) -> None:
    """The same where all disks are slow, or the host is busy for a moment: still within 2 s.

    At tables of 3, 5 and 9. Raises `Failure`.
    """

    def mishap(evening: Evening) -> None:
        if not _all_count(evening, _size(seed)):
            return
        sync_time, busy = SLOWNESS[seed % len(SLOWNESS)]
        for machine in evening.machines.values():
            machine.disk.sync_time = sync_time
        evening.world.run(evening.world.time + STEP)
        evening.machines[HOST].work(busy)
        evening.dead.add(HOST)
        evening.world.random.choice((is_told_to_end, quits))(evening, HOST)

    _drill(seed, mishap, ENDED_AFTER, _size(seed))


def silent_host(seed: int) -> None:
    """A host falls silent, and nothing tells the others why: they play on soon.

    At tables of 3, 5 and 9, by a lid, a line or a program that is stopped. Raises `Failure`.
    """
    _drill(seed, lambda evening: _fall_silent(evening, seed), SILENT_AFTER, _size(seed))


def silent_host_where_packets_are_lost(seed: int) -> None:
    """The same on a network that loses a fifth of all packets; raises `Failure`."""

    def mishap(evening: Evening) -> None:
        evening.network.loss = LOSS
        evening.world.run(evening.world.time + GATHER)
        _fall_silent(evening, seed)

    _drill(seed, mishap, SILENT_AFTER_LOSSES, _size(seed))


def _size(seed: int) -> int:
    return SIZES[1:][seed // len(SILENT) % 3]


def _fall_silent(evening: Evening, seed: int) -> None:
    if _all_count(evening, _size(seed)):
        evening.dead.add(HOST)
        SILENT[seed % len(SILENT)](evening, HOST)


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


def most_leave(seed: int) -> None:
    """More than half leave at once, in any ways: those who stay go on at a new table (G8).

    Within the grace time and ten seconds from when they are missed, and with the coins of the last
    count. Raises `Failure`.
    """
    world = World(seed)
    with remembered(), Evening(world, SIZES[2 + seed % 2]) as evening:
        try:
            evening.is_noticed = evening.goes_along = True
            while not (coins := _coins(evening)):
                world.run(world.time + 1.0)
            world.run(world.time + world.random.uniform(0.0, GAME))
            coins = _coins(evening)
            for name in world.random.sample(sorted(coins), len(coins) // 2 + 1):
                evening.dead.add(name)
                world.random.choice(UNFORESEEN)(evening, name)
            _go_on_elsewhere(evening, coins)
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def _go_on_elsewhere(evening: Evening, coins: dict[str, int]) -> None:
    world, old = evening.world, evening.table
    until = world.time + LOST_DELAY + evening.grace + SLACK + KEYS
    turn, found = -1, dict[str, int]()
    while world.time < until:
        world.run(world.time + STEP)
        here = [g.table for p, g in evening.present if p.machine.name in coins]
        there = [table for table in here if table and table.id != old]
        if len(there) < MIN_PLAYERS:
            continue
        found = found or _coins(evening)
        if any(coins[name] != count for name, count in found.items()):
            raise Broken(f"the new table begins with {found}, not as {coins}")
        if turn not in (-1, max(table.turn for table in there)):
            return
        turn = max(table.turn for table in there)
    raise Broken(f"no game goes on at a new table: {[p.machine.name for p, _ in evening.present]}")


def _coins(evening: Evening) -> dict[str, int]:
    """What everybody owned at the last count, by machine."""
    names = {key: name for name, key in evening.laws.keys.items()}
    tables = [guest.table for _, guest in evening.present if guest.table]
    games = [table.game for table in tables if table.game and table.in_play]
    if not games:
        return {}
    game = games[0]
    return {names[p.key]: n for p, n in zip(game.players, game.coins, strict=True)}


def clock_set_back(seed: int) -> None:
    """The clock of the host is set back, and a guest dies: the others play on without it (G3).

    Within the grace time, ten seconds and the time for a key. Raises `Failure`.
    """
    world = World(seed)
    with remembered(), Evening(world, MIN_PLAYERS + 1) as evening:
        try:
            evening.is_noticed = evening.is_calm = True
            while not _coins(evening):
                world.run(world.time + STEP)
            evening.machines[HOST].shift_wall_clock(-SET_BACK)
            _die(evening, _in_order(evening)[1])
            for _ in range(TURNS):
                turn, until = evening.turn, world.time + evening.grace + SLACK + KEYS
                while evening.turn == turn and evening.can_go_on and not evening.is_over:
                    world.run(world.time + STEP)
                    if world.time > until:
                        raise Broken("those who stay wait for the clock of their host")
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def full_for_a_moment(seed: int) -> None:
    """The host's disk is full for a moment: nobody takes the table over, and play goes on at once.

    Raises `Failure`.
    """
    world = World(seed)
    with remembered(), Evening(world, 4) as evening:
        try:
            evening.is_noticed = evening.is_calm = True
            while not _coins(evening):
                world.run(world.time + STEP)
            evening.machines[HOST].disk.refuses = errno.ENOSPC
            world.run(world.time + MOMENT)
            evening.machines[HOST].disk.refuses = None
            world.run(world.time + RETRY_DELAY + STEP)
            assert evening.host and evening.host.served
            if evening.host.served.server.trouble:
                raise Broken("what waits is not written though there is room")
            turn, until = evening.turn, world.time + KEYS
            while evening.turn == turn and not evening.is_over:
                world.run(world.time + STEP)
                if world.time > until:
                    raise Broken("the table waits though there is room")
            assert evening.host and evening.host.machine.name == HOST
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def full_host_disk(seed: int) -> None:
    """The disk of the host is full for good: the others choose another one, and play on without it.

    As soon as behind any other host that falls silent, and within the grace time. Once there is
    room, the first host is a player like all others. Raises `Failure`.
    """
    _fill(seed, HOST)


def full_disk(seed: int) -> None:
    """The same with the disk of a player: the others play on, and it comes back by itself."""
    _fill(seed, "p1")


def _fill(seed: int, name: str) -> None:
    world = World(seed)
    with remembered(), Evening(world, 4) as evening:
        try:
            evening.is_noticed = evening.is_calm = True
            while not _coins(evening):
                world.run(world.time + STEP)
            disk = evening.machines[name].disk
            evening.dead.add(name)
            disk.refuses = errno.ENOSPC
            turn, until = evening.turn, world.time + FELT_AFTER + evening.grace + SLACK + KEYS
            while evening.turn <= turn + 1 and not evening.is_over:
                world.run(world.time + STEP)
                if world.time > until:
                    raise Broken("the others wait for a full disk")
            evening.dead.clear()
            disk.refuses = None
            until = world.time + FELT_AFTER
            while not _is_together(evening):
                world.run(world.time + STEP)
                if world.time > until:
                    raise Broken("who has room again does not come back")
            evening.laws.judge((program.machine, guest) for program, guest in evening.present)
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def _is_together(evening: Evening) -> bool:
    """Whether everybody is at the table of the same host."""
    guests = [guest for _, guest in evening.present]
    epochs = {guest.table.epoch for guest in guests if guest.table}
    return len(epochs) == 1 and all(guest.link is LinkState.UP for guest in guests)


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


def host_removes_whom_it_misses(seed: int) -> None:
    """The host is cut off from three players, and removes two of them: it does not go on alone.

    For the three have another host meanwhile. Raises `Failure`.
    """
    world = World(seed)
    with remembered(), Evening(world, 4) as evening:
        try:
            evening.is_noticed = True
            world.run(GATHER)
            host, *others = _in_order(evening)
            for way in _ways([host], others):
                evening.network.block(*way)
            until = world.time + SILENT_AFTER
            while world.time < until:
                for name in others[:2]:
                    evening.programs[host].remove(evening.laws.keys[name])
                world.run(world.time + STEP)
        except Exception as error:
            raise Failure(seed, world.time, f"{type(error).__name__}: {error}") from error


def held_by_offer(seed: int) -> None:
    """A seat is with a candidate who has too few, when it can reach one who has enough with it.

    Nobody has agreed to go on at a new table by then. Raises `Failure`.
    """

    def mishap(evening: Evening) -> None:
        order = _in_order(evening)
        if not _all_count(evening, len(order)):
            return
        one, voter, *others = order[1:-1]
        ways = [*_ways([one, voter], others), *_ways(others, [voter])]
        for way in ways:
            evening.network.block(*way)
        for name in (order[-1], HOST):
            _die(evening, name)
        evening.world.run(evening.world.time + APART)
        evening.network.heal([way for way in ways if voter in way])

    _drill(seed, mishap, JOINED_AFTER)


def torn_support(seed: int) -> None:
    """Two stand in one epoch; one dies when two have supported it, who then find the other.

    The first never gets enough, because the other disks on its side are slow. One of the two is
    started anew, and bound all the same. Raises `Failure`.
    """

    def mishap(evening: Evening) -> None:
        world, network = evening.world, evening.network
        if not _all_count(evening, MAX_PLAYERS):
            return
        one, other, voter, second, *rest = _in_order(evening)[1:]
        slow, fresh = rest[::2], rest[1::2]
        for way in _ways([one, *slow], [other, *fresh]):
            network.block(*way)
        for name in slow:
            evening.machines[name].disk.sync_time = APART
        _die(evening, HOST)
        until = world.time + APART
        while world.time < until:
            world.run(world.time + STEP)
            if _supports(evening, voter) and _stands(evening, other):
                break
        _die(evening, one)
        evening.machines[second].crash()
        evening.restart(second)

    _drill(seed, mishap, TORN_AFTER, players=MAX_PLAYERS)


def _all_count(evening: Evening, players: int) -> bool:
    """Whether so many were dealt in: nobody came late, and no stranger took a seat."""
    guest = evening.programs[HOST].guest
    return guest is not None and guest.table is not None and len(guest.table.electors) == players


def _supports(evening: Evening, name: str) -> bool:
    """Whether somebody has promised to follow another host than that of the table."""
    guest = evening.programs[name].guest
    return bool(guest and guest.table and guest.epoch > guest.table.epoch)


def _stands(evening: Evening, name: str) -> bool:
    host = evening.programs[name].host
    return host is not None and host.is_standing


def _drill(
    seed: int, mishap: Callable[[Evening], None], within: float, players: int = PLAYERS
) -> None:
    world = World(seed)
    with remembered(), Evening(world, players) as evening:
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
