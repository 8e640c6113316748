"""Who is waited for, and who may vote on that."""

from __future__ import annotations

from dataclasses import replace

from protocol.table.statements import Measure, Vote
from spoof_tui.telling import absence
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
