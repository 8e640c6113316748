"""A picture of a terminal: the screen model as SVG text.

    python -m tests.helpers.picture OUT.svg COLSxROWS KEYS -- PROGRAM ARGUMENT...

runs the program in a terminal of that size, types KEYS, and writes what the screen then shows.
KEYS knows the escapes of Python strings (\\t, \\r, \\x1b[A); a | waits for half a second.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char

from tests.helpers.pty import Terminal

FOREGROUND = "e0e0e0"
BACKGROUND = "0c0c0c"

_WIDTH, _HEIGHT, _FONT_SIZE, _BASELINE = 8.4, 17.0, 14, 13.0
"""A cell and its text in pixels. Monospaced fonts are 0.6 of their size wide."""

_MARGIN = 8
_FONTS = "ui-monospace,'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"

_NAMED = {
    "black": "000000",
    "red": "cd3131",
    "green": "0dbc79",
    "brown": "e5e510",
    "blue": "2472c8",
    "magenta": "bc3fbc",
    "cyan": "11a8cd",
    "white": "e5e5e5",
    "brightblack": "666666",
    "brightred": "f14c4c",
    "brightgreen": "23d18b",
    "brightbrown": "f5f543",
    "brightblue": "3b8eea",
    "brightmagenta": "d670d6",
    "bfightmagenta": "d670d6",  # the screen model spells the bright background so
    "brightcyan": "29b8db",
    "brightwhite": "ffffff",
}

_LINES = {
    "─": "lr",
    "│": "ud",
    "┌": "rd",
    "┐": "ld",
    "└": "ru",
    "┘": "lu",
    "├": "rud",
    "┤": "lud",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
    "╭": "rd",
    "╮": "ld",
    "╰": "ru",
    "╯": "lu",
    "╴": "l",
    "╵": "u",
    "╶": "r",
    "╷": "d",
    "━": "LR",
    "┃": "UD",
    "┏": "RD",
    "┓": "LD",
    "┗": "RU",
    "┛": "LU",
    "┣": "RUD",
    "┫": "LUD",
    "┳": "LRD",
    "┻": "LRU",
    "╋": "LRUD",
}
"""Box drawing as arms from the middle of the cell (left, right, up, down; capitals are heavy).
Drawn as lines because fonts leave gaps between the rows."""

_DOUBLE = {
    "═": "lr",
    "║": "ud",
    "╔": "rd",
    "╗": "ld",
    "╚": "ru",
    "╝": "lu",
    "╠": "rud",
    "╣": "lud",
    "╦": "lrd",
    "╩": "lru",
    "╬": "lrud",
}
_ARM = {"l": (0.0, 0.5), "r": (1.0, 0.5), "u": (0.5, 0.0), "d": (0.5, 1.0)}


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


_BLOCKS = dict(_blocks())
_SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}


def svg(screen: pyte.Screen, title: str = "") -> str:
    """The screen as a complete SVG document: colours, bold, italic and underline on a grid."""
    width = _number(screen.columns * _WIDTH + 2 * _MARGIN)
    height = _number(screen.lines * _HEIGHT + 2 * _MARGIN)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" xml:space="preserve" '
        f'font-family="{_FONTS}" font-size="{_FONT_SIZE}">'
    )
    parts = [head]
    if title:
        parts.append(f"<title>{escape(title)}</title>")
    parts.append(f'<rect width="{width}" height="{height}" rx="6" fill="#{BACKGROUND}"/>')
    parts.append(f'<g transform="translate({_MARGIN} {_MARGIN})">')
    rows = [_row(screen, y) for y in range(screen.lines)]
    for y, row in enumerate(rows):
        parts.extend(_backgrounds(row, y))
    for y, row in enumerate(rows):
        parts.extend(_glyphs(row, y))
    return "\n".join([*parts, "</g>", "</svg>", ""])


Cell = tuple[int, Char]
"""A character with its column."""


def _row(screen: pyte.Screen, y: int) -> list[Cell]:
    return [(x, screen.buffer[y][x]) for x in range(screen.columns)]


def _backgrounds(row: list[Cell], y: int) -> Iterator[str]:
    for colour, group in groupby(row, key=lambda cell: _colours(cell[1])[1]):
        cells = list(group)
        if colour != BACKGROUND:
            yield _rectangle(cells[0][0], y, (0, 0, len(cells), 1), colour)


def _glyphs(row: list[Cell], y: int) -> Iterator[str]:
    for style, group in groupby(row, key=lambda cell: cell[1]._replace(data="", bg="", fg="")):
        cells = list(group)
        for colour, same in groupby(cells, key=lambda cell: _colours(cell[1])[0]):
            yield from _run(list(same), y, colour, style)


def _run(cells: list[Cell], y: int, colour: str, style: Char) -> Iterator[str]:
    """Cells of one look: words are text, blocks and lines are shapes."""
    for kind, group in groupby(cells, key=lambda cell: _kind(cell[1].data)):
        same = list(group)
        if kind == "word":
            yield _text(same, y, colour, style)
        elif kind == "shape":
            for x, char in same:
                yield _shape(x, y, char.data, colour, _colours(char)[1])


def _kind(glyph: str) -> str:
    # The right half of a wide character is an empty cell: it belongs to the word it follows.
    if glyph.isspace():
        return "blank"
    drawn = (_SHADES, _BLOCKS, _LINES, _DOUBLE)
    return "shape" if any(glyph in glyphs for glyphs in drawn) else "word"


def _shape(x: int, y: int, glyph: str, colour: str, behind: str) -> str:
    if glyph in _SHADES:
        return _rectangle(x, y, (0, 0, 1, 1), colour, _SHADES[glyph])
    if glyph in _BLOCKS:
        return _rectangle(x, y, _BLOCKS[glyph], colour)
    if glyph in _DOUBLE:
        # A thick line with a thin one of the background in it is a double line.
        thick = _stroke(x, y, _DOUBLE[glyph], colour, 3.6)
        return thick + _stroke(x, y, _DOUBLE[glyph], behind, 1.4)
    arms = _LINES[glyph]
    return _stroke(x, y, arms.lower(), colour, 2.4 if arms.isupper() else 1.2)


def _stroke(x: int, y: int, arms: str, colour: str, thickness: float) -> str:
    """Lines from the first arm through the middle of the cell to each of the others."""
    first, *others = (_point(x + dx, y + dy) for dx, dy in (_ARM[arm] for arm in arms))
    middle = _point(x + 0.5, y + 0.5)
    path = "".join(f"M{first}L{middle}L{other}" for other in others or [middle])
    return f'<path d="{path}" fill="none" stroke="#{colour}" stroke-width="{thickness}"/>'


def _text(cells: list[Cell], y: int, colour: str, style: Char) -> str:
    looks = ""
    if style.bold:
        looks += ' font-weight="bold"'
    if style.italics:
        looks += ' font-style="italic"'
    if style.underscore or style.strikethrough:
        looks += f' text-decoration="{"underline" if style.underscore else "line-through"}"'
    words = escape("".join(char.data for _, char in cells))
    return (
        f'<text x="{_number(cells[0][0] * _WIDTH)}" y="{_number(y * _HEIGHT + _BASELINE)}" '
        f'textLength="{_number(len(cells) * _WIDTH)}" lengthAdjust="spacingAndGlyphs" '
        f'fill="#{colour}"{looks}>{words}</text>'
    )


def _rectangle(
    x: int, y: int, part: tuple[float, float, float, float], colour: str, opacity: float = 1
) -> str:
    dx, dy, width, height = part
    see_through = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return (
        f'<rect x="{_number((x + dx) * _WIDTH)}" y="{_number((y + dy) * _HEIGHT)}" '
        f'width="{_number(width * _WIDTH)}" height="{_number(height * _HEIGHT)}" '
        f'fill="#{colour}"{see_through} shape-rendering="crispEdges"/>'
    )


def _point(x: float, y: float) -> str:
    return f"{_number(x * _WIDTH)} {_number(y * _HEIGHT)}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _colours(char: Char) -> tuple[str, str]:
    """The colours of a cell as six hexadecimal digits: of the glyph, and behind it."""
    front, back = _hexadecimal(char.fg, FOREGROUND), _hexadecimal(char.bg, BACKGROUND)
    return (back, front) if char.reverse else (front, back)


def _hexadecimal(colour: str, default: str) -> str:
    return default if colour == "default" else _NAMED.get(colour, colour)


def _type(terminal: Terminal, keys: str) -> None:
    terminal.settle(1.0, 20)
    plain = keys.encode("latin-1", "backslashreplace").decode("unicode_escape")
    for index, keystrokes in enumerate(plain.split("|")):
        if index:
            terminal.settle(0.5, 20)
        for keystroke in _keystrokes(keystrokes):
            terminal.send(keystroke)
            terminal.settle(0.1, 20)
    terminal.settle(0.5, 20)


def _keystrokes(keys: str) -> Iterator[str]:
    """Keys one by one, a sequence from escape to its letter in one piece."""
    while keys:
        size = 1
        if keys.startswith("\x1b["):
            ends = (i for i in range(2, len(keys)) if "@" <= keys[i] <= "~")
            size = next(ends, len(keys) - 1) + 1
        yield keys[:size]
        keys = keys[size:]


def main(argv: Sequence[str]) -> int:
    """The command; its exit code."""
    if len(argv) < 5 or argv[3] != "--" or not _is_size(argv[1]):
        sys.stderr.write((__doc__ or "").strip() + "\n")
        return 2
    cols, rows = map(int, argv[1].split("x"))
    with Terminal(argv[4:], cols, rows, env={"COLORTERM": "truecolor"}) as terminal:
        _type(terminal, argv[2])
        Path(argv[0]).write_text(svg(terminal.screen), encoding="utf-8")
        sys.stdout.write(terminal.text() + "\n")
    return 0


def _is_size(word: str) -> bool:
    cols, _, rows = word.partition("x")
    return cols.isdecimal() and rows.isdecimal()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
