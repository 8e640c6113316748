"""The history on its screen, by its keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from spoof_tui.history.schema import FILE
from spoof_tui.storage.archive import archive
from spoof_tui.ui.dialogs.help import HelpDialog
from spoof_tui.ui.dialogs.reading import Reading
from spoof_tui.ui.history.export_dialog import ExportDialog
from spoof_tui.ui.history.game_list import GameList
from spoof_tui.ui.history.screen import HistoryScreen
from spoof_tui.ui.replay.screen import ReplayScreen
from spoof_tui.ui.wording.acts import history_acts
from spoof_tui.visiting import DOOR_VARIABLE
from tests.helpers.histories import fill
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.lobbies import Lobby, until


class AtHistory(Lobby):
    """The app with the history open."""

    async def go(self, pilot: Pilot[int], *words: str) -> None:
        """Open the history, and wait until it says this."""
        await pilot.press("g")
        assert await until(pilot, lambda: isinstance(self.screen, HistoryScreen))
        assert await self.sees(pilot, *words)

    async def comes(self, pilot: Pilot[int], kind: type[object]) -> None:
        """Wait until a screen of this kind lies on top."""
        assert await until(pilot, lambda: isinstance(self.screen, kind))

    @property
    def chosen(self) -> str:
        """The stem of the chosen game."""
        game = self.screen.query_one(GameList).game
        return game.stem if game else ""


async def test_the_games_are_listed_the_last_one_first(state: Path) -> None:
    paths = fill(state, 30)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "30 games", "Night train")
        assert app.chosen == paths[-1].stem
        await pilot.press("down")
        assert await until(pilot, lambda: app.chosen == paths[-2].stem)
        await pilot.press("end")
        assert await until(pilot, lambda: app.chosen == paths[0].stem)
        assert await app.sees(pilot, "2016-01-01 19:00")
        await pilot.press("home", "pagedown")
        assert await until(pilot, lambda: app.chosen not in (paths[0].stem, paths[-1].stem))


async def test_without_a_game_it_says_so_and_closes(state: Path) -> None:
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "0 games")
        await pilot.press("enter", "w", "v", "e")
        await pilot.press("tab")
        assert await app.sees(pilot, "There is no finished game of yours yet.")
        await pilot.press("tab")
        assert await app.sees(pilot, "There is no such evening.")
        await pilot.press("escape")
        assert await until(pilot, lambda: len(app.screen_stack) == 1)


async def test_they_are_filtered_by_rules_results_and_people(state: Path) -> None:
    fill(state, 60)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "60 games")
        await pilot.press("r")
        assert await app.sees(pilot, "Milan · everybody · won or lost · 30 games")
        await pilot.press("r", "r", "r", "r", "t")
        assert await app.sees(pilot, "all rules · everybody · won · ")
        await pilot.press("t", "t", "t", "slash", "e", "v", "e")
        assert await app.sees(pilot, "all rules · eve · won or lost · 15 games")
        await pilot.press("enter")
        assert await until(pilot, lambda: isinstance(app.focused, GameList))
        await pilot.press("slash", "escape")
        assert await app.sees(pilot, "all rules · everybody · won or lost · 60 games")


async def test_a_game_is_replayed_and_the_list_comes_back(state: Path) -> None:
    fill(state, 3)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "3 games")
        await pilot.press("enter")
        await app.comes(pilot, ReplayScreen)
        await pilot.press("q")
        await app.comes(pilot, HistoryScreen)
        assert app.is_running


async def test_the_own_words_in_a_game_are_reviewed(state: Path) -> None:
    fill(state, 3)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "3 games")
        await pilot.press("w")
        await app.comes(pilot, Reading)
        assert await app.sees(pilot, "Chances to win, round by round:")


async def test_the_log_of_a_game_is_verified(state: Path) -> None:
    table = MemoryTable(3)
    table.ready()
    table.play_on()
    assert archive(table.host.table, table.host.log)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "1 game", "watched")
        await pilot.press("w")
        await app.comes(pilot, Reading)
        assert await app.sees(pilot, "You did not play in this game.")
        await pilot.press("escape", "v")
        assert await app.sees(pilot, "Table: Table (milan)")


async def test_a_game_without_a_log_cannot_be_verified(state: Path) -> None:
    fill(state, 1)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "1 game")
        await pilot.press("v")
        assert await app.sees(pilot, "It cannot be read: No such file or directory")


async def test_games_are_exported(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(state, 5)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "5 games")
        await pilot.press("e")
        await app.comes(pilot, ExportDialog)
        await pilot.press("right", "down", "right", "enter")
        await app.comes(pilot, HistoryScreen)
        assert await until(pilot, lambda: (tmp_path / "spoof-games.csv").exists())
        assert await app.sees(pilot, "Written: ")


async def test_a_visitor_exports_nothing(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(DOOR_VARIABLE, "own")
    fill(state, 5)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "5 games")
        assert "export" not in app.text
        await pilot.press("e")
        assert await app.sees(pilot, "You play by ssh")
        assert not isinstance(app.screen, ExportDialog)
        # Textual's own would save a picture of the screen.
        assert [each.title for each in app.get_system_commands(app.screen)] == ["Theme", "Quit"]
    assert not any("write" in act.words for act in history_acts("games"))


async def test_the_pages_are_turned_both_ways(state: Path) -> None:
    fill(state, 60)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "60 games")
        await pilot.press("tab")
        assert await app.sees(pilot, "Places", "60 games, ")
        await pilot.press("r")
        assert await app.sees(pilot, "30 games, ")
        await pilot.press("tab")
        assert await app.sees(pilot, "Night train, the evening of 2016-01-12")
        await pilot.press("left_square_bracket")
        assert await app.sees(pilot, "the evening of 2016-01-11", "1 evening before the last")
        await pilot.press("right_square_bracket")
        assert await app.sees(pilot, "the evening of 2016-01-12", "The last evening")
        await pilot.press("shift+tab", "shift+tab")
        assert await app.sees(pilot, "Enter replay")


async def test_before_the_first_evening_there_is_none(state: Path) -> None:
    fill(state, 6)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "6 games")
        await pilot.press("shift+tab")
        assert await app.sees(pilot, "the evening of 2016-01-02")
        for _key in range(3):
            await pilot.press("left_square_bracket")
            assert await app.sees(pilot, "the evening of 2016-01-01", "1 evening before the last")


async def test_a_damaged_history_is_told_of(state: Path) -> None:
    fill(state, 2)
    (state / FILE).write_bytes(b"no database at all " * 100)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "2 games", "The file of the history was damaged")


async def test_a_history_that_cannot_be_read_is_told(state: Path) -> None:
    (state / "games").touch()
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "The history cannot be read: ")


async def test_a_click_on_a_page_and_on_a_game(state: Path) -> None:
    paths = fill(state, 9)
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "9 games")
        await pilot.click(GameList, offset=(10, 2))
        assert await until(pilot, lambda: app.chosen == paths[-3].stem)
        await pilot.click("#shelf", offset=(app.lines[0].index("Statistics"), 0))
        assert await app.sees(pilot, "Places")


async def test_its_keys_are_in_the_help(state: Path) -> None:
    app = AtHistory("Ada")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.go(pilot, "0 games")
        await pilot.press("question_mark")
        await app.comes(pilot, HelpDialog)
        assert await app.sees(pilot, "check the log of this game")


@pytest.mark.parametrize("size", [(30, 8), (60, 20), (80, 24), (200, 60)])
async def test_every_size_is_drawn(state: Path, size: tuple[int, int]) -> None:
    fill(state, 20)
    app = AtHistory("Ada")
    async with app.run_test(size=size) as pilot:
        await app.go(pilot, "Games")
        await pilot.press("tab")
        await pilot.resize_terminal(80, 24)
        assert await app.sees(pilot, "20 games, ")
        await pilot.press("tab")
        assert await app.sees(pilot, "the evening of")
        assert {len(line) for line in app.lines} == {80}
