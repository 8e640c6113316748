"""What all dialogs have in common: typing, moving, refusing and giving up."""

import pytest
from textual import events

from spoof_tui.ui.dialogs.choices import Choice, ChoiceList
from spoof_tui.ui.dialogs.dialog import Dialog, clean_name
from spoof_tui.ui.dialogs.field import Field
from spoof_tui.ui.dialogs.frame import Frame
from tests.spoof_tui.ui.lobbies import Lobby


class Order(Dialog[str]):
    """A drink, and how many of it."""

    def __init__(self) -> None:
        self.drink = Field("Drink", "beer")
        self.amount = Choice("Amount", ["one", "two", "three"], keys="123", help="Of them.")
        keys = [("Enter", "order", "screen.accept"), ("Esc", "none", "screen.give_up")]
        super().__init__("Order", keys, [self.drink], [self.amount], help="Of any kind.")

    def result(self) -> str:
        if not self.drink.value:
            raise ValueError("Nothing is no drink.")
        return f"{self.amount.values[self.amount.index]} {self.drink.value}"


async def order(*keys: str) -> str | None:
    """What is ordered by these keys."""
    orders: list[str | None] = []
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Order(), orders.append)
        await pilot.pause()
        await pilot.press(*keys)
        assert len(app.screen_stack) == 1
    return orders[0]


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        ("enter", "one beer"),
        ("s enter", "one beers"),
        ("backspace enter", "one bee"),
        ("home delete d enter", "one deer"),
        ("left left x enter", "one bexer"),
        ("ctrl+u t e a enter", "one tea"),
        ("ctrl+a x ctrl+e y enter", "one xbeery"),
        ("space w ctrl+w ctrl+w x enter", "one x"),
        ("shift+home x enter", "one x"),
        ("ctrl+shift+a ctrl+x ctrl+v ctrl+v enter", "one beerbeer"),
        ("down right enter", "two beer"),
        ("tab left enter", "three beer"),
        ("down 3 enter", "three beer"),
        ("j enter", "one beerj"),
        ("down right j left home delete enter", "two eer"),
        ("up right k space enter", "two beer "),
        ("escape", None),
    ],
)
async def test_keys_fill_in_a_form(keys: str, result: str | None) -> None:
    assert await order(*keys.split()) == result


async def test_a_key_that_comes_when_it_is_closed_closes_nothing_else() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        below, above = Order(), Order()
        app.push_screen(below)
        app.push_screen(above)
        await pilot.pause()
        above.action_accept()
        above.action_accept()
        above.action_give_up()
        assert app.screen is below


async def test_what_is_wrong_is_said_and_nothing_is_lost() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Order())
        await pilot.pause()
        await pilot.press("down", "2", "up", "ctrl+u", "enter")
        assert "Nothing is no drink." in app.text
        assert "two" in app.text
        await pilot.press("g")
        assert "Nothing is no drink." not in app.text
        assert "two" in app.text


async def test_a_paste_becomes_one_line_without_escapes() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Order()
        app.push_screen(dialog)
        await pilot.pause()
        await pilot.press("ctrl+u")
        dialog.drink.post_message(events.Paste("dark\n\x1b[31mmild\u202e\u200b"))
        await pilot.pause()
        assert dialog.drink.value == "dark [31mmild"


async def test_what_has_the_focus_is_explained() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Order())
        await pilot.pause()
        assert "Of any kind." in app.text
        await pilot.press("down")
        assert "Of them." in app.text and "Of any kind." not in app.text


async def test_a_click_gives_the_focus_and_a_second_one_the_next_value() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Order()
        app.push_screen(dialog)
        await pilot.pause()
        await pilot.click(ChoiceList, offset=(20, 0))
        assert isinstance(app.focused, ChoiceList)
        assert dialog.amount.index == 1
        await pilot.click(offset=(0, 0))
        assert dialog.amount.index == 1


async def test_the_keys_in_the_border_can_be_clicked() -> None:
    orders: list[str | None] = []
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Order(), orders.append)
        await pilot.pause()
        last = app.lines[-1]
        await pilot.click(Frame, offset=(last.index("Enter") + 1, len(app.lines) - 1))
        await pilot.pause()
    assert orders == ["one beer"]


async def test_a_title_is_text_and_nothing_else() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = Order()
        dialog.heading = dialog.amount.values = "[red]x[/]"
        dialog.wrong = dialog.amount.note = "[@click=app.exit]y[/]"
        app.push_screen(dialog)
        await pilot.press("down")
        assert app.lines[0].startswith("╭─ [red]x[/] ─")
        assert app.text.count("[@click=app.exit]y[/]") == 2


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (30, 8)])
async def test_a_dialog_is_never_wider_or_higher_than_the_terminal(size: tuple[int, int]) -> None:
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        app.push_screen(Order())
        await pilot.pause()
        assert all(line.startswith(("╭", "│", "╰")) for line in app.lines)
        assert app.lines[0].endswith("╮") and app.lines[-1].endswith("╯")
        assert len(app.lines) <= size[1]


# Names


def test_a_name_is_kept_as_others_will_see_it() -> None:
    assert clean_name("  Maria\u200b \x1b[1m  Rossi ", "empty") == "Maria [1m Rossi"
    assert clean_name("?", "empty") == "?"


@pytest.mark.parametrize("typed", ["", "   ", "\u200b\u202e", "\u2800"])
def test_a_name_that_cannot_be_seen_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        clean_name(typed, "empty")


def test_a_name_may_have_64_bytes_and_no_more() -> None:
    assert clean_name("x" * 64, "empty") == "x" * 64
    assert clean_name("щ" * 32, "empty") == "щ" * 32
    with pytest.raises(ValueError, match="this has 2 more"):
        clean_name("щ" * 33, "empty")
