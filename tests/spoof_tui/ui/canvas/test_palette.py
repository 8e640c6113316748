"""Colours, signs, hands and large letters: nothing is mistaken for another on any terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations

import pytest
from rich.cells import cell_len
from rich.color import Color

from protocol.crypto.join_code import ALPHABET
from spoof_tui.text.glyphs import Glyphs, glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.big_letters import LARGE, ROWS
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.palette import THEMES, USUAL, Colours, contrast, grey
from spoof_tui.ui.canvas.sprite import Pose, Size, draw_hand, opened
from tests.helpers.sheet import MODES, mode


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restores the usual look for the next drawing."""
    yield
    monkeypatch.undo()
    palette.play_with("coins")
    palette.use(USUAL)


def colours_of(colours: Colours) -> list[str]:
    values = [getattr(colours, each.name) for each in fields(colours)]
    return [value for value in values if isinstance(value, str)]


@pytest.mark.parametrize("name", THEMES)
def test_every_colour_of_a_theme_is_shown_as_it_is_meant_and_yes_is_not_green(name: str) -> None:
    colours = THEMES[name]
    if colours.is_ansi:
        names = {each.removeprefix("ansi_") for each in colours_of(colours)} - {"default"}
        assert all((Color.parse(each).number or 0) < 16 for each in names)
        return
    cube = {0, 0x5F, 0x87, 0xAF, 0xD7, 0xFF}
    grey = {8 + 10 * step for step in range(24)}
    for colour in colours_of(colours):
        parts = set(bytes.fromhex(colour.removeprefix("#")))
        assert parts <= cube or (len(parts) == 1 and parts <= grey), colour
    red, green, blue = bytes.fromhex(colours.yes.removeprefix("#"))
    assert blue > max(red, green)


TEXTS = {
    "ground": "ink faint accent coin good bad",
    "raised": "ink faint accent",
    "bar": "ink faint accent",
    "box": "ink faint accent good bad",
    "felt": "felt_ink felt_faint felt_coin felt_accent felt_good",
    "rim": "carved",
    "accent": "on_accent",
    "coin": "on_coin",
    "paper": "on_paper",
    "skin": "on_paper",
    "yes": "on_plaque",
    "no": "on_plaque",
}
"""Which colours are text, by the background that they stand on."""

SIGNS = {"felt": "skin", "skin": "crease coin_face"}
"""Which colours are meaningful shapes, by what lies behind them."""


@pytest.mark.parametrize("name", [*THEMES, "greys"])
def test_text_and_signs_can_be_told_from_what_lies_behind_them_faded_too(name: str) -> None:
    colours = palette._GREYS if name == "greys" else THEMES[name]
    pairs = [
        (getattr(colours, ground), getattr(colours, each), least)
        for kinds, least in ((TEXTS, 4.5), (SIGNS, 3.0))
        for ground, several in kinds.items()
        for each in several.split()
    ]
    if colours.is_ansi:
        # Their owner has set them; no pair may be one colour.
        named = (pair for pair in pairs if "ansi_default" not in pair)
        assert all(ground != ink for ground, ink, _least in named)
        return
    for ground, ink, least in pairs:
        assert contrast(ground, ink) >= least, (ground, ink)
        assert contrast(grey(ground), grey(ink)) >= least - 0.2, (ground, ink)


@pytest.mark.parametrize(
    ("variable", "value", "encoding"),
    [("TERM", "xterm-256color", "utf-8"), ("TERM", "linux", "latin-1"), ("LC_ALL", "C", "ascii")],
)
def test_every_sign_takes_one_cell_says_one_thing_and_is_in_the_font(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, encoding: str
) -> None:
    monkeypatch.setenv(variable, value)
    palette.use(USUAL)
    coins = set()
    for token in ("coins", "pebbles", "buttons"):
        palette.play_with(token)
        signs = {each.name: getattr(glyphs(), each.name) for each in fields(Glyphs)}
        assert "".join(signs.values()).encode(encoding)
        assert signs.pop("ellipsis") == ("…" if encoding == "utf-8" else "...")
        assert {cell_len(sign) for sign in signs.values()} == {1}
        assert len({glyphs().coin, glyphs().no_coin, glyphs().lost}) == 3
        assert glyphs().yes != glyphs().no
        coins.add((glyphs().coin, palette.COIN))
    assert len(coins) == 3 and palette.has_pixels() is (encoding != "ascii")


# Hands


def drawn(size: Size, pose: Pose) -> str:
    sheet = Sheet(size.width, size.height)
    draw_hand(sheet, 0, 0, size, pose)
    return str(sheet.rows)


@pytest.mark.parametrize("name", MODES)
def test_every_pose_can_be_drawn_in_every_mode_within_its_size(name: str) -> None:
    with mode(name):
        for size in Size:
            for pose in Pose:
                sheet = Sheet(size.width + 2, size.height + 2)
                draw_hand(sheet, 1, 1, size, pose)
                texts = [row.strip().text for row in sheet.rows]
                assert any(text.strip() for text in texts)
                assert not texts[0].strip() and not texts[-1].strip()
                assert all(text[0] == text[-1] == " " for text in texts)
                assert name != "ascii" or "".join(texts).isascii()
                assert name != "colourless" or "█" not in "".join(texts)


def test_open_hands_are_told_apart_by_their_coins_as_long_as_those_can_be_counted() -> None:
    for size in (Size.SMALL, Size.MIDDLE, Size.LARGE):
        assert len({drawn(size, opened(coins)) for coins in range(5)}) == 5
        assert drawn(size, opened(4)) == drawn(size, opened(27))


@pytest.mark.parametrize("size", [Size.MIDDLE, Size.LARGE])
def test_coins_pebbles_and_buttons_differ_without_their_colours(
    size: Size,
) -> None:
    palms = set()
    for token in ("coins", "pebbles", "buttons"):
        palette.play_with(token)
        sheet = Sheet(size.width, size.height)
        draw_hand(sheet, 0, 0, size, Pose.TWO)
        inks = dict.fromkeys(style for row in sheet.rows for style in row.styles)
        shape = str([[list(inks).index(style) for style in row.styles] for row in sheet.rows])
        palms.add(shape + str([row.letters for row in sheet.rows]))
    assert len(palms) == 3


# Large letters


def test_every_digit_and_letter_of_a_code_is_there_and_none_looks_like_another() -> None:
    assert set(LARGE) == {*"0123456789/", *ALPHABET}
    for letter, rows in LARGE.items():
        assert (len(rows), {len(row) for row in rows}) == (ROWS, {len(rows[0])}), letter
        assert 3 <= len(rows[0]) <= 5, letter
    assert not [pair for pair in combinations(ALPHABET, 2) if LARGE[pair[0]] == LARGE[pair[1]]]
