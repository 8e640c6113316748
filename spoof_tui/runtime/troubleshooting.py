"""Finds out by itself what is in the way when something that a player waits for does not come."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request, examine
from spoof_tui.network.diagnosis.findings import Finding
from spoof_tui.network.diagnosis.judging import judge
from spoof_tui.network.discovery import Browser

EXPLAIN_DELAY: Final = 1.5
"""Seconds that something may be missing before the network is examined; an explanation follows
within five."""

AGAIN_INTERVAL: Final = 30.0
"""Seconds from one examination to the next while the same thing is missing."""

LOOK_INTERVAL: Final = 0.5
"""Seconds between two checks whether something is missing."""

Findings = tuple[Finding, ...]


async def find_out(request: Request) -> Findings:
    """Examine the network; returns what is in the way, the worst first."""
    return judge(await examine(request))


def missed_in(browser: Browser) -> Request | None:
    """What to examine if the lobby's list of tables is empty, or lacks a table that is heard but
    does not answer; None if nothing is missing."""
    silent = browser.unanswered
    return None if browser.tables and not silent else Request(suspects=silent)


class Troubleshooter:
    """Examines the network while something is missing, and reports what it finds."""

    def __init__(
        self, missed: Callable[[], Request | None], told: Callable[[Findings], None]
    ) -> None:
        """`missed` returns what to examine, or None while nothing is missing; `told` gets the
        findings whenever they change, and an empty tuple as soon as nothing is missing."""
        self._missed = missed
        self._told = told
        self._last: Findings = ()

    async def run(self) -> None:
        """Run until cancelled."""
        asked: Request | None = None
        due: float | None = None
        while True:
            request = self._missed()
            if request is None:
                due = None
                self._tell(())
            elif due is None:
                asked, due = request, loop_time() + EXPLAIN_DELAY
            elif request != asked or loop_time() >= due:
                findings = await find_out(request)
                asked, due = request, loop_time() + AGAIN_INTERVAL
                if self._missed() is not None:
                    self._tell(findings)
            await asyncio.sleep(LOOK_INTERVAL)

    def _tell(self, findings: Findings) -> None:
        if findings != self._last:
            self._last = findings
            self._told(findings)


class Diagnosis:
    """Examines why an address takes so long to reach, while somebody tries to reach it; begins
    after `EXPLAIN_DELAY`."""

    def __init__(self, address: Address, told: Callable[[Findings], None]) -> None:
        """`told` gets the findings once, unless `cancel` is called first."""
        self._address = address
        self._told = told
        self._hurry = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._explain())

    async def _explain(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EXPLAIN_DELAY):
                await self._hurry.wait()
        self._told(await find_out(Request(self._address)))

    async def finish(self) -> None:
        """Examine at once, because the address was not reached, and wait for the findings."""
        self._hurry.set()
        await self._task

    def cancel(self) -> None:
        """Stop the examination, because nothing needs to be explained any more."""
        self._task.cancel()
