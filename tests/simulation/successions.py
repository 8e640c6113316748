"""Drills of a host that is gone or silent, and how soon the table has another one."""

from __future__ import annotations

import contextlib
from typing import Final

from protocol.failover.election import LAST_HOPE
from protocol.table.statements import Away, Back, HostMoved
from protocol.timeouts import PING_INTERVAL
from tests.simulation.departures import SILENT, Way, is_killed, is_told_to_end, quits
from tests.simulation.drill import (
    ENDED_AFTER,
    GATHER,
    SILENT_AFTER,
    SIZES,
    STEP,
    Drill,
    all_count,
    die,
    in_order,
    table,
    wait_for_host,
)
from tests.simulation.evening import HOST, Evening
from tests.simulation.faults import break_links
from tests.simulation.laws import Broken
from tests.simulation.world import World

PLAYERS: Final = 7

MOVED_AFTER: Final = 4.5
"""Seconds from the death of a host until the table has another one, whoever was away before."""

BROUGHT: Final = 3
"""Bots in the program of a host."""

LOSS: Final = 0.2
"""The loss rate of a bad network."""

SILENT_AFTER_LOSSES: Final = 12.0
"""Seconds until the table has another host there."""

LOSSY: Final = 60.0
"""Seconds for which people play on such a network."""

BACK: Final = 5000
"""Milliseconds within which a player who has lost the link there is back."""

SLOWNESS: Final = ((0.1, 0.0), (0.3, 0.0), (0.0, 0.8))
"""Seconds that every disk takes to keep something, and for which the host is busy."""

PROMISED_AFTER: Final = 1.0
"""Seconds that the host's own disk takes at most, and then most often longer than it waits for."""


@Drill
def dead_host(world: World) -> None:
    """The host dies while the seats that would stand first are gone."""
    with table(world, PLAYERS) as evening:
        _three_die(evening, MOVED_AFTER)


@Drill
def dead_host_unnoticed(world: World) -> None:
    """The same without a report from any system: only silence shows it."""
    with table(world, PLAYERS) as evening:
        evening.is_noticed = False
        _three_die(evening, SILENT_AFTER)


@Drill
def bots_go_with_the_host(world: World) -> None:
    """The host dies, and with it the bots that it has brought: those who stay are too few to choose
    another one, know it, and stand only at the last."""
    with Evening(world, 3, is_headless=False, liars=0) as evening:
        evening.is_noticed = evening.is_calm = True
        world.run(STEP)
        # No disk holds what these bots are told, and no law knows of them; they decide by views.
        evening.laws.is_over = evening.network.is_watched = True
        for number in range(BROUGHT):
            evening.programs[HOST].add_bot(f"bot {number}")
        world.run(GATHER)
        table = evening.latest
        if table is None or len(table.electors) != evening.players + BROUGHT:
            return
        die(evening, HOST)
        until = world.time + LAST_HOPE - PING_INTERVAL - STEP
        while world.time < until:
            world.run(world.time + STEP)
            if any(program.host for program in evening.programs.values()):
                raise Broken("who counts on the dead stands in vain")


@Drill
def host_leaves(world: World) -> None:
    """A host that is told to end, or leaves by a key, is followed as soon as one that dies.

    At tables of 2, 3, 5 and 9, in the middle of a game. Of two players, nobody follows a host that
    dies (G8).
    """
    players = SIZES[world.seed % len(SIZES)]
    died = MOVED_AFTER if players == 2 else _time_without_host(world.seed, players, is_killed)
    for way in (is_told_to_end, quits):
        ended = _time_without_host(world.seed, players, way)
        if ended > min(died, ENDED_AFTER):
            raise Broken(
                f"who {way.__name__} keeps {players} waiting {ended:.1f} s, who dies {died:.1f} s"
            )


def _time_without_host(seed: int, players: int, way: Way) -> float:
    """Seconds from the host's leaving until the table has another one, as far as the test waits."""
    with table(World(seed), players) as evening:
        begun = evening.world.time
        evening.dead.add(HOST)
        way(evening, HOST)
        with contextlib.suppress(Broken):
            wait_for_host(evening, MOVED_AFTER)
        return evening.world.time - begun


