"""The rulebook as a page, and on its screen."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot
from textual.widgets import Markdown

from protocol.rules.options import PRESETS, Rules
from spoof_tui.ui.dialogs.reading import Pages
from spoof_tui.ui.rulebook import RulebookScreen, blocks, literal, shelf, title
from spoof_tui.ui.wording.clauses import rulebook
from tests.spoof_tui.ui.lobbies import Lobby, found, until
from tests.spoof_tui.ui.table.schools import a_school
from tests.spoof_tui.ui.tables import AtTable


def said(rules: str) -> str:
    return "\n\n".join(block.text for block in blocks(Rules.parse(rules)))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_has_its_block_and_no_word_of_the_book_is_lost(preset: str) -> None:
    book = rulebook(PRESETS[preset])
    for chapter in (*book.chapters, book.customs):
        for clause in chapter.clauses:
            assert literal(clause.text) in said(preset), clause
            assert all(literal(text) in said(preset) for text in clause.differs)
    texts = {block.mark: block.text for block in blocks(PRESETS[preset])}
    assert set(book.clauses) <= set(texts)
    for mark, clause in book.clauses.items():
        assert texts[mark].startswith("★ **" if clause.differs else "**")


def test_a_changed_rule_set_stands_before_the_presets() -> None:
    assert shelf(None) == shelf(PRESETS["bid-spoof"]) == list(PRESETS.values())
    changed = Rules.parse("milan cap=5")
    assert shelf(changed) == [changed, *PRESETS.values()]
    assert [title(rules) for rules in shelf(changed)][:2] == ["This table", "Milan"]
    assert said("milan cap=5").startswith("**Milan, but cap 5**")


# On the screen


async def opened(app: Lobby, pilot: Pilot[int]) -> Pages:
    """The pages of the rulebook, as soon as they can be read by keys."""
    await pilot.press("h")
    pages = app.screen.query_one(Pages)
    assert await until(pilot, lambda: pages.has_focus and pages.max_scroll_y > 0)
    return pages


def is_on_top(app: Lobby, mark: str) -> bool:
    """Bring this clause to the top of the page; returns whether it got there."""
    screen = app.screen
    assert isinstance(screen, RulebookScreen)
    clauses = zip(screen.query_one(Markdown).children, screen._blocks, strict=True)
    place = next(child.virtual_region.y for child, block in clauses if block.mark == mark)
    screen.query_one(Pages).scroll_to(y=place, animate=False, immediate=True)
    return f"★ {mark} " in app.lines[2]


@pytest.mark.parametrize("key", ["escape", "h"])
async def test_h_opens_the_rulebook_from_the_lobby_and_it_closes(key: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        assert await app.sees(pilot, "Everyone starts with three coins.")
        await pilot.press(key)
        assert len(app.screen_stack) == 1 and app.is_running


async def test_it_opens_at_the_rules_of_the_selected_or_the_own_table() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(rules="bid-spoof cap=5"))
        await pilot.press("h")
        assert "This table" in app.lines[0]
        assert await app.sees(pilot, "Bid Spoof, but cap 5")
    table = a_school()
    seated = AtTable(table, table.clients[0])
    async with seated.run_test(size=(80, 24)) as pilot:
        await seated.sit_down(pilot)
        await pilot.press("w", "h")
        assert await seated.sees(pilot, "The guessing game of Bangkok")


async def test_it_is_read_by_keys_to_its_end_and_no_further() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        pages = await opened(app, pilot)
        assert await app.sees(pilot, "Speaking")
        await pilot.press("end")
        assert await app.misses(pilot, "R1 Everyone")
        end = app.lines
        assert pages.scroll_offset.y == pages.max_scroll_y > 0
        await pilot.press("down", "pagedown")
        assert app.lines == end
        await pilot.resize_terminal(50, 40)
        assert await app.shows(pilot, lambda lines: [len(line) for line in lines] == [50] * 40)
        await pilot.press("end")
        assert await app.sees(pilot, "Esc back", "pot")


async def test_left_and_right_compare_a_clause_in_the_presets_which_go_round() -> None:
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
        await pilot.press("home", "left")
        assert await app.sees(pilot, "The guessing game of Bangkok")
        await pilot.click(offset=(app.lines[0].index("Three Coins"), 0))
        assert await app.sees(pilot, "game of Kyiv")
