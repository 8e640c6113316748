"""Drills of mishaps, and how soon play has to go on: slowness breaks no law of an evening."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Callable, Iterable
from typing import Final

from protocol.rules.options import MAX_PLAYERS, MIN_PLAYERS
from protocol.table.statements import Away, Back, HostMoved
from protocol.timeouts import LEASE, LOST_DELAY
from protocol.views import LinkState
from spoof_tui.storage.disk import RETRY_DELAY
from tests.simulation.departures import SILENT, UNFORESEEN, Way, is_killed, is_told_to_end, quits
from tests.simulation.drill import (
    GATHER,
    STEP,
    Drill,
    coins_of,
    die,
    table,
    wait_for,
    wait_for_host,
    wait_for_turn,
)
from tests.simulation.evening import HOST, Evening
from tests.simulation.faults import break_links
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

MOVED_AFTER: Final = 4.5
"""Seconds from the death of a host until the table has another one, whoever was away before."""

FELT_AFTER: Final = 16.0
"""Seconds within which a seat with a full disk is missed, and back once there is room."""

SILENT_AFTER: Final = 6.0
"""The same if no system reports that its program is gone, and only silence shows it."""

LOSS: Final = 0.2
"""The loss rate of a bad network."""

SILENT_AFTER_LOSSES: Final = 12.0
"""The same on such a network."""

LOSSY: Final = 60.0
"""Seconds for which people play on such a network."""

BACK: Final = 5000
"""Milliseconds within which a player who has lost the link there is back."""

SIZES: Final = (2, 3, 5, 9)
"""Numbers of players at the tables whose host leaves."""

GAME: Final = 5.0
"""Seconds for which a game is on, at most, when most of its players leave."""

ENDED_AFTER: Final = 2.0
"""Seconds from the polite end of a host until the table has another one."""

SLOWNESS: Final = ((0.1, 0.0), (0.3, 0.0), (0.0, 0.8))
"""Seconds that every disk takes to keep something, and for which the host is busy."""

PROMISED_AFTER: Final = 1.0
"""Seconds that the host's own disk takes at most, and then most often longer than it waits for."""

TORN_AFTER: Final = 30.0
"""The same if those who could choose a host are bound to a candidate who has died."""

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
        if _all_count(evening):
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
        if _all_count(evening):
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
        if _all_count(evening):
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
    if _all_count(evening):
        evening.dead.add(HOST)
        SILENT[evening.world.seed % len(SILENT)](evening, HOST)
        wait_for_host(evening, within)


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
        die(evening, _in_order(evening)[1])
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
        host, *_, friend = _in_order(evening)
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
            wait_for_turn(evening, KEYS, "those who are left wait for the others")


@Drill
def healed_halves(world: World) -> None:
    """The host dies, two halves without a majority stand, and meet."""
    with table(world, PLAYERS) as evening:
        order = _in_order(evening)
        die(evening, HOST)
        _part(evening, order[1:4], order[4:], lambda: world.run(world.time + APART))
        wait_for_host(evening, JOINED_AFTER)


@Drill
def half_is_gone(world: World) -> None:
    """Half of the table is cut off from the host and the other half: neither is a majority.

    The host goes on, for nobody can follow it.
    """
    with table(world, 4, is_calm=True) as evening:
        order = _in_order(evening)
        _part(evening, order[:2], order[2:], lambda: world.run(world.time + APART))
        wait_for(evening, lambda: _is_together(evening), FELT_AFTER, "the halves do not meet")
        assert evening.host and evening.host.machine.name == HOST


@Drill
def role_is_given_to_who_is_gone(world: World) -> None:
    """The host hands its role to somebody who is gone by then, and perhaps to another one at once.

    Its seat has given its promise by then, and everybody still meets at one table.
    """
    with table(world, 5) as evening:
        gone, heir = _in_order(evening)[1:3]
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
        host, _, *others = _in_order(evening)
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
        host, *others = _in_order(evening)

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
        order = _in_order(evening)
        if not _all_count(evening):
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
        if not _all_count(evening):
            return
        one, other, voter, second, *rest = _in_order(evening)[1:]
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
        host, *others = _in_order(evening)
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


def _three_die(evening: Evening, within: float) -> None:
    """Two die, and the host after them; those who stay have another one in time.

    Where somebody came too late to be dealt in, they may be too few for that.
    """
    for name in _in_order(evening)[1:3]:
        die(evening, name)
    evening.world.run(evening.world.time + GATHER)
    die(evening, HOST)
    if evening.can_go_on:
        wait_for_host(evening, within)


def _all_count(evening: Evening) -> bool:
    """Whether all were dealt in: nobody came late, and no stranger took a seat."""
    guest, players = evening.programs[HOST].guest, evening.players
    return guest is not None and guest.table is not None and len(guest.table.electors) == players


def _supports(evening: Evening, name: str) -> bool:
    """Whether somebody has promised to follow another host than the table's."""
    guest = evening.programs[name].guest
    return bool(guest and guest.table and guest.epoch > guest.table.epoch)


def _stands(evening: Evening, name: str) -> bool:
    host = evening.programs[name].host
    return host is not None and host.is_standing


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


def _part(
    evening: Evening, some: Iterable[str], others: list[str], meanwhile: Callable[[], None]
) -> None:
    """Inside the context, some are cut off from others."""
    ways = list(_ways(some, others))
    for way in ways:
        evening.network.block(*way)
    meanwhile()
    evening.network.heal(ways)
