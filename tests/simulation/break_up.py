"""How an evening goes on when more than half leave for good at once (G8)."""

from __future__ import annotations

import random
from typing import Final

from protocol.rules.options import MIN_PLAYERS
from protocol.table.electorate import can_move
from protocol.table.state import Table
from tests.simulation.departures import SILENT, UNFORESEEN, come_back, depart
from tests.simulation.evening import GIVEN_UP_AFTER, Evening
from tests.simulation.laws import Broken

SHARE: Final = 0.3
"""One evening in this many loses most of its players at the end."""

LATEST: Final = 20.0
"""Seconds after the last fault within which they leave."""

STEP: Final = 0.5

DOUBTED: Final = 300.0
"""Seconds that an evening waits, at most, for a host that is in doubt."""

UNHEARD: Final = 20.0
"""Seconds from a host's last word within which the table must have another one."""


def most_leave(evening: Evening, seed: int) -> bool:
    """Have most of the electors leave for good, in some evenings; returns whether they did.

    It has dice of its own, so that the rest of the evening stays the same.
    """
    dice, world = random.Random(f"most leave {seed}"), evening.world
    if dice.random() >= SHARE:
        return False
    world.run(world.time + dice.uniform(0.0, LATEST))
    table = evening.latest
    if table is None or not evening.can_go_on or evening.is_over or evening.laws.is_closed:
        return False
    names = sorted(n for n, key in evening.laws.keys.items() if key in table.electors)
    left = [name for name in names if name not in evening.dead]
    if len(left) <= MIN_PLAYERS:
        return False
    evening.goes_along = True
    for name in dice.sample(left, len(names) // 2 + 1 - (len(names) - len(left))):
        evening.dead.add(name)
        dice.choice(UNFORESEEN)(evening, name)
    return True


def host_falls_silent(evening: Evening, seed: int) -> None:
    """Have the host fall silent, in some evenings: the others soon have another one.

    Its lid is closed, its line is dead, or its program stands still; later it is back. Raises
    `Broken` if those who stay are enough, can find each other, and have no host in time.
    """
    dice, world = random.Random(f"host falls silent {seed}"), evening.world
    if dice.random() >= SHARE:
        return
    world.run(world.time + dice.uniform(0.0, LATEST))
    host, table = evening.host, evening.latest
    if host is None or table is None or not evening.can_go_on or evening.is_over:
        return
    name, until = host.machine.name, world.time + UNHEARD
    depart(evening, name, dice.choice(SILENT), is_for_good=True)
    while evening.can_go_on and not evening.is_over:
        epochs = [each.epoch for each in _seated(evening).values() if each.id == table.id]
        if max(epochs, default=0) > table.epoch:
            break
        if world.time > until:
            raise Broken(f"{name} says nothing for {UNHEARD:.0f} s, and nobody takes its place")
        world.run(world.time + STEP)
    come_back(evening, name)


def go_on_elsewhere(evening: Evening, slack: float) -> bool:
    """Pass the time until those who stay play on; returns whether that is at a new table.

    Raises `Broken` if they have not after the grace time and `slack` seconds, though they are
    enough and can find each other.
    """
    world, old = evening.world, evening.table
    until, latest = world.time + GIVEN_UP_AFTER + evening.grace + slack, world.time + DOUBTED
    here, there, staying = evening.turn, -1, set(_seated(evening))
    while world.time < min(until, latest):
        world.run(world.time + STEP)
        # A host that has removed somebody waits until its owner also removes those who may be with
        # that player.
        until += STEP if evening.is_doubted else 0.0
        turns = [table.turn for table in _seated(evening).values() if table.id != old]
        if not turns and evening.turn > here:
            return False
        if len(turns) >= MIN_PLAYERS and there not in (-1, max(turns)):
            return True
        there = max(turns) if len(turns) >= MIN_PLAYERS else there
    here_now = {guest.key for _, guest in evening.present}
    weighing = {
        n: table for n, table in _seated(evening).items() if evening.laws.keys[n] in table.electors
    }
    staying &= {
        name
        for name, table in weighing.items()
        if evening.has_players(table, here_now)
        and (table.id == old or _has_host(table, here_now, here_now - evening.liars))
    }
    # Players with a different log cannot agree with the others on a new table.
    if len(staying) >= MIN_PLAYERS and not (evening.network.is_quiet or evening.is_over):
        raise Broken(f"{' and '.join(sorted(staying))} stay and play nowhere")
    return False


def _has_host(table: Table, here: set[bytes], honest: set[bytes]) -> bool:
    """Whether the host of a new table is here, or those who do not lie can choose another."""
    return table.host in here or any(can_move(table, honest, key) for key in honest)


def _seated(evening: Evening) -> dict[str, Table]:
    """The tables of the people who play, by machine, without strangers who only sit."""
    people = [(p.machine.name, g) for p, g in evening.present if p.seat and p.plays]
    return {name: g.table for name, g in people if g.table and g.table.seat(g.key)}
