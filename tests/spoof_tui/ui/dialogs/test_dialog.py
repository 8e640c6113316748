"""Things that all dialogs share: typing, choosing, refusing and giving up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from spoof_tui.telling.names import clean_name
from spoof_tui.ui.dialogs.dialog import MAX_LETTERS, Field
from tests.spoof_tui.ui.lobbies import opened
from tests.spoof_tui.ui.scripts import Order


async def test_a_key_that_comes_when_it_is_closed_closes_nothing_else() -> None:
    async with opened(Order) as (app, pilot, below):
        above = Order()
        app.push_screen(above)
        await pilot.pause()
        above.action_accept()
        above.action_accept()
        above.action_give_up()
        assert app.screen is below


async def test_values_stand_one_at_a_time_or_side_by_side() -> None:
    async with opened(Order) as (app, pilot, order):
        order.amount.changed = True
        order.present()
        await pilot.pause()
        assert "▶ Amount  ← one ★ →" in app.text and "  Ice     ● no   ○ yes" in app.text
        await pilot.press("down", "down")
        assert "  Amount    one ★ " in app.text and "▶ Ice     ● no   ○ yes" in app.text


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_the_highlighted_line_of_a_long_list_is_seen(size: tuple[int, int]) -> None:
    async with opened(lambda: Order(40), size) as (app, pilot, _order):
        await pilot.press("down")
        for key in ("pagedown", "pagedown", "end", "up", "home"):
            await pilot.press(key)
            assert sum("▶" in line for line in app.lines) == 1


async def test_foreign_text_is_text_and_nothing_else() -> None:
    async with opened(Order) as (app, pilot, order):
        order.heading = order.amount.values = "[red]x[/]"
        order.wrong = order.amount.note = "[@click=app.exit]y[/]"
        await pilot.press("down")
        assert app.lines[0].startswith("╭─ [red]x[/] ─")
        assert app.text.count("[@click=app.exit]y[/]") == 2
        await pilot.press("up", "ctrl+u")
        order.drink.post_message(events.Paste("dark\n\x1b[31mmild\u202e\u200b"))
        await pilot.pause()
        assert order.drink.value == "dark [31mmild"


# Fields and names


@given(st.text(max_size=250))
def test_only_what_can_be_seen_is_taken(typed: str) -> None:
    taken = Field("Name").admitted(typed)
    assert taken.isprintable()
    assert taken == typed or not typed.isprintable()


async def test_a_paste_cannot_grow_for_ever_and_keys_that_come_at_once_edit_in_their_order() -> (
    None
):
    async with opened(Order) as (app, pilot, order):
        order.drink.replace("x" * 10 * MAX_LETTERS, 0, 4)
        assert order.drink.value == "x" * MAX_LETTERS
        order.drink.value, order.drink.cursor_position = "port", 4
        for key, character in [("ctrl+u", "\x15"), ("a", "a"), ("backspace", "\x7f"), ("b", "b")]:
            app.post_message(events.Key(key, character))
        await pilot.pause()
        assert order.drink.value == "b"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("  Maria\u200b \x1b[1m  Rossi ", "Maria [1m Rossi"),
        ("щ" * 32, "щ" * 32),
        ("щ" * 33, "That is 2 bytes too long"),
        *((blank, "empty") for blank in ("   ", "\u200b\u202e", "\u2800")),
    ],
)
def test_a_name_is_kept_as_others_will_see_it_or_refused(typed: str, name: str) -> None:
    try:
        assert clean_name(typed, "empty") == name
    except ValueError as error:
        assert name in str(error) and name != typed
