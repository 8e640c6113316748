"""Bytes that the table costs on a slow link, at 80 × 24."""

from __future__ import annotations

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
ROUND = 12_000


def sheet(scene: Scene) -> Sheet:
    return drawn(table_parts(scene, 80, 24), 80, 24)


def cost(before: Sheet, scene: Scene) -> tuple[int, Sheet]:
    now = sheet(scene)
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


def reveal(table: MemoryTable, scene: Scene) -> int:
    now, total = sheet(scene), 0
    table.say(Ending.CALL)
    scene.look(table.clients[0].view)
    while scene.pacing.is_running:
        size, now = cost(now, scene)
        total += size
        step(scene)
    assert total, "a count that nobody sees"
    return total + cost(now, scene)[0]


def test_a_round_of_nine_with_its_reveal() -> None:
    table = at("speaking", 9)
    scene = seen(table.clients[0])
    others, mine = bid_up(table, scene, 26)
    told = reveal(table, scene)
    assert max(others) <= ANOTHERS_BID and max(mine) <= MY_TURN
    assert told <= REVEAL
    assert sum(others) + sum(mine) + told <= ROUND


def test_what_did_not_change_costs_nothing() -> None:
    scene = seen(at("answering", 9).clients[0])
    assert painted(Sheet(80, 24), sheet(scene)) != painted(sheet(scene), sheet(scene)) == ""


def test_what_a_click_presses_is_not_painted() -> None:
    before, after = Sheet(8, 1), Sheet(8, 1)
    before.put(0, 0, "bid it", palette.KEY)
    after.put(0, 0, "bid ", palette.pressing(palette.KEY, "left"))
    after.put(4, 0, "it", palette.pressing(palette.KEY, "right"))
    assert painted(before, after) == ""
