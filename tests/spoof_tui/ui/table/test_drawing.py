"""The whole table as parts: each changes with what it shows, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.guest.guest import LinkState
from protocol.rules.words import Bid
from spoof_tui.ui.canvas.cells import Faded, Part
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.ring import Centre, SeatPicture
from tests.spoof_tui.ui.table.scenes import MOMENTS, at, lines, scene_at, seen


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("players", [2, 9])
def test_the_same_scene_gives_equal_parts(moment: str, players: int) -> None:
    scene = scene_at(moment, players=players)
    assert table_parts(scene, 80, 24) == table_parts(scene, 80, 24)


def changed(before: list[Part], after: list[Part]) -> list[Part]:
    return [new for old, new in zip(before, after, strict=True) if old != new]


def test_a_bid_changes_the_middle_and_the_seats_that_speak() -> None:
    table = at("speaking", 6)
    scene = seen(table.clients[0])
    before = table_parts(scene, 80, 24)
    table.say(Bid(2))
    scene.look(table.clients[0].view)
    pictures = [part.picture for part in changed(before, table_parts(scene, 80, 24))]
    assert sum(isinstance(each, Centre) for each in pictures) == 1
    assert sum(isinstance(each, SeatPicture) for each in pictures) == 2


def test_a_peek_changes_the_own_seat_alone() -> None:
    scene = scene_at("speaking")
    before = table_parts(scene, 80, 24)
    scene.peek = 0
    (part,) = changed(before, table_parts(scene, 80, 24))
    assert isinstance(part.picture, SeatPicture) and part.picture.is_me


@pytest.mark.parametrize(("width", "columns"), [(80, 2), (60, 0)])
def test_a_narrow_screen_has_no_column(width: int, columns: int) -> None:
    names = [type(part.picture).__name__ for part in table_parts(scene_at("speaking"), width, 24)]
    assert names.count("Column") == columns


def test_a_table_that_may_have_moved_on_is_faded() -> None:
    table = at("speaking")
    scene = seen(table.clients[0])
    scene.look(replace(table.clients[0].view, link=LinkState.DOWN))
    parts = table_parts(scene, 80, 24)
    faded = [part for part in parts if isinstance(part.picture, Faded)]
    assert len(faded) == len(parts) - 4
    colours = {
        segment.style.color for strip in lines(faded, 80, 24) for segment in strip
        if segment.style and segment.text.strip()
    }  # fmt: skip
    assert len(colours) == 1


@pytest.mark.parametrize("size", [(1, 1), (10, 4), (40, 12), (300, 90)])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_size_can_be_drawn(size: tuple[int, int], moment: str) -> None:
    drawn = lines(table_parts(scene_at(moment, players=9), *size), *size)
    assert {strip.cell_length for strip in drawn} == {size[0]}
