"""Everything can be read and told apart: in sixteen colours, without any, and by the
colour-blind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.palette import contrast
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.felt.tone import Tone
from tests.helpers.sheet import MODES, mode
from tests.helpers.sight import (
    LEAST,
    LEAST_DISTANCE,
    PALETTES,
    SEEN,
    THEMES_OF_OWN,
    WITH_COLOURS,
    least_contrast,
    least_contrast_seen,
    nearest,
    pairs_of,
    shown,
)

# Contrast


@pytest.mark.parametrize("name", MODES)
def test_all_text_that_drawings_have_can_be_read_in_every_palette_dark_or_light(name: str) -> None:
    assert len(pairs_of(name)) > 2
    for terminal in PALETTES:
        for look in ("dark", "light"):
            worst, least, style = least_contrast(name, terminal, look)
            assert worst >= least, (terminal, look, style)


# Colour-blindness


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("name", WITH_COLOURS)
def test_colours_that_mean_different_things_differ_for_the_colour_blind(
    name: str, sight: str
) -> None:
    least, pair = nearest(name, sight)
    assert least >= LEAST_DISTANCE, pair


@pytest.mark.parametrize("sight", SEEN)
@pytest.mark.parametrize("name", THEMES_OF_OWN)
def test_the_colour_blind_can_read_all_text_in_every_theme(name: str, sight: str) -> None:
    worst, style = least_contrast_seen(name, sight)
    assert worst >= LEAST, style


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
