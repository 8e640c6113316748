"""A table found by its name: what letters do meanwhile, and how the search ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key

from protocol.limits import MAX_NAME
from spoof_tui.network.addresses import Address
from spoof_tui.ui.lobby.searching import typed
from tests.spoof_tui.ui.lobbies import Lobby, found

CROWD = tuple(found(number, name=f"Table {number}") for number in range(1, 31))


async def test_a_table_is_found_by_a_part_of_its_name() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, *CROWD, found(77, name="Night train"))
        await pilot.press("slash", *"ht tr")
        assert await app.sees(pilot, "/ht tr_", "1 of 31")
        assert "Night train" in app.selected
        await pilot.press("enter")
    assert app.deeds.joined == [Address("10.0.0.77", 7763)]


async def test_letters_that_find_a_table_do_nothing_else() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, *CROWD)
        await pilot.press("slash", *"plnacweouhxqkj?/", "tab", "left", "space", "enter")
        assert await app.sees(pilot, "0 of 30", "is called that")
        assert app.screen is app.screen_stack[0]
    assert (app.deeds.practised, app.deeds.joined, app.deeds.watched) == (0, [], [])


@pytest.mark.parametrize("keys", [("escape",), ("backspace",) * 3, ("enter",)])
async def test_a_search_has_an_end_and_letters_are_acts_again(keys: tuple[str, ...]) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, *CROWD)
        await pilot.press("slash", *"30", *keys)
        assert await app.sees(pilot, "30 tables on this network")
        await pilot.press("p")
    assert app.deeds.practised == 1


async def test_a_search_ends_when_something_comes_over_the_lobby() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, *CROWD)
        await pilot.press("slash", *"30", "ctrl+p", "escape")
        assert await app.sees(pilot, "30 tables on this network")


async def test_the_key_of_the_search_is_shown_and_can_be_clicked_when_tables_are_hidden() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found())
        assert "/ find a table" not in app.text
        await app.find(pilot, *CROWD)
        assert await app.sees(pilot, "/ find a table")
        await pilot.click(offset=(app.lines[-1].index("/ find"), 23))
        assert await app.sees(pilot, "30 of 30", "Esc all tables")


async def test_letters_of_any_alphabet_are_typed_as_they_are() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, *CROWD, found(77, name="Нічний потяг"))
        await pilot.press("slash", *"потяг")
        assert await app.sees(pilot, "/потяг_", "1 of 31")
        assert "Нічний потяг" in app.selected


@given(st.text(max_size=80))
def test_what_is_typed_is_bounded_and_can_be_taken_back(text: str) -> None:
    search: str | None = ""
    for letter in text:
        search = typed(search or "", Key(letter, letter))
        assert search is not None and len(search) <= MAX_NAME and search.isprintable()
    for _letter in search or "":
        search = typed(search or "", Key("backspace", None))
    assert search == "" and typed(search, Key("backspace", None)) is None
