"""The dialog for the join code: typing it, being told what is wrong, and giving up."""

from __future__ import annotations

import pytest
from textual.events import Paste
from textual.pilot import Pilot

from protocol.views import LinkState
from protocol.wire.messages import Farewell
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.notices import CodeAsked, Ended, NewCode, Opened, TurnedAway
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.table.join_code import CodeDialog
from spoof_tui.ui.table.screen import TableScreen
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.tables import AtTable


def at_the_door() -> AtTable:
    table = MemoryTable(1)
    return AtTable(table, table.clients[0])


async def asked(app: AtTable, pilot: Pilot[int], why: Farewell = Farewell.NO_CODE) -> None:
    """A table that asks for its code."""
    await app.come()
    await app.hear(pilot, CodeAsked(why))
    assert isinstance(app.screen, CodeDialog)


@pytest.mark.parametrize("typed", ["K7M4Q", "k7m4q", "K7-M4Q", "k 7 m 4 q", "л7ь4й", "Л7Ь4Й"])
async def test_a_code_is_typed_in_any_case_and_any_layout(typed: str) -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        for letter in typed:
            await pilot.press({" ": "space", "-": "minus"}.get(letter, letter))
        assert "K7M4Q" in app.text
        await pilot.press("enter")
        assert app.codes == ["K7M4Q"]
        assert isinstance(app.screen, TableScreen)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("o", "A code has no O and no 0"),
        ("0", "A code has no O and no 0"),
        ("I", "A code has no I and no 1"),
        ("5", "A code has no S and no 5"),
        ("ї", "Latin letters and digits only"),
        ("exclamation_mark", "Latin letters and digits only"),
    ],
)
async def test_a_letter_that_is_in_no_code_is_told_at_once(key: str, sentence: str) -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        await pilot.press("k", key)
        assert await app.sees(pilot, *sentence.split())
        await pilot.press("7", "m", "4")
        assert await app.sees(pilot, *sentence.split())
        await pilot.press("q")
        assert await app.misses(pilot, sentence[:12])
        await pilot.press("enter")
        assert app.codes == ["K7M4Q"]


async def test_a_code_that_is_too_short_says_how_much_is_missing() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        await pilot.press(*"k7m", "enter")
        assert await app.sees(pilot, "2 are missing")
        await pilot.press("4", "enter")
        assert await app.sees(pilot, "1 is missing")
        assert app.codes == []


async def test_letters_are_taken_away_and_a_code_can_be_pasted() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        await pilot.press(*"aaaa", "ctrl+u", *"k7x", "backspace")
        app.screen.post_message(Paste(" m-4q\n"))
        await pilot.press("enter")
        assert app.codes == ["K7M4Q"]


async def test_a_wrong_code_asks_again_with_what_was_typed() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        await pilot.press(*"k7m4a", "enter")
        await app.hear(pilot, CodeAsked(Farewell.WRONG_CODE))
        assert await app.sees(pilot, "That is not the code of this table.", "K7M4A")
        await pilot.press("backspace", "q", "enter")
        await app.hear(pilot, CodeAsked(Farewell.WRONG_CODE))
        await pilot.press(*"aaaaa", "enter")
        assert app.codes == ["K7M4A", "K7M4Q", "AAAAA"]


async def test_too_many_tries_are_told() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot, Farewell.TOO_MANY_TRIES)
        assert await app.sees(pilot, "wait a minute")


async def test_escape_goes_back_to_the_lobby() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await asked(app, pilot)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)
        assert app.client is None


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 10), (30, 6), (200, 60)])
async def test_the_dialog_fits_into_any_terminal(width: int, height: int) -> None:
    app = at_the_door()
    async with app.run_test(size=(width, height)) as pilot:
        await asked(app, pilot)
        await pilot.press(*"k7m4q", "enter")
        assert app.codes == ["K7M4Q"]


# What the screen of the table is told


async def test_a_table_that_lets_nobody_in_says_why() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.come()
        await app.hear(pilot, Ended(Farewell.BARRED))
        assert await app.sees(pilot, "You are banned from this table", "by the host")
        await app.hear(pilot, Ended(Farewell.NO_PROOF))
        assert await app.sees(pilot, "without proving that it knows the code")


async def test_an_impostor_is_told_with_its_address_until_the_host_is_back() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        assert await app.sees(pilot, " sealed ")
        app.table.cut(app.seat)
        await app.look(pilot)
        await app.hear(pilot, TurnedAway(Farewell.IMPOSTOR))
        assert await app.sees(pilot, "10.0.0.7:7763 is not the host of this table")
        assert app.seat.view.link is LinkState.DOWN
        app.table.connect(app.seat)
        await app.look(pilot)
        assert await app.misses(pilot, "is not the host")


async def test_the_host_sees_the_code_and_why_it_changes() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        await app.hear(pilot, Opened(7763, None, "K7M4Q"))
        assert await app.sees(pilot, "Tell them the code", "code K7M4Q")
        await app.hear(pilot, NewCode("AAAAA", CodeChange.GUESSED))
        assert await app.sees(pilot, "Too many wrong codes were tried", "code AAAAA")
        await pilot.press("n")
        assert app.codes == ["renewed"]


async def test_who_has_no_code_to_renew_is_told() -> None:
    app = at_the_door()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("n")
        assert await app.sees(pilot, "This table has no code to change.")
        assert app.codes == []
