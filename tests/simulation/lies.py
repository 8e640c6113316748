"""Drills with somebody at the table who lies, and serves it falsely: how much that may cost."""

from __future__ import annotations

from typing import Final

from tests.simulation.drill import (
    GATHER,
    LATEST,
    STEP,
    Drill,
    coins_of,
    die,
    wait_for,
    wait_for_host,
)
from tests.simulation.evening import HOST, Evening
from tests.simulation.laws import Broken
from tests.simulation.players import QUIET, Character
from tests.simulation.world import World

IN_AFTER: Final = 3.0
"""Seconds within which whoever comes to an open table has a seat."""

LIED: Final = 20.0
"""Seconds for which somebody lies in a game."""

LOST_TO_LIES: Final = 1.0
"""How many of them the table may have no host: one election."""

LIED_LAG: Final = 0.05
"""Seconds that everything takes to and from a machine there, once the host is gone."""

LIED_AFTER: Final = 15.0
"""Seconds from the death of a host until the table has another one, where somebody lies to each
candidate."""

FALSE_AFTER: Final = 40.0
"""The same where somebody serves the table falsely."""


@Drill
def liar_before_a_game(world: World) -> None:
    """Somebody sits down before the first game and says again and again that it follows a later
    epoch: the host, with a seat or without one, stays, and whoever comes is in at once."""
    with Evening(world, 1, is_headless=world.seed % 2 == 1, liars=1) as evening:
        evening.is_noticed = evening.is_calm = True
        world.run(GATHER)
        hosting = evening.host
        host = hosting.host if hosting else None
        if host is None or host.table.epoch or host.key != evening.laws.keys[HOST]:
            raise Broken("a host has given up what it could not win back")
        evening.arrive(Character("friend"), 0.0)
        friend = evening.laws.keys["friend"]
        why = f"nobody is in within {IN_AFTER} s"
        wait_for(evening, lambda: bool(host.table.seat(friend)), IN_AFTER, why)


@Drill
def liar_in_a_game(world: World) -> None:
    """The same in a game, which those who do not lie could move: it costs them little time, and
    once their host is gone they soon have another."""
    with Evening(world, 4, is_headless=False, liars=1) as evening:
        evening.is_noticed = evening.is_calm = True
        wait_for(evening, lambda: bool(coins_of(evening)), LATEST, "no game begins")
        until, lost = world.time + LIED, 0.0
        while world.time < until and not evening.is_over:
            world.run(world.time + STEP)
            lost += STEP if evening.host is None else 0.0
        if lost > LOST_TO_LIES:
            raise Broken(f"the table has no host for {lost:.1f} of {LIED:.0f} s")
        for machine in evening.machines.values():
            machine.lag = LIED_LAG
        die(evening, HOST)
        if evening.can_go_on and not evening.is_over:
            wait_for_host(evening, LIED_AFTER)


@Drill
def false_server(world: World) -> None:
    """A player serves the table falsely, in an epoch that never was: once the host is gone, the
    others have another one all the same."""
    with Evening(world, 4, liars=1, serves=True) as evening:
        evening.is_noticed = evening.is_calm = True
        wait_for(evening, lambda: bool(coins_of(evening)), LATEST, "no game begins")
        world.run(world.time + 2 * QUIET)
        die(evening, HOST)
        if evening.can_go_on and not evening.is_over:
            wait_for_host(evening, FALSE_AFTER)
