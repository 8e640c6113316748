"""The thread behind the screen: what runs there goes on, ends, and hands over its errors."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import threading

import pytest

from spoof_tui.runtime.background import BackgroundLoop, LastWork

LIMIT = 5.0


def threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "background"]


async def answer() -> str:
    await asyncio.sleep(0)
    return threading.current_thread().name


class Staying:
    """Work that never ends unless cancelled, and notes that."""

    def __init__(self) -> None:
        self.order: list[str] = []

    async def stay(self, name: str = "work") -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.order.append(name)

    async def last(self) -> None:
        await asyncio.sleep(0)
        self.order.append("last")


def test_results_and_errors_come_from_another_thread(background: BackgroundLoop) -> None:
    async def fail() -> None:
        raise LookupError("no such table")

    with pytest.raises(LookupError, match="no such table"):
        background.run(fail()).result(LIMIT)
    assert background.run(answer()).result(LIMIT) == "background"


def test_errors_that_nobody_waits_for_are_told() -> None:
    told: list[BaseException] = []
    heard = threading.Semaphore(0)

    def hear(error: BaseException) -> None:
        told.append(error)
        heard.release()

    async def fail() -> None:
        raise LookupError("in work")

    def trip() -> None:
        raise LookupError("in a call")

    stage = BackgroundLoop(hear)
    stage.start()
    stage.spawn(fail())
    assert heard.acquire(timeout=LIMIT)
    stage.call(trip)
    assert heard.acquire(timeout=LIMIT)
    stage.spawn(asyncio.Event().wait())
    stage.stop()
    assert [str(error) for error in told] == ["in work", "in a call"], "an end is no error"


def test_its_loop_keeps_listening_when_a_visitor_hangs_up_on_windows_too(
    background: BackgroundLoop,
) -> None:
    async def loop() -> type:
        return type(asyncio.get_running_loop())

    assert background.run(loop()).result(LIMIT) is asyncio.SelectorEventLoop


def test_a_call_returns_at_once_and_happens_soon_while_the_caller_is_blocked(
    background: BackgroundLoop,
) -> None:
    gate, done = threading.Event(), threading.Event()
    background.call(gate.wait, LIMIT)
    background.call(done.set)
    assert not done.is_set()
    gate.set()
    assert done.wait(LIMIT)


def test_work_is_cancelled_at_the_end_of_the_thread() -> None:
    stage, staying = BackgroundLoop(), Staying()
    stage.start()
    work = stage.run(staying.stay())
    for _ in range(2):
        stage.run(asyncio.sleep(0)).result(LIMIT)
        gc.collect()
    assert staying.order == [], "work whose result nobody keeps goes on"
    stage.stop()
    assert staying.order == ["work"]
    with pytest.raises(concurrent.futures.CancelledError):
        work.result(LIMIT)
    stage.stop()


def test_a_thread_that_hangs_keeps_nobody_from_stopping() -> None:
    stage, gate = BackgroundLoop(), threading.Event()
    stage.start()
    stage.call(gate.wait, LIMIT)
    stage.stop(timeout=0.01)
    [thread] = threads()
    gate.set()
    thread.join(LIMIT)
    gc.collect()


# The last work


def test_last_work_is_done_once_whoever_asks_first(background: BackgroundLoop) -> None:
    staying = Staying()
    work = LastWork(background, staying.last)
    work.begin()
    work.finish()
    work.finish()
    assert staying.order == ["last"]


def test_nobody_waits_for_last_work_that_does_not_end_or_has_nowhere_to_run(
    background: BackgroundLoop,
) -> None:
    LastWork(background, Staying().stay, timeout=0.0).finish()
    idle = BackgroundLoop()
    LastWork(idle, Staying().stay).finish()
    idle.stop()
