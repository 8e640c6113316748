"""Golden screens: what is drawn, as text with a line of styles below each line, kept in files.

A file holds one state in one language at several sizes. Each row of the screen stands
between bars; the row below it has a letter for the style of each cell, and `styles.txt` says what
the letters mean. A style that is new gets the next free letter, so that a diff shows only the cells
that look different. `pytest --update` accepts what is drawn now.
"""

from __future__ import annotations

import difflib
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from rich.style import Style

from spoof_tui.ui.canvas.cells import Row, Sheet

FOLDER: Final = Path(__file__).resolve().parent.parent / "golden"

SIZES: Final = ((100, 30), (80, 24), (45, 20))
"""A comfortable terminal, the usual one, and a telephone's."""

_STYLES: Final = FOLDER / "styles.txt"
_LETTERS: Final = (
    string.ascii_letters
    + string.digits
    + "".join(map(chr, (*range(0x3B1, 0x3CA), *range(0x10D0, 0x10F1), *range(0x561, 0x587))))
)
"""Latin, Greek, Georgian and Armenian letters, no two of which look alike."""
_NOTHING: Final = " "
"""The letter of a cell that nothing was drawn on."""


class UnknownStyle(Exception):
    """A style that no golden screen has had so far."""


@cache
def _plain(style: Style) -> str:
    """The style without negations and without what cannot be seen."""
    shown = Style(
        color=style.color,
        bgcolor=style.bgcolor,
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        reverse=style.reverse or None,
        strike=style.strike or None,
    )
    return str(shown)


class Legend:
    """The letters of the styles, in the order in which the styles first occurred."""

    def __init__(self, *, grows: bool) -> None:
        """With `grows` a new style gets a letter; otherwise it raises `UnknownStyle`."""
        told = _STYLES.read_text("utf-8").splitlines() if _STYLES.exists() else []
        self._letters = {line[2:]: line[0] for line in told}
        self._grows = grows

    def letter(self, style: Style | None) -> str:
        """The letter of a style."""
        if style is None:
            return _NOTHING
        told = _plain(style)
        if told not in self._letters:
            if not self._grows:
                raise UnknownStyle(told)
            used = self._letters.values()
            self._letters[told] = next(each for each in _LETTERS if each not in used)
            lines = (f"{letter} {style}\n" for style, letter in self._letters.items())
            FOLDER.mkdir(exist_ok=True)
            _STYLES.write_text("".join(lines), "utf-8")
        return self._letters[told]


def told(
    draw: Callable[[tuple[int, int]], Sheet], legend: Legend, sizes: Sequence[tuple[int, int]]
) -> str:
    """A state at these sizes as the text of its file."""
    return "\n".join(_lines(draw, legend, sizes)) + "\n"


def _lines(
    draw: Callable[[tuple[int, int]], Sheet], legend: Legend, sizes: Sequence[tuple[int, int]]
) -> Iterator[str]:
    for width, height in sizes:
        yield f"{width}×{height}"
        for row in draw((width, height)).rows:  # a dialog may have fewer of them than the terminal
            yield f"|{''.join(row.letters)}|"
            yield f" {_styles(row, legend)}".rstrip()


def _styles(row: Row, legend: Legend) -> str:
    return "".join(legend.letter(style) for style in row.styles)


def check(request: pytest.FixtureRequest, folder: Path, shown: Mapping[str, str]) -> None:
    """Fail if these are not the texts of this folder; with `--update`, write them there."""
    if accepts(request):
        _keep(folder, shown)
    kept = {path.stem: path.read_text("utf-8") for path in folder.glob("*.txt")}
    changes = [
        "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), name, lineterm=""))
        for name in sorted(kept | dict(shown))
        if (old := kept.get(name, "")) != (new := shown.get(name, ""))
    ]
    if changes:
        pytest.fail("look at it, and accept it as tests/README.md says:\n" + "\n".join(changes))


def accepts(request: pytest.FixtureRequest) -> bool:
    """Whether this run accepts what is drawn now."""
    return bool(request.config.getoption("--update"))


def _keep(folder: Path, shown: Mapping[str, str]) -> None:
    """Keep exactly these texts in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    for name, text in shown.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
