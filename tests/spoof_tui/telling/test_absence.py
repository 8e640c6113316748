"""Who is waited for, and who may vote on that."""

from __future__ import annotations

from protocol.table.statements import Measure
from spoof_tui.telling import absence
from spoof_tui.telling.measures import Proposal
from tests.helpers.wordings import GRACE, away_from, since
from tests.spoof_tui.ui.table.scenes import at


def test_a_vote_to_play_on_is_due_after_the_grace_time() -> None:
    table, client = away_from("choosing")
    began, key = since(client.view), table.clients[0].guest.key
    assert absence.votes_due(client.view, began + GRACE - 1) == ()
    assert absence.votes_due(client.view, began + GRACE) == (Proposal(Measure.PLAY_ON, key),)


def test_one_key_votes_about_everybody_who_is_due_at_once_and_never_about_oneself() -> None:
    table = at("choosing")
    *gone, client = table.clients
    for each in gone:
        table.cut(each)
    now = client.view.time + GRACE
    due = [each.guest.key for each in gone]
    assert [vote.seat for vote in absence.votes_due(client.view, now)] == due
    own = [vote.seat for vote in absence.votes_due(gone[0].view, now)]
    assert gone[0].guest.key not in own
