"""The lines about a table that waits."""

from dataclasses import replace

import pytest

from protocol.rules.words import Bid
from protocol.timeouts import Moment
from protocol.views import LinkState, TableView
from spoof_tui.network.addresses import Address
from spoof_tui.plain import narrator
from spoof_tui.plain.narrator import CUT_OFF_INTERVAL, Waiting
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling.table_state import TableState
from tests.spoof_tui.ui.table.scenes import at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that have passed; to be set."""
    passed = [0.0]
    monkeypatch.setattr(narrator, "now", lambda: Moment(passed[0], int(passed[0] * 1000)))
    return passed


def follow(memory: Waiting, view: TableView) -> list[str]:
    known = SeatState(tried=(Address("10.0.0.7", 7763),))
    wall = narrator.now().wall  # type: ignore[attr-defined]
    return list(memory.follow(TableState(view=view, known=known, wall=wall)))


def test_a_lost_link_is_told_of_again_after_a_while(clock: list[float]) -> None:
    view = replace(at("answering").clients[0].view, link=LinkState.DOWN)
    memory = Waiting()
    assert follow(memory, view) == []
    clock[0] = 5.0
    assert any("10.0.0.7" in line for line in follow(memory, view))
    clock[0] = 6.0
    assert follow(memory, view) == []
    clock[0] = 5.0 + CUT_OFF_INTERVAL
    assert follow(memory, view)


def test_a_word_that_waits_to_be_sent_is_told_at_once(clock: list[float]) -> None:
    view = replace(at("speaking").speaker().view, link=LinkState.DOWN)
    memory = Waiting()
    assert follow(memory, view) == []
    clock[0] = 5.0
    assert any("Your turn: your word" in line for line in follow(memory, view))
    said = follow(memory, replace(view, own_word=Bid(2)))
    assert any("Your word “2” is waiting to be sent." in line for line in said)


def test_who_is_away_is_told_of_twice_and_at_the_end_one_may_vote(clock: list[float]) -> None:
    table = at("choosing")
    table.cut(table.clients[2])
    memory, view = Waiting(), table.clients[0].view
    clock[0] = view.time / 1000 + 5
    (told,) = follow(memory, view)
    assert told.startswith("Player3 has been away for 0:05. In 0:")
    assert follow(memory, view) == []
    clock[0] += 60
    (told,) = follow(memory, view)
    assert "Press y to play on" in told
    assert follow(memory, view) == []


def test_a_table_that_waits_for_nobody_says_nothing(clock: list[float]) -> None:
    assert follow(Waiting(), at("answering").clients[0].view) == []
