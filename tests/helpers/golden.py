"""Golden screens: what is drawn, as text with a line of styles below each line, kept in files.

A file holds one state in one language at every size of `SIZES`. Each row of the screen stands
between bars; the row below it has a letter for the style of each cell, and `styles.txt` says what
the letters mean. A style that is new gets the next free letter, so that a diff shows only the cells
that look different. `pytest --update` accepts what is drawn now.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from rich.style import Style

from spoof_tui.ui.canvas.cells import Row, Sheet

FOLDER: Final = Path(__file__).resolve().parent.parent / "golden"

SIZES: Final = ((100, 30), (80, 24), (45, 20))
"""A comfortable terminal, the usual one, and a telephone's."""

_STYLES: Final = FOLDER / "styles.txt"
_LETTERS: Final = (
    string.ascii_letters + string.digits + "".join(map(chr, range(0x3B1, 0x3CA)))  # α to ω
)
_NOTHING: Final = " "
"""The letter of a cell on which nothing was drawn."""


class UnknownStyle(Exception):
    """A style that no golden screen has had so far."""


class Legend:
    """The letters of the styles, in the order in which the styles were first met."""

    def __init__(self, *, grows: bool) -> None:
        """With `grows` a style that is new gets a letter, else it raises `UnknownStyle`."""
        told = _STYLES.read_text("utf-8").splitlines() if _STYLES.exists() else []
        self._letters = {line[2:]: line[0] for line in told}
        self._grows = grows

    def letter(self, style: Style | None) -> str:
        """What stands for a style."""
        if style is None:
            return _NOTHING
        told = str(style)
        if told not in self._letters:
            if not self._grows:
                raise UnknownStyle(told)
            self._letters[told] = _LETTERS[len(self._letters)]
            lines = (f"{letter} {style}\n" for style, letter in self._letters.items())
            FOLDER.mkdir(exist_ok=True)
            _STYLES.write_text("".join(lines), "utf-8")
        return self._letters[told]


def told(draw: Callable[[tuple[int, int]], Sheet], legend: Legend) -> str:
    """A state at every size as the text of its file."""
    return "\n".join(_lines(draw, legend)) + "\n"


def _lines(draw: Callable[[tuple[int, int]], Sheet], legend: Legend) -> Iterator[str]:
    for width, height in SIZES:
        yield f"{width}×{height}"
        for row in draw((width, height)).rows:
            yield f"|{''.join(row.letters)}|"
            yield f" {_styles(row, legend)}".rstrip()


def _styles(row: Row, legend: Legend) -> str:
    return "".join(legend.letter(style) for style in row.styles)


def keep(folder: Path, shown: Mapping[str, str]) -> None:
    """Have these states in a folder, and no others."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    for name, text in shown.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
