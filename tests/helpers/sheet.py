"""A sheet of all hands in every colour mode, to look at after editing a file in `sprites/`.

python -m tests.helpers.sheet [MODE…]

MODE is a theme, or `colourless`, `console` or `ascii`; without one all are shown.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.segment import Segment, Segments

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.palette import TERMINAL, THEMES, USUAL
from spoof_tui.ui.canvas.sprite import Pose, Size, draw_hand

MODES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    **{name: (name, {}) for name in THEMES},
    "colourless": (USUAL, {"NO_COLOR": "1"}),
    "console": (TERMINAL, {"TERM": "linux"}),
    "ascii": (USUAL, {"LC_ALL": "C"}),
}
"""Each mode by name: a theme, and the environment."""

_GAP: Final = 2
_MARGIN: Final = 1


@contextmanager
def mode(name: str) -> Iterator[None]:
    """Draw as in a terminal of this mode inside the context."""
    theme, said = MODES[name]
    before = dict(os.environ)
    os.environ.update(said)
    palette.use(theme)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        palette.use(USUAL)


def sheet(sizes: Sequence[Size] = tuple(Size)) -> Sheet:
    """Every pose at these sizes, on the felt."""
    width = max(len(Pose) * (size.width + _GAP) for size in sizes) + _MARGIN
    drawn = Sheet(width, sum(size.height + 1 for size in sizes) + _MARGIN)
    for y in range(drawn.height):
        drawn.put(0, y, " " * width, palette.SURFACE)
    y = _MARGIN
    for size in sizes:
        for place, pose in enumerate(Pose):
            draw_hand(drawn, _MARGIN + place * (size.width + _GAP), y, size, pose)
        y += size.height + 1
    return drawn


def main(names: Sequence[str]) -> int:
    """The command; its exit code."""
    if unknown := [name for name in names if name not in MODES]:
        sys.stderr.write(f"no such mode: {' '.join(unknown)}\n")
        return 2
    console = Console(force_terminal=True, color_system="truecolor", width=200)
    for name in names or MODES:
        with mode(name):
            console.print(name)
            for row in sheet().rows:
                console.print(Segments([*row.strip(), Segment.line()]), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
