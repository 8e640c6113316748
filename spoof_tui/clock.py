"""The clocks of this machine, read in one place."""

import time

from protocol.timing import Moment


def now() -> Moment:
    """This moment, by the clock for intervals and by the clock for people."""
    return Moment(time.monotonic(), time.time_ns() // 1_000_000)
