"""Who is waited for, who may vote on that, and who can take a table over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.table.statements import Measure, Vote
from protocol.views import LinkState
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling import absence
from tests.helpers.tables import MemoryTable
from tests.helpers.wordings import GRACE, away_from, since
from tests.spoof_tui.ui.table.scenes import at


def test_one_key_votes_to_play_on_after_the_grace_time_and_takes_the_vote_back() -> None:
    table, client = away_from("choosing")
    began, key = since(client.view), table.clients[0].guest.key
    assert absence.next_votes(client.view, began + GRACE - 1) == ()
    vote = Vote(Measure.PLAY_ON, key, yes=True)
    assert absence.next_votes(client.view, began + GRACE) == (vote,)
    table.time += 61
    table.act(client, client.guest.state(vote))
    assert absence.next_votes(client.view, began + GRACE) == (replace(vote, yes=False),)


def test_one_key_votes_about_everybody_who_is_due_at_once_and_never_about_oneself() -> None:
    table = at("choosing")
    *gone, client = table.clients
    for each in gone:
        table.cut(each)
    now = client.view.time + GRACE
    due = [each.guest.key for each in gone]
    assert [vote.seat for vote in absence.next_votes(client.view, now)] == due
    own = [vote.seat for vote in absence.next_votes(gone[0].view, now)]
    assert gone[0].guest.key not in own


@pytest.mark.parametrize("is_asked", [False, True])
def test_a_program_that_hears_nobody_takes_over_nothing(is_asked: bool) -> None:
    table = MemoryTable(3)
    for client in table.clients[1:]:
        view = replace(client.view, host=table.clients[0].guest.key, link=LinkState.DOWN)
        known = SeatState(heir=view.seats[1].key, can_move=True)
        for seconds in (0.0, 3.0, 5.0, 15.0, 600.0):
            told = absence.cut_off_words(view, seconds, known, asks=is_asked)
            assert not {"over", "takes"} & set(" ".join(told).split())
