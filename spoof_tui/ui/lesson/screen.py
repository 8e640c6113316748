"""The lesson's screen: a first game, step by step, against players who follow a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spoof_tui.ui.actions import actions
from spoof_tui.ui.acts.act import KeyAct
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.lesson.drawing import lesson_acts, lesson_parts
from spoof_tui.ui.lesson.script import RULES, Invite
from spoof_tui.ui.lesson.steps import lesson
from spoof_tui.ui.table.framed_screen import FramedScreen

_ON: Final = frozenset({"enter", "space", "right"})


class LessonScreen(FramedScreen):
    """The lesson, laid over the lobby."""

    def __init__(self) -> None:
        super().__init__()
        self.lesson = lesson()

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here now, for the command palette and the help."""
        return lesson_acts(self.lesson)

    def parts(self, width: int, height: int) -> list[Part]:
        """The table at the present step, and what is explained and asked."""
        return lesson_parts(self.lesson, width, height)

    def press(self, key: str) -> None:
        """A key of the lesson; it can be left at any step."""
        ask = self.lesson.step.ask
        invite = ask if isinstance(ask, Invite) else None
        begins = self.lesson.place == 0 and not self.lesson.known
        if key in ("q", "escape"):
            self.dismiss(None)
        elif key == "question_mark":
            self.show_help()
        elif invite and key == "p":
            self.dismiss(None)
            actions(self.app).practise(RULES.preset)
        elif (invite and invite.goes_on and key in _ON) or (begins and key == "2"):
            self.lesson = lesson(2)
        elif invite and key in _ON:
            self.dismiss(None)
        else:
            self.lesson.press(key)
