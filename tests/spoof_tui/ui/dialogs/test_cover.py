"""The cover over the whole screen."""

import pytest

from spoof_tui.runtime.session import talk
from spoof_tui.ui.dialogs.cover import CoverScreen
from tests.spoof_tui.ui.lobbies import Lobby
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


@pytest.mark.parametrize("key", ["q", "escape", "1", "ctrl+l"])
async def test_any_key_uncovers_the_table_and_does_nothing_else(key: str) -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("ctrl+l")
        assert [line.strip() for line in app.lines if line.strip()] == ["Covered. Press any key."]
        await pilot.press(key)
        assert app.screen is screen and app.seat.guest.own_hand is None
        assert not screen.scene.remark


async def test_what_is_typed_or_read_is_covered_too() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "ctrl+l")
        assert isinstance(app.screen, CoverScreen)
        await pilot.press("x")
        assert "Keys now" in app.text


async def test_what_comes_meanwhile_is_there_when_the_cover_goes() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("ctrl+l")
        said = talk("Meanwhile")
        assert said
        table.act(table.clients[1], table.clients[1].guest.state(said))
        await app.look(pilot)
        assert isinstance(app.screen, CoverScreen)
        await pilot.press("space")
        assert await app.sees(pilot, "Meanwhile")
