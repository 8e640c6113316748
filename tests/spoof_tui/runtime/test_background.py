"""The thread behind the screen: what runs there goes on, ends, and hands over its errors."""

import asyncio
import concurrent.futures
import gc
import threading
import time

import pytest

from spoof_tui.runtime.background import BackgroundLoop, LastWork

LIMIT = 5.0


async def answer() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


def test_a_result_comes_from_another_thread(background: BackgroundLoop) -> None:
    assert background.run(answer()).result(LIMIT) == "background"


def test_its_loop_keeps_listening_when_a_visitor_hangs_up_on_windows_too() -> None:
    stage = BackgroundLoop()
    assert type(stage._loop) is asyncio.SelectorEventLoop
    stage.stop()


def test_errors_arrive_in_the_future(background: BackgroundLoop) -> None:
    async def fail() -> None:
        raise LookupError("no such table")

    with pytest.raises(LookupError, match="no such table"):
        background.run(fail()).result(LIMIT)
    assert background.run(answer()).result(LIMIT) == "background"


def test_a_call_returns_at_once_and_happens_soon(background: BackgroundLoop) -> None:
    gate, done = threading.Event(), threading.Event()
    background.call(gate.wait, LIMIT)
    background.call(done.set)
    assert not done.is_set()
    gate.set()
    assert done.wait(LIMIT)


async def test_it_runs_while_the_callers_loop_is_blocked(background: BackgroundLoop) -> None:
    beats: list[float] = []
    enough = threading.Event()

    async def beat() -> None:
        while len(beats) < 20:
            beats.append(time.monotonic())
            await asyncio.sleep(0)
        enough.set()

    background.run(beat())
    # Blocks the loop of this test, as a terminal that stands still blocks the painter's.
    assert enough.wait(LIMIT)


def test_it_runs_while_the_caller_computes(background: BackgroundLoop) -> None:
    beats: list[float] = []

    def beat() -> None:
        beats.append(time.monotonic())
        background.call(beat)

    background.call(beat)
    end = time.monotonic() + LIMIT
    while len(beats) < 5:
        assert time.monotonic() < end


def test_stopping_cancels_what_still_runs() -> None:
    stage = BackgroundLoop()
    stage.start()
    began = threading.Event()

    async def stay() -> None:
        began.set()
        await asyncio.Event().wait()

    staying = stage.run(stay())
    assert began.wait(LIMIT)
    stage.stop()
    with pytest.raises(concurrent.futures.CancelledError):
        staying.result(LIMIT)


def test_the_last_work_is_done_before_the_rest_is_cancelled() -> None:
    stage = BackgroundLoop()
    stage.start()
    order: list[str] = []

    async def stay() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            order.append("cancelled")

    async def last() -> None:
        await asyncio.sleep(0)
        order.append("last")

    stage.run(stay())
    stage.stop(last())
    assert order == ["last", "cancelled"]


def test_work_whose_result_nobody_keeps_goes_on() -> None:
    stage = BackgroundLoop()
    stage.start()
    order: list[str] = []

    async def stay() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            order.append("cancelled")

    stage.run(stay())
    stage.run(asyncio.sleep(0)).result(LIMIT)
    gc.collect()
    stage.run(asyncio.sleep(0)).result(LIMIT)
    assert order == []
    stage.stop()
    assert order == ["cancelled"]


def test_last_work_that_takes_too_long_is_cancelled_too() -> None:
    stage = BackgroundLoop()
    stage.start()
    order: list[str] = []

    async def stay(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            order.append(name)

    stage.run(stay("work"))
    stage.stop(stay("last"), timeout=0.01)
    assert order == ["last", "work"]
    assert "background" not in {thread.name for thread in threading.enumerate()}


def test_the_thread_is_gone_after_stopping() -> None:
    stage = BackgroundLoop()
    stage.start()
    stage.stop()
    assert "background" not in {thread.name for thread in threading.enumerate()}


def test_stopping_twice_does_nothing_more() -> None:
    stage = BackgroundLoop()
    stage.start()
    stage.stop()
    stage.stop(answer())


def test_it_may_be_stopped_before_it_starts() -> None:
    BackgroundLoop().stop(answer())


def test_a_thread_that_hangs_keeps_nobody_from_stopping() -> None:
    stage = BackgroundLoop()
    stage.start()
    gate = threading.Event()
    stage.call(gate.wait, LIMIT)
    began = time.monotonic()
    stage.stop(timeout=0.01)
    assert time.monotonic() - began < LIMIT / 2
    gate.set()
    for thread in threading.enumerate():
        if thread.name == "background":
            thread.join(LIMIT)
    gc.collect()


# The last work


def test_last_work_is_done_once_whoever_asks_first(background: BackgroundLoop) -> None:
    done: list[int] = []

    async def last() -> None:
        done.append(1)

    work = LastWork(background, last)
    work.begin()
    work.finish()
    work.finish()
    assert done == [1]


def test_nobody_waits_for_last_work_that_does_not_end(background: BackgroundLoop) -> None:
    async def stay() -> None:
        await asyncio.Event().wait()

    LastWork(background, stay, timeout=0.0).finish()


def test_there_is_no_last_work_where_nothing_has_begun() -> None:
    async def never() -> None:
        raise AssertionError

    stage = BackgroundLoop()
    LastWork(stage, never).finish()
    stage.stop()
