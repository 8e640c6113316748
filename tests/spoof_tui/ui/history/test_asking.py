"""A screen that asks the history by a thread."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from textual.app import App

from spoof_tui.history import index
from spoof_tui.history.queries import ListedGame, games
from spoof_tui.ui.history.asking import AskingScreen
from tests.helpers.histories import fill
from tests.spoof_tui.ui.lobbies import until


class Asking(AskingScreen):
    """One question."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[ListedGame] | None = None
        self.remarks: list[str] = []

    def on_mount(self) -> None:
        self.read(games, self.take)

    def take(self, found: list[ListedGame]) -> None:
        self.found = found

    def present(self) -> None:
        self.remarks.append(self.remark)


async def test_what_is_found_comes_back_and_how_far_it_is_on_the_way(state: Path) -> None:
    fill(state, 5)
    app: App[int] = App()
    async with app.run_test() as pilot:
        screen = Asking()
        app.push_screen(screen)
        assert await until(pilot, lambda: screen.found)
        assert await until(pilot, lambda: screen.remarks[-1] == "")
        assert "Reading the records: 5 of 5" in screen.remarks


async def test_a_screen_that_is_gone_stops_the_reading(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = fill(state, 5)
    monkeypatch.setattr(index, "_BATCH", 1)
    is_read, may_go_on = threading.Event(), threading.Event()
    added = index._add

    def add(*arguments: object) -> None:
        added(*arguments)  # type: ignore[arg-type]
        is_read.set()
        may_go_on.wait(20)

    monkeypatch.setattr(index, "_add", add)
    app: App[int] = App()
    async with app.run_test() as pilot:
        screen = Asking()
        app.push_screen(screen)
        assert await until(pilot, is_read.is_set)
        screen.is_gone = True
        may_go_on.set()
        assert await until(pilot, lambda: not list(screen.workers))
        assert screen.found is None
    monkeypatch.undo()
    monkeypatch.setenv("SPOOF_STATE", str(state))
    assert len(index.consult(games)[0]) == len(paths)
