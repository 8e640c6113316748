"""The escape sequences that draw pieces of rows on a terminal, in few bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len
from rich.color import Color, ColorSystem, ColorType
from rich.style import Style
from textual.strip import Strip

from spoof_tui.text.ascii import respelling


class Look(NamedTuple):
    """A text style as parameters of Select Graphic Rendition sequences."""

    attributes: str
    color: str
    background: str


Cell: TypeAlias = tuple[str, Look]
"""A character and what is visible of its look; the second half of a wide one is empty."""

Piece: TypeAlias = tuple[int, int, Sequence[Cell]]
"""Row, column, and what to write from there."""

PLAIN: Final = Look("", "39", "49")

_FIRST_OF_CUBE: Final = 16
"""The colours before it are the user's own choice."""

_FIRST_GREY: Final = 8
_LAST_GREY: Final = 238
"""The darkest and the lightest of the grey ramp, ten apart; Rich finds only some of them."""

_ATTRIBUTES: Final = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "blink": "5",
    "blink2": "6",
    "reverse": "7",
    "conceal": "8",
    "strike": "9",
    "underline2": "21",
    "frame": "51",
    "encircle": "52",
    "overline": "53",
}

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
"""The code that ends each attribute without changing the colours."""

_INKLESS: Final = frozenset(("", "1", "2", "3", "5", "6", "8"))
"""Attributes that a space may have: bold or dim, it shows nothing either."""


@dataclass(slots=True)
class _Run:
    """Characters of one look in one row, from a column on."""

    y: int
    x: int
    end: int
    """The column after the last one."""
    text: str
    look: Look
    is_blank: bool
    """Whether it has no ink, so that its colour is not seen."""


def cells(strip: Strip, colors: ColorSystem) -> list[Cell]:
    """What a terminal with these colours shows of a strip."""
    found: list[Cell] = []
    for text, style, control in strip:
        if control:
            continue
        marks, spread = _spread(text, style, colors)
        if marks and found:
            _mark(found, marks)
        found += spread
    return found


def _mark(cells: list[Cell], marks: str) -> None:
    """Put combining marks on the last character."""
    at = -1 if cells[-1][0] else -2
    cells[at] = cells[at][0] + marks, cells[at][1]


@lru_cache(maxsize=4096)
def _spread(text: str, style: Style | None, colors: ColorSystem) -> tuple[str, tuple[Cell, ...]]:
    """Combining marks for the character before a text, and its cells: most were shown before."""
    look = _look(style or Style.null(), colors)
    on_blank = Look("", PLAIN.color, look.background) if _has_no_ink(look) else look
    spread: list[Cell] = []
    marks = ""
    for letter in text:
        width = cell_len(letter)
        if width:
            spread.append((letter, on_blank if letter == " " else look))
            spread += [("", look)] * (width - 1)
        elif spread:
            _mark(spread, letter)
        else:
            marks += letter
    return marks, tuple(spread)


def written(pieces: Iterable[Piece]) -> str:
    """The sequences that draw pieces of rows, and leave the terminal without a style.

    A style states only its difference from the previous one. If that makes the result shorter,
    everything with the same look is written together.
    """
    runs = _runs(pieces)
    return min(_spelled(runs), _spelled(_by_look(runs)), key=len)


def _runs(pieces: Iterable[Piece]) -> list[_Run]:
    """What is to be drawn, from left to right and top to bottom; spaces join their neighbours."""
    runs: list[_Run] = []
    respelled = respelling()
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


def _join(before: _Run, run: _Run) -> bool:
    """Append a run to the previous one, if it continues that with the same look."""
    if (before.y, before.end) != (run.y, run.x):
        return False
    if run.look != before.look:
        if run.look.background != before.look.background:
            return False
        if before.is_blank and _has_no_ink(run.look):
            before.look = run.look
        elif not (run.is_blank and _has_no_ink(before.look)):
            return False
    before.text, before.end = before.text + run.text, run.end
    before.is_blank &= run.is_blank
    return True


def _has_no_ink(look: Look) -> bool:
    """Whether a space of this look shows nothing but the background."""
    return _INKLESS.issuperset(look.attributes.split(";"))


def _by_look(runs: Sequence[_Run]) -> list[_Run]:
    """The runs grouped by look, each look followed by the one that is cheapest to change to."""
    looks: dict[Look, list[_Run]] = {}
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


def _may_be_blank(run: _Run, look: Look) -> bool:
    return _has_no_ink(look) and look.background == run.look.background


def _spelled(runs: Iterable[_Run]) -> str:
    """The sequences that draw these runs, one after the other."""
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
    """The sequence that moves the cursor to a run, from row `y`."""
    if y == run.y:
        return f"\x1b[{run.x + 1}G"
    return f"\x1b[{run.y + 1};{run.x + 1}H" if run.x else f"\x1b[{run.y + 1}H"


@lru_cache(maxsize=1024)
def _look(style: Style, colors: ColorSystem) -> Look:
    attributes = [code for name, code in _ATTRIBUTES.items() if getattr(style, name)]
    color, background = PLAIN.color, PLAIN.background
    if style.color is not None:
        color = ";".join(_shown(style.color, colors).get_ansi_codes())
    if style.bgcolor is not None:
        background = ";".join(_shown(style.bgcolor, colors).get_ansi_codes(foreground=False))
    return Look(";".join(attributes), color, background)


def _shown(color: Color, colors: ColorSystem) -> Color:
    """The colour as such a terminal can show it: with 256, the nearest to a blend of two.

    Rich rounds red, green and blue on their own, which turns dimmed amber into red.
    """
    fewer = color.downgrade(colors)
    wanted = color.triplet
    if wanted is None or fewer.type is not ColorType.EIGHT_BIT or _rgb(fewer) == wanted:
        return _short(fewer)
    return min(
        map(Color.from_ansi, range(_FIRST_OF_CUBE, 256)),
        key=lambda each: sum(
            weight * (one - other) ** 2
            for weight, one, other in zip(_WEIGHTS, _rgb(each), wanted, strict=True)
        ),
    )


_WEIGHTS: Final = (2, 4, 3)
"""How much the eye sees of a difference in red, green and blue."""


def _rgb(color: Color) -> tuple[int, int, int]:
    return color.get_truecolor()


def _short(color: Color) -> Color:
    """The same colour by number, in half the bytes, if it is on the 6×6×6 cube or a grey."""
    if color.type is not ColorType.TRUECOLOR:
        return color
    assert color.triplet is not None
    red, green, blue = color.triplet
    if red == green == blue and not (red - _FIRST_GREY) % 10 and _FIRST_GREY <= red <= _LAST_GREY:
        return Color.from_ansi(232 + (red - _FIRST_GREY) // 10)
    number = color.downgrade(ColorSystem.EIGHT_BIT)
    is_same = number.get_truecolor() == color.triplet and (number.number or 0) >= _FIRST_OF_CUBE
    return number if is_same else color


@lru_cache(maxsize=4096)
def _turn(old: Look, new: Look) -> str:
    """The sequence that changes one look into the other, empty if they are the same."""
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
