"""The rulebook on its screen."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from textual.pilot import Pilot
from textual.widgets import Markdown

from spoof_tui.ui.dialogs.reading import Pages
from spoof_tui.ui.rulebook.screen import RulebookScreen
from tests.spoof_tui.ui.lobbies import Lobby, found, until
from tests.spoof_tui.ui.table.schools import a_school
from tests.spoof_tui.ui.tables import AtTable


async def opened(app: Lobby, pilot: Pilot[int]) -> Pages:
    """The pages of the rulebook, as soon as they can be read by keys."""
    await pilot.press("h")
    pages = app.screen.query_one(Pages)
    assert await until(pilot, lambda: pages.has_focus and pages.max_scroll_y > 0)
    return pages


def is_on_top(app: Lobby, mark: str) -> bool:
    """Have this clause come to the top of the page; whether it is there."""
    screen = app.screen
    assert isinstance(screen, RulebookScreen)
    clauses = zip(screen.query_one(Markdown).children, screen._blocks, strict=True)
    place = next(child.virtual_region.y for child, block in clauses if block.mark == mark)
    screen.query_one(Pages).scroll_to(y=place, animate=False, immediate=True)
    return f"★ {mark} " in app.lines[2]


@pytest.mark.parametrize("key", ["escape", "q", "h"])
async def test_h_opens_the_rulebook_from_the_lobby_and_it_closes(key: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        assert isinstance(app.screen, RulebookScreen)
        assert await app.sees(pilot, "Everyone starts with three coins.")
        await pilot.press(key)
        assert len(app.screen_stack) == 1 and app.is_running


async def test_it_opens_at_the_rules_of_the_selected_table() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(rules="bid-spoof cap=5"))
        await pilot.press("h")
        assert "This table" in app.lines[0]
        assert await app.sees(pilot, "Bid Spoof, but cap 5")


async def test_it_opens_at_the_rules_of_the_own_table() -> None:
    table = a_school()
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("h")
        assert isinstance(app.screen, RulebookScreen)
        assert await app.sees(pilot, "The guessing game of Bangkok")


@pytest.mark.parametrize(
    ("down", "up"), [("down", "up"), ("j", "k"), ("pagedown", "pageup"), ("end", "home")]
)
async def test_it_is_read_by_keys(down: str, up: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        assert await app.sees(pilot, "Speaking")
        first = app.lines
        await pilot.press(down)
        assert await app.shows(pilot, lambda lines: lines[:5] != first[:5])
        await pilot.press(up)
        assert await app.shows(pilot, lambda lines: lines[:5] == first[:5])
        await pilot.press(up)
        assert await app.shows(pilot, lambda lines: lines[:5] == first[:5])


async def test_the_end_is_the_end() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        pages = await opened(app, pilot)
        assert await app.sees(pilot, "R1 Everyone")
        await pilot.press("end")
        assert await app.misses(pilot, "R1 Everyone")
        end = app.lines
        assert pages.scroll_offset.y == pages.max_scroll_y > 0
        assert "You play for" not in end[0]
        await pilot.press("down", "pagedown")
        assert app.lines == end


async def test_left_and_right_compare_a_clause_in_the_presets() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        assert await until(pilot, lambda: is_on_top(app, "R8"))
        assert await app.sees(pilot, "There is no cap")
        await pilot.press("right")
        assert await app.sees(pilot, "The cap is 3")
        assert await app.shows(pilot, lambda lines: lines[2].strip().startswith("★ R8"))
        await pilot.press("left")
        assert await app.sees(pilot, "There is no cap")


async def test_who_turns_on_before_a_book_is_there_stays_at_the_clause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        pages, screen, later = await opened(app, pilot), app.screen, list[Callable[[], None]]()
        assert isinstance(screen, RulebookScreen)
        assert await until(pilot, lambda: is_on_top(app, "R8"))
        monkeypatch.setattr(
            screen, "call_after_refresh", lambda act, *given: later.append(partial(act, *given))
        )
        await screen.action_open(1)
        turning = asyncio.create_task(screen.action_open(2))
        await asyncio.sleep(0)
        later.pop()()
        await turning
        pages.scroll_to(y=0, animate=False, immediate=True)
        assert await app.sees(pilot, "R1 Everyone")
        later.pop()()
        assert await app.sees(pilot, "R8")
        assert "R8" in app.lines[2]


async def test_a_click_opens_a_book() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        await pilot.click(offset=(app.lines[0].index("Three Coins"), 0))
        await pilot.pause()
        assert await app.sees(pilot, "game of Kyiv")


async def test_the_presets_go_round() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h", "left")
        assert await app.sees(pilot, "The guessing game of Bangkok")
        await pilot.press("right")
        assert await app.sees(pilot, "The bidding game of the Milan Rules")


async def test_it_stays_readable_when_the_terminal_shrinks() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot)
        assert await app.sees(pilot, "Speaking")
        await pilot.press("end")
        await pilot.resize_terminal(50, 40)
        assert await app.shows(pilot, lambda lines: len(lines) == 40)
        await pilot.press("end")
        assert {len(line) for line in app.lines} == {50} and len(app.lines) == 40
        assert await app.sees(pilot, "Esc back", "pot")


async def test_in_a_narrow_terminal_no_name_of_a_book_is_cut() -> None:
    app = Lobby()
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.press("h")
        assert await app.sees(pilot, "Milan    Bid Spoof    Three Coins  ", "Esc back")
        assert await app.misses(pilot, "read on")
        await pilot.press("right", "right", "right")
        assert await app.sees(pilot, "  Three Coins    Hollywood  ")
