"""The pile of lost coins and the pot on the felt: drawn, counted, and told no sooner than paid."""

from __future__ import annotations

import pytest

from protocol.rules.words import Ending
from spoof_tui.ui.table.heap import Heap, heap_of, layers
from spoof_tui.ui.table.ring import lay_out
from spoof_tui.ui.table.scene import Scene
from tests.spoof_tui.ui.table.scenes import (
    at,
    counted,
    drawn,
    pay,
    scene_at,
    seen,
    step,
    text,
)


def ring(scene: Scene, width: int = 80, height: int = 24) -> str:
    return text(drawn(scene, width, height)["ring"])


def heap(scene: Scene) -> Heap:
    assert scene.view
    return heap_of(scene.view)


@pytest.mark.parametrize("count", range(1, 30))
def test_no_more_lies_on_top_than_below_and_a_small_heap_is_whole(count: int) -> None:
    lower, upper = layers(count)
    assert upper < lower or (lower, upper) == (1, 0)
    assert lower + upper == min(count, 11)


@pytest.mark.parametrize("players", range(2, 10))
@pytest.mark.parametrize("size", [(58, 15), (60, 11), (56, 9), (84, 28), (110, 36)])
def test_the_heap_lies_on_nothing_else(players: int, size: tuple[int, int]) -> None:
    layout = lay_out(players, *size)
    x, y, width, height = layout.heap
    assert layout.heap.height in (1, 3)
    for other in (*layout.seats, layout.middle):
        beside = x + width <= other.x or other.x + other.width <= x
        assert beside or y + height <= other.y or other.y + other.height <= y


@pytest.mark.parametrize("rules", ["milan stake=none", "milan stake=drinks", "three-coins"])
def test_there_is_no_pot_where_nothing_is_put_in(rules: str) -> None:
    assert "pot" not in ring(scene_at("choosing", rules=rules))


def test_lost_coins_go_to_the_pile_once_the_count_is_paid() -> None:
    scene = counted(ending=Ending.CLIFF)
    assert "pile" not in ring(scene)
    pay(scene)
    assert "pile 1" in ring(scene)


def test_no_beat_before_the_price_tells_of_pile_or_pot() -> None:
    scene = counted(ending=Ending.CLIFF)
    before = heap(scene)
    while scene.presentation.is_running:
        assert heap(scene) == before == Heap(0, 3)
        step(scene)
    assert heap(scene) == Heap(1, 3)


def test_the_last_count_tells_who_takes_the_pot_no_sooner_than_it_is_paid() -> None:
    table = at("answering", 2, "milan")
    scene = seen(table.clients[0])
    table.say(Ending.CALL)
    for _ in range(20):
        while scene.presentation.is_running:
            assert scene.view and scene.view.winner is None and heap(scene).pot == 2
            assert set(scene.view.stakes.chips.values()) == {-1}
            step(scene)
        if table.clients[0].view.winner is not None:
            break
        table.play_on()
        scene.look(table.clients[0].view)
