"""The clocks of this machine, which are read only here."""

import asyncio
import time

from protocol.timeouts import Moment


def now() -> Moment:
    """The present moment, by the monotonic clock and by the wall clock."""
    return Moment(time.monotonic(), time.time_ns() // 1_000_000)


def loop_time() -> float:
    """The present time in seconds, by the clock of the running event loop."""
    return asyncio.get_running_loop().time()
