"""Which gestures are on the felt now: each for a moment after it was made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from protocol.table.statements import Gesture
from protocol.views import TableView

FRAMES: Final[Mapping[Gesture, int]] = {Gesture.WOBBLE: 3}
"""Drawings of a gesture that moves, one after the other; the others have one."""

FRAME_TIMEOUT: Final = 0.4
"""Seconds that a drawing is shown of a gesture that moves."""

GESTURE_TIMEOUT: Final = 2.5
"""Seconds that a gesture is shown that does not."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A gesture on the felt."""

    gesture: Gesture
    position: int
    """Position of its entry: the same gesture twice is two."""
    frame: int = 0
    """Which of its drawings is shown, from 0."""

    @property
    def picture(self) -> str:
        """The name of the drawing: one that moves has two, in turn."""
        name = self.gesture.value
        return f"{name} {1 + self.frame % 2}" if self.gesture in FRAMES else name


@dataclass(frozen=True, slots=True)
class Gestures:
    """The gestures that are shown, and how far the log was looked through for them."""

    heard: int | None = None
    """Position after the last talk that was looked through; None while no table was."""
    shown: Mapping[bytes, Shown] = field(default_factory=dict)
    """By the key of the seat."""

    def following(self, view: TableView) -> Gestures:
        """What is to be seen with a newer view; what was made before the first one is not."""
        end = view.talk[-1].position + 1 if view.talk else 0
        if self.heard is None:
            return Gestures(end)
        new = {
            talk.author: Shown(talk.said, talk.position)
            for talk in view.talk
            if isinstance(talk.said, Gesture) and talk.position >= self.heard
        }
        return Gestures(max(end, self.heard), {**self.shown, **new}) if new else self

    def after(self, key: bytes, *, still: bool = False) -> Gestures:
        """What is to be seen once a drawing of this seat was shown for its time."""
        shown = self.shown[key]
        rest = {each: other for each, other in self.shown.items() if each != key}
        if still or shown.frame + 1 >= FRAMES.get(shown.gesture, 1):
            return replace(self, shown=rest)
        return replace(self, shown={**rest, key: replace(shown, frame=shown.frame + 1)})


def seconds_of(shown: Shown, *, still: bool = False) -> float:
    """How long a drawing is shown."""
    return FRAME_TIMEOUT if shown.gesture in FRAMES and not still else GESTURE_TIMEOUT
