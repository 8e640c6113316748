"""Drills of mishaps, and how soon play has to go on: slowness breaks no law of an evening."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterable
from typing import Final

from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS
from protocol.table.statements import HostMoved
from protocol.timeouts import LEASE, LOST_DELAY
from protocol.views import LinkState
from spoof_tui.storage.disk import RETRY_DELAY
from tests.simulation.departures import UNFORESEEN
from tests.simulation.drill import (
    ENDED_AFTER,
    GATHER,
    SILENT_AFTER,
    SIZES,
    STEP,
    Drill,
    all_count,
    coins_of,
    die,
    in_order,
    table,
    wait_for,
    wait_for_host,
    wait_for_turn,
)
from tests.simulation.evening import HOST, Evening
from tests.simulation.laws import Broken
from tests.simulation.players import Character
from tests.simulation.runs import KEYS, SLACK
from tests.simulation.world import World

PLAYERS: Final = 7

APART: Final = 17.0
"""Seconds that the halves are apart."""

LONGEST: Final = 300.0
"""Seconds within which only two are left in a game."""

LATE: Final = 0.8
"""Seconds that everything takes to and from a slow machine, and on its disk."""

WINDOWS: Final = 12
"""Windows that are opened one after the other."""

MOMENT: Final = 2.0
"""Seconds for which a disk is full."""

FELT_AFTER: Final = 16.0
"""Seconds within which a seat with a full disk is missed, and back once there is room."""

GAME: Final = 5.0
"""Seconds for which a game is on, at most, when most of its players leave."""

TORN_AFTER: Final = 30.0
"""Seconds until the table has a host, if those who could choose one are bound to a candidate
who has died."""

SET_BACK: Final = 3600.0
"""Seconds by which a clock is set back."""

TURNS: Final = 8
"""Turns, at least one of which has to wait for a player who is gone."""

JOINED_AFTER: Final = 3.0
"""Seconds until there is a host, from the end of a partition in which two halves stood in vain."""

BOUND_AFTER: Final = 10.0
"""Seconds until a seat that is bound to a candidate who has died is with its old host again."""

BOTS: Final = 6
TOGETHER: Final = 1.0
"""Bots that come to a table, and the seconds within which they do."""


@Drill
def most_leave(world: World) -> None:
    """More than half leave at once, in any ways: those who stay go on at a new table (G8).

    Within the grace time and ten seconds of being missed, and with the coins of the last count.
    """
    with table(world, SIZES[2 + world.seed % 2], is_calm=True) as evening:
        evening.is_calm, evening.goes_along = False, True
        world.run(world.time + world.random.uniform(0.0, GAME))
        coins = coins_of(evening)
        for name in world.random.sample(sorted(coins), len(coins) // 2 + 1):
            evening.dead.add(name)
            world.random.choice(UNFORESEEN)(evening, name)
        _go_on_elsewhere(evening, coins)


def _go_on_elsewhere(evening: Evening, coins: dict[str, int]) -> None:
    old = evening.table
    turns = set[int]()
    found = dict[str, int]()

    def plays_there() -> bool:
        here = [g.table for p, g in evening.present if p.machine.name in coins]
        there = [each for each in here if each and each.id != old]
        if len(there) < MIN_PLAYERS:
            return False
        found.update(found or coins_of(evening))
        if any(coins[name] != count for name, count in found.items()):
            raise Broken(f"the new table begins with {found}, not as {coins}")
        turns.add(max(each.turn for each in there))
        return len(turns) > 1

    staying = [p.machine.name for p, _ in evening.present]
    within = LOST_DELAY + evening.grace + SLACK + KEYS
    wait_for(evening, plays_there, within, f"no game goes on at a new table: {staying}")


@Drill
def clock_set_back(world: World) -> None:
    """The clock of the host is set back, and a guest dies: the others play on without it (G3).

    Within the grace time, ten seconds and the time for a key.
    """
    with table(world, MIN_PLAYERS + 1, is_calm=True) as evening:
        evening.machines[HOST].shift_wall_clock(-SET_BACK)
        die(evening, in_order(evening)[1])
        for _ in range(TURNS):
            if evening.can_go_on:
                within = evening.grace + SLACK + KEYS
                wait_for_turn(evening, within, "those who stay wait for the clock of their host")


@Drill
def full_for_a_moment(world: World) -> None:
    """The host's disk is full for a moment: nobody takes the table over, and play goes on."""
    with table(world, 4, is_calm=True) as evening:
        disk = evening.machines[HOST].disk
        disk.refuses = errno.ENOSPC
        world.run(world.time + MOMENT)
        disk.refuses = None
        world.run(world.time + RETRY_DELAY + STEP)
        assert evening.host and evening.host.served
        if evening.host.served.server.trouble:
            raise Broken("what waits is not written though there is room")
        wait_for_turn(evening, KEYS, "the table waits though there is room")
        assert evening.host and evening.host.machine.name == HOST


