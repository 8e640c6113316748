"""Effects in order on a slow disk: what waits, what does not, and what fails."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import DiskTask, InlineDisk, OrderedEffects, ThreadDisk
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.storage.slow_disk import SlowDisk

FULL = OSError("the disk is full")

LETTERS = {"a": DiskTask.ACT, "w": DiskTask.WRITE, "f": DiskTask.WRITE_FIRST}
"""Effects are numbered letters."""


class Recorder:
    """Carries effects out by noting them."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.batches: list[Sequence[str]] = []
        self.room: int | None = None
        """How many more can be written; None for any number."""
        self.on_trouble: Callable[[], None] = lambda: None

    def kind_of(self, effect: str) -> DiskTask:
        return LETTERS[effect[0]]

    def write(self, effects: Sequence[str]) -> None:
        self.batches.append(effects)
        if self.room is not None:
            if len(effects) > self.room:
                raise FULL
            self.room -= len(effects)
        self.log += [f"disk {each}" for each in effects]

    def act(self, effect: str) -> None:
        self.log.append(effect)


def numbered(batches: list[str]) -> list[list[str]]:
    """Numbered effects."""
    count = iter(range(10_000))
    return [[f"{letter}{next(count)}" for letter in batch] for batch in batches]


def run(batches: list[list[str]], works: list[bool], rooms: Sequence[int | None] = ()) -> Recorder:
    """Put the batches; between two of them the disk does a job where `works` says so.

    It has the next of these `rooms` from one batch to the next, and then enough.
    """
    recorder, left = Recorder(), list(rooms)

    async def play() -> None:
        disk = SlowDisk()
        effects = OrderedEffects(recorder, disk)
        for batch, does_job in zip(batches, works, strict=False):
            recorder.room = left.pop(0) if left else None
            effects.put(batch)
            if does_job and disk.jobs:
                await disk.work()
        recorder.room = None
        if effects.trouble:
            await until(lambda: disk.jobs, 1)
        while disk.jobs:
            await disk.work()
        await effects.finish(1)

    asyncio.run(play())
    return recorder


EVENINGS = st.lists(st.text("awf", max_size=4), max_size=8).map(numbered)
WORKS = st.lists(st.booleans(), min_size=8, max_size=8)
ROOMS = st.lists(st.none() | st.integers(0, 3), max_size=8)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disks, "RETRY_DELAY", 0.0)


@given(EVENINGS, WORKS, ROOMS)
@example([["f0"], ["f1"]], [False, True], [None, 0])  # the first fails after the second is put
def test_everything_is_carried_out_once_and_in_order_behind_what_has_to_be_on_the_disk_first(
    batches: list[list[str]], works: list[bool], rooms: list[int | None]
) -> None:
    log = run(batches, works, rooms).log
    put = [each for batch in batches for each in batch]
    assert [each for each in log if each[0] in "af"] == [each for each in put if each[0] != "w"]
    written = [each.removeprefix("disk ") for each in log if each.startswith("disk")]
    assert written == [each for each in put if each[0] != "a"]
    for index, first in enumerate(put):
        if first[0] == "f":
            before = [f"disk {each}" for each in put[: index + 1] if each[0] != "a"]
            after = [each for each in put[index:] if each[0] != "w"]
            assert all(log.index(w) < log.index(a) for w in before for a in after)


@given(st.lists(st.text("aw", max_size=4), max_size=8).map(numbered))
def test_nothing_waits_for_a_copy(batches: list[list[str]]) -> None:
    async def play() -> None:
        recorder, disk = Recorder(), SlowDisk()
        effects = OrderedEffects(recorder, disk)
        for batch in batches:
            effects.put(batch)
        assert recorder.log == [each for batch in batches for each in batch if each[0] == "a"]

    asyncio.run(play())


async def test_a_full_disk_is_tried_again_though_nothing_more_is_put() -> None:
    recorder = Recorder()
    recorder.room = 0
    effects = OrderedEffects(recorder, InlineDisk())
    troubles = list[OSError | None]()
    recorder.on_trouble = lambda: troubles.append(effects.trouble)
    effects.put(["f0", "a1"])
    await until(lambda: len(recorder.batches) > 2)
    assert recorder.log == [] and troubles == [FULL]
    recorder.room = None
    await effects.finish(5)
    assert recorder.log == ["disk f0", "f0", "a1"]
    assert troubles == [FULL, None] and effects.trouble is None


async def test_what_is_in_vain_meanwhile_does_not_pile_up() -> None:
    recorder, disk = Recorder(), SlowDisk()
    effects = OrderedEffects(recorder, disk)
    effects.put(["f0", "a1", "f2", "a3"])
    effects.forget(lambda effect: effect in ("a1", "f2"))
    await disk.work()
    assert recorder.log == ["disk f0", "disk f2", "f0", "f2", "a3"]


async def test_what_still_waits_for_the_disk_at_the_end_is_neither_written_nor_told() -> None:
    recorder, disk = Recorder(), SlowDisk()
    effects = OrderedEffects(recorder, disk)
    effects.put(["f0", "a1"])
    effects.put(["f2"])
    effects.close()
    await disk.work()
    assert recorder.log == []


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


async def test_the_loop_goes_on_while_the_thread_waits_for_the_disk() -> None:
    disk, gate, seen = ThreadDisk(), threading.Event(), []
    slow, quick = disk.run(gate.wait), disk.run(lambda: seen.append(threading.current_thread()))
    await asyncio.sleep(0)
    assert not slow.done() and not quick.done()
    gate.set()
    await asyncio.gather(slow, quick)
    assert seen[0] is not threading.current_thread() and seen[0].daemon
