"""Signals that the shell of a test run ignores: the programs that the tests start hear them all."""

import signal
import sys
from types import FrameType
from typing import Final

_OF_THE_SHELL: Final = ("SIGHUP", "SIGINT", "SIGTERM", "SIGQUIT")
"""What `nohup`, a job in the background or a supervisor may have told this process to ignore."""


def let_children_hear() -> None:
    """Make this process ignore a signal by a handler, where it was told to ignore it.

    An ignored signal stays ignored in every program that is started; a handler does not. For the
    main thread.
    """
    for name in _OF_THE_SHELL if sys.platform != "win32" else ():
        number = signal.Signals[name]
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, _pass)


def _pass(number: int, frame: FrameType | None) -> None:
    pass
