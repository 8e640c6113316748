"""What a screen shows of a table, as lines for somebody who hears it."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.views import TableView
from spoof_tui.plain.narrator import Narrator
from spoof_tui.plain.questions import moment, question_line
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Pacing


class Aloud:
    """Remembers what was said of one table; ask it after every change of what may be shown."""

    def __init__(self) -> None:
        self._narrator = Narrator()
        self._asked: tuple[object, ...] = ()
        """The moment whose question is said."""
        self._remark = ""

    def follow(self, view: TableView, pacing: Pacing, remark: str) -> Iterator[str]:
        """The lines that are new: what happened, what is asked, what the program remarks."""
        return filter(None, self._new(view, pacing, remark))

    def _new(self, view: TableView, pacing: Pacing, remark: str) -> Iterator[str]:
        yield from self._narrator.follow(view, pacing.reveal)
        if not pacing.is_behind and (now := moment(view)) != self._asked:
            self._asked = now
            yield question_line(view, seat_names(view))
        if remark != self._remark:
            self._remark = remark
            yield remark
