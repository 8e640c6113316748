"""What goes wrong: each fault is a function of an evening, and most of them pass."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import partial
from typing import Final

from tests.simulation.departures import leave_at_once, leave_one
from tests.simulation.evening import Evening
from tests.simulation.world import Machine

LASTS: Final = (0.3, 1.0, 2.0, 4.0, 5.0, 8.0, 20.0, 40.0)
"""Seconds that a fault lasts."""

PROMISES: Final = b"promise"
"""How a promise begins in a seat's journal."""

Fault = Callable[[Evening], None]


def _lasts(evening: Evening) -> float:
    dice = evening.world.random
    return dice.choice(LASTS) * dice.uniform(0.8, 1.2)


def _anybody(evening: Evening) -> str:
    """A machine; the host's more often than others."""
    dice, host = evening.world.random, evening.host
    if host and dice.random() < 0.35:
        return host.machine.name
    return dice.choice(sorted(evening.machines))


def _block(evening: Evening, pairs: list[tuple[str, str]]) -> None:
    for pair in pairs:
        evening.network.block(*pair)

    def heal() -> None:
        # Once everything is mended, no more wires break.
        if not evening.is_calm:
            evening.network.heal(pairs)

    evening.world.later(_lasts(evening), heal)


def break_wire(evening: Evening) -> None:
    """A connection ends, and both sides know."""
    wires = evening.network.wires()
    if wires:
        evening.network.reset(evening.world.random.choice(wires))


def deafen(evening: Evening) -> None:
    """Bytes get out of a machine, but none get in, or the other way round."""
    name, dice = _anybody(evening), evening.world.random
    others = [other for other in evening.machines if other != name]
    inwards = dice.random() < 0.5
    _block(evening, [(other, name) if inwards else (name, other) for other in others])


def isolate(evening: Evening) -> None:
    """A machine is alone."""
    _part(evening, {_anybody(evening)})


def unplug(evening: Evening, name: str = "") -> None:
    """A machine is alone, and only the others know; now and then it also dozes off for a moment."""
    name, dice = name or _anybody(evening), evening.world.random
    break_links(evening, name)
    _part(evening, {name})
    if dice.random() < 0.5:
        machine = evening.machines[name]
        machine.sleep()
        evening.world.later(dice.uniform(0.3, 3.0), machine.wake)


def break_links(evening: Evening, name: str) -> None:
    """All who are connected to a machine learn that they are no longer; the machine does not."""
    for end in evening.network.wires():
        for each in (end, end.peer):
            if each.peer.machine.name == name:
                each.end(ConnectionResetError("unplugged"))


def split(evening: Evening) -> None:
    """The network falls into two halves."""
    dice, names = evening.world.random, sorted(evening.machines)
    _part(evening, set(dice.sample(names, dice.randint(1, max(1, len(names) - 1)))))


def _part(evening: Evening, some: set[str]) -> None:
    evening.world.note("FAULT", f"alone: {' '.join(sorted(some))}")
    others = [name for name in evening.machines if name not in some]
    ways = [(one, other) for one in sorted(some) for other in others]
    _block(evening, ways + [(other, one) for one, other in ways])


def lose_some_ways(evening: Evening) -> None:
    """Some machines do not reach some others: not two sides, but any pattern."""
    dice, names = evening.world.random, sorted(evening.machines)
    ways = [(one, other) for one in names for other in names if one != other]
    _block(evening, [way for way in ways if dice.random() < 0.3])


def crash(evening: Evening) -> None:
    """A program ends and is started again."""
    name = _anybody(evening)
    evening.machines[name].crash()
    evening.world.later(_lasts(evening), lambda: evening.restart(name))


def tear(evening: Evening) -> None:
    """The power fails during one of the next writes."""
    name, dice = _anybody(evening), evening.world.random
    evening.machines[name].disk.cut_in = dice.randrange(24)

    def mend() -> None:
        evening.machines[name].disk.cut_in = None
        evening.restart(name)

    evening.world.later(5.0 + _lasts(evening), mend)


