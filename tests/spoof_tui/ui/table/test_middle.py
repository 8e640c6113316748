"""What lies in the middle of the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.rules.words import Direction, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Leave
from spoof_tui.ui.table.middle import direction, middle
from spoof_tui.ui.table.scene import Scene
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import (
    at,
    catch_up,
    counted,
    open_next,
    pay,
    said,
    scene_at,
    seen,
)


def in_one_line(scene: Scene) -> str:
    """What stands in the middle, in one line."""
    centre = middle(scene)
    number = "" if centre.number is None else str(centre.number)
    parts = "{}/{}".format(*centre.parts) if centre.parts else ""
    told = (centre.above, centre.sentence, number, parts, centre.below)
    return " ".join(part for part in told if part)


@pytest.mark.parametrize(
    ("moment", "parts"),
    [
        ("gathering", ["3 of 9", "0 ready"]),
        ("ready", ["3 of 9", "1 ready"]),
        ("choosing", ["0/3"]),
        ("speaking", ["opens"]),
        ("answering", ["2", "of 9", "says: 2 or more"]),
    ],
)
def test_the_middle_says_what_the_table_waits_for(moment: str, parts: list[str]) -> None:
    said = in_one_line(scene_at(moment))
    assert [part for part in parts if part not in said] == []


def test_the_middle_counts_the_fists_that_are_in() -> None:
    table = at("choosing")
    table.act(table.clients[0], table.clients[0].guest.choose(1, table.entropy()))
    assert "1/3" in in_one_line(seen(table.clients[1]))


def test_the_lot_is_told_of() -> None:
    scene = scene_at("choosing")
    assert scene.view
    scene.view = replace(scene.view, phase=Phase.LOT)
    assert "who opens?" in in_one_line(scene)


def test_the_total_grows_with_every_fist() -> None:
    scene = counted()
    totals = [middle(scene).number]
    for _ in range(3):
        open_next(scene)
        totals.append(middle(scene).number)
    hands = scene.last.hands if scene.last else {}
    expected = [sum(hands[seat] for seat in scene.order[:count]) for count in range(4)]
    assert totals == expected


def test_the_ending_word_and_its_speaker_are_named() -> None:
    scene = counted(ending=Ending.CLIFF)
    assert scene.last
    ender = scene.names[scene.last.outcome.ender]
    assert ender in in_one_line(scene) and "cliff" in in_one_line(scene)


def test_the_winner_is_named_once_the_last_round_is_counted() -> None:
    table = at("answering", players=2)
    scene = seen(table.clients[0])
    while table.clients[0].view.winner is None:
        catch_up(scene)
        _end_round(table, scene)
    winner = scene.names[table.clients[0].view.winner or 0]
    assert winner + " wins" not in in_one_line(scene)
    pay(scene)
    assert winner + " wins" in in_one_line(scene) and "The game is over." in in_one_line(scene)


def test_the_code_lies_in_the_middle_until_a_game_begins() -> None:
    scene = scene_at("gathering")
    scene.code = "K7M4Q"
    assert middle(scene).code == "K7M4Q"
    playing = scene_at("choosing")
    playing.code = "K7M4Q"
    assert not middle(playing).code


def test_seats_that_were_given_up_count_as_free() -> None:
    table = at("over")
    table.act(table.clients[1], table.clients[1].guest.state(Leave()))
    assert "0 of 2 are ready" in said(seen(table.clients[0]))


def test_a_paused_table_rests() -> None:
    scene = scene_at("speaking")
    assert scene.view
    scene.look(replace(scene.view, paused=True))
    assert middle(scene).above == "Paused"


def test_before_the_table_is_known_the_middle_says_so() -> None:
    assert "Looking" in in_one_line(Scene())


def _end_round(table: MemoryTable, scene: Scene) -> None:
    if table.host.table.phase is Phase.CHOOSING:
        owing = [client for client in table.clients if client.view.own_fist_due]
        table.choose(*[0] * len(owing))
    table.say(Ending.SPOOF)
    scene.look(table.clients[0].view)


def test_the_edge_shows_the_direction_that_the_opener_chooses() -> None:
    table = at("speaking")
    scene = seen(table.speaker())
    assert direction(scene) is Direction.CLOCKWISE
    scene.controls.press("d", table.speaker().view)
    assert direction(scene) is Direction.COUNTER_CLOCKWISE
