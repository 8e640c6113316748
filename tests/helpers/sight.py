"""What can be read and told apart, in figures: `python -m tests.helpers.sight`.

Prints for each mode the text of the drawings with the least contrast, in the palettes of terminals
with sixteen colours, and for each theme the colours that the colour-blind confuse most easily.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from rich.color import Color, ColorType
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, contrast
from tests.helpers.sheet import MODES, mode
from tests.helpers.states import states

# Contrast


PALETTES: Final[Mapping[str, Mapping[str, str]]] = json.loads(
    Path(__file__).with_name("palettes.json").read_text("utf-8")
)
"""The sixteen colours of terminals, and the ink and the ground of their dark and light look."""

LEAST: Final = 4.5
"""The least contrast of text (WCAG 2.2, 1.4.3)."""

STATES: Final = (
    "lobby-tables", "hiding", "my-turn", "second-press", "reveal-held", "reveal-stamp",
    "reveal-paid", "nine-my-turn", "school-my-call", "wheel", "game-over", "talk", "vote",
)  # fmt: skip


@cache
def pairs_of(name: str) -> frozenset[Style]:
    """The styles in which drawings of a mode have letters, digits or signs."""
    with mode(name):
        screens = [states()[state]((80, 24)) for state in STATES]
        return frozenset(
            Style(color=palette.INK, bgcolor=palette.GROUND) + (style or Style.null())
            for screen in screens
            for row in screen.rows
            for letter, style in zip(row.letters, row.styles, strict=True)
            if is_text(letter) and style not in (palette.WOOD, palette.NOTCH)
        )


def is_text(letter: str) -> bool:
    """Whether a cell has something to read, and not a line or a block of a picture."""
    return letter.strip() != "" and not "\u2500" <= letter[0] <= "\u259f"


def shown(color: Color | None, colours: str, default: str) -> str:
    """What a terminal with these sixteen colours shows, as "#d7af87"."""
    if color is None or color.type is ColorType.DEFAULT:
        return f"#{default}"
    if color.type is ColorType.STANDARD:
        assert color.number is not None
        return f"#{colours.split()[color.number]}"
    return color.get_truecolor().hex


def least_contrast(name: str, terminal: str, look: str) -> tuple[float, float, str]:
    """The least contrast of text in a mode, the least that is asked for, and its style.

    `look` is the "dark" or the "light" one of a terminal's palette.
    """
    told = PALETTES[terminal]
    ink, ground = told[look].split(" on ")
    found = (
        (contrast(*(shown(each, told["colours"], own) for each, own in
                    ((style.color, ink), (style.bgcolor, ground)))), str(style))
        for style in pairs_of(name)
    )  # fmt: skip
    worst, style = min(found)
    # Nothing can be clearer than the text that a terminal shows by itself.
    return worst, min(LEAST, contrast(ink, ground)), style


# Colour-blindness


SEEN: Final = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""What is seen of linear red, green and blue (Machado, Oliveira and Fernandes 2009, table 1)."""

APART: Final = (
    "yes no", "yes felt", "no felt", "coin felt", "paper felt", "yes rim", "prize rim",
    "skin felt", "felt_coin felt", "coin_edge skin", "crease skin", "rim ground",
)  # fmt: skip
"""Colours that must be told apart. A lost bid needs no colour on the rim: that becomes dashed."""

LEAST_DISTANCE: Final = 20.0


def seen_as(color: str, sight: str) -> list[float]:
    """What is seen of a colour: linear red, green and blue from 0 to 1."""
    parts = [part / 255 for part in bytes.fromhex(color.removeprefix("#"))]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return [
        min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in SEEN[sight]
    ]


def least_contrast_seen(name: str, sight: str) -> tuple[float, str]:
    """The least contrast of text in a theme with colours of its own, as seen, and its style."""
    return min((_contrast_seen(style, sight), str(style)) for style in pairs_of(name))


def _contrast_seen(style: Style, sight: str) -> float:
    seen = (seen_as(shown(each, "", ""), sight) for each in (style.color, style.bgcolor))
    less, more = sorted(
        sum(part * light for part, light in zip((0.2126, 0.7152, 0.0722), each, strict=True))
        for each in seen
    )
    return (more + 0.05) / (less + 0.05)


def lab(color: str, sight: str) -> tuple[float, float, float]:
    """A colour in CIE L*a*b* (D65), as seen."""
    seen = seen_as(color, sight)
    white = (0.95047, 1.0, 1.08883)
    to_xyz = (
        (0.4124564, 0.3575761, 0.1804375),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339, 0.1191920, 0.9503041),
    )
    xyz = [sum(a * b for a, b in zip(row, seen, strict=True)) for row in to_xyz]
    x, y, z = (
        each ** (1 / 3) if each > 216 / 24389 else (24389 / 27 * each + 16) / 116
        for each in (part / whole for part, whole in zip(xyz, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, sight: str) -> float:
    """CIE 1976 colour difference."""
    pairs = zip(lab(one, sight), lab(other, sight), strict=True)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs))


SHAPES: Final = ("skin felt", "coin_face skin", "coin_edge skin", "crease skin", "rim ground")
"""Those among them that must be told apart where there are no colours: the others differ in words
and shapes."""


def nearest(name: str, sight: str) -> tuple[float, str]:
    """The least distance between colours that must be told apart, and which two these are."""
    colours = WITH_COLOURS[name]
    pairs = SHAPES if name == "greys" else APART
    found = [(pair, *(getattr(colours, each) for each in pair.split())) for pair in pairs]
    return min((distance(one, other, sight), pair) for pair, one, other in found)


THEMES_OF_OWN: Final = tuple(name for name, colours in THEMES.items() if not colours.is_ansi)
"""The themes that have colours of their own."""

WITH_COLOURS: Final = {
    **{name: THEMES[name] for name in THEMES_OF_OWN},
    "greys": palette._GREYS,
}
"""These themes, and the greys where no colours are wanted."""


def main() -> None:
    """Print the figures."""
    print("least contrast of text, in each mode (dark / light look of the terminal)")
    print(f"{'':>12}", *(f"{terminal:>15}" for terminal in PALETTES))
    for name in MODES:
        found = (
            " / ".join(f"{least_contrast(name, each, look)[0]:.1f}" for look in ("dark", "light"))
            for each in PALETTES
        )
        print(f"{name:>12}", *(f"{each:>15}" for each in found))
    print("\nleast contrast of text in the themes' own colours, as seen")
    print(f"{'':>12}", *(f"{sight:>28}" for sight in SEEN))
    for name in THEMES_OF_OWN:
        print(f"{name:>12}", *(f"{least_contrast_seen(name, sight)[0]:>28.1f}" for sight in SEEN))
    print("\nleast distance (CIE 1976) of colours that must be told apart")
    print(f"{'':>12}", *(f"{sight:>28}" for sight in SEEN))
    for name in WITH_COLOURS:
        told = (nearest(name, sight) for sight in SEEN)
        print(f"{name:>12}", *(f"{f'{least:.0f} ({pair})':>28}" for least, pair in told))


if __name__ == "__main__":
    main()
