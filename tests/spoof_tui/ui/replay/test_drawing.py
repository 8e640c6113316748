"""A replay's words, step by step."""

import re

from spoof_tui.ui.replay.player import Playback
from spoof_tui.ui.replay.screen import still_of
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


def test_a_page_is_told_of_its_buttons_and_of_no_key() -> None:
    with on_a_page():
        shown = player(TWO_GAMES)
        told = " ".join(" ".join(" ".join(picture(shown)).split()) for _still in walk(shown))
    assert "Tap “the next move” to go on" in told and "Tap … and “the next game”." in told
    assert not re.search(r"Press|Enter|Esc|Home|space bar", told)
