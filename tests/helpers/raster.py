"""Drawings of the program as PNG, where Pillow is installed."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers.vector import SHAPES, Cell, cells_of

_WIDTH: Final = 7
_HEIGHT: Final = 14
_SIZE: Final = 11
_GAP: Final = 6
"""Between two pictures of a montage."""

_FOLDERS: Final = (
    "",
    "/usr/share/fonts/truetype/jetbrains-mono/",
    "/usr/share/fonts/truetype/dejavu/",
)
_FILES: Final = {
    True: ("JetBrainsMono-Bold.ttf", "DejaVuSansMono-Bold.ttf"),
    False: ("JetBrainsMono-Regular.ttf", "DejaVuSansMono.ttf"),
}


def is_here() -> bool:
    """Whether Pillow is installed."""
    try:
        importlib.import_module("PIL.Image")
    except ImportError:
        return False
    return True


def save(sheet: Sheet, path: Path) -> None:
    """Write the drawing as PNG."""
    _image(sheet).save(path)


def montage(sheets: Sequence[tuple[str, Sheet]], path: Path) -> None:
    """Write drawings of one size as one PNG, each below its name, as near a square as they go."""
    width = max(each.width for _name, each in sheets)
    height = max(each.height for _name, each in sheets)
    columns = min(
        range(1, len(sheets) + 1),
        key=lambda count: max(count * width * _WIDTH, -(-len(sheets) // count) * height * _HEIGHT),
    )
    across, down = width * _WIDTH + _GAP, (height + 1) * _HEIGHT
    image = _blank(columns * across, -(-len(sheets) // columns) * down)
    pen: Any = importlib.import_module("PIL.ImageDraw").Draw(image)
    for place, (name, sheet) in enumerate(sheets):
        x, y = place % columns * across, place // columns * down
        pen.text((x, y), name, fill="#ffffff", font=_font("a", True))
        image.paste(_image(sheet), (x, y + _HEIGHT))
    image.save(path)


def _blank(width: int, height: int) -> Any:
    return importlib.import_module("PIL.Image").new("RGB", (width, height), "#404040")


def _image(sheet: Sheet) -> Any:
    image = _blank(sheet.width * _WIDTH, sheet.height * _HEIGHT)
    pen: Any = importlib.import_module("PIL.ImageDraw").Draw(image)
    for y in range(sheet.height):
        _draw_row(pen, cells_of(sheet, y), y)
    return image


def _draw_row(pen: Any, cells: Sequence[Cell], y: int) -> None:
    for x, cell in enumerate(cells):
        _draw_box(pen, x, y, (0, 0, 1, 1), cell.behind)
    for x, cell in enumerate(cells):
        if cell.letter in SHAPES:
            _draw_box(pen, x, y, SHAPES[cell.letter], cell.front)
        elif cell.letter.strip():
            at = (x * _WIDTH, y * _HEIGHT)
            pen.text(at, cell.letter, fill=f"#{cell.front}", font=_font(cell.letter, cell.bold))


def _draw_box(
    pen: Any, x: int, y: int, part: tuple[float, float, float, float], color: str
) -> None:
    dx, dy, width, height = part
    left, top = round((x + dx) * _WIDTH), round((y + dy) * _HEIGHT)
    right, bottom = round((x + dx + width) * _WIDTH), round((y + dy + height) * _HEIGHT)
    pen.rectangle((left, top, max(right - 1, left), max(bottom - 1, top)), fill=f"#{color}")


@cache
def _font(letter: str, bold: bool) -> Any:
    """The first font that has the letter."""
    fonts = [_load(folder + name) for name in _FILES[bold] for folder in _FOLDERS]
    there = [font for font in fonts if font is not None]
    missing = [font for font in there if _looks(font, letter) != _looks(font, "\U0010fffe")]
    return (missing or there or [importlib.import_module("PIL.ImageFont").load_default()])[0]


def _looks(font: Any, letter: str) -> bytes:
    return bytes(font.getmask(letter))


@cache
def _load(path: str) -> Any:
    try:
        return importlib.import_module("PIL.ImageFont").truetype(path, _SIZE)
    except OSError:
        return None
