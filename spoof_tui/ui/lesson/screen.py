"""The lesson's screen: a first game, step by step, against players who follow a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.strip import Strip

from spoof_tui.ui.lesson.drawing import (
    draw_lesson_bar,
    draw_lesson_panel,
    draw_lesson_side,
    scene,
    script,
)
from spoof_tui.ui.lesson.script import Invite, Lesson
from spoof_tui.ui.table.framed import draw_table
from spoof_tui.ui.table.framed_screen import BoardScreen

if TYPE_CHECKING:
    from spoof_tui.ui.app import SpoofApp


class LessonScreen(BoardScreen):
    """The lesson, laid over the lobby."""

    def __init__(self) -> None:
        super().__init__()
        self.lesson = Lesson(script())

    def draw_bar(self, width: int) -> list[Strip]:
        """How far the lesson is."""
        return draw_lesson_bar(self.lesson, width)

    def draw_table(self, width: int, height: int) -> list[Strip]:
        """The table at the present step."""
        return draw_table(scene(self.lesson), width, height)

    def draw_side(self, width: int, height: int) -> list[Strip]:
        """The words, and what is learned."""
        return draw_lesson_side(self.lesson, width, height)

    def draw_panel(self, width: int, height: int) -> list[Strip]:
        """What is explained and asked."""
        return draw_lesson_panel(self.lesson, width, height)

    def press(self, key: str) -> None:
        """A key of the lesson; it can be left at any step."""
        invited = isinstance(self.lesson.step.ask, Invite)
        if key in ("q", "escape") or (invited and key in ("enter", "space", "right")):
            self.dismiss(None)
        elif invited and key == "p":
            self.dismiss(None)
            cast("SpoofApp", self.app).practise()
        else:
            self.lesson.press(key)
