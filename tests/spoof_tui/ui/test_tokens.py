"""What a table plays with: its words, its signs, its hands, and coins again in the lobby."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from protocol.rules.options import Token
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.tokens import coins_again, play_with
from tests.spoof_tui.ui.table.scenes import counted, lines, pay, scene_at, text


@pytest.fixture(autouse=True)
def _coins_again() -> Iterator[None]:
    yield
    coins_again()


def table(rules: str, moment: str = "choosing") -> str:
    scene = scene_at(moment, rules=rules)
    assert scene.view
    play_with(scene.view.rules.token)
    return text(lines(table_parts(scene, 80, 24), 80, 24))


@pytest.mark.parametrize(("token", "sign"), [("coins", "●"), ("pebbles", "•"), ("buttons", "◉")])
def test_pebbles_or_buttons_instead_of_coins_in_words_and_signs(token: str, sign: str) -> None:
    shown = table(f"three-coins token={token}")
    assert f"of your {token}." in shown and f"9 {token} in play" in shown
    assert sign * 3 in shown


@pytest.mark.parametrize("token", ["pebbles", "buttons"])
def test_the_count_of_a_round_speaks_of_what_is_played_with(token: str) -> None:
    scene = counted(rules=f"milan token={token}")
    play_with(Token(token))
    pay(scene)
    shown = text(lines(table_parts(scene, 80, 24), 80, 24))
    assert f"loses a {token[:-1]}" in shown or f"lose a {token[:-1]}" in shown
    assert "coin" not in shown


@pytest.mark.parametrize("theme", ["felt", "night", "paper"])
def test_in_the_hands_they_have_their_own_colours(theme: str) -> None:
    seen = []
    palette.use(theme)
    for token in Token:
        play_with(token)
        seen.append((palette.FELT_COIN, palette.COIN_LIGHT, palette.COIN_EDGE))
    palette.use(palette.USUAL)
    assert all(one != other for one, other in combinations(seen, 2))


def test_a_theme_that_is_chosen_keeps_what_is_played_with() -> None:
    play_with(Token.BUTTONS)
    before = palette.FELT_COIN
    palette.use("night")
    assert before == palette.FELT_COIN and glyphs().coin == "◉"
    palette.use(palette.USUAL)


def test_without_a_table_there_are_coins() -> None:
    play_with(Token.PEBBLES)
    coins_again()
    assert glyphs().coin == "●" and _("You lose a coin.") == "You lose a coin."
