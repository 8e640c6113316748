"""The lesson's screen: a first game, step by step, against players who follow a script."""

from __future__ import annotations

from spoof_tui.ui.actions import actions
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.lesson.drawing import lesson_parts, script
from spoof_tui.ui.lesson.script import Invite, Lesson
from spoof_tui.ui.table.framed_screen import FramedScreen


class LessonScreen(FramedScreen):
    """The lesson, laid over the lobby."""

    def __init__(self) -> None:
        super().__init__()
        self.lesson = Lesson(script())

    def parts(self, width: int, height: int) -> list[Part]:
        """The table at the present step, and what is explained and asked."""
        return lesson_parts(self.lesson, width, height)

    def press(self, key: str) -> None:
        """A key of the lesson; it can be left at any step."""
        invited = isinstance(self.lesson.step.ask, Invite)
        if key in ("q", "escape") or (invited and key in ("enter", "space", "right")):
            self.dismiss(None)
        elif invited and key == "p":
            self.dismiss(None)
            actions(self.app).practise()
        else:
            self.lesson.press(key)
