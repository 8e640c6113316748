"""What a word on the table is meant as."""

from itertools import product

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, USUAL
from spoof_tui.ui.table.tone import Tone, change_words
from tests.helpers.offenders import offenders


def grounded(theme: str, tone: Tone) -> None:
    palette.use(theme)
    try:
        assert tone.style.bgcolor is not None
        assert (tone.style.bgcolor != palette.SURFACE.bgcolor) is tone.is_plaque
    finally:
        palette.use(USUAL)


def test_every_tone_has_a_ground_in_every_theme() -> None:
    assert offenders(grounded, product(THEMES, Tone)) == []


def test_a_change_has_a_sign_as_wide_as_a_digit() -> None:
    assert (change_words(1), change_words(-2)) == ("+1", "−2")
