"""Some evenings of the simulator, that the same seed is the same evening, and some planted bugs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.disks import Disk, PowerCut
from tests.simulation.evening import Evening
from tests.simulation.mutants import MUTANTS, Mutant
from tests.simulation.runs import run
from tests.simulation.world import Machine, World

ROOT = Path(__file__).parents[2]

BATCH = 5
BATCHES = 6

QUICK = [mutant for mutant in MUTANTS if mutant.within <= 30]
"""Those that are found at once; the others take a minute or two."""


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_law_holds_whatever_goes_wrong(batch: int) -> None:
    results = [run(seed) for seed in range(batch * BATCH, (batch + 1) * BATCH)]
    assert any(result.finished for result in results)
    assert any(result.epochs for result in results)


def trace_in_a_fresh_process(seed: int, hash_seed: str) -> str:
    code = f"from tests.simulation.runs import run; print(run({seed}).trace)"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_same_seed_is_the_same_evening() -> None:
    assert run(2).trace == run(2).trace != run(3).trace


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_same_seed_is_the_same_evening_in_another_process(hash_seed: str) -> None:
    assert trace_in_a_fresh_process(2, hash_seed) == run(2).trace


def test_nothing_is_different_when_everything_is_worked_out_by_everybody() -> None:
    assert run(3, is_remembered=False) == run(3)


@pytest.mark.parametrize("mutant", QUICK, ids=lambda mutant: mutant.what)
def test_a_bug_is_found(mutant: Mutant) -> None:
    failure = mutant.find()
    assert failure is not None
    assert f"--first {failure.seed} --seeds 1" in str(failure)


def test_a_failure_happens_again_from_its_seed() -> None:
    mutant = next(each for each in QUICK if "witnesses" in each.what)
    first, second = mutant.find(), mutant.find()
    assert first is not None and second is not None
    assert str(first) == str(second)


def test_a_disk_loses_only_what_was_not_synced() -> None:
    disk = Disk(World(1).random, lambda line: None)
    disk.append("log", b"one")
    disk.sync("log")
    disk.append("log", b"two")
    disk.crash()
    assert disk.read("log")[0] == b"one"


def test_the_power_fails_between_two_steps_of_writing() -> None:
    disk = Disk(World(1).random, lambda line: None)
    disk.cut_in = 1
    with pytest.raises(PowerCut):
        disk.append("log", b"one")


def test_the_clocks_of_a_machine_that_slept_go_apart() -> None:
    world = World(1)
    machine = Machine(world, "m")
    before = machine.now()
    machine.sleep()
    world.run(10)
    machine.wake()
    after = machine.now()
    assert after.monotonic == before.monotonic
    assert after.wall == before.wall + 10_000


def test_nothing_gets_through_a_partition_until_it_heals() -> None:
    world = World(1)
    evening = Evening(world)
    ways = [(one, other) for one in evening.machines for other in evening.machines if one != other]
    for way in ways:
        evening.network.block(*way)
    world.run(10)
    guests = [program.guest for name, program in evening.programs.items() if name != "p0"]
    assert guests and not any(len(guest.log) for guest in guests)
    evening.network.heal(ways)
    world.run(30)
    assert all(len(guest.log) for guest in guests)
