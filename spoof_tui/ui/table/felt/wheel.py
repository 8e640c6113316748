"""The wheel of gestures: which make sense now, what keys do on it, and how it is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from rich.cells import cell_len

from protocol.manners import makes_sense
from protocol.table.statements import Gesture
from protocol.views import TableView
from spoof_tui.telling.gestures import gesture_help, gesture_name
from spoof_tui.text.layouts import latin
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece, clickable, prose
from spoof_tui.visiting import has_page

WHEEL: Final = (
    Gesture.SWEAT,
    Gesture.INDECISION,
    Gesture.SMUGNESS,
    Gesture.MITT_FULL,
    Gesture.NEVER,
    Gesture.WOBBLE,
    Gesture.START,
    Gesture.HURRY,
    Gesture.GLOAT,
)
"""All gestures, those that always make sense first; the place of each decides its digit."""

_NEXT: Final = frozenset({"right", "down", "tab"})
_BEFORE: Final = frozenset({"left", "up", "shift+tab"})
_CHOOSE: Final = frozenset({"enter", "space"})

_GAP: Final = 2
"""The fewest cells between two columns."""


def digit(gesture: Gesture) -> str:
    """The digit that chooses a gesture."""
    return str(WHEEL.index(gesture) + 1)


def offered(view: TableView) -> tuple[Gesture, ...]:
    """The gestures that make sense for this player now, in the order of the wheel."""
    return tuple(each for each in WHEEL if makes_sense(each, view))


# Keys


@dataclass(frozen=True, slots=True)
class Wheel:
    """The state of the open wheel."""

    at: Gesture
    """The highlighted gesture."""

    @classmethod
    def open(cls, view: TableView, last: Gesture) -> Wheel:
        """A wheel at the gloat, if that makes sense; else at the gesture `last`, or at the first
        one."""
        choices = offered(view)
        first = next((each for each in (Gesture.GLOAT, last) if each in choices), choices[0])
        return cls(first)

    def here(self, view: TableView) -> Gesture:
        """The highlighted gesture or, if it no longer makes sense, the next one that does."""
        choices = offered(view)
        after = WHEEL[WHEEL.index(self.at) :] + WHEEL
        return next(each for each in after if each in choices)

    def press(self, key: str, view: TableView) -> Wheel | Gesture | None:
        """The effect of a key: the wheel moved on, a chosen gesture, or None to close the wheel."""
        choices, key = offered(view), latin(key)
        place = choices.index(self.here(view))
        if key in _NEXT or key in _BEFORE:
            step = 1 if key in _NEXT else -1
            return Wheel(choices[(place + step) % len(choices)])
        if key in _CHOOSE:
            return choices[place]
        chosen = next((each for each in choices if digit(each) == key), None)
        if chosen is not None:
            return chosen
        return self if key.isdigit() else None


# Its lines


def wheel_lines(wheel: Wheel, view: TableView, width: int, rows: int) -> list[list[Piece]]:
    """The gestures in columns with their digits, and a description of the highlighted one.

    Empty on a web page, whose buttons are the gestures.
    """
    choices, bright = offered(view), wheel.here(view)
    if has_page():
        return []  # its buttons are the gestures
    cell = max(cell_len(gesture_name(each)) for each in choices) + 2 + _GAP
    columns = max(min((width + _GAP) // cell, 3), 1)
    height = -(-len(choices) // columns)
    lines = [_line(choices[row::height], bright, cell) for row in range(height)]
    help = prose(gesture_help(bright, view), width, palette.QUIET)
    if height + len(help) < rows:
        lines.append([])
    return [*lines, *help]


def _line(gestures: Sequence[Gesture], bright: Gesture, cell: int) -> list[Piece]:
    line: list[Piece] = []
    for gesture in gestures:
        name = gesture_name(gesture)
        style = palette.CHOSEN if gesture is bright else palette.TEXT
        blank = " " * (cell - 2 - cell_len(name))
        pieces = [(digit(gesture), palette.KEY), (" ", palette.TEXT), (name, style)]
        line += clickable(pieces, digit(gesture))
        line.append((blank, palette.TEXT))
    return line


FRAMES: Final[Mapping[Gesture, int]] = {Gesture.WOBBLE: 3, Gesture.SWEAT: 4}
"""For each animated gesture, the number of drawings shown one after the other; others have one."""

FRAME_TIMEOUT: Final = 0.4
"""Seconds for which a drawing of an animated gesture is shown."""

GESTURE_TIMEOUT: Final = 2.5
"""Seconds for which any other gesture is shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A gesture that is on show."""

    gesture: Gesture
    position: int
    """Position of its log entry, which tells two equal gestures apart."""
    frame: int = 0
    """Index of the drawing on show."""

    @property
    def picture(self) -> str:
        """Name of the drawing on show; animated gestures have two, which alternate."""
        name = self.gesture.value
        return f"{name} {1 + self.frame % 2}" if self.gesture in FRAMES else name


@dataclass(frozen=True, slots=True)
class Gestures:
    """The gestures on show, and up to where the talk has been searched for gestures."""

    heard: int | None = None
    """Position in the log after the last searched talk; None before the first view."""
    shown: Mapping[bytes, Shown] = field(default_factory=dict)
    """The gestures on show, by the key of the seat."""

    def following(self, view: TableView) -> Gestures:
        """The gestures on show with a newer view; gestures made before the first view are never
        shown."""
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
        """The gestures on show after the drawing of the seat `key` has had its time.

        `still`: gestures are not animated.
        """
        shown = self.shown[key]
        rest = {each: other for each, other in self.shown.items() if each != key}
        if still or shown.frame + 1 >= FRAMES.get(shown.gesture, 1):
            return replace(self, shown=rest)
        return replace(self, shown={**rest, key: replace(shown, frame=shown.frame + 1)})


def seconds_of(shown: Shown, *, still: bool = False) -> float:
    """Seconds for which a drawing is shown."""
    return FRAME_TIMEOUT if shown.gesture in FRAMES and not still else GESTURE_TIMEOUT
