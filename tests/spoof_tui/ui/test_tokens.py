"""A table's tokens: its words, its signs, its hands, and coins again in the lobby."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.themes import coins_again, play_with
from tests.spoof_tui.ui.table.scenes import lines, scene_at, text


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
    assert f"Hide 0 to 3 {token}." in shown and f"9 {token} in play" in shown
    assert sign * 3 in shown
