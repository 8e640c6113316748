"""How much of the processor a visitor's program gets while the table needs it, too."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Final

from protocol.host.rate_limit import Bucket

YIELD: Final = 5
"""How much nicer a visitor's program is than the one that starts it: less important than the
table's, but not so little that friends wait for minutes on a busy machine."""

LOWEST: Final = 19
"""Niceness of a program that takes more than its share."""

BURST: Final = 1.0
"""Seconds of processor time that a program may take at once: twice what its start and first
picture need."""

SHARE: Final = 0.1
"""Processor time that a program may take after that, as a part of one processor: several times what
somebody needs who plays."""


class Priority:
    """The priority of one visitor's program, which is the lowest while it takes more than its
    share."""

    def __init__(self, pid: int, now: float) -> None:
        """`pid` leads a session of its own; `now` is in monotonic seconds."""
        self._pid = pid
        self._budget = Bucket(BURST, 1 / SHARE)
        self._budget.left(now)
        self._used = processor_time(pid)
        self._usual = self._niceness = usual()

    def adjust(self, now: float) -> None:
        """Lower or restore the priority, by the processor time used until `now`, in monotonic
        seconds.

        Does nothing where the system does not report that time.
        """
        used = processor_time(self._pid)
        self._budget.spend(used - self._used, now)
        self._used = used
        left = self._budget.left(now)
        was_lowest = self._niceness == LOWEST
        niceness = LOWEST if left < (BURST if was_lowest else 0) else self._usual
        if niceness != self._niceness and set_niceness(self._pid, niceness):
            self._niceness = niceness


def usual() -> int:
    """The usual niceness of a visitor's program: somewhat above that of this process."""
    own = os.getpriority(os.PRIO_PROCESS, 0) if sys.platform != "win32" else 0
    return min(LOWEST, own + YIELD)


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used; 0 if it is gone or the system does not
    report that."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            # The clock of clock_getcpuclockid(3), which Python lacks. The times in /proc/PID/stat
            # can be a quarter of the true ones.
            return time.clock_gettime(~pid << 3 | 2)
    return 0.0


def set_niceness(pid: int, niceness: int) -> bool:
    """Set the niceness of a process and of the session that it leads; returns whether both could be
    set. The session of a process that leads none keeps its niceness, since it is somebody else's.

    Linux, where it has sessions with a niceness, shares the processor between sessions by that
    alone. Anybody may lower it again, but not within a tenth of a second after the last change; the
    niceness of a process can be lowered only with privileges.
    """
    is_set = False
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, pid, niceness)
            is_set = True
        try:
            if os.getsid(pid) == pid:
                session(pid).write_text(str(niceness))
        except FileNotFoundError:
            pass
        except OSError:
            is_set = False
    return is_set


def session(pid: int | str) -> Path:
    """The file by which Linux lets the niceness of a session be set; `pid` is a process in it, or
    `self` for this process."""
    return Path(f"/proc/{pid}/autogroup")
