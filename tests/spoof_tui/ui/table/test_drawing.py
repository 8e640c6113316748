"""The whole table as parts: each changes with what it shows, and with nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import pytest

from protocol.rules.words import Bid, Ending
from protocol.views import LinkState
from spoof_tui.beats import Beat
from spoof_tui.ui.canvas.cells import Faded, Part
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.drawing import table_parts
from spoof_tui.ui.table.framed import Rule
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seat import SeatPicture
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import MOMENTS, at, lines, scene_at, seen, step


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


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
def test_a_peek_changes_three_cells_of_one_rule_whatever_the_hand_is(size: tuple[int, int]) -> None:
    scene = scene_at("speaking")
    before, painted = table_parts(scene, *size), []
    for hand in (0, 3):
        scene.glance = hand
        after = table_parts(scene, *size)
        (part,) = changed(before, after)
        assert isinstance(part.picture, Rule)
        painted.append("".join(strip.text for strip in lines(after, *size)))
    assert painted[0] != painted[1]
    assert painted[0].replace(" 0 ──", "") == painted[1].replace(" 3 ──", "")


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


# A recording of a count


@dataclass(frozen=True)
class Frame:
    """One picture of a count."""

    beat: Beat
    opened: tuple[int, ...]
    """Seats whose fists are open."""
    due: float | None
    """When the next one comes."""
    strips: str
    """All of it, with its colours."""
    text: str

    @classmethod
    def of(cls, scene: Scene) -> Self:
        assert scene.reveal
        strips = lines(table_parts(scene, 80, 24), 80, 24)
        text = " ".join(" ".join(strip.text for strip in strips).split())
        opened = scene.order[: scene.opened]
        return cls(scene.reveal.beat, opened, scene.presentation.due, repr(strips), text)


HANDS = (1, 2, 0, 3)


@cache
def recording(hands: tuple[int, ...], ending: Ending, viewer: int = 0) -> tuple[Frame, ...]:
    """Every frame of a count of four, as one of them sees it, until its price is told."""
    table = MemoryTable(4, seed=3, start_when=4)
    table.ready()
    table.choose(*hands)
    table.say(*(() if ending is Ending.ZERO else (Bid(2), Bid(5))))
    scene = seen(table.clients[viewer])
    table.say(ending)
    seen(table.clients[viewer], scene)
    frames = [Frame.of(scene)]
    while not scene.is_counted:
        step(scene)
        frames.append(Frame.of(scene))
    return tuple(frames)


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("viewer", range(4))
def test_no_frame_tells_the_end_before_the_end(ending: Ending, viewer: int) -> None:
    *before, paid = recording(HANDS, ending, viewer)
    for frame in before:
        assert not any(each in frame.text for each in ("−1", "+1", "Hide 0", "round 2"))
        assert "round 1 · 12 coins in play" in frame.text and frame.text.count("●●●") >= 4
        told = [each for each in ("lose", "win", "= 6", "too high") if each in frame.text]
        assert bool(told) == (frame.beat is Beat.STAMP)
    assert "round 2" in paid.text


@pytest.mark.parametrize("ending", Ending)
@pytest.mark.parametrize("changed", range(4))
def test_a_hand_changes_no_frame_before_its_fist_is_open(ending: Ending, changed: int) -> None:
    other = tuple(3 - hand if seat == changed else hand for seat, hand in enumerate(HANDS))
    for viewer in (0, changed):
        pairs = [*zip(*(recording(each, ending, viewer) for each in (HANDS, other)), strict=True)]
        assert all((one.beat, one.due) == (two.beat, two.due) for one, two in pairs)
        assert all(one == two for one, two in pairs if changed not in one.opened)
        assert any(one != two for one, two in pairs if changed in one.opened)
