"""Everything can be read and told apart: in sixteen colours, without any, and by the
colour-blind."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from rich.color import Color, ColorType
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.palette import THEMES, contrast
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.felt.tone import Tone
from tests.helpers.sheet import MODES, mode
from tests.helpers.states import states

# Contrast


PALETTES: Mapping[str, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("palettes.json").read_text("utf-8")
)
"""The sixteen colours of terminals, and the ink and the ground of their dark and light look."""

LEAST = 4.5
"""The least contrast of text (WCAG 2.2, 1.4.3)."""

STATES = (
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


@pytest.mark.parametrize("name", MODES)
def test_all_text_that_drawings_have_can_be_read_in_every_palette_dark_or_light(name: str) -> None:
    assert len(pairs_of(name)) > 2
    for terminal, told in PALETTES.items():
        for look in ("dark", "light"):
            ink, ground = told[look].split(" on ")
            # Nothing can be clearer than the text that a terminal shows by itself.
            least = min(LEAST, contrast(ink, ground))
            for style in pairs_of(name):
                front = shown(style.color, told["colours"], ink)
                behind = shown(style.bgcolor, told["colours"], ground)
                assert contrast(front, behind) >= least, (terminal, look, str(style))


# Colour-blindness


SEEN = {
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

APART = (
    "yes no", "yes felt", "no felt", "coin felt", "paper felt", "yes rim", "prize rim",
    "skin felt", "felt_coin felt", "coin_edge skin", "crease skin", "rim ground",
)  # fmt: skip
"""Colours that must be told apart. A lost bid needs no colour on the rim: that becomes dashed."""

LEAST_DISTANCE = 20.0


def lab(color: str, sight: str) -> tuple[float, float, float]:
    """A colour in CIE L*a*b* (D65), as seen."""
    parts = [part / 255 for part in bytes.fromhex(color.removeprefix("#"))]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    seen = [
        min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0.0), 1.0)
        for row in SEEN[sight]
    ]
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


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("name", [name for name in THEMES if not THEMES[name].is_ansi])
def test_colours_that_mean_different_things_differ_for_the_colour_blind(
    name: str, sight: str
) -> None:
    colours = THEMES[name]
    for pair in APART:
        one, other = (getattr(colours, each) for each in pair.split())
        assert distance(one, other, sight) >= LEAST_DISTANCE, pair


# Shapes


def rim(glow: Tone | None) -> Iterator[str]:
    """The signs of a rim in this colour."""
    sheet = Sheet(40, 15)
    Felt(glow=glow).draw(sheet)
    return (letter for row in sheet.rows for letter in (row.letters[0], row.letters[-1]))


def test_a_lost_bid_can_be_told_by_the_shape_of_the_rim_and_the_loudest_words_are_not_dim() -> None:
    assert " " in rim(Tone.NO)
    assert all(" " not in rim(glow) for glow in (None, Tone.YES, Tone.PRIZE))
    for name in ("colourless", "console"):
        with mode(name):
            for style in (palette.NO, palette.YES, palette.CHOSEN):
                front = shown(style.color, PALETTES["VGA"]["colours"], "aaaaaa")
                behind = shown(style.bgcolor, PALETTES["VGA"]["colours"], "000000")
                if style.reverse:
                    front, behind = behind, front
                assert contrast(behind, "#000000") > 8 and contrast(front, behind) > 8
