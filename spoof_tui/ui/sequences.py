"""The escape sequences that draw pieces of rows on a terminal, in as few bytes as possible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, product
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from spoof_tui.text.ascii import respelling


class CellStyle(NamedTuple):
    """A style as parameters of Select Graphic Rendition sequences."""

    attributes: str
    color: str
    background: str

    @property
    def is_inkless(self) -> bool:
        """Whether a space in this style shows only its background."""
        return _INKLESS.issuperset(self.attributes.split(";"))

    def without_ink(self) -> CellStyle:
        """The style reduced to what a space shows: only the background, if that is all there is to
        see."""
        return CellStyle("", PLAIN.color, self.background) if self.is_inkless else self


Cell: TypeAlias = tuple[str, CellStyle]
"""A character, empty for the second half of a wide one, and its style."""

Piece: TypeAlias = tuple[int, int, Sequence[Cell]]
"""Row, column, and the cells to write from there."""

PLAIN: Final = CellStyle("", "39", "49")

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_GREYS: Final = ((level,) * 3 for level in range(8, 239, 10))

NUMBERS: Final = {rgb: n for n, rgb in enumerate((*product(_LEVELS, repeat=3), *_GREYS), 16)}
"""Numbers of the 256-colour palette by red, green and blue.

Without the first sixteen, which the user defines.
"""

_ENDS: Final = {
    "1": "22",
    "2": "22",
    "3": "23",
    "4": "24",
    "5": "25",
    "6": "25",
    "7": "27",
    "8": "28",
    "9": "29",
    "21": "24",
    "51": "54",
    "52": "54",
    "53": "55",
}
"""For each attribute the code that ends it without changing colours."""

_INKLESS: Final = frozenset(("", "1", "2", "3", "5", "6", "8"))
"""Attributes that do not show on a space, such as bold."""

_BLOCK: Final = "█"


@dataclass(slots=True)
class _Run:
    """Consecutive characters of one style in a row."""

    y: int
    x: int
    end: int
    """The column after the last one."""
    text: str
    look: CellStyle
    is_blank: bool
    """Whether it shows nothing but a background, so that its text colour does not matter."""


def written(pieces: Iterable[Piece]) -> str:
    """The output that draws the pieces and ends without a style.

    Each style is written as its difference from the one before. If it makes the output shorter, all
    text of one style is written together, and whole blocks are written as coloured spaces.
    """
    runs = _runs(pieces)
    ways = (runs, _hollow(runs)) if any(_BLOCK in run.text for run in runs) else (runs,)
    return min((_spelled(each) for way in ways for each in (way, _by_look(way))), key=_size)


def _size(text: str) -> int:
    return len(text.encode())


def _runs(pieces: Iterable[Piece]) -> list[_Run]:
    """The pieces as runs, from left to right and top to bottom; spaces join their neighbours."""
    runs: list[_Run] = []
    respelled = respelling(of_cells=True)
    for y, x, piece in pieces:
        for look, group in groupby(piece, itemgetter(1)):
            letters = [letter for letter, _ in group]
            text = respelled("".join(letters)) if respelled else "".join(letters)
            is_blank = not look.attributes and text.isspace()
            run = _Run(y, x, x + len(letters), text, look, is_blank)
            x = run.end
            if not (runs and _join(runs[-1], run)):
                runs.append(run)
    return runs


def _hollow(runs: Sequence[_Run]) -> list[_Run]:
    """The runs with coloured spaces, which take a byte, for whole blocks, which take three."""
    hollow: list[_Run] = []
    for run in runs:
        is_solid = not run.look.attributes and run.look.color.startswith("38;")
        for each in _parts(run) if is_solid and not run.text.strip(f"{_BLOCK} ") else [run]:
            if not (hollow and _join(hollow[-1], each)):
                hollow.append(replace(each))
    return hollow


def _parts(run: _Run) -> Iterator[_Run]:
    """A run of whole blocks and spaces as runs of spaces."""
    behind, x = CellStyle("", PLAIN.color, run.look.background), run.x
    solid = CellStyle("", PLAIN.color, "4" + run.look.color[1:])
    for letter, group in groupby(run.text):
        end = x + len(list(group))
        look = solid if letter == _BLOCK else behind
        yield _Run(run.y, x, end, " " * (end - x), look, is_blank=True)
        x = end


def _join(before: _Run, run: _Run) -> bool:
    """Append `run` to the run before it, if it continues that with a fitting style; return
    whether."""
    if (before.y, before.end) != (run.y, run.x):
        return False
    if run.look != before.look:
        if run.look.background != before.look.background:
            return False
        if before.is_blank and run.look.is_inkless:
            before.look = run.look
        elif not (run.is_blank and before.look.is_inkless):
            return False
    before.text, before.end = before.text + run.text, run.end
    before.is_blank &= run.is_blank
    return True


def _by_look(runs: Sequence[_Run]) -> list[_Run]:
    """The runs grouped by style; after each style comes the one that is cheapest to change to."""
    looks: dict[CellStyle, list[_Run]] = {}
    for run in runs:
        if not run.is_blank:
            looks.setdefault(run.look, []).append(run)
    for run in runs:
        if run.is_blank:
            fitting = (each for each in looks if _may_be_blank(run, each))
            looks.setdefault(next(fitting, run.look), []).append(run)
    ordered: list[_Run] = []
    look = PLAIN
    while looks:
        look = min(looks, key=lambda each: len(_turn(look, each)))
        ordered += looks.pop(look)
    return ordered


def _may_be_blank(run: _Run, look: CellStyle) -> bool:
    return look.is_inkless and look.background == run.look.background


def _spelled(runs: Iterable[_Run]) -> str:
    """The output that draws these runs in order."""
    parts: list[str] = []
    look, y, x = PLAIN, -1, -1
    for run in runs:
        if (y, x) != (run.y, run.x):
            parts.append(_move(y, run))
        if not (run.is_blank and _may_be_blank(run, look)):
            parts.append(_turn(look, run.look))
            look = run.look
        parts.append(run.text)
        y, x = run.y, run.end
    return "".join([*parts, _turn(look, PLAIN)])


def _move(y: int, run: _Run) -> str:
    """The sequence that moves the cursor to a run; `y` is the row where it is."""
    if y == run.y:
        return f"\x1b[{run.x + 1}G"
    return f"\x1b[{run.y + 1};{run.x + 1}H" if run.x else f"\x1b[{run.y + 1}H"


@lru_cache(maxsize=1024)
def changed(look: CellStyle, codes: str) -> CellStyle:
    """The style after a sequence with these parameters, which may add attributes or reset all."""
    attributes, color, background = look
    rest = iter(codes.split(";"))
    for code in rest:
        if code in ("", "0"):
            attributes, color, background = PLAIN
        elif code == "38":
            color = _color(code, rest)
        elif code == "48":
            background = _color(code, rest)
        elif len(code) == 2 and code[0] in "39":
            color = code
        elif code[:-1] in ("4", "10"):
            background = code
        else:
            attributes = f"{attributes};{code}" if attributes else code
    return CellStyle(attributes, color, background)


def _color(code: str, rest: Iterator[str]) -> str:
    """The parameters of a colour; by its number, which is shorter, if it has one.

    `code` is 38 or 48; the colour's other parameters are taken from `rest`.
    """
    if next(rest) == "5":
        return f"{code};5;{next(rest)}"
    rgb = tuple(int(next(rest)) for _ in range(3))
    number = NUMBERS.get(rgb)
    return f"{code};5;{number}" if number else ";".join(map(str, (code, 2, *rgb)))


@lru_cache(maxsize=4096)
def _turn(old: CellStyle, new: CellStyle) -> str:
    """The sequence that changes one style into the other; empty if they are equal."""
    if new == old:
        return ""
    if new == PLAIN:
        return "\x1b[m"
    before, after = old.attributes.split(";"), new.attributes.split(";")
    ended = {_ENDS[code] for code in before if code and code not in after}
    # One code may end two attributes, of which one may have to go on.
    begun = [code for code in after if code and (code not in before or _ENDS[code] in ended)]
    codes = [*sorted(ended), *begun]
    codes += [code for code, was in zip(new[1:], old[1:], strict=True) if code != was]
    return f"\x1b[{';'.join(filter(None, codes))}m"