@Drill
def full_host_disk(world: World) -> None:
    """The host's disk is full for good: the others choose another host, and play on without it.

    As soon as with any other host that falls silent, and within the grace time. Once there is room,
    the first host is a player like all others.
    """
    _fill(world, HOST)


@Drill
def full_disk(world: World) -> None:
    """The same with the disk of a player: the others play on, and it comes back by itself."""
    _fill(world, "p1")


@Drill
def another_window(world: World) -> None:
    """A player whose words do not get out goes on in another window, with the same hand."""
    with table(world, 4, is_calm=True) as evening:
        unheard = ("p1", HOST)
        for _ in range(WINDOWS):
            evening.network.block(*unheard)
            world.run(world.time + world.random.uniform(0.5, MOMENT))
            evening.open_window("p1")
            evening.network.heal([unheard])
            world.run(world.time + MOMENT)


@Drill
def back_at_a_full_disk(world: World) -> None:
    """The host's program, or a player's, begins anew while its disk is full, as often as not.

    It goes on in another window, is killed, or the power fails: what the disk refused may be in the
    file all the same, and nobody takes it for kept.
    """
    name = (HOST, "p1")[world.seed % 2]
    with table(world, 4, is_calm=True) as evening:
        machine, dice = evening.machines[name], world.random
        for _ in range(WINDOWS):
            machine.disk.refuses = dice.choice((errno.ENOSPC, None))
            world.run(world.time + dice.uniform(0.0, MOMENT))
            end = dice.choice((None, machine.stop, machine.crash))
            if end:
                end()
                evening.restart(name)
            else:
                evening.open_window(name)
            world.run(world.time + dice.uniform(0.0, 2 * MOMENT))
            machine.disk.refuses = None
            world.run(world.time + dice.uniform(0.0, MOMENT))
        why = "who has room again does not come back"
        wait_for(evening, lambda: _is_together(evening), TORN_AFTER, why)


@Drill
def torn_move(world: World) -> None:
    """A host that was followed by another one loses its power while it writes that down.

    It told one player more than the others, and tells that one the same again.
    """
    with table(world, 5, is_calm=True) as evening:
        world.run(world.time + KEYS)
        host, *_, friend = in_order(evening)
        rest = [name for name in evening.machines if name not in (host, friend)]

        disk = evening.machines[host].disk
        ways = list(_ways([host, friend], rest))
        for way in ways:
            evening.network.block(*way)
        why = "the others have no other host"
        wait_for(evening, lambda: _epoch(evening, rest[0]) > 0, TORN_AFTER, why)
        disk.trap = HostMoved.KIND.encode()
        evening.network.heal(list(_ways([host], rest)))
        world.run(world.time + APART)
        for way in _ways([host], rest):
            evening.network.block(*way)
        evening.restart(host)
        world.run(world.time + APART)
        evening.network.heal(ways)
        wait_for(evening, lambda: _is_together(evening), TORN_AFTER, "the halves do not meet")


def _epoch(evening: Evening, name: str) -> int:
    guest = evening.programs[name].guest
    return guest.table.epoch if guest and guest.table else 0


def _fill(world: World, name: str) -> None:
    with table(world, 4, is_calm=True) as evening:
        disk = evening.machines[name].disk
        evening.dead.add(name)
        disk.refuses = errno.ENOSPC
        within = FELT_AFTER + evening.grace + SLACK + KEYS
        for _ in range(2):
            wait_for_turn(evening, within, "the others wait for a full disk")
        evening.dead.clear()
        disk.refuses = None
        why = "who has room again does not come back"
        wait_for(evening, lambda: _is_together(evening), FELT_AFTER, why)
        evening.laws.judge((program.machine, guest) for program, guest in evening.present)


