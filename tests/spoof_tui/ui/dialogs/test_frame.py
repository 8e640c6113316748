"""The frame of everything that is laid over a screen."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.content import Content

from spoof_tui.ui.dialogs.frame import Frame, fitting, inside
from tests.spoof_tui.ui.lobbies import shown, until


class Framed(App[int]):
    """An app of one frame that notes which of its keys was clicked."""

    CSS = "Frame { border: round white; height: 5; }"
    clicked = ""

    def compose(self) -> ComposeResult:
        yield Frame()

    def action_note(self, what: str) -> None:
        self.clicked = what


def plain(border: object) -> str:
    return Content.from_markup(cast(str, border)).plain


async def test_a_frame_has_its_title_above_and_its_keys_below() -> None:
    app = Framed()
    async with app.run_test(size=(40, 10)):
        frame = app.query_one(Frame)
        frame.entitle("Order", [("Enter", "order", ""), ("Esc", "none", "")])
        assert plain(frame.border_title) == "Order"
        assert plain(frame.border_subtitle) == "Enter order ─ Esc none"


@pytest.mark.parametrize("title", ["[red]x[/]", "[@click=app.quit]y[/]", "bob[/]"])
async def test_a_title_is_never_markup(title: str) -> None:
    app = Framed()
    async with app.run_test(size=(40, 10)):
        frame = app.query_one(Frame)
        frame.entitle(title, [])
        assert plain(frame.border_title) == title


async def test_a_click_on_a_key_runs_its_action() -> None:
    app = Framed()
    async with app.run_test(size=(40, 10)) as pilot:
        frame = app.query_one(Frame)
        frame.entitle("Order", [("Enter", "order", "app.note('order')"), ("Esc", "none", "")])
        await pilot.pause()
        bottom = shown(app.screen)[-1]
        await pilot.click(Frame, offset=(bottom.index("none"), 4))
        assert app.clicked == ""
        await pilot.click(Frame, offset=(bottom.index("order"), 4))
        assert app.clicked == "order"


@given(st.integers(6, 300))
def test_text_in_a_frame_has_room_beside_border_padding_and_scroll_bar(width: int) -> None:
    assert inside(width) == width - 5


@given(st.integers(0, 6))
def test_a_frame_too_narrow_for_text_still_has_a_column(width: int) -> None:
    assert inside(width) == 1


async def test_where_there_is_little_room_the_first_and_the_last_key_stay() -> None:
    app = Framed()
    keys = [("Enter", "order", ""), ("← →", "change the drink", ""), ("Esc", "none", "")]
    async with app.run_test(size=(60, 10)) as pilot:
        frame = app.query_one(Frame)
        frame.entitle("Order", keys)
        assert "change the drink" in plain(frame.border_subtitle)
        await pilot.resize_terminal(40, 10)
        fits = "Enter order ─ Esc none"
        assert await until(pilot, lambda: plain(frame.border_subtitle) == fits)


@given(st.lists(st.text("ab ", max_size=20), min_size=2, max_size=5), st.integers(1, 100))
def test_what_is_left_of_the_keys_fits_or_is_two(words: list[str], width: int) -> None:
    keys = [("Esc", each, "") for each in words]
    kept = fitting(keys, width)
    long = sum(len(f"Esc {each[1]}") for each in kept) + 3 * (len(kept) - 1)
    assert long <= width or len(kept) == 2
    assert (kept[0], kept[-1]) == (keys[0], keys[-1])
