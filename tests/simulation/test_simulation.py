"""Some evenings of the simulator, that the same seed is the same evening, and some planted bugs."""

import asyncio
import functools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.simulation import drills
from tests.simulation.disks import Disk, PowerCut
from tests.simulation.evening import Evening
from tests.simulation.mutants import MUTANTS, Mutant
from tests.simulation.runs import Result, run
from tests.simulation.world import DRIFT, Machine, World

ROOT = Path(__file__).parents[2]

FIRST = 3
BATCH = 3
BATCHES = 2

SHORT = 5
"""The seed of an evening that takes little time."""

QUICK = [mutant for mutant in MUTANTS if mutant.within <= 5]
"""Those that are found at once; `python -m tests.simulation.mutants` looks for the others."""


@functools.cache
def passed(seed: int) -> Result:
    return run(seed)


def evenings(batch: int) -> range:
    return range(FIRST + batch * BATCH, FIRST + (batch + 1) * BATCH)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_law_holds_whatever_goes_wrong(batch: int) -> None:
    results = [passed(seed) for seed in evenings(batch)]
    assert any(result.finished for result in results)


def test_tables_move() -> None:
    assert any(passed(seed).epochs for batch in range(BATCHES) for seed in evenings(batch))


def trace_in_a_fresh_process(seed: int, hash_seed: str) -> str:
    code = f"from tests.simulation.runs import run; print(run({seed}).trace)"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_same_seed_is_the_same_evening() -> None:
    assert run(SHORT).trace == passed(SHORT).trace != passed(SHORT + 1).trace


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_same_seed_is_the_same_evening_in_another_process(hash_seed: str) -> None:
    assert trace_in_a_fresh_process(SHORT, hash_seed) == passed(SHORT).trace


def test_nothing_is_different_when_everything_is_worked_out_by_everybody() -> None:
    assert run(SHORT, is_remembered=False) == passed(SHORT)


@pytest.mark.parametrize("mutant", QUICK, ids=lambda mutant: mutant.what)
def test_a_bug_is_found(mutant: Mutant) -> None:
    failure = mutant.find()
    assert failure is not None
    assert f"--first {failure.seed} --seeds 1" in str(failure)


def test_a_failure_happens_again_from_its_seed() -> None:
    mutant = next(each for each in QUICK if each.what == "a secret is not kept")
    first, second = mutant.find(), mutant.find()
    assert first is not None and second is not None
    assert str(first) == str(second)


def machine() -> Machine:
    return Machine(World(1), "m", 0)


def append(disk: Disk, path: str, data: bytes, is_synced: bool = True) -> None:
    disk.write(path, data)
    disk.sync_folder(path.rpartition("/")[0])
    if is_synced:
        disk.sync(path)


def test_a_disk_loses_only_what_was_not_synced() -> None:
    disk = machine().disk
    append(disk, "a/log", b"one")
    append(disk, "a/log", b"two", is_synced=False)
    disk.crash()
    (path, data), *others = disk.durable("a/*")
    assert not others and path == "a/log" and b"onetwo".startswith(data) and len(data) >= 3


def test_the_power_fails_between_two_steps_of_writing() -> None:
    disk = machine().disk
    disk.cut_in = 1
    with pytest.raises(PowerCut):
        append(disk, "a/log", b"one")
    with pytest.raises(PowerCut):
        disk.sync("a/log")


def test_a_program_waits_for_a_slow_disk_unless_it_gives_the_waiting_away() -> None:
    slow = machine()
    slow.disk.sync_time = 5.0
    slow.disk.run(lambda: append(slow.disk, "a/log", b"one"))
    slow.world.run(10.0)
    assert slow.disk.durable("a/log") == [("a/log", b"one")] and slow.busy_until == 0.0
    append(slow.disk, "a/log", b"two")
    assert slow.busy_until > 10.0


def test_the_clocks_of_a_machine_that_slept_go_apart() -> None:
    asleep = machine()
    before = asleep.now()
    asleep.sleep()
    asleep.world.run(10)
    asleep.wake()
    after = asleep.now()
    assert after.monotonic == before.monotonic
    assert after.wall - before.wall == pytest.approx(10_000, rel=2 * DRIFT)


def test_a_timer_does_not_run_while_its_machine_sleeps() -> None:
    asleep, heard = machine(), list[float]()
    asleep.loop.call_later(3.0, lambda: heard.append(asleep.world.time))
    asleep.world.run(1.0)
    asleep.sleep()
    asleep.world.run(10.0)
    asleep.wake()
    asleep.world.run(20.0)
    assert heard == [pytest.approx(12.0, rel=DRIFT)]


def test_nothing_of_a_program_runs_after_its_crash() -> None:
    gone, heard = machine(), list[str]()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            heard.append("ended")

    gone.do(lambda: gone.loop.create_task(work()))
    gone.world.run(0.5)
    gone.crash()
    gone.world.run(5.0)
    assert heard == ["ended"]


def test_an_error_that_nobody_expected_ends_the_evening() -> None:
    broken = machine()
    broken.do(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        broken.world.run(1.0)


def test_nothing_gets_through_a_partition_until_it_heals() -> None:
    world = World(1)
    with Evening(world, players=4) as evening:
        names = list(evening.machines)
        ways = [(one, other) for one in names for other in names if one != other]
        for way in ways:
            evening.network.block(*way)
        world.run(10)
        programs = [evening.programs[name] for name in names[1:] if name in evening.programs]
        guests = [program.guest for program in programs if program.guest]
        assert guests and not any(len(guest.log) for guest in guests)
        evening.network.heal(ways)
        world.run(30)
        assert all(len(guest.log) for guest in guests)


@pytest.mark.parametrize(
    "drill",
    [
        drills.clock_set_back,
        drills.dead_host,
        drills.dead_host_unnoticed,
        drills.full_disk,
        drills.full_for_a_moment,
        drills.full_host_disk,
        drills.healed_halves,
        drills.host_leaves,
        drills.host_removes_whom_it_misses,
        drills.most_leave,
    ],
)
def test_play_goes_on_soon(drill: Callable[[int], None]) -> None:
    drill(0)


@pytest.mark.parametrize("seed", [5, 7])
def test_a_role_that_is_given_away_arrives_though_disks_are_slow_or_a_host_is_busy(
    seed: int,
) -> None:
    drills.host_leaves_slow_disks(seed)


@pytest.mark.parametrize("seed", [0, 4, 8])
def test_a_host_that_falls_silent_is_soon_followed_in_any_way_and_at_any_table(seed: int) -> None:
    drills.silent_host(seed)
    drills.silent_host_where_packets_are_lost(seed)
