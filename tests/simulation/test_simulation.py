"""Forty evenings, the drills and every planted bug; and whether the simulator can be trusted."""

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.table.log import is_by
from tests.protocol.stories import Story, public
from tests.simulation.drills import DRILLS
from tests.simulation.evening import Evening
from tests.simulation.memory import remembered
from tests.simulation.mutants import MUTANTS, Mutant
from tests.simulation.runs import Result, run
from tests.simulation.world import DRIFT, Machine, World

ROOT = Path(__file__).parents[2]

BATCH = 4
"""Evenings that are played one after the other."""

KNOWN, FRESH = 7, 3
"""Batches that are the same every time, and fresh ones."""

SHORT = 5
"""The seed of an evening that takes little time."""

FOUND = {
    "a bot agrees to a new table without end": 960000437,
    "a bot has nothing of the bot that left its machine": 680001338,
    "a bot sat down at a host that the table had left": 940002317,
    "a candidate gives way to a host from before the last move": 950000218,
    "a candidate is gone that has told whom it hears": 740001592,
    "a full disk ends a program after everything was mended": 970000505,
    "a host greets before it is chosen": 940000323,
    "a host is alone and its clock is set back": 710005438,
    "a host sleeps while its clock is set back": 770001385,
    "a host that removed all others hears watchers": 710000317,
    "a host has removed all who moved its table": 910000409,
    "a host that has removed all others meets a candidate": 690000057,
    "a liar costs an election just after another one": 980000035,
    "a liar costs an election while a fist stays shut": 940001455,
    "a liar costs elections of different length": 770000482,
    "a window writes to a slow disk after it has made way for another": 3320564751,
    "a table that moves borrows entries of a clock that is ahead": 620000397,
    "a program counts on a candidate that has gone": 620000010,
    "all who were with a candidate stand as soon as it goes": 970000269,
    "a wire that was mended breaks while a fist stays shut": 730001430,
    "what was true a moment ago is still claimed": 14,
    "who slept takes the others for heard": 34,
    "nobody is chosen without one who has lost the seat": 695000030,
    "those who have lost their seats may have moved the table": 670000314,
    "who answered a candidate is free to follow another one": 650000255,
    "who answered long ago is heard while nobody greets": 640000376,
    "what a seat says later uses up a word that is held back": 661002363,
    "who came twice is replaced by the link that it gave up": 650001129,
    "who comes late is with a host that does not know where the table is": 971000028,
    "who is not heard is marked late where packets were lost": 700000132,
    "who is told to end still counts on the candidate": 700000057,
    "who is gone may be with a player whom the host has removed": 940002235,
    "who is gone may be with a stranger whom the host has removed": 940001268,
}
"""Seeds of evenings in which a law was broken once."""

SEEDS = {
    "back_at_a_full_disk": (3, 5, 6, 20),
    "bots_go_with_the_host": (2,),
    "dead_host": (0, 11),
    "host_leaves_slow_disks": (5, 7),
    "nobody_is_away_where_packets_are_lost": (0, 4, 8),
    "silent_host": (0, 4, 17),
    "silent_host_where_packets_are_lost": (0, 4, 17),
    "torn_move": (6, 17, 20),
}
"""For drills in which each seed is another mishap or table; otherwise 0."""


@functools.cache
def passed(seed: int) -> Result:
    return run(seed)


@pytest.mark.parametrize("batch", range(KNOWN))
def test_every_law_holds_whatever_goes_wrong(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        passed(seed)


@pytest.mark.parametrize("seed", FOUND.values(), ids=FOUND)
def test_every_law_holds_where_one_was_broken_once(seed: int) -> None:
    run(seed)


@pytest.mark.parametrize("batch", range(FRESH))
def test_every_law_holds_in_evenings_that_nobody_has_played_before(
    batch: int, run_seed: int
) -> None:
    first = run_seed + batch * BATCH
    for seed in range(first, first + BATCH):
        run(seed)


def test_tables_move_and_games_come_to_their_end() -> None:
    results = map(passed, range(KNOWN * BATCH))
    assert any(result.epochs and result.finished for result in results)


def test_the_same_seed_is_the_same_evening() -> None:
    assert run(SHORT).trace == passed(SHORT).trace != passed(SHORT + 1).trace


def test_the_same_seed_is_the_same_evening_in_another_process() -> None:
    code = f"from tests.simulation.runs import run; print(run({SHORT}).trace)"
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    trace = subprocess.check_output(command, cwd=ROOT, env=environment, text=True)
    assert trace.strip() == passed(SHORT).trace


def test_nothing_is_different_when_everything_is_worked_out_by_everybody() -> None:
    assert run(SHORT, is_remembered=False) == passed(SHORT)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.what)
def test_a_bug_is_found(mutant: Mutant) -> None:
    failure = mutant.find()
    assert failure is not None
    assert f"--first {failure.seed} --seeds 1" in str(failure)


def test_a_failure_happens_again_from_its_seed() -> None:
    mutant = next(each for each in MUTANTS if each.what == "a secret is not kept")
    first, second = mutant.find(), mutant.find()
    assert first is not None and second is not None
    assert str(first) == str(second)


@pytest.mark.parametrize(
    "name,seed", [(name, seed) for name in DRILLS for seed in SEEDS.get(name, (0,))]
)
def test_play_goes_on_soon(name: str, seed: int) -> None:
    DRILLS[name](seed)


def machine() -> Machine:
    return Machine(World(1), "m", 0)


def test_what_is_signed_lightly_is_not_kept_for_tests_with_real_signatures() -> None:
    with remembered():
        Story(5)
    assert is_by(public(255), Story(5).entries[0].blob)


def test_the_clocks_of_a_machine_that_slept_go_apart() -> None:
    asleep = machine()
    before = asleep.now()
    asleep.sleep()
    asleep.world.run(10)
    asleep.wake()
    after = asleep.now()
    assert after.monotonic == before.monotonic
    assert after.wall - before.wall == pytest.approx(10_000, rel=2 * DRIFT)


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
