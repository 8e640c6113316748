"""A replay's words, step by step."""

import re

import pytest

from spoof_tui.acts.act import labels
from spoof_tui.ui.canvas.cells import length
from spoof_tui.ui.dialogs.labels import key_pieces
from spoof_tui.ui.replay.player import REPLAY, Playback
from spoof_tui.ui.replay.screen import still_of
from spoof_tui.ui.table.frame import key_rows
from tests.helpers.pages import on_a_page
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, picture, player, press, walk
from tests.spoof_tui.ui.table.scenes import draw_table


def text(shown: Playback) -> str:
    """Everything on the screen, including the table."""
    table = [strip.text for strip in draw_table(still_of(shown), 56, 15)]
    return "\n".join([*picture(shown), *table])


def test_nothing_from_the_file_reaches_the_terminal_raw() -> None:
    evil = "\x1b]0;owned\x07\u202e[@click=app.exit]x[/]\u200d"
    record = TWO_GAMES.replace("Night train", evil).replace("Svitlana", "S" + evil.replace(" ", ""))
    shown = player(record)
    for _still in walk(shown):
        letters = "".join(picture(shown)) + text(shown).replace("\n", "")
        assert letters.isprintable()
        assert not set(letters) & {"\u202e", "\u200d", "\x07", "\x1b"}
    assert "]0;owned[@click=app.exit]x[/]" in text(press(shown, "home"))


@pytest.mark.parametrize("width", [60, 70, 80, 90])
def test_the_way_out_is_never_alone_on_the_last_line_of_keys(language: str, width: int) -> None:
    keys = labels(REPLAY, None)
    *above, last = (length(row) for row in key_rows(keys, width))
    assert last > 2 * length(key_pieces(*keys[-1]))
    assert max(above, default=last) <= width - 2


def test_a_page_is_told_of_its_buttons_and_of_no_key() -> None:
    with on_a_page():
        shown = player(TWO_GAMES)
        told = " ".join(" ".join(" ".join(picture(shown)).split()) for _still in walk(shown))
    assert "Tap “the next move” to go on" in told and "Tap … and “the next game”." in told
    assert not re.search(r"Press|Enter|Esc|Home|space bar", told)
