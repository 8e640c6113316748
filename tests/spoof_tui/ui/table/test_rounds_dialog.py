"""The rounds of the game, over the table."""

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.ui.table.rounds_dialog import RoundsDialog, page, shown
from spoof_tui.ui.table.screen import TableScreen
from tests.spoof_tui.ui.table.scenes import at, counted, pay, scene_at
from tests.spoof_tui.ui.table.schools import a_school, scene_of
from tests.spoof_tui.ui.tables import AtTable


@pytest.mark.parametrize("key", ["escape", "enter", "q"])
async def test_g_opens_the_rounds_at_any_time_and_a_key_goes_back(key: str) -> None:
    table = at("answering")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("g")
        assert isinstance(app.screen, RoundsDialog)
        assert await app.sees(pilot, "No round has been counted yet.")
        await pilot.press(key)
        assert isinstance(app.screen, TableScreen)


def test_a_round_is_told_when_its_count_is_done_and_not_before() -> None:
    scene = counted()
    assert shown(scene) == ()
    pay(scene)
    text = page(scene, 70).plain
    assert "good bid" in text or "too high" in text
    assert "you" in text and "call!" in text


def test_the_last_round_comes_first() -> None:
    scene = scene_at("over")
    heads = [line.split()[0] for line in page(scene, 70).plain.splitlines() if line[2:3].isdigit()]
    assert [int(number) for number in heads] == sorted(map(int, heads), reverse=True)


def test_what_each_was_seen_to_hold_is_counted_and_nothing_else() -> None:
    table = at("answering")
    table.say(Ending.CALL)
    scene = scene_of(table.clients[0], 3)
    held = page(scene, 70).plain.split("\n\n")[0].splitlines()
    assert len(held) == 4 and held[0].split()[:5] == ["held", "0", "1", "2", "3"]
    assert all(line.count("1") >= 1 for line in held[1:])


def test_a_school_shows_its_calls() -> None:
    table = a_school((1, 1, 1), 3, 4, 5)
    text = page(scene_of(table.clients[0], 3), 70).plain
    assert "guessed" in text and "calls" in text and "right endings" not in text


@pytest.mark.parametrize("width", [40, 50, 70])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    scene = scene_at("over", players=5)
    rounds = page(scene, width).plain.split("\n\n")[1:]
    for lines in rounds:
        assert all(len(line) <= width for line in lines.splitlines())


def test_a_bid_is_no_ending() -> None:
    table = at("answering")
    table.say(Bid(5), Ending.CALL)
    assert " 5 ·" in page(scene_of(table.clients[0], 3), 70).plain


async def test_a_round_can_be_watched_again_from_its_number() -> None:
    table = at("over")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        last = len(table.clients[0].view.past)
        await pilot.press("g")
        assert await app.sees(pilot, f"watch round {last}")
        await pilot.press("left", "enter")
        assert isinstance(app.screen, TableScreen)
        assert screen.scene.last == table.clients[0].view.past[last - 2]
        await pilot.press("x", "x")
        assert not screen.scene.presentation.is_running