def trap(evening: Evening) -> None:
    """The power fails just when somebody writes a certain kind of record."""
    name, dice = _anybody(evening), evening.world.random
    disk = evening.machines[name].disk
    disk.trap = dice.choice((PROMISES, b"hand", b"", b""))

    def mend() -> None:
        disk.trap, disk.cut_in = None, None
        evening.restart(name)

    evening.world.later(5.0 + _lasts(evening), mend)


def storm(evening: Evening) -> None:
    """The host is gone for a while, and those who could follow have a hard time."""
    dice, host = evening.world.random, evening.host
    if host is None:
        return
    unplug(evening, host.machine.name)
    for name in evening.machines:
        if dice.random() < 0.4:
            evening.machines[name].disk.trap = PROMISES
            evening.world.later(dice.uniform(6, 30), partial(evening.restart, name))
        elif dice.random() < 0.2:
            _refuse(evening, evening.machines[name], errno.ENOSPC)
    for _ in range(dice.randint(2, 10)):
        fault = dice.choice((lose_some_ways, lose_some_ways, split, slow, crash))
        evening.world.later(dice.uniform(3, 25), partial(strike, evening, fault))


def power_off_all(evening: Evening) -> None:
    """Everything stops, and comes back in some order."""
    for name in sorted(evening.machines):
        evening.machines[name].crash()
        evening.world.later(evening.world.random.uniform(1, 9), partial(evening.restart, name))


def sleep(evening: Evening) -> None:
    """A lid is closed for a while: the clocks go apart."""
    name = _anybody(evening)
    machine = evening.machines[name]

    def wake() -> None:
        # Nobody opens the lid of a player who has left for good.
        if name not in evening.dead:
            machine.wake()

    machine.sleep()
    evening.world.later(_lasts(evening), wake)


def stop(evening: Evening) -> None:
    """A program stands still while its machine goes on, and everything sent to it waits."""
    evening.machines[_anybody(evening)].work(_lasts(evening))


