"""What lies in the middle of the table."""

from __future__ import annotations

from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.statements import Leave
from spoof_tui.ui.table.middle import middle
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


def test_the_total_grows_with_every_fist() -> None:
    scene = counted()
    totals = [middle(scene).number]
    for _ in range(3):
        open_next(scene)
        totals.append(middle(scene).number)
    hands = scene.last.hands if scene.last else {}
    expected = [sum(hands[seat] for seat in scene.order[:count]) for count in range(4)]
    assert totals == expected


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


def _end_round(table: MemoryTable, scene: Scene) -> None:
    if table.host.table.phase is Phase.CHOOSING:
        owing = [client for client in table.clients if client.view.own_fist_due]
        table.choose(*[0] * len(owing))
    table.say(Ending.SPOOF)
    scene.look(table.clients[0].view)
