"""Drawings of the program as SVG: one that stands still, and one that plays by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers.painted import differing

WIDTH: Final = 10
HEIGHT: Final = 20
"""A cell in pixels."""

_FONT: Final = 16.6
_BASE: Final = 15
_FONTS: Final = "ui-monospace,'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
_STROKES: Final = {"─": (0, 0.47, 1, 0.06), "━": (0, 0.44, 1, 0.12), "│": (0.45, 0, 0.1, 1)}
FOREGROUND: Final = "e0e0e0"
BACKGROUND: Final = "0c0c0c"


def _blocks() -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Block elements with their part of the cell: x, y, width, height from 0 to 1."""
    for eighth, glyph in enumerate("▁▂▃▄▅▆▇█", start=1):
        yield glyph, (0, 1 - eighth / 8, 1, eighth / 8)
    for eighth, glyph in enumerate("▏▎▍▌▋▊▉", start=1):
        yield glyph, (0, 0, eighth / 8, 1)
    yield "▀", (0, 0, 1, 0.5)
    yield "▔", (0, 0, 1, 0.125)
    yield "▐", (0.5, 0, 0.5, 1)
    yield "▕", (0.875, 0, 0.125, 1)
    yield "▖", (0, 0.5, 0.5, 0.5)
    yield "▗", (0.5, 0.5, 0.5, 0.5)
    yield "▘", (0, 0, 0.5, 0.5)
    yield "▝", (0.5, 0, 0.5, 0.5)


SHAPES: Final = {**dict(_blocks()), **_STROKES}


class Frame(NamedTuple):
    """A drawing, and for how many seconds it is shown."""

    sheet: Sheet
    seconds: float


class Cell(NamedTuple):
    """One cell: its letter, its colours as six digits, and whether it is bold."""

    letter: str
    front: str
    behind: str
    bold: bool


def cells_of(sheet: Sheet, y: int) -> list[Cell]:
    """One row; the second half of a wide letter is an empty cell."""
    letters, styles = sheet.rows[y]
    return [_cell(letter, style) for letter, style in zip(letters, styles, strict=True)]


def _cell(letter: str, style: Style | None) -> Cell:
    style = style or Style.null()
    front = _digits(style.color, palette.INK, is_front=True)
    behind = _digits(style.bgcolor, palette.GROUND, is_front=False)
    if style.reverse:
        front, behind = behind, front
    return Cell(letter, front, behind, bool(style.bold))


def _digits(color: Color | None, default: str, *, is_front: bool) -> str:
    if color is None or color.is_default:
        color = Color.parse(default)
    if color.is_default:
        return FOREGROUND if is_front else BACKGROUND
    return color.get_truecolor(foreground=is_front).hex.removeprefix("#")


