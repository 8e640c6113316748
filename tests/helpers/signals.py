"""Signals that the shell of a test run may ignore: programs started by tests hear them all."""

import signal
import sys
from types import FrameType
from typing import Final

_OF_THE_SHELL: Final = ("SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT")
"""Signals that `nohup`, a background job or a supervisor may have made this process ignore."""


def let_children_hear() -> None:
    """If this process ignores a signal, make it do so by a handler.

    Started programs inherit an ignored signal, but not a handler. For the main thread.
    """
    for name in _OF_THE_SHELL if sys.platform != "win32" else ():
        number = signal.Signals[name]
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _pass)


def _pass(number: int, frame: FrameType | None) -> None:
    pass