def give_up(evening: Evening) -> None:
    """The host is alone with some, and its owner removes all of the others but one."""
    host = evening.host
    if host is None or host.host is None:
        return
    dice, names = evening.world.random, sorted(evening.machines)
    with_host = {host.machine.name, *dice.sample(names, dice.randint(1, max(1, len(names) // 2)))}
    _part(evening, with_host)
    others = [key for name, key in evening.laws.keys.items() if name not in with_host]
    gone = dice.sample(others, max(0, len(others) - 1))
    for number, key in enumerate(gone):
        evening.world.later(number + dice.uniform(0.2, 2.0), partial(host.remove, key))


def slow(evening: Evening) -> None:
    """Everything to and from a machine comes late."""
    machine = evening.machines[_anybody(evening)]
    machine.lag = evening.world.random.choice((0.2, 1.0, 3.0, 6.0))

    def mend() -> None:
        machine.lag = 0.0

    evening.world.later(_lasts(evening), mend)


def move_away(evening: Evening) -> None:
    """A machine gets another address: what was sent to the old one is lost."""
    if evening.network.is_quiet:
        return
    machine = evening.machines[_anybody(evening)]
    number = evening.world.random.randrange(1, 255)
    machine.address = f"10.0.{number}.{machine.address.rpartition('.')[2]}"
    evening.world.note(machine.name, f"is at {machine.address}")


def set_clock(evening: Evening) -> None:
    """Somebody sets the wall clock."""
    machine, dice = evening.machines[_anybody(evening)], evening.world.random
    machine.shift_wall_clock(dice.choice((-3600, -90, -1, 1, 90, 3600)))


def slow_disk(evening: Evening) -> None:
    """Something takes long until it is on a disk."""
    disk = evening.machines[_anybody(evening)].disk
    disk.sync_time = evening.world.random.choice((0.05, 0.5, 2.0))

    def mend() -> None:
        disk.sync_time = disk.usual_sync_time

    evening.world.later(_lasts(evening), mend)


def full_disk(evening: Evening) -> None:
    """There is no room for a while."""
    _refuse(evening, evening.machines[_anybody(evening)], errno.ENOSPC)


def read_only_disk(evening: Evening) -> None:
    """A disk has a fault, and its system lets nobody write for a while."""
    _refuse(evening, evening.machines[_anybody(evening)], errno.EROFS)


def full_disk_for_good(evening: Evening) -> None:
    """There is no room until everything is mended, and the program may end meanwhile."""
    machine, dice = evening.machines[_anybody(evening)], evening.world.random
    machine.disk.refuses = errno.ENOSPC

    def end() -> None:
        # Once everything is mended, no program ends of itself.
        if not evening.is_calm:
            machine.crash()

    if dice.random() < 0.3:
        evening.world.later(_lasts(evening), end)


def _refuse(evening: Evening, machine: Machine, why: int) -> None:
    disk = machine.disk
    disk.refuses = why

    def mend() -> None:
        disk.refuses = None

    evening.world.later(_lasts(evening), mend)


def die(evening: Evening) -> None:
    """A machine goes for good."""
    name = _anybody(evening)
    if evening.may_die(name):
        evening.dead.add(name)
        evening.machines[name].crash()


def hand_over(evening: Evening) -> None:
    """The host gives its role to somebody."""
    host = evening.host
    table = host.guest.table if host and host.guest else None
    if host is None or host.guest is None or table is None or not host.machine.is_awake:
        return
    seats = [seat.key for seat in table.seats if seat.key != host.guest.key]
    # The chosen seat may be gone, and then another one is chosen.
    for seat in evening.world.random.sample(seats, min(2, len(seats))):
        host.hand_over(seat)


def open_window(evening: Evening) -> None:
    """Somebody goes on in another window of the same machine."""
    evening.open_window(_anybody(evening))


FAULTS: Final[tuple[tuple[Fault, int], ...]] = (
    (break_wire, 4),
    (deafen, 3),
    (isolate, 4),
    (unplug, 6),
    (split, 4),
    (lose_some_ways, 3),
    (crash, 6),
    (tear, 3),
    (trap, 4),
    (storm, 5),
    (power_off_all, 1),
    (sleep, 4),
    (stop, 3),
    (give_up, 5),
    (slow, 2),
    (slow_disk, 2),
    (full_disk, 3),
    (full_disk_for_good, 1),
    (read_only_disk, 1),
    (set_clock, 1),
    (move_away, 1),
    (die, 3),
    (hand_over, 5),
    (open_window, 4),
    (leave_one, 4),
    (leave_at_once, 2),
)
"""Every fault, with its weight."""


def plan(evening: Evening, until: float) -> None:
    """Let some of them happen before `until`."""
    dice = evening.world.random
    faults, weights = zip(*FAULTS, strict=True)
    for fault in dice.choices(faults, weights, k=dice.randint(0, 14)):
        evening.world.later(dice.uniform(0.5, until), partial(strike, evening, fault))


def strike(evening: Evening, fault: Fault) -> None:
    """Let a fault happen, unless it is too late for one."""
    if not evening.is_calm:
        evening.world.note("FAULT", fault.__name__)
        fault(evening)


def calm(evening: Evening) -> None:
    """Mend everything that can be mended."""
    evening.is_calm = True
    evening.world.note("FAULT", "no more")
    names = sorted(set(evening.machines) - evening.dead)
    for name in names:
        machine = evening.machines[name]
        machine.lag = 0.0
        machine.disk.mend()
        machine.free()
    evening.network.heal([(one, other) for one in names for other in names if one != other])
    for name in names:
        evening.restart(name)