@dataclass
class _Drawing:
    """The drawing so far, and the name of every colour in it."""

    names: dict[str, str] = field(default_factory=dict)

    def span(self, cells: Sequence[Cell], x: int, y: int, ground: str | None) -> Iterator[str]:
        """Cells from column `x` of row `y`; the background is drawn already if it is `ground`."""
        paths: defaultdict[str, list[str]] = defaultdict(list)
        at = x
        for behind, group in groupby(cells, key=lambda cell: cell.behind):
            size = len(list(group))
            if behind != ground:
                paths[behind].append(_box(at, y, (0, 0, size, 1)))
            at += size
        at = x
        for (front, shape), run in groupby(cells, key=lambda cell: (cell.front, cell.letter)):
            size = len(list(run))
            if shape in SHAPES:
                dx, dy, wide, high = SHAPES[shape]
                boxes = [(dx, dy, size, high)] if wide == 1 else [
                    (dx + step, dy, wide, high) for step in range(size)
                ]  # fmt: skip
                paths[front] += [_box(at, y, box) for box in boxes]
            at += size
        for color, boxes_of in paths.items():
            yield f'<path class="{self.name(color)}" d="{"".join(boxes_of)}"/>'
        yield from self._words(cells, x, y)

    def name(self, color: str) -> str:
        """The class of a colour."""
        return self.names.setdefault(color, f"c{len(self.names)}")

    def _words(self, cells: Sequence[Cell], x: int, y: int) -> Iterator[str]:
        def look(cell: Cell) -> tuple[str, bool] | None:
            return None if cell.letter == " " or cell.letter in SHAPES else (cell.front, cell.bold)

        looks = [look(cell) for cell in cells]
        for at in range(1, len(cells) - 1):
            is_gap = cells[at].letter == " " and looks[at - 1] == looks[at + 1]
            looks[at] = looks[at - 1] if is_gap and looks[at + 1] else looks[at]
        at = 0
        for same, group in groupby(looks):
            size = len(list(group))
            text = "".join(cell.letter for cell in cells[at : at + size])
            if same:
                bold = " b" if same[1] else ""
                fixed = f' textLength="{size * WIDTH}"' if cell_len(text) > 1 else ""
                yield (
                    f'<text class="{self.name(same[0])}{bold}" x="{(x + at) * WIDTH}" '
                    f'y="{y * HEIGHT + _BASE}"{fixed}>{escape(text)}</text>'
                )
            at += size

    def style(self) -> str:
        """The colours as a style sheet."""
        return "".join(f".{name}{{fill:#{color}}}" for color, name in self.names.items())


def _box(x: int, y: int, part: tuple[float, float, float, float]) -> str:
    dx, dy, width, height = part
    left, top = _number((x + dx) * WIDTH), _number((y + dy) * HEIGHT)
    return f"M{left} {top}h{_number(width * WIDTH)}v{_number(height * HEIGHT)}H{left}z"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def still(sheet: Sheet, title: str) -> str:
    """One drawing."""
    drawing = _Drawing()
    return _document(drawing, sheet, title, [*_whole(drawing, sheet)], "")


def moving(frames: Sequence[Frame], title: str) -> str:
    """Drawings one after the other, again and again: each covers the last where it differs."""
    drawing, first = _Drawing(), frames[0].sheet
    length = sum(frame.seconds for frame in frames)
    body, rules, now = [*_whole(drawing, first)], "", 0.0
    for number, (before, frame) in enumerate(pairwise(frames), 1):
        now += before.seconds
        body += [f'<g class="f" style="animation-name:k{number}">']
        for y, start, cells in differing(before.sheet, frame.sheet):
            changed = cells_of(frame.sheet, y)[start : start + len(cells)]
            body += drawing.span(changed, start, y, None)
        body.append("</g>")
        rules += f"@keyframes k{number}{{{100 * now / length:.2f}%{{visibility:visible}}}}"
    rules += (
        f".f{{visibility:hidden;animation:{length:.1f}s step-end infinite}}"
        "@media(prefers-reduced-motion){.f{animation:none}}"
    )
    return _document(drawing, first, title, body, rules.replace("%{visibility:visible}",
                     "%,99.99%{visibility:visible}"))  # fmt: skip


def _whole(drawing: _Drawing, sheet: Sheet) -> Iterator[str]:
    ground = _digits(None, palette.GROUND, is_front=False)
    for y in range(sheet.height):
        yield from drawing.span(cells_of(sheet, y), 0, y, ground)


def _document(drawing: _Drawing, sheet: Sheet, title: str, body: Iterable[str], rules: str) -> str:
    width, height = sheet.width * WIDTH, sheet.height * HEIGHT
    ground = _digits(None, palette.GROUND, is_front=False)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {width + 20} {height + 20}" '
            f'role="img" font-family="{_FONTS}" font-size="{_FONT}" xml:space="preserve">',
            f"<title>{escape(title)}</title>",
            f"<style>path{{shape-rendering:crispEdges}}.b{{font-weight:bold}}{drawing.style()}"
            f"{rules}</style>",
            f'<rect x="-10" y="-10" width="{width + 20}" height="{height + 20}" rx="8" '
            f'fill="#{ground}"/>',
            *body,
            "</svg>",
            "",
        ]
    )
