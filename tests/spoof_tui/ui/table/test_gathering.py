"""Between games: what to press, who is awaited, and how others come."""

from __future__ import annotations

from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    drawn,
    said,
    scene_at,
    seen,
    text,
)


def test_the_command_that_leads_to_the_own_table_is_never_broken() -> None:
    scene = scene_at("gathering")
    scene.address = "192.168.100.200:47763"
    lines = text(drawn(scene, 80, 24)["panel"]).splitlines()
    assert any("spoof join 192.168.100.200:47763" in line for line in lines)


def test_everybody_is_told_how_long_a_game_waits_for_those_who_are_not_ready() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients[:2])
    ready, late = seen(table.clients[0]), seen(table.clients[2])
    assert "The game begins without you in 0:" not in said(ready)
    for scene in (ready, late):
        scene.wall = table.clients[0].view.time + 18_000 - scene.ahead
    assert "Waiting for Player3. 0:4" in said(ready)
    assert "The game begins without you in 0:4" in said(late)
