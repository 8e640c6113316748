"""A disk that does nothing until it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class SlowDisk:
    """A disk that does a job when it is told to."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def work() -> None:
            try:
                done.set_result(job())
            except OSError as error:
                done.set_exception(error)

        self.jobs.append(work)
        return done

    async def work(self) -> None:
        """Do the next job, and let those who wait for it go on."""
        self.jobs.pop(0)()
        await asyncio.sleep(0)
