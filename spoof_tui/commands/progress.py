"""The progress bar of a command, shown on a terminal once it takes more than a moment."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Final

from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from rich.progress import Progress

PROGRESS_DELAY: Final = 1.0
"""Seconds after which the progress bar appears."""


class Meter:
    """A progress bar with the time left; appears after `PROGRESS_DELAY`, if there is a terminal."""

    def __init__(
        self, what: str, total: int | None, *, is_size: bool = False, is_typed: bool = False
    ) -> None:
        """`what` is the label, `total` the final count, None if unknown; `is_size`: it counts
        bytes.

        `is_typed`: the input is typed at the terminal, where a bar would be in the way; none is
        shown.
        """
        self._what = what
        self._total = total
        self._is_size = is_size
        self._progress: Progress | None = None
        self._is_over = False
        self._lock = threading.Lock()
        self._timer = threading.Timer(PROGRESS_DELAY, self._begin)
        self._timer.daemon = True
        if sys.stderr is not None and sys.stderr.isatty() and not is_typed:
            self._timer.start()

    def _begin(self) -> None:
        progress = _progress(is_size=self._is_size)
        with self._lock:
            if not self._is_over:
                progress.start()
                progress.add_task(self._what, total=self._total)
                self._progress = progress

    def show(self, done: int) -> None:
        """Move the bar: `done` of the total are done."""
        if self._progress is not None:
            self._progress.update(self._progress.task_ids[0], completed=done)

    def close(self) -> None:
        """Remove the bar."""
        self._timer.cancel()
        with self._lock:
            self._is_over = True
            if self._progress is not None:
                self._progress.stop()


def _progress(*, is_size: bool) -> Progress:
    """Rich's progress bar, imported only now, since most commands never show one."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if is_size else MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn(_("Ctrl-C stops"), markup=False),
        console=Console(file=sys.stderr),
        transient=True,
    )
