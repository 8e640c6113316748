"""The history on its screen, by its keys, and what a thread reads for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from spoof_tui.acts.act import key_acts
from spoof_tui.history.queries import ListedGame, games
from spoof_tui.storage.archive import Archive
from spoof_tui.ui.dialogs.reading import Reading
from spoof_tui.ui.history.game_list import GameList
from spoof_tui.ui.history.looking import Stopped, look
from spoof_tui.ui.history.screen import HISTORY, ExportDialog, HistoryScreen, Tab
from spoof_tui.visiting import DOOR_VARIABLE
from tests.helpers.histories import fill
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.history.test_pages import GAME
from tests.spoof_tui.ui.lobbies import Lobby, until


class AtHistory(Lobby):
    """The app with the history open."""

    async def go(self, pilot: Pilot[int], *words: str) -> None:
        """Open the history, and wait until it says this."""
        await pilot.press("g")
        await self.comes(pilot, HistoryScreen)
        assert await self.sees(pilot, *words)

    async def comes(self, pilot: Pilot[int], kind: type[object]) -> None:
        """Wait until a screen of this kind lies on top."""
        assert await until(pilot, lambda: isinstance(self.screen, kind))

    def is_chosen(self, record: Path) -> bool:
        """Whether the game of this record is."""
        return self.chosen == record.stem

    @property
    def chosen(self) -> str:
        """The stem of the chosen game."""
        game = self.screen.query_one(GameList).game
        return game.stem if game else ""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AtHistory:
    """The app, started in a folder in which it may write."""
    monkeypatch.chdir(tmp_path)
    return AtHistory("Ada")


async def test_the_log_of_a_game_is_verified_and_the_own_words_are_reviewed(
    state: Path, app: AtHistory
) -> None:
    table = MemoryTable(3)
    table.ready()
    table.play_on()
    assert Archive().save(table.host.table, table.host.log)
    fill(state, 1)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "2 games", "watched")
        await pilot.press("x")
        await app.comes(pilot, Reading)
        assert await app.sees(pilot, "Table: Table (milan)")
        await pilot.press("escape", "end", "x")
        assert await app.sees(pilot, "kept without its log")
        await pilot.press("escape")
        await pilot.press("k")
        assert await app.sees(pilot, "Chances of winning, round by round:")


async def test_a_visitor_exports_nothing(
    state: Path, app: AtHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, "own")
    fill(state, 5)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "5 games")
        assert "export" not in app.text
        await pilot.press("e")
        assert await app.sees(pilot, "You are playing through a door")
        assert not isinstance(app.screen, ExportDialog)
        # Textual's own would save a picture of the screen.
        assert [each.title for each in app.get_system_commands(app.screen)] == ["Theme", "Quit"]
    assert not any("write" in act.words for act in key_acts(HISTORY, Tab.GAMES))


# The list by itself


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

    def on_option_list_option_selected(self) -> None:
        self.opened.append(self.list.game)

    @property
    def list(self) -> GameList:
        return self.query_one(GameList)


async def test_the_chosen_game_is_in_sight_and_stays_chosen_when_the_list_changes() -> None:
    app = Listed(10_000)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.press("enter", "end")
        assert app.list.scroll_offset.y == 10_000 - 12
        assert "▶ 2023-11" in app.list.render_line(11).text
        app.list.present(app.games[1::2])
        assert app.list.game == app.games[-1]
        app.list.present(app.games[5:15])
        await pilot.pause()
        assert app.list.game == app.games[5] and "▶" in app.list.render_line(0).text
        for _click in range(2):
            await pilot.click(GameList, offset=(5, 3))
        assert app.opened == [app.games[0], app.games[8]]


# What a thread reads


def test_what_goes_wrong_on_the_way_is_a_sentence_and_whoever_is_gone_gets_nothing(
    state: Path,
) -> None:
    fill(state, 1)

    def stop(_done: int, _all: int) -> None:
        raise Stopped

    def fails(_connection: sqlite3.Connection) -> None:
        raise OSError(28, "No space left on device")

    assert look(games, stop) == ([], "")
    nobody = lambda _done, _all: None  # noqa: E731
    assert look(lambda _connection: None, nobody) == ([None], "")
    assert look(fails, nobody) == ([], "The history cannot be read: No space left on device")


# Export


async def test_games_are_exported_to_a_file_that_may_be_there_if_that_is_said_twice(
    state: Path, app: AtHistory, tmp_path: Path
) -> None:
    fill(state, 5)
    written = tmp_path / "spoof-games.csv"
    written.write_text("mine", "utf-8")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "5 games")
        await pilot.press("e")
        await app.comes(pilot, ExportDialog)
        await pilot.press("up", "ctrl+u", "enter")
        assert await app.sees(pilot, "Type the name of a file.")
        await pilot.press("ctrl+u", *"spoof-games.spoof", "down", "down", "right", "enter")
        assert await app.sees(pilot, "A file with that name exists.")
        # A player who changes something is asked again.
        await pilot.press("up", "right", "enter")
        assert await app.sees(pilot, "A file with that name exists.")
        assert written.read_text("utf-8") == "mine"
        await pilot.press("enter")
        await app.comes(pilot, HistoryScreen)
        assert await app.sees(pilot, "Written: ")
    assert written.read_text("utf-8").count("Night train") > 5
