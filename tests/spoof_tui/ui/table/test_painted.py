"""Bytes that the table costs on a slow link, at 80 × 24."""

from __future__ import annotations

import pytest

from protocol.rules.words import Bid, Ending
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.scene import Scene
from tests.helpers.laying import drawn
from tests.helpers.painted import painted
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, seen, step

ANOTHERS_BID = 300
MY_TURN = 700
REVEAL = 6_000
STEP = 1_500
"""The most bytes of a step of a count; the steps of four fists are about a second apart."""

ROUND = 12_000


def sheet(scene: Scene, size: tuple[int, int] = (80, 24)) -> Sheet:
    return drawn(table_parts(scene, *size), *size)


def cost(before: Sheet, scene: Scene) -> tuple[int, Sheet]:
    now = sheet(scene, (before.width, before.height))
    return len(painted(before, now).encode()), now


def bid_up(table: MemoryTable, scene: Scene, most: int) -> tuple[list[int], list[int]]:
    """Bytes of every other player's bid before others speak, and of those before my turn."""
    client, now = table.clients[0], sheet(scene)
    others, mine = [], []
    for number in range(1, most + 1):
        own = client.view.my_turn
        table.say(Bid(number))
        scene.look(client.view)
        size, now = cost(now, scene)
        if client.view.my_turn:
            mine.append(size)
        elif not own:
            others.append(size)
    return others, mine


def reveal(table: MemoryTable, scene: Scene, size: tuple[int, int] = (80, 24)) -> list[int]:
    """Bytes of each step of a count."""
    now, told = sheet(scene, size), list[int]()
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    while scene.pacing.is_running:
        painted, now = cost(now, scene)
        told.append(painted)
        step(scene)
    return [*told, cost(now, scene)[0]]


def test_a_round_of_nine_with_its_reveal() -> None:
    table = at("speaking", 9)
    scene = seen(table.clients[0])
    others, mine = bid_up(table, scene, 26)
    told = sum(reveal(table, scene))
    assert max(others) <= ANOTHERS_BID and max(mine) <= MY_TURN
    assert told <= REVEAL
    assert sum(others) + sum(mine) + told <= ROUND


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_no_step_of_a_count_of_four_is_painted_in_more_than_1500_bytes(
    size: tuple[int, int], language: str
) -> None:
    table = at("speaking", 4)
    scene = seen(table.clients[0])
    bid_up(table, scene, 9)
    told = reveal(table, scene, size)
    assert len(told) > 4 and max(told) <= STEP


def test_what_did_not_change_costs_nothing() -> None:
    scene = seen(at("answering", 9).clients[0])
    assert painted(Sheet(80, 24), sheet(scene)) != painted(sheet(scene), sheet(scene)) == ""


def test_what_a_click_presses_is_not_painted() -> None:
    before, after = Sheet(8, 1), Sheet(8, 1)
    before.put(0, 0, "bid it", palette.KEY)
    after.put(0, 0, "bid ", palette.pressing(palette.KEY, "left"))
    after.put(4, 0, "it", palette.pressing(palette.KEY, "right"))
    assert painted(before, after) == ""
