"""The coach over the table: in practice, on the own turn, and nowhere else."""

from __future__ import annotations

from spoof_tui.ui.table.coach_dialog import CoachDialog, page
from spoof_tui.ui.table.scene import Scene
from tests.spoof_tui.ui.table.scenes import at, seen
from tests.spoof_tui.ui.tables import AtTable


def speaking() -> Scene:
    return seen(at("speaking").speaker())


def test_every_word_that_may_be_said_is_told_with_its_chances() -> None:
    text = page(speaking(), 1, 76).plain
    titles, *words = text.partition("\n\n")[0].splitlines()
    assert titles.endswith("the best bot says it") and len(words) == 8
    assert max(map(len, text.splitlines())) <= 76


def test_it_is_silent_while_another_speaks() -> None:
    table = at("speaking")
    [other, *_] = [each for each in table.clients if not each.view.my_turn]
    assert page(seen(other), 1, 76).plain == "The coach speaks when it is your turn."


async def test_at_a_table_with_people_there_is_none() -> None:
    table = at("speaking")
    app = AtTable(table, table.speaker())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("k")
        assert screen.scene.remark == "The coach sits at practice tables only."
        assert not isinstance(app.screen, CoachDialog)


async def test_in_practice_a_key_opens_it_and_another_one_closes_it() -> None:
    table = at("speaking")
    app = AtTable(table, table.speaker())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        screen.scene.is_practice = True
        await pilot.press("k")
        assert await app.sees(pilot, "The coach", "the best bot says it")
        await pilot.press("escape")
        assert app.screen is screen