def _is_together(evening: Evening) -> bool:
    """Whether everybody holds the same log, and nobody has promised to follow another host."""
    guests = [guest for _, guest in evening.present]
    heads = {guest.log.head for guest in guests}
    are_here = all(guest.link is LinkState.UP for guest in guests)
    are_free = all(guest.table and guest.epoch == guest.table.epoch for guest in guests)
    return len(heads) == 1 and are_here and are_free


@Drill
def few_are_left_in_the_game(world: World) -> None:
    """Two of five are left in the game, and the others have slow disks and links: it goes on.

    No fist opens before half of all have the ending word on their disks.
    """
    with table(world, 5, is_calm=True) as evening:

        def left() -> list[str]:
            return [name for name, coins in coins_of(evening).items() if coins]

        wait_for(evening, lambda: len(left()) == 2, LONGEST, "nobody is out of the game")
        for name, machine in evening.machines.items():
            if name not in left():
                # Their answers to pings cross what they are sent.
                machine.disk.sync_time = machine.lag = LATE
        for _ in range(TURNS):
            turn, why = evening.turn, "those who are left wait for the others"
            wait_for(evening, lambda: evening.turn != turn or not left(), KEYS, why)  # noqa: B023


@Drill
def healed_halves(world: World) -> None:
    """The host dies, two halves without a majority stand, and meet."""
    with table(world, PLAYERS) as evening:
        order = in_order(evening)
        die(evening, HOST)
        _part(evening, order[1:4], order[4:], lambda: world.run(world.time + APART))
        wait_for_host(evening, JOINED_AFTER)


@Drill
def half_is_gone(world: World) -> None:
    """Half of the table is cut off from the host and the other half: neither is a majority.

    The host goes on, for nobody can follow it.
    """
    with table(world, 4, is_calm=True) as evening:
        order = in_order(evening)
        _part(evening, order[:2], order[2:], lambda: world.run(world.time + APART))
        wait_for(evening, lambda: _is_together(evening), FELT_AFTER, "the halves do not meet")
        assert evening.host and evening.host.machine.name == HOST


@Drill
def role_is_given_to_who_is_gone(world: World) -> None:
    """The host hands its role to somebody who is gone by then, and perhaps to another one at once.

    Its seat has given its promise by then, and everybody still meets at one table.
    """
    with table(world, 5) as evening:
        gone, heir = in_order(evening)[1:3]
        die(evening, gone)
        world.run(world.time + STEP)
        for name in (gone, heir)[: 1 + world.seed % 2]:
            evening.programs[HOST].hand_over(evening.laws.keys[name])
        world.run(world.time + ENDED_AFTER)
        why = "who gave the role away does not come back"
        wait_for(evening, lambda: _is_together(evening), SILENT_AFTER, why)


@Drill
def host_holds_back(world: World) -> None:
    """The host does not hear most of the others for a while: what is said meanwhile counts later.

    They hear it, and so nobody follows it.
    """
    with table(world, 5, is_calm=True) as evening:
        host, _, *others = in_order(evening)
        ways = [(other, host) for other in others]
        for way in ways:
            evening.network.block(*way)
        world.run(world.time + 2 * LEASE)
        evening.network.heal(ways)
        wait_for_turn(evening, KEYS, "what was said meanwhile does not count")


@Drill
def host_removes_whom_it_misses(world: World) -> None:
    """The host is cut off from three players, and removes two of them: it does not go on alone.

    The three have another host meanwhile.
    """
    with table(world, 4) as evening:
        host, *others = in_order(evening)

        def remove() -> None:
            until = world.time + SILENT_AFTER
            while world.time < until:
                for name in others[:2]:
                    evening.programs[host].remove(evening.laws.keys[name])
                world.run(world.time + STEP)

        _part(evening, [host], others, remove)


