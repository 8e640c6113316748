"""What every seat of a table shows."""

import pytest

from protocol.rules.words import Bid
from protocol.table.statements import Measure
from protocol.views import FistState
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.table.ring import SeatPicture
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seats import Showing, pictures
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at, counted, seen


def test_a_muted_seat_and_one_that_leaves_are_marked() -> None:
    table = at("speaking")
    table.decide(Measure.MUTE, table.clients[1].guest.key)
    table.decide(Measure.REMOVE, table.clients[2].guest.key)
    scene = seen(table.clients[0])
    assert scene.view
    notes = [each.note for each in pictures(scene.view, scene.names, None, None)]
    assert notes[1:] == ["muted", "removed"]


def seats(table: MemoryTable, client: int = 0) -> tuple[SeatPicture, ...]:
    """What the seats show to somebody who has seen nothing before."""
    view = table.clients[client].view
    return pictures(view, seat_names(view), None, None)


def of_round(scene: Scene, *, is_counted: bool, hands: dict[int, int]) -> tuple[SeatPicture, ...]:
    """What the seats show while so many hands of the last round are open."""
    assert scene.view and scene.last
    return pictures(scene.view, scene.names, Showing(scene.last, hands, is_counted), None)


def test_between_games_a_fist_says_who_is_ready() -> None:
    table = at("ready")
    fists = [each.fist for each in seats(table)]
    assert fists == [FistState.IN, FistState.NOT_IN, FistState.NOT_IN]
    assert [each.note for each in seats(table)] == ["ready", "", ""]


@pytest.mark.parametrize("client", [0, 1, 2])
def test_no_seat_shows_a_hand_that_is_not_open(client: int) -> None:
    assert [each.hand for each in seats(at("answering"), client)] == [None] * 3


def test_a_peek_opens_the_own_fist_alone() -> None:
    view = at("speaking").clients[1].view
    drawn = pictures(view, seat_names(view), None, 2)
    assert [each.hand for each in drawn] == [None, 2, None]
    assert [each.note == "only you" for each in drawn] == [False, True, False]


def test_the_standing_bid_stands_out_at_its_seat() -> None:
    table = at("speaking")
    bidder = table.clients.index(table.speaker())
    table.say(Bid(2))
    drawn = seats(table)
    assert [each.said for each in drawn].count("2") == 1
    assert (drawn[bidder].said, drawn[bidder].said_style) == ("2", palette.STRONG)


def test_hands_open_one_by_one_and_nothing_has_changed_before_the_count() -> None:
    scene = counted()
    drawn = of_round(scene, is_counted=False, hands={1: 1})
    assert [each.hand for each in drawn] == [None, 1, None]
    assert [each.fist for each in drawn] == [FistState.IN, FistState.OPEN, FistState.IN]
    assert [(each.coins, each.said) for each in drawn] == [(3, "")] * 3


def test_the_count_shows_who_wins_and_who_loses_a_coin() -> None:
    scene = counted()
    assert scene.view and scene.last
    changes = scene.last.outcome.changes
    drawn = of_round(scene, is_counted=True, hands=dict(scene.last.hands))
    assert changes
    for index, each in enumerate(drawn):
        assert each.coins == scene.view.seats[index].coins
        assert each.said == (f"{changes[index]:+d}" if changes.get(index) else "")


def test_a_seat_that_came_after_the_round_had_nothing_in_it() -> None:
    scene = counted()
    assert scene.last
    showing = Showing(scene.last, {}, is_counted=True)
    assert [showing.had(index) for index in range(4)] == [3, 3, 3, 0]