@Drill
def host_leaves_slow_disks(world: World) -> None:
    """The same where all disks are slow, or the host is busy for a moment: still within 2 s.

    At tables of 3, 5 and 9.
    """
    with table(world, _size(world)) as evening:
        if all_count(evening):
            sync_time, busy = SLOWNESS[world.seed % len(SLOWNESS)]
            for machine in evening.machines.values():
                machine.disk.sync_time = sync_time
            world.run(world.time + STEP)
            evening.machines[HOST].work(busy)
            evening.dead.add(HOST)
            world.random.choice((is_told_to_end, quits))(evening, HOST)
            wait_for_host(evening, ENDED_AFTER)


@Drill
def host_leaves_its_slow_disk(world: World) -> None:
    """The same where the host's own disk is too slow to keep a promise while the host leaves.

    At tables of 3, 5 and 9.
    """
    with table(world, _size(world)) as evening:
        if all_count(evening):
            evening.machines[HOST].disk.sync_time = PROMISED_AFTER
            evening.dead.add(HOST)
            world.random.choice((is_told_to_end, quits))(evening, HOST)
            wait_for_host(evening, SILENT_AFTER)


@Drill
def silent_host(world: World) -> None:
    """A host falls silent, and nothing tells the others why: they play on soon.

    At tables of 3, 5 and 9, by a lid, a line or a program that is stopped.
    """
    with table(world, _size(world)) as evening:
        _fall_silent(evening, SILENT_AFTER)


@Drill
def unplugged_host(world: World) -> None:
    """The others learn at once that the host is gone, and it does not: they wait until it stops."""
    with table(world, _size(world)) as evening:
        if all_count(evening):
            evening.dead.add(HOST)
            evening.network.lost_lines.add(HOST)
            break_links(evening, HOST)
            wait_for_host(evening, SILENT_AFTER)


@Drill
def silent_host_where_packets_are_lost(world: World) -> None:
    """The same on a network that loses a fifth of all packets."""
    with table(world, _size(world)) as evening:
        evening.network.loss = LOSS
        world.run(world.time + GATHER)
        _fall_silent(evening, SILENT_AFTER_LOSSES)


@Drill
def nobody_is_away_where_packets_are_lost(world: World) -> None:
    """On such a network the host stays host, and nobody who is here is shown as away.

    In a hundred minutes of nine players, two or three see so many losses in a row that somebody
    connects again, and is back at once.
    """
    with table(world, _size(world), is_calm=True) as evening:
        evening.network.loss = LOSS
        guest = evening.programs[HOST].guest
        assert guest and guest.table
        known, turn = len(guest.log), guest.table.turn
        world.run(world.time + LOSSY)
        said = list(guest.log[known:])
        if any(isinstance(each.statement, HostMoved) for each in said):
            raise Broken("the table has left a host whose packets are only late")
        gone = [each.time for each in said if isinstance(each.statement, Away)]
        back = [each.time for each in said if isinstance(each.statement, Back)]
        if len(gone) > 1 or sum(back) - sum(gone) > BACK:
            raise Broken("somebody counts as away whose packets are only late")
        if guest.table.turn == turn:
            raise Broken("nobody plays on where packets are lost")


def _size(world: World) -> int:
    return SIZES[1:][world.seed // len(SILENT) % 3]


def _fall_silent(evening: Evening, within: float) -> None:
    if all_count(evening):
        evening.dead.add(HOST)
        SILENT[evening.world.seed % len(SILENT)](evening, HOST)
        wait_for_host(evening, within)


def _three_die(evening: Evening, within: float) -> None:
    """Two die, and the host after them; those who stay have another one in time.

    Where somebody came too late to be dealt in, they may be too few for that.
    """
    for name in in_order(evening)[1:3]:
        die(evening, name)
    evening.world.run(evening.world.time + GATHER)
    die(evening, HOST)
    if evening.can_go_on:
        wait_for_host(evening, within)
