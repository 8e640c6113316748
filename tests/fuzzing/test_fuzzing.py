"""Every target for a moment, what failed once, and whether the engine finds what is there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import msgpack
import pytest

from tests.fuzzing import __main__ as command
from tests.fuzzing import engine, planted
from tests.fuzzing.engine import KEPT, Failure, Target, TooLong, fuzz, watch
from tests.fuzzing.mutation import LONGEST, mutated, smaller, tree_of
from tests.fuzzing.targets import TARGETS

SEED = 1
BY_NAME = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)

BYTES = Target("bytes", planted.by_bytes, lambda: [b"once upon a time"], (planted,))
TREE = Target(
    "tree",
    planted.by_structure,
    lambda: [msgpack.packb([1, b"", msgpack.packb(["say", 1, [2, 3]])])],
    (planted,),
)


@BY_NAME
def test_the_laws_hold_for_what_is_made_of_real_games(target: Target) -> None:
    run = fuzz(target, SEED, target.tries)
    assert run.failure is None, f"seed {SEED}, {run.failure.data!r}\n{run.failure.told}"
    assert len(run.corpus) > 5


@BY_NAME
def test_what_failed_once_does_not_fail_again(target: Target) -> None:
    for path in sorted((KEPT / target.name).glob("*")):
        target.run(path.read_bytes())


def test_nothing_is_kept_for_a_target_that_is_not_there() -> None:
    assert {path.parent.name for path in KEPT.glob("*/*")} <= set(TARGETS)


# The engine


def found(run: engine.Run) -> bool:
    """Whether the run ended with the planted fault."""
    return run.failure is not None and "LookupError: planted" in run.failure.told


@pytest.mark.parametrize("seed", range(3))
def test_a_fault_behind_nested_conditions_is_found_within_30_000_tries(seed: int) -> None:
    assert found(fuzz(BYTES, seed, 30_000))


def test_without_coverage_the_same_fault_is_not_found() -> None:
    blind = replace(BYTES, watched=())
    assert not any(found(fuzz(blind, seed, 30_000)) for seed in range(3))


@pytest.mark.parametrize("seed", range(3))
def test_a_fault_inside_of_packed_bytes_is_found_within_30_000_tries(seed: int) -> None:
    assert found(fuzz(TREE, seed, 30_000))


def test_the_same_seed_gives_the_same_run() -> None:
    fuzz(TARGETS["codec"], 5, 100)  # what the code works out once takes another way that time
    assert fuzz(TARGETS["codec"], 5, 100) == fuzz(TARGETS["codec"], 5, 100)
    assert fuzz(BYTES, 5, 3000).corpus != fuzz(BYTES, 6, 3000).corpus


def failing_with(law: Callable[[bytes], None], seed: bytes) -> Failure:
    """What fuzzing makes of a seed that breaks a law."""
    failure = fuzz(Target("broken", law, lambda: [seed], ()), SEED, 0).failure
    assert failure is not None
    return failure


def no_mark(data: bytes) -> None:
    """A law: there is no exclamation mark."""
    assert b"!" not in data


def test_a_failing_input_is_made_small() -> None:
    assert failing_with(no_mark, b"x" * 500 + b"!" + b"y" * 500).data == b"!"


def test_a_failing_input_is_kept_by_its_hash(tmp_path: Path) -> None:
    failure = failing_with(no_mark, b"!")
    path = failure.keep(tmp_path)
    assert path == failure.keep(tmp_path)
    assert path.parent == tmp_path / "broken"
    assert path.read_bytes() == b"!"


def test_code_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MAX_STEPS", 3)
    _, error = watch(BYTES, b"\x03\x05\x07\x01\x08\x02\x00")
    assert isinstance(error, TooLong)


def test_watching_leaves_the_tracing_of_others_as_it_was() -> None:
    before = sys.gettrace()
    watch(BYTES, b"")
    assert sys.gettrace() is before


# Mutation


def test_most_changes_of_an_array_leave_an_array() -> None:
    draw, (seed,) = Random(SEED), TREE.seeds()
    whole = sum(tree_of(mutated(seed, seed, (), draw)) is not None for _ in range(300))
    assert 150 < whole < 300


def test_no_input_grows_past_the_longest() -> None:
    draw = Random(SEED)
    data = bytes(LONGEST)
    assert all(len(mutated(data, data, (), draw)) <= LONGEST for _ in range(20))


def test_anything_can_be_changed_and_made_smaller() -> None:
    draw = Random(SEED)
    for data in (b"", b"\x90", b"\xc1", b"\x81\x90\x00", msgpack.packb([None, 1.5, "é", -1])):
        for _ in range(50):
            mutated(data, b"\x93\x01\x02\x03", (b"word",), draw)
        assert all(isinstance(less, bytes) for less in smaller(data))


# The command


def test_the_command_keeps_what_fails_and_says_how_to_repeat_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "TARGETS", {"bytes": BYTES})
    monkeypatch.setattr(command, "KEPT", tmp_path)
    assert command.main(["bytes", "--seed", "1"]) == 1
    told = capsys.readouterr().out
    (kept,) = (tmp_path / "bytes").iterdir()
    assert "bytes: seed 1 fails with b'" in told and str(kept) in told
    with pytest.raises(LookupError):
        planted.by_bytes(kept.read_bytes())


def test_the_command_ends_well_when_nothing_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["framing", "text", "--minutes", "0", "--seed", "7"]) == 0
    assert capsys.readouterr().out.count("seed 7") == 2


def test_a_target_that_does_not_exist_is_a_wrong_argument() -> None:
    with pytest.raises(SystemExit):
        command.main(["moon"])
