"""The buttons of a page: what they press, what is likely, and that nothing speaks of a keyboard."""

from __future__ import annotations

import json
import re
from typing import Final

from spoof_tui.acts.buttons import Button, Buttons, Way, is_sent, written
from spoof_tui.acts.table import LETTERS
from spoof_tui.ui.table.screen.buttons import table_buttons
from tests.helpers import pages
from tests.helpers.states import scenes

_KEYBOARD: Final = re.compile(r"\b([Pp]ress|Enter|Esc|[Aa]ny key|Tab)\b")


def every(buttons: Buttons) -> list[Button]:
    rows = (*buttons.main, buttons.also, *buttons.more)
    return [each for row in rows for each in row]


def test_a_button_presses_a_key_that_no_other_presses() -> None:
    for name, scene in scenes().items():
        keys = [each.key for each in every(table_buttons(scene))]
        assert len(keys) == len(set(keys)), name
        assert all(map(is_sent, keys)), name


def test_the_large_buttons_are_at_most_three_rows_and_those_behind_the_dots_too() -> None:
    for name, scene in scenes().items():
        buttons = table_buttons(scene)
        assert len(buttons.main) <= 3 and len(buttons.more) <= 3, name
        assert len(buttons.also) <= 4, name


def test_leaving_is_never_under_a_thumb_while_somebody_plays() -> None:
    for scene in scenes().values():
        buttons = table_buttons(scene)
        if buttons.more:
            assert buttons.more[0][0].key == "q"
            assert "q" not in [each.key for row in buttons.main for each in row]


def test_nothing_on_a_page_speaks_of_a_keyboard() -> None:
    spoken = [line for line in pages.told() if not line.startswith("#")]
    # The key of a button is what it presses, and is not seen.
    seen = [re.sub(r"\[[a-z_0-9]+: ", "[", line) for line in spoken]
    assert [line for line in seen if _KEYBOARD.search(line)] == []


def test_no_text_of_a_page_speaks_of_keys_or_misses_one_whatever_its_size() -> None:
    words = rf"(?<!\S)[{''.join(LETTERS.values())}] (bid|call|cliff|spoof|zero)\b"
    shown = list(pages.panels((columns, rows) for columns in (45, 80) for rows in (5, 7, 9, 12)))
    assert any("if wrong" in line for line in shown)
    # A sentence that began with its key would begin with a small letter.
    seen = re.compile(rf"{words}|[.!?] [a-z]|{_KEYBOARD.pattern}")
    assert [line for line in shown if seen.search(line)] == []


def test_what_a_page_is_told_of_a_button_ends_with_what_is_not_usual() -> None:
    rows = [[Button("enter", "bid 7", way=Way.LIKELY), Button("c", "call", "fewer than 7")]]
    assert json.loads(written(rows)) == [
        [["\r", "bid 7", "", "likely"], ["c", "call", "fewer than 7"]]
    ]
    assert written(rows).isprintable()
