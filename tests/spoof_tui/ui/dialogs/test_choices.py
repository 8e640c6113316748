"""Choices: values that go round, digits, and how their lines are drawn."""

import pytest

from spoof_tui.ui.dialogs.choices import Choice, ChoiceList
from spoof_tui.ui.dialogs.dialog import Dialog
from tests.spoof_tui.ui.lobbies import Lobby


class Menu(Dialog[list[int]]):
    """Some choices, of which the places are the result."""

    def __init__(self, amount: int = 3) -> None:
        names = ["Colour", "Size", *(f"Number {number}" for number in range(amount - 2))]
        choices = [Choice(name, ["red", "green", "blue"], keys="12") for name in names]
        choices[0].changed = choices[1].spread = True
        super().__init__("Menu", [], choices=choices)

    def result(self) -> list[int]:
        return [choice.index for choice in self.choices]


async def chosen(*keys: str) -> list[int] | None:
    """The values that these keys choose."""
    results: list[list[int] | None] = []
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Menu(), results.append)
        await pilot.pause()
        await pilot.press(*keys)
    return results[0]


def test_a_choice_goes_round_its_ends_and_takes_its_digits() -> None:
    choice = Choice("", ["a", "b", "c"], keys="12")
    choice.step(-1)
    assert choice.index == 2
    assert choice.press("1") and choice.index == 0
    assert not choice.press("3") and not choice.press("") and not choice.press("12")


@pytest.mark.parametrize(
    ("keys", "values"),
    [
        ("enter", [0, 0, 0]),
        ("right enter", [1, 0, 0]),
        ("left down 2 down right right enter", [2, 1, 2]),
        ("up right enter", [0, 0, 1]),
        ("k k 2 j j right enter", [1, 1, 0]),
        ("end right home left enter", [2, 0, 1]),
        ("3 enter", [0, 0, 0]),
    ],
)
async def test_keys_choose(keys: str, values: list[int]) -> None:
    assert await chosen(*keys.split()) == values


async def test_values_stand_side_by_side_or_one_at_a_time() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(Menu())
        await pilot.pause()
        assert "▶ Colour    ← red ★ →" in app.text
        assert "Size      ● red   ○ green   ○ blue" in app.text
        await pilot.press("down")
        assert "▶ Size" in app.text and "  Colour      red ★" in app.text


@pytest.mark.parametrize("size", [(80, 24), (40, 10)])
async def test_the_highlighted_line_of_a_long_list_is_seen(size: tuple[int, int]) -> None:
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        app.push_screen(Menu(40))
        await pilot.pause()
        for key in ("up", "home", "pagedown", "pagedown", "end"):
            await pilot.press(key)
            assert sum("▶" in line for line in app.lines) == 1


async def test_a_shorter_list_keeps_a_line_highlighted() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        menu = Menu()
        app.push_screen(menu)
        await pilot.press("end")
        menu.choices = menu.choices[:2]
        menu.present()
        await pilot.pause()
        assert menu.query_one(ChoiceList).choice is menu.choices[1]
        assert "▶ Size" in app.text
