"""Keys by their place, whatever alphabet the keyboard is set to."""

import string

import pytest

from spoof_tui.ui.keyboard import latin
from tests.spoof_tui.ui.lobbies import Lobby, found


@pytest.mark.parametrize(
    ("cyrillic", "key"),
    [
        ("с", "c"),
        ("д", "l"),
        ("і", "s"),
        ("ы", "s"),
        ("я", "z"),
        ("г", "u"),
        ("й", "q"),
        ("Й", "Q"),
    ],
)
def test_a_cyrillic_letter_is_the_latin_one_on_the_same_key(cyrillic: str, key: str) -> None:
    assert latin(cyrillic) == key


def test_every_latin_letter_is_on_the_ukrainian_keyboard() -> None:
    ukrainian = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"
    reached = {latin(letter) for letter in ukrainian}
    assert set(string.ascii_lowercase) <= reached


@pytest.mark.parametrize("key", ["c", "C", "enter", "question_mark", "ctrl+c", "3", "ж", "ї", ""])
def test_any_other_key_stays_what_it_is(key: str) -> None:
    assert latin(key) == key


async def test_the_lobby_obeys_a_cyrillic_keyboard() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        await pilot.press("о")  # on the key of j
        assert "Other" in app.selected
        await pilot.press("з")  # on the key of p
    assert app.deeds.practised == 1


async def test_what_is_typed_as_text_stays_cyrillic() -> None:
    app = Lobby(name="")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("у")  # on the key of e
        await pilot.press(*"Ігор")
        assert "Ігор" in app.text
        await pilot.press("enter")
        assert app.settings.name == "Ігор"


async def test_a_choice_of_a_dialog_is_moved_by_place_too() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.press("т")  # on the key of n
        await pilot.press("о", "о", "right", "enter")
    ((plan, _bots, _level),) = app.deeds.opened
    assert plan.rules.changes
