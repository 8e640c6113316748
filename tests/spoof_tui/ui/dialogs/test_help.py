"""The help: the keys of the screen that it lies over, and the game in ten lines."""

from functools import partial

import pytest
from textual.content import Content

from spoof_tui.ui.dialogs.help import help_page
from spoof_tui.ui.dialogs.reading import Pages
from spoof_tui.ui.wording.acts import KeyAct, lobby_acts, table_acts
from tests.spoof_tui.ui.lobbies import Lobby, until
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


def plain(page: Content) -> str:
    return page.plain


@pytest.mark.parametrize("key", ["escape", "question_mark", "q", "enter"])
async def test_help_opens_and_any_key_that_leaves_closes_it(key: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        assert "Keys now" in app.text and "play now" in app.text
        await pilot.press(key)
        assert len(app.screen_stack) == 1
        assert app.is_running


def longer(pages: Pages) -> bool:
    """Whether the pages are laid out."""
    return pages.virtual_size.height > 20


async def test_the_help_can_be_read_to_its_end_in_any_terminal() -> None:
    for size in ((80, 24), (60, 20), (30, 10)):
        app = Lobby()
        async with app.run_test(size=size) as pilot:
            await pilot.press("question_mark")
            assert "play now" in app.text
            pages = app.screen.query_one(Pages)
            assert await until(pilot, partial(longer, pages))
            await pilot.press("end")
            assert await app.sees(pilot, "left wins.")
            assert len(app.lines) <= size[1]


async def test_at_a_table_the_help_tells_the_keys_of_the_moment() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("question_mark")
        assert await app.sees(pilot, "hide 0", "hide 3", "talk")
        assert "play now" not in app.text and "cliff " not in app.text.split("Every key")[0]


@pytest.mark.parametrize("width", [30, 50, 72])
def test_every_key_is_there_in_one_column_or_two(width: int) -> None:
    acts = [*lobby_acts(), *table_acts(at("answering").speaker().view)]
    page = plain(help_page(acts, width))
    assert all(f"{act.caption} " in page for act in acts)
    assert max(map(len, page.splitlines())) <= width
    assert all(word in page for word in ("call", "cliff", "spoof", "zero"))


def test_the_mouse_is_explained() -> None:
    page = " ".join(plain(help_page([KeyAct("q", "quit")], 72)).split())
    assert "can be clicked" in page and "Shift and drag selects text" in page


def test_what_sealed_means_is_told() -> None:
    assert "■ sealed: nobody can listen" in plain(help_page(lobby_acts(), 74))
