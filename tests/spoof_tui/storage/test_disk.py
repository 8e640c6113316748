"""Effects in order behind a slow disk: what waits, what does not, and what fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.storage.disk import InlineDisk, Kind, OrderedEffects, ThreadDisk
from tests.spoof_tui.storage.slow_disk import SlowDisk

T = TypeVar("T")

FULL = OSError("the disk is full")

LETTERS = {"a": Kind.ACT, "w": Kind.WRITE, "f": Kind.WRITE_FIRST}
"""Effects are numbered letters; an `f` with a bad number cannot be written."""


class Recorder:
    """Does what the effects say by noting them."""

    def __init__(self, bad: frozenset[str] = frozenset()) -> None:
        self.log: list[str] = []
        self.batches: list[Sequence[str]] = []
        self.bad = bad

    def kind_of(self, effect: str) -> Kind:
        return LETTERS[effect[0]]

    def write(self, effects: Sequence[str]) -> Sequence[OSError | None]:
        self.batches.append(effects)
        self.log += [f"disk {each}" for each in effects]
        return [FULL if each in self.bad else None for each in effects]

    def act(self, effect: str) -> None:
        self.log.append(effect)

    def failed(self, effect: str, error: OSError) -> bool:
        self.log.append(f"failed {effect}")
        return effect[0] != "f"

    def idle(self) -> None:
        pass


def numbered(batches: list[str]) -> list[list[str]]:
    """Every effect with a number of its own."""
    count = iter(range(10_000))
    return [[f"{letter}{next(count)}" for letter in batch] for batch in batches]


def run(batches: list[list[str]], works: list[bool]) -> Recorder:
    """Put the batches; the disk does a job between two of them where `works` says so."""
    recorder = Recorder()

    async def play() -> None:
        disk = SlowDisk()
        effects = OrderedEffects(recorder, disk)
        for batch, does_job in zip(batches, works, strict=False):
            effects.put(batch)
            if does_job and disk.jobs:
                await disk.work()
        while disk.jobs:
            await disk.work()
        await effects.settle(1)

    asyncio.run(play())
    return recorder


EVENINGS = st.lists(st.text("awf", max_size=4), max_size=8).map(numbered)
WORKS = st.lists(st.booleans(), min_size=8, max_size=8)


@given(EVENINGS, WORKS)
def test_everything_is_carried_out_once_and_in_order(
    batches: list[list[str]], works: list[bool]
) -> None:
    log = run(batches, works).log
    put = [each for batch in batches for each in batch]
    assert [each for each in log if each[0] in "af"] == [each for each in put if each[0] != "w"]
    written = [each.removeprefix("disk ") for each in log if each.startswith("disk")]
    assert written == [each for each in put if each[0] != "a"]


@given(EVENINGS, WORKS)
def test_nothing_overtakes_what_has_to_be_on_the_disk_first(
    batches: list[list[str]], works: list[bool]
) -> None:
    log = run(batches, works).log
    put = [each for batch in batches for each in batch]
    for index, first in enumerate(put):
        if first[0] == "f":
            before = [f"disk {each}" for each in put[: index + 1] if each[0] != "a"]
            after = [each for each in put[index:] if each[0] != "w"]
            assert all(log.index(w) < log.index(a) for w in before for a in after)


@given(EVENINGS)
def test_a_slow_disk_never_has_more_than_two_batches_to_do(batches: list[list[str]]) -> None:
    assert len(run(batches, [False] * len(batches)).batches) <= 2


@given(st.lists(st.text("aw", max_size=4), max_size=8).map(numbered))
def test_nothing_waits_for_a_copy(batches: list[list[str]]) -> None:
    async def play() -> None:
        recorder, disk = Recorder(), SlowDisk()
        effects = OrderedEffects(recorder, disk)
        for batch in batches:
            effects.put(batch)
        assert recorder.log == [each for batch in batches for each in batch if each[0] == "a"]

    asyncio.run(play())


async def test_what_was_put_with_a_failed_write_is_dropped_and_the_rest_goes_on() -> None:
    recorder, disk = Recorder(frozenset({"f1", "w5"})), SlowDisk()
    effects = OrderedEffects(recorder, disk)
    effects.put(["a0", "f1", "a2"])
    effects.put(["a3"])
    await disk.work()
    effects.put(["a4", "w5", "a6"])
    await disk.work()
    acted = [each for each in recorder.log if not each.startswith("disk")]
    assert acted == ["a0", "failed f1", "a3", "a4", "a6", "failed w5"]


async def test_what_an_effect_puts_comes_behind_what_was_put_with_it() -> None:
    recorder = Recorder()
    effects = OrderedEffects(recorder, InlineDisk())
    note = recorder.act

    def act(effect: str) -> None:
        note(effect)
        if effect == "a0":
            effects.put(["a9"])

    recorder.act = act  # type: ignore[method-assign]
    effects.put(["a0", "a1"])
    assert recorder.log == ["a0", "a1", "a9"]


async def test_one_waits_for_a_slow_disk_no_longer_than_one_wants_to() -> None:
    recorder, disk = Recorder(), SlowDisk()
    effects = OrderedEffects(recorder, disk)
    effects.put(["f0"])
    await effects.settle(0.01)
    assert recorder.log == []
    await disk.work()
    await effects.settle(1)
    assert recorder.log == ["disk f0", "f0"]


async def test_the_loop_goes_on_while_the_thread_waits_for_the_disk() -> None:
    disk, gate, seen = ThreadDisk(), threading.Event(), []
    slow, quick = disk.run(gate.wait), disk.run(lambda: seen.append(threading.current_thread()))
    await asyncio.sleep(0)
    assert not slow.done() and not quick.done()
    gate.set()
    await asyncio.gather(slow, quick)
    assert seen[0] is not threading.current_thread() and seen[0].daemon


@pytest.mark.parametrize("disk", [ThreadDisk(), InlineDisk()])
async def test_what_a_job_raises_is_raised_where_it_is_waited_for(
    disk: ThreadDisk | InlineDisk,
) -> None:
    def fail() -> None:
        raise FULL

    with pytest.raises(OSError, match="full"):
        await disk.run(fail)
    assert await disk.run(lambda: 7) == 7
