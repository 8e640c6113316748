"""What a screen shows of a table, as lines for a screen reader."""

from __future__ import annotations

from collections.abc import Iterator

from protocol.views import TableView
from spoof_tui.plain.narrator import Narrator
from spoof_tui.plain.questions import moment, question_line
from spoof_tui.telling.names import seat_names
from spoof_tui.telling.pacing import Pacing


class Aloud:
    """Says each change of one table once; call `follow` after every change of what may be shown."""

    def __init__(self) -> None:
        self._narrator = Narrator()
        self._asked: tuple[object, ...] = ()
        """The moment (`questions.moment`) whose question was said last."""
        self._remark = ""

    def follow(self, view: TableView, pacing: Pacing, remark: str) -> Iterator[str]:
        """The new lines: what happened, what is asked, and `remark`, the program's own message."""
        return filter(None, self._new(view, pacing, remark))

    def _new(self, view: TableView, pacing: Pacing, remark: str) -> Iterator[str]:
        yield from self._narrator.follow(view, pacing.reveal)
        if not pacing.is_behind and (now := moment(view)) != self._asked:
            self._asked = now
            yield question_line(view, seat_names(view))
        if remark != self._remark:
            self._remark = remark
            yield remark
