"""What is told of measures against players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.table.statements import Measure, Vote
from spoof_tui.telling.measures import about_me
from spoof_tui.telling.names import name_of
from spoof_tui.telling.table_state import TableState
from tests.helpers.tables import MemoryTable


@pytest.mark.parametrize(
    ("hosts", "by"),
    [(True, "The others voted for that."), (False, "The host or a majority decided that.")],
)
def test_who_is_muted_is_told_who_may_have_decided_it(hosts: bool, by: str) -> None:
    before = MemoryTable(3).clients[1].view
    before = replace(before, host=before.seats[1 if hosts else 0].key)
    seats = (replace(seat, is_muted=seat.is_me) for seat in before.seats)
    muted = "You are muted at this table: you play on, your talk and gestures are off."
    assert about_me(before, replace(before, seats=tuple(seats))) == f"{muted} {by}"
    assert about_me(before, before) == ""


@pytest.mark.parametrize("is_voted", [True, False])
def test_everybody_who_saw_a_vote_is_told_how_it_ended(is_voted: bool) -> None:
    table = MemoryTable(3)
    host, muted, other = table.clients
    vote = Vote(Measure.MUTE, muted.guest.key, yes=True)
    if is_voted:
        table.act(other, other.guest.propose(vote))
    states = {each.guest.key: TableState(wall=1) for each in table.clients}
    for each in table.clients:
        states[each.guest.key].receive(each.view)
    if is_voted:
        table.act(host, host.guest.propose(vote))
    else:
        table.decide(Measure.MUTE, muted.guest.key)
    name = name_of(host.view, muted.guest.key)
    for each in (host, other):
        told = states[each.guest.key].receive(each.view)
        lines = [line for message in told for line in message.lines]
        assert lines == ([f"{name} is muted."] if is_voted else [])
    [about] = states[muted.guest.key].receive(muted.view)
    assert about.title == "About you"
