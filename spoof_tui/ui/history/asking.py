"""A screen that asks the history by a thread, and tells how far that is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from textual.screen import Screen

from spoof_tui.history.index import Question
from spoof_tui.text.i18n import _
from spoof_tui.ui.history.looking import Stopped, look
from spoof_tui.ui.notices import tell

T = TypeVar("T")


class AskingScreen(Screen[None]):
    """What is asked comes back to the screen, unless that is gone by then."""

    def __init__(self) -> None:
        super().__init__()
        self.is_gone = False
        """Whether nobody waits for answers any more."""
        self.remark = ""
        """How far the reading is; empty unless it takes long."""

    def present(self) -> None:
        """Show what changed."""

    def on_unmount(self) -> None:
        self.is_gone = True

    def read(self, question: Question[T], take: Callable[[T], None]) -> None:
        """Have a thread ask the history, and go on with what it found."""
        self.run_worker(self._reading(question, take), exit_on_error=False)

    async def _reading(self, question: Question[T], take: Callable[[T], None]) -> None:
        seen = await asyncio.to_thread(look, question, self._progress())
        self.remark = ""
        if self.is_gone:
            return
        if seen.found:
            take(seen.found[0])
        if seen.remark:
            tell(self.app, seen.remark)
        self.present()

    def _progress(self) -> Callable[[int, int], None]:
        """Told by the thread how many records it has read; stops it when nobody waits."""
        loop = asyncio.get_running_loop()

        def told(done: int, all: int) -> None:
            if self.is_gone or loop.is_closed():
                raise Stopped
            loop.call_soon_threadsafe(self._tell_progress, done, all)

        return told

    def _tell_progress(self, done: int, all: int) -> None:
        if not self.is_gone:
            text = _("Reading the records: {done} of {all}")
            self.remark = text.format(done=done, all=all)
            self.present()
