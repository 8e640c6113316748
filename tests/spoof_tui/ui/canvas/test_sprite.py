"""Hands as pictures."""

from __future__ import annotations

import pytest

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.sprite import Pose, Size, _pixels, draw_hand, line_art, opened, pictures
from tests.helpers.sheet import MODES, mode

PIXELS = [pose for pose in Pose if pose is not Pose.AWAITED]


def drawn(size: Size, pose: Pose) -> Sheet:
    sheet = Sheet(size.width, size.height)
    draw_hand(sheet, 0, 0, size, pose)
    return sheet


@pytest.mark.parametrize("size", Size)
def test_every_pose_is_there_and_as_large_as_its_size(size: Size) -> None:
    found = pictures(size.name.lower())
    assert set(found) == {pose.value for pose in PIXELS}
    for rows in found.values():
        assert {len(row) for row in rows} == {size.width}
        assert len(rows) == 2 * size.height


@pytest.mark.parametrize("size", Size)
def test_a_picture_has_no_signs_but_those_that_mean_a_colour(size: Size) -> None:
    signs = {sign for rows in pictures(size.name.lower()).values() for sign in "".join(rows)}
    assert signs <= set(".SLRDCHGW")


@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("size", Size)
def test_there_is_line_art_of_every_pose(
    size: Size, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    for pose in Pose:
        rows = line_art(size, pose)
        assert len(rows) <= size.height and len(rows[0]) <= size.width
        assert locale != "C" or all(row.isascii() for row in rows)


@pytest.mark.parametrize("name", MODES)
def test_every_pose_can_be_drawn_in_every_mode(name: str) -> None:
    with mode(name):
        for size in Size:
            for pose in Pose:
                assert any(row.text.strip() for row in drawn(size, pose).lines())


@pytest.mark.parametrize("size", [Size.SMALL, Size.MIDDLE, Size.LARGE])
def test_no_two_open_hands_look_the_same(size: Size) -> None:
    hands = [str(drawn(size, opened(coins)).rows) for coins in range(5)]
    assert len(set(hands)) == 5


@pytest.mark.parametrize("token", ["pebbles", "buttons"])
@pytest.mark.parametrize("size", ["middle", "large"])
def test_pebbles_and_buttons_lie_on_the_same_palm_in_the_same_places(size: str, token: str) -> None:
    coins, others = pictures(size), pictures(f"{size}-{token}")
    assert set(others) == {"open-1", "open-2", "open-3"}
    for pose, rows in others.items():
        changed = [
            (coin, other)
            for before, after in zip(coins[pose], rows, strict=True)
            for coin, other in zip(before, after, strict=True)
            if coin != other
        ]
        assert changed and all(coin in "CHGS" and other in "CHGDS" for coin, other in changed)


@pytest.mark.parametrize("size", [Size.MIDDLE, Size.LARGE])
def test_coins_pebbles_and_buttons_look_different_even_without_their_colours(size: Size) -> None:
    palms = []
    for token in ("coins", "pebbles", "buttons"):
        palette.play_with(token)
        palms.append(_pixels(size, Pose.TWO))
    palette.play_with("coins")
    assert len(set(palms)) == 3


def test_many_coins_lie_in_a_heap() -> None:
    assert [opened(coins) for coins in (0, 3, 4, 27)] == [
        Pose.EMPTY, Pose.THREE, Pose.MORE, Pose.MORE,
    ]  # fmt: skip


def test_without_colours_a_hand_has_only_lines() -> None:
    with mode("colourless"):
        assert "█" not in "".join(row.text for row in drawn(Size.SMALL, Pose.FIST).lines())
