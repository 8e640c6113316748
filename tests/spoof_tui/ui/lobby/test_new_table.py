"""The dialog for a new table: defaults for one Enter, and every rule within reach."""

from collections.abc import Sequence

import pytest

from protocol.rules.options import PRESETS, Rules
from spoof_tui.bots.characters import CHARACTERS
from spoof_tui.bots.levels import Level
from spoof_tui.runtime.hosting import Plan
from spoof_tui.ui.dialogs.frame import Frame
from spoof_tui.ui.wording.options import changeable
from tests.spoof_tui.ui.lobbies import Lobby

Opened = tuple[Plan, int, Level | None]

OPTIONS = len(changeable(Rules.parse("milan")))
"""Lines of the form between its name and its lock."""

TO_LOCK, TO_SEATS, TO_BOTS, TO_LEVEL, TO_COMPANY, TO_GRACE = (
    ["end", *["up"] * lines] for lines in range(6, 0, -1)
)


async def opened(*keys: str, name: str = "Brisk Otter") -> list[Opened]:
    """What is opened by these keys, after the lobby's n."""
    app = Lobby(name)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", *keys)
    return app.deeds.opened


async def rules(keys: Sequence[str]) -> Rules:
    [(plan, _bots, _level)] = await opened(*keys)
    return plan.rules


async def test_one_enter_opens_a_milan_table_of_nine_seats() -> None:
    [(plan, bots, level)] = await opened("enter")
    assert plan == Plan("Brisk Otter’s table", "Brisk Otter", PRESETS["milan"])
    assert (bots, level) == (0, Level.MEDIUM)


@pytest.mark.parametrize(
    ("keys", "preset"),
    [
        (["2"], "bid-spoof"),
        (["3"], "three-coins"),
        (["right"], "bid-spoof"),
        (["left"], "hollywood"),
        (["3", "1"], "milan"),
    ],
)
async def test_a_digit_or_an_arrow_chooses_the_preset(keys: list[str], preset: str) -> None:
    assert await rules([*keys, "enter"]) == PRESETS[preset]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("down 5", "milan cap=5"),
        ("down right", "milan cap=3"),
        ("down left", "milan cap=27"),
        ("2 down 0", "bid-spoof cap=none"),
        ("down down 2", "milan zero=first-action"),
        ("down down down right", "milan starter=ender"),
        ("down down down down down down down down down right", "milan stake=drinks"),
        ("down 5 5 5 down right right", "milan cap=5"),
    ],
)
async def test_every_option_can_be_changed_by_itself(keys: str, text: str) -> None:
    assert await rules([*keys.split(), "enter"]) == Rules.parse(text)


async def test_looking_at_another_preset_loses_no_change() -> None:
    assert await rules(["down", "5", "up", "2", "1", "enter"]) == Rules.parse("milan cap=5")


async def test_changes_are_marked_and_stand_in_the_title() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert "A new table: Milan ─" in app.text
        assert "★" not in app.text
        await pilot.press("down", "5")
        assert "A new table: Milan, but cap 5 ─" in app.text
        assert "← 5 ★ →" in app.text


async def test_each_preset_is_explained_in_a_sentence() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        for key, words in [("1", "Milan Rules"), ("2", "house changes"), ("3", "game of Kyiv")]:
            await pilot.press(key)
            assert words in app.text


async def test_a_name_is_typed_over_the_suggestion() -> None:
    [(plan, _bots, _level)] = await opened("up", "ctrl+u", *"Pub 2", "enter")
    assert plan.name == "Pub 2"


async def test_a_long_name_of_the_host_still_makes_a_name_for_the_table() -> None:
    [(plan, _bots, _level)] = await opened("enter", name="щ" * 32)
    assert plan.name == "щ" * 32


async def test_a_blank_name_is_refused_in_its_row() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "3", "up", "ctrl+u", "down", "enter")
        assert "A table needs a visible name." in app.text
        await pilot.press("x", "enter")
    [(plan, _bots, _level)] = app.deeds.opened
    assert (plan.name, plan.rules) == ("x", PRESETS["three-coins"])


async def test_a_table_with_bots_waits_for_all_of_them() -> None:
    [(plan, bots, level)] = await opened(*TO_BOTS, "4", "down", "3", "enter")
    assert (plan.start_when, bots, level) == (5, 4, Level.HARD)
    [(plan, bots, _level)] = await opened(*TO_BOTS, "1", "enter")
    assert (plan.start_when, bots) == (2, 1)


@pytest.mark.parametrize(
    ("keys", "keyed"),
    [([], []), (["right"], [*CHARACTERS]), (["2"], [*CHARACTERS]), (["3"], ["cliffer"])],
)
async def test_the_company_of_bots_can_be_chosen(keys: list[str], keyed: list[str]) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", *TO_COMPANY, *keys, "enter")
    assert [who.key for who in app.deeds.company] == keyed


async def test_more_bots_than_seats_are_refused_and_nothing_is_lost() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", *TO_SEATS, "4", "down", "4", "enter")
        assert "a table of 4 takes at most 3 bots" in app.text
        await pilot.press("3", "enter")
    [(plan, bots, _level)] = app.deeds.opened
    assert (plan.seats, bots) == (4, 3)


async def test_escape_opens_nothing() -> None:
    assert await opened("3", "escape") == []


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 50), (40, 12)])
async def test_the_bright_row_is_always_to_be_seen(size: tuple[int, int]) -> None:
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        await pilot.press("n")
        for _row in range(15):
            await pilot.press("down")
            assert sum("▶" in line for line in app.lines) == 1


async def test_a_table_asks_for_its_code_unless_anybody_may_come_in() -> None:
    for keys, locked in (([], True), (["2"], False), (["right"], False), (["2", "1"], True)):
        [(plan, _bots, _level)] = await opened(*TO_LOCK, *keys, "enter")
        assert plan.locked is locked


async def test_the_grace_time_and_the_turn_clock_are_chosen_like_the_rest() -> None:
    [(plan, _bots, _level)] = await opened(*TO_GRACE, "right", "down", "3", "enter")
    assert (plan.grace, plan.clock) == (120, 60)
    [(usual, _bots, _level)] = await opened("enter")
    assert (usual.grace, usual.clock) == (60, 0)


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (100, 40)])
async def test_the_dialog_keeps_its_height_whatever_is_chosen(size: tuple[int, int]) -> None:
    app, heights = Lobby(), set()
    async with app.run_test(size=size) as pilot:
        await pilot.press("n")
        for key in ("right", "right", "right", "right", *["down"] * (OPTIONS + 5)):
            await pilot.press(key)
            await pilot.pause()
            heights.add(app.screen.query_one(Frame).size.height)
    assert len(heights) == 1
