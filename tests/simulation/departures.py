"""How people leave a table, politely or not, alone or many at once; some come back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from tests.simulation.evening import Evening

SPREAD: Final = (0.0, 0.0, 0.3, 3.0, 15.0)
"""Seconds within which those who leave together do so."""

RETURNS: Final = (2.0, 45.0)
"""Least and most seconds until somebody is back."""

FOR_GOOD: Final = 0.6
"""How often somebody does not come back."""

STOPPED: Final = 120.0
"""Seconds for which a stopped program stands still."""

Way = Callable[[Evening, str], None]


def quits(evening: Evening, name: str) -> None:
    """The player leaves by a key, and has time."""
    if name in evening.programs:
        evening.programs[name].end(is_told=False)


def is_told_to_end(evening: Evening, name: str) -> None:
    """A signal comes, or the terminal is gone."""
    if name in evening.programs:
        evening.programs[name].end(is_told=True)


def is_killed(evening: Evening, name: str) -> None:
    """The program is gone, and its system tells the others."""
    evening.machines[name].stop()


def loses_power(evening: Evening, name: str) -> None:
    """The machine is gone."""
    evening.machines[name].crash()


def closes_lid(evening: Evening, name: str) -> None:
    """The machine sleeps."""
    evening.machines[name].sleep()


def loses_line(evening: Evening, name: str) -> None:
    """The program lives on, and reaches nobody."""
    evening.network.lost_lines.add(name)


def stands_still(evening: Evening, name: str) -> None:
    """The program is stopped, and its machine lives: it accepts connections, and says nothing."""
    evening.machines[name].work(STOPPED)


SILENT: Final = (closes_lid, loses_line, stands_still)
"""Ways to be gone without anybody being told."""

WAYS: Final[tuple[Way, ...]] = (
    quits,
    is_told_to_end,
    is_told_to_end,
    is_killed,
    loses_power,
    closes_lid,
    loses_line,
)
"""Every way to leave."""

UNFORESEEN: Final = (is_killed, loses_power, closes_lid, loses_line)
"""Ways to leave without a word."""


def leave_one(evening: Evening) -> None:
    """Somebody leaves, the host more often than others."""
    dice, host = evening.world.random, evening.host
    if host and dice.random() < 0.5:
        leave(evening, host.machine.name)
    else:
        leave(evening, dice.choice(sorted(evening.machines)))


def leave_at_once(evening: Evening) -> None:
    """Any number leave at once, or one soon after the other."""
    dice, names = evening.world.random, sorted(evening.machines)
    spread = dice.choice(SPREAD)
    for name in dice.sample(names, dice.randint(1, len(names))):
        evening.world.later(dice.uniform(0.0, spread), partial(leave, evening, name))


def leave(evening: Evening, name: str) -> None:
    """Somebody leaves in any way."""
    dice = evening.world.random
    way, is_for_good = dice.choice(WAYS), dice.random() < FOR_GOOD
    if not evening.is_calm and name not in evening.dead and evening.machines[name].is_up:
        depart(evening, name, way, is_for_good=is_for_good)


def depart(evening: Evening, name: str, way: Way, *, is_for_good: bool) -> None:
    """Somebody leaves in this way."""
    dice = evening.world.random
    evening.world.note("FAULT", f"{name} {way.__name__}{' for good' if is_for_good else ''}")
    evening.dead.add(name)
    way(evening, name)
    if not is_for_good:
        evening.world.later(dice.uniform(*RETURNS), partial(come_back, evening, name))


def come_back(evening: Evening, name: str) -> None:
    """Somebody is back at the machine that they left."""
    if evening.programs.get(name) and evening.programs[name].is_leaving:
        # That program comes to its end first.
        evening.world.later(1.0, partial(come_back, evening, name))
        return
    evening.world.note("FAULT", f"{name} comes back")
    evening.dead.discard(name)
    evening.network.lost_lines.discard(name)
    evening.network.heal(list(_ways(evening, name)))
    evening.machines[name].free()
    if evening.is_calm:
        evening.machines[name].disk.mend()
    evening.restart(name)


def _ways(evening: Evening, name: str) -> list[tuple[str, str]]:
    others = [other for other in evening.machines if other != name]
    return [(name, other) for other in others] + [(other, name) for other in others]