@Drill
def held_by_offer(world: World) -> None:
    """A seat is with a candidate that has too few, and can reach one that has enough with it.

    Nobody has agreed to go on at a new table by then.
    """
    with table(world, PLAYERS) as evening:
        order = in_order(evening)
        if not all_count(evening):
            return
        one, voter, *others = order[1:-1]
        ways = [*_ways([one, voter], others), *_ways(others, [voter])]
        for way in ways:
            evening.network.block(*way)
        for name in (order[-1], HOST):
            die(evening, name)
        world.run(world.time + APART)
        evening.network.heal([way for way in ways if voter in way])
        wait_for_host(evening, JOINED_AFTER)


@Drill
def torn_support(world: World) -> None:
    """Two stand in one epoch; one dies when two have supported it, who then find the other.

    The first never gets enough, because the other disks on its side are slow. One of the two is
    restarted, and is still bound.
    """
    with table(world, MAX_PLAYERS) as evening:
        if not all_count(evening):
            return
        one, other, voter, second, *rest = in_order(evening)[1:]
        slow, fresh = rest[::2], rest[1::2]
        for way in _ways([one, *slow], [other, *fresh]):
            evening.network.block(*way)
        for name in slow:
            evening.machines[name].disk.sync_time = APART
        die(evening, HOST)
        with contextlib.suppress(Broken):
            wait_for(
                evening, lambda: _supports(evening, voter) and _stands(evening, other), APART, ""
            )
        die(evening, one)
        evening.machines[second].crash()
        evening.restart(second)
        wait_for_host(evening, TORN_AFTER)


@Drill
def bound_to_the_dead(world: World) -> None:
    """Of three players one has promised its support to another, who dies, and finds the host again,
    alone: it is let in, and play goes on."""
    with table(world, 3, is_calm=True) as evening:
        host, *others = in_order(evening)
        disks = [evening.machines[name].disk for name in others]
        for disk in disks:
            disk.sync_time = LATE
        _part(evening, [host], others, lambda: die(evening, _supported(evening, others)))
        for disk in disks:
            disk.mend()
        why = "who has supported somebody who died is locked out"
        wait_for(evening, lambda: _is_together(evening), BOUND_AFTER, why)
        within = LOST_DELAY + evening.grace + SLACK + KEYS
        wait_for_turn(evening, within, "those who stay do not play on")


def _supported(evening: Evening, names: list[str]) -> str:
    """Pass the time until one of two stands, and the other has promised to support it."""

    def standing() -> list[str]:
        stand = [name for name in names if _stands(evening, name)]
        return [one for one in stand if all(_supports(evening, n) for n in names if n != one)]

    wait_for(evening, lambda: bool(standing()), APART, "nobody supports anybody")
    return standing()[0]


@Drill
def arrivals_as_the_game_starts(world: World) -> None:
    """Bots come one after the other while the others begin: there is a seat for each."""
    with Evening(world, 1, is_headless=True, liars=0) as evening:
        names = [f"b{number}" for number in range(BOTS)]
        evening.is_noticed = evening.is_calm = True
        for name in names:
            evening.arrive(Character(name, is_bot=True), STEP + world.random.uniform(0.0, TOGETHER))
            evening.machines[name].lag = world.random.uniform(0.0, LATE)
        world.run(GATHER)
        host = evening.host and evening.host.host
        assert host
        missed = [name for name in names if not host.table.seat(evening.laws.keys[name])]
        if missed and not host.table.opened.locked:
            raise Broken(f"{missed} have no seat")


def _supports(evening: Evening, name: str) -> bool:
    """Whether somebody has promised to follow another host than the table's."""
    guest = evening.programs[name].guest
    return bool(guest and guest.table and guest.epoch > guest.table.epoch)


def _stands(evening: Evening, name: str) -> bool:
    host = evening.programs[name].host
    return host is not None and host.is_standing


def _ways(some: Iterable[str], others: Iterable[str]) -> Iterable[tuple[str, str]]:
    for one in some:
        for other in others:
            yield from ((one, other), (other, one))


def _part(
    evening: Evening, some: Iterable[str], others: list[str], meanwhile: Callable[[], None]
) -> None:
    """Inside the context, some are cut off from others."""
    ways = list(_ways(some, others))
    for way in ways:
        evening.network.block(*way)
    meanwhile()
    evening.network.heal(ways)
