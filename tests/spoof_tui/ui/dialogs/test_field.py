"""Fields: what they take, and that it is bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events

from spoof_tui.ui.dialogs.field import MAX_LETTERS, Field
from tests.spoof_tui.ui.dialogs.test_dialog import Order
from tests.spoof_tui.ui.lobbies import Lobby

letters = st.text(max_size=250)


@given(letters)
def test_only_what_can_be_seen_is_taken(typed: str) -> None:
    taken = Field("Name").admitted(typed)
    assert taken.isprintable()
    assert taken == typed or not typed.isprintable()


@pytest.mark.parametrize("size", [1, MAX_LETTERS, MAX_LETTERS + 1, 10 * MAX_LETTERS])
async def test_a_paste_cannot_grow_for_ever(size: int) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Order()
        app.push_screen(dialog)
        await pilot.pause()
        dialog.drink.replace("x" * size, 0, 4)
        assert dialog.drink.value == "x" * min(size, MAX_LETTERS)
        dialog.drink.replace("y", 0, 1)
        assert dialog.drink.value == "y" + "x" * (min(size, MAX_LETTERS) - 1)


async def test_keys_that_come_all_at_once_edit_in_their_order() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Order()
        app.push_screen(dialog)
        await pilot.pause()
        dialog.drink.value = "port"
        for key, character in [("ctrl+u", "\x15"), ("a", "a"), ("backspace", "\x7f"), ("b", "b")]:
            app.post_message(events.Key(key, character))
        await pilot.pause()
        assert dialog.drink.value == "b"


def test_a_field_does_not_blink() -> None:
    assert not Field("Name").cursor_blink
