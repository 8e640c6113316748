"""The dialog for a new table: defaults for one Enter, and every rule within reach."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.rules.options import PRESETS, Rules
from spoof_tui.bots.characters import CHARACTERS
from spoof_tui.bots.levels import Level
from tests.spoof_tui.ui.lobbies import Lobby

TO_LOCK, TO_BOTS, MORE = "down", "down down", "end enter"
TO_COMPANY, TO_SEATS, TO_GRACE = (f"{MORE} end {'up ' * lines}" for lines in (3, 2, 1))

USUAL = {
    "name": "Brisk Otter’s table", "host": "Brisk Otter", "rules": PRESETS["milan"], "seats": 9,
    "start_when": 2, "locked": True, "grace": 60, "clock": 0,
    "bots": 0, "level": Level.MEDIUM, "company": [],
}  # fmt: skip

CHOSEN: list[tuple[str, dict[str, Any]]] = [
    ("", {}),
    *((keys, {"rules": PRESETS[preset]}) for keys, preset in (
        ("3", "three-coins"), ("right", "bid-spoof"), ("left", "hollywood"), ("3 1", "milan"),
    )),
    *((keys, {"rules": Rules.parse(text)}) for keys, text in (
        (f"{MORE} down 5", "milan cap=5"),
        (f"{MORE} down left", "milan cap=27"),
        (f"2 {MORE} down 0", "bid-spoof cap=none"),
        (f"{MORE} {'down ' * 9}right", "milan stake=drinks"),
        (f"{MORE} down 5 home 2 1", "milan cap=5"),
    )),
    ("up ctrl+u P u b", {"name": "Pub"}),
    (f"{TO_BOTS} 4 down 3", {"bots": 4, "start_when": 5, "level": Level.HARD}),
    (f"{TO_BOTS} 4 {TO_SEATS} 4 enter 3", {"seats": 4, "bots": 3, "start_when": 4}),
    (f"{TO_COMPANY} right", {"company": [*CHARACTERS]}),
    (f"{TO_COMPANY} 3", {"company": ["cliffer"]}),
    (f"{TO_LOCK} 2", {"locked": False}),
    (f"{TO_LOCK} 2 1", {}),
    (f"{TO_GRACE} right down 4", {"grace": 120, "clock": 60}),
    ("3 up ctrl+u down enter x", {"name": "x", "rules": PRESETS["three-coins"]}),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "changed"), CHOSEN)
async def test_keys_choose_every_part_of_a_table_by_itself(
    keys: str, changed: dict[str, Any]
) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", *keys.split(), "enter")
    [(plan, bots, level)] = app.deeds.opened
    company = [who.key for who in app.deeds.company]
    told: dict[str, object] = {"bots": bots, "level": level, "company": company}
    told |= {name: getattr(plan, name) for name in USUAL if name not in told}
    assert told == USUAL | changed


async def test_a_long_name_of_the_host_still_makes_a_name_and_escape_opens_nothing() -> None:
    app = Lobby("щ" * 32)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "3", "escape", "n", "enter")
    assert [plan.name for plan, _bots, _level in app.deeds.opened] == ["щ" * 32]


async def test_what_is_chosen_is_explained_and_what_cannot_be_is_refused() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert "A new table: Milan ─" in app.text and "★" not in app.text
        await pilot.press("3")
        assert "game of Kyiv" in app.text
        await pilot.press("1", *MORE.split(), "down", "5")
        assert "A new table: Milan, but cap 5 ─" in app.text and "← 5 ★ →" in app.text
        await pilot.press("home", *TO_BOTS.split(), "4", "end", "up", "up", "4", "enter")
        assert "a table of 4 takes at most 3 bots" in app.text
        await pilot.press("home", "up", "ctrl+u", "down", "enter")
        assert "A table needs a visible name." in app.text
