"""The mouse on the help over a table, a key that comes late, and a practice game beside a silent
one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.views import LinkState
from spoof_tui.runtime.launch import Launch
from spoof_tui.runtime.notices import ViewChanged
from spoof_tui.telling.pacing import Pacing
from spoof_tui.ui.app import SpoofApp
from spoof_tui.ui.messages import Noticed
from spoof_tui.ui.table.screen.screen import TableScreen
from tests.spoof_tui.ui.lobbies import Lobby, until
from tests.spoof_tui.ui.scripts import first


async def test_a_row_of_the_help_is_pressed_by_a_click_and_looks_like_no_link() -> None:
    app = first("choosing")
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("question_mark")
        assert await app.sees(pilot, "Keys now")
        y = next(y for y, line in enumerate(app.lines) if line.strip("█│ ").startswith("t "))
        x = app.lines[y].index("talk")
        assert not app.screen.get_style_at(x, y).underline
        await pilot.click(offset=(x, y))
        assert await app.sees(pilot, "Talk:")


async def test_a_key_that_was_meant_for_a_verdict_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = first("speaking")
    async with app.run_test(size=(80, 24)) as pilot:
        table = await app.sit_down(pilot)
        with monkeypatch.context() as turned:
            turned.setattr(Pacing, "has_just_turned", lambda *_: True)
            await pilot.press("t")
        assert table.scene.talking is None
        await pilot.press("t")
        assert table.scene.talking == ""


async def test_a_practice_game_knows_the_table_at_which_the_seat_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, crown = Lobby(), TableScreen()
    for name in ("carry_out", "claim_seat"):
        monkeypatch.setattr(app, name, lambda *_: None)
    async with app.run_test():
        SpoofApp.begin(app, Launch(practice=True))
        assert isinstance(app.screen, TableScreen) and app.screen.scene.waiting is None
        app.client, app._waits = None, crown
        SpoofApp.begin(app, Launch(practice=True))
        assert isinstance(app.screen, TableScreen) and app.screen.scene.waiting is crown.scene


async def test_who_waits_alone_practises_is_called_when_the_table_is_back_and_goes_back() -> None:
    app = first("speaking")
    async with app.run_test(size=(80, 24)) as pilot:
        table = await app.sit_down(pilot)
        client, view = app.client, app.seat.view
        await app.hear(pilot, ViewChanged(replace(view, link=LinkState.DOWN)))
        await pilot.press("y")
        assert await app.sees(pilot, "No connection") and app.client is client
        assert table.scene.cut_off_at is not None
        table.scene.cut_off_at -= view.grace * 1000
        await pilot.press("y")
        assert (app.deeds, app.waiting, app.client) == (["practise meanwhile"], client, None)
        practice = await app.come()
        practice.scene.waiting = table.scene
        practice.post_message(Noticed(ViewChanged(view)))
        name = view.table_name.raw
        assert await app.sees(pilot, f"looking for “{name}” …")
        for link, told in (
            (LinkState.MOVING, f"looking for “{name}” …"),
            (LinkState.UP, f"“{name}” answers again ──"),
            (LinkState.DOWN, f"looking for “{name}” …"),
        ):
            assert table.client is client is not practice.client
            table.post_message(Noticed(ViewChanged(replace(view, link=link))))
            assert await app.sees(pilot, told)
        assert practice.scene.news_title == "Your table is back"
        app.leave_table()
        assert await until(pilot, lambda: app.screen is table)
        assert (app.client, app.waiting) == (client, None)
        assert await until(pilot, lambda: app.asked == [("close", None)])
        app.leave_table()
        assert await until(pilot, lambda: app.screen is app.screen_stack[0])
        assert app.client is None
