"""Pages over a screen, in a frame that is never wider or higher than the terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content
from textual.screen import Screen
from textual.style import Style

from spoof_tui.acts.lobby import lobby_keys
from spoof_tui.commands.play import wants_lines
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.dialogs.help import HelpDialog
from spoof_tui.ui.dialogs.options import OptionsDialog, offered
from spoof_tui.ui.dialogs.reading import Reading, Study, hanging
from spoof_tui.ui.history.screen import ExportDialog
from spoof_tui.ui.table.dialogs.inviting import MARGIN, qr_lines, squares_of
from tests.helpers.pages import on_a_page
from tests.spoof_tui.ui.lobbies import opened
from tests.spoof_tui.ui.scripts import Order, Poem


class Reckoning(Reading):
    """A page that has to work out what it tells, from a number that keys count up."""

    def __init__(self, known: Sequence[Event]) -> None:
        self.number = 0
        self.known = known
        self._study = Study[str](self)
        super().__init__("Reckoning", self._told)

    def _told(self, width: int) -> Content:
        number = self.number
        told = self._study.of(number, lambda: f"{self.known[number].wait(9)} {number}")
        return Content(told or f"thinking of {number}")

    def key_n(self) -> None:
        self.number += 1
        self.present()


SCREENS: dict[str, Callable[[], Screen[Any]]] = {
    "order": Order,
    "poem": Poem,
    "help": lambda: HelpDialog(tuple(lobby_keys())),
    "options": lambda: OptionsDialog(Settings("Ann"), "felt", lambda _theme: None),
    "export": lambda: ExportDialog(12),
}


@pytest.mark.parametrize("size", [(60, 20), (30, 8)])
@pytest.mark.parametrize("name", SCREENS)
async def test_a_frame_is_never_wider_or_higher_than_the_terminal(
    name: str, size: tuple[int, int]
) -> None:
    width, height = size

    def is_framed(lines: list[str]) -> bool:
        """Whether all of the frame is on the terminal."""
        corners = "".join(line[:1] + line[-1:] for line in lines[:1] + lines[-1:])
        wide = {len(line) for line in lines}
        return corners == "╭╮╰╯" and len(lines) <= height and len(wide) == 1 and max(wide) <= width

    async with opened(SCREENS[name], (100, 40)) as (app, pilot, _screen):
        await pilot.resize_terminal(*size)
        assert await app.shows(pilot, is_framed)
        await pilot.press("end")
        assert name != "poem" or await app.sees(pilot, "verse[/] 98")
        assert await app.shows(pilot, is_framed)


async def test_a_page_is_left_by_a_click_beside_it() -> None:
    async with opened(Poem, (100, 12)) as (app, pilot, _poem):
        await pilot.click(offset=(0, 0))
        assert app.results == [None]


async def test_a_page_answers_keys_while_a_thread_works_out_what_it_tells() -> None:
    known = Event(), Event()
    async with opened(lambda: Reckoning(known), (40, 12)) as (app, pilot, _page):
        assert await app.sees(pilot, "thinking of 0")
        await pilot.press("n")
        assert await app.sees(pilot, "thinking of 1")
        for event in reversed(known):
            event.set()
            assert await app.sees(pilot, "True 1")
        await app.workers.wait_for_complete()
        assert await app.sees(pilot, "True 1")


texts = st.text(st.sampled_from("ab щ漢 "), max_size=80)


@given(texts, st.integers(0, 9), st.integers(12, 40))
def test_beside_a_label_no_word_is_lost_and_no_line_is_too_long(
    text: str, label: int, width: int
) -> None:
    lines = hanging(Content("x" * label), text, 8, width).plain.split("\n")
    assert "".join(lines).replace(" ", "").removeprefix("x" * label) == text.replace(" ", "")
    assert max(map(cell_len, lines)) <= max(width, label)
    assert all(line.startswith(" " * 8) for line in lines[1:])


async def test_a_page_has_arrows_only_where_there_is_more_to_read() -> None:
    for rows, keys in ((20, ["up", "escape", "down"]), (120, ["escape"])):
        async with opened(Poem, (45, rows)) as (_app, pilot, poem):
            await pilot.pause()
            assert [each.key for row in poem.buttons().main for each in row] == keys


def test_the_options_of_a_page_speak_of_no_keys_and_lead_to_no_plain_lines() -> None:
    with on_a_page():
        told = [each.help() for each in offered()]
        assert "plain" not in [each.field for each in offered()]
        assert not wants_lines(Settings(plain=True))
    assert wants_lines(Settings(plain=True))
    assert told and not re.search(r"\b(key|Enter|Space|left|terminal)\b|--", " ".join(told))


# A text as a QR code

FINDER = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"]


def test_a_qr_code_has_its_corners_its_margin_and_two_squares_in_a_cell() -> None:
    text = 'spoof join "[2001:db8:1234:5678:9abc:def0:1234:5678]:65535" K7M4Q'
    squares = squares_of(text)
    signs = ["".join("#" if dark else "." for dark in row) for row in squares]
    inner = [row[MARGIN:-MARGIN] for row in signs[MARGIN:-MARGIN]]
    assert [row[:7] for row in inner[:7]] == [row[-7:] for row in inner[:7]] == FINDER
    assert [row[:7] for row in inner[-7:]] == FINDER and "#" not in signs[0] + signs[-1]
    lines = qr_lines(text)
    assert len(lines) == -(-len(signs) // 2) <= 22
    for line, upper, lower in zip(lines, squares[::2], squares[1::2], strict=False):
        styles = [span.style for span in line.spans for _cell in range(span.start, span.end)]
        for style, *dark in zip(styles, upper, lower, strict=True):
            assert isinstance(style, Style) and style.foreground and style.background
            assert [not style.foreground.r, not style.background.r] == dark
