"""The list of games as a widget."""

from __future__ import annotations

from textual.app import App, ComposeResult

from spoof_tui.history.queries import ListedGame
from spoof_tui.ui.history.game_list import GameList
from tests.spoof_tui.ui.history.test_listing import GAME


class Listed(App[None]):
    """Nothing but a list."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.games = [GAME._replace(id=number, stem=f"game {number}") for number in range(count)]
        self.opened: list[ListedGame | None] = []

    def compose(self) -> ComposeResult:
        yield GameList()

    def on_mount(self) -> None:
        self.list.present(self.games)
        self.list.focus()

    def on_game_list_opened(self) -> None:
        self.opened.append(self.list.game)

    @property
    def list(self) -> GameList:
        return self.query_one(GameList)


async def test_of_many_lines_only_those_in_sight_are_drawn() -> None:
    app = Listed(10_000)
    async with app.run_test(size=(60, 12)) as pilot:
        assert app.list.virtual_size.height == 10_000
        await pilot.press("end")
        assert app.list.game == app.games[-1]
        assert app.list.scroll_offset.y == 10_000 - 12
        assert "▶ 2023-11" in app.list.render_line(11).text


async def test_the_chosen_game_stays_chosen_when_the_list_becomes_shorter() -> None:
    app = Listed(50)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press(*["down"] * 4)
        app.list.present(app.games[::2])
        assert app.list.game == app.games[4]
        app.list.present(app.games[5:])
        assert app.list.game == app.games[5]


async def test_nothing_is_chosen_on_an_empty_list() -> None:
    app = Listed(0)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("down", "end", "enter", "pageup")
        assert app.list.game is None and app.opened == []


async def test_enter_and_a_second_click_open_a_game() -> None:
    app = Listed(50)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("enter")
        await pilot.click(GameList, offset=(5, 3))
        await pilot.click(GameList, offset=(5, 3))
        await pilot.pause()
        assert app.opened == [app.games[0], app.games[3]]


async def test_every_line_is_as_wide_as_the_list() -> None:
    app = Listed(50)
    async with app.run_test(size=(60, 12)):
        width = app.list.scrollable_content_region.width
        assert {app.list.render_line(y).cell_length for y in range(12)} == {width}
