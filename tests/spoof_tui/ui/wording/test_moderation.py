"""Keeping order: what may be done about whom, how a vote stands, and what is told afterwards."""

from __future__ import annotations

import pytest

from protocol.guest.guest import Guest
from protocol.table.statements import NO_ONE, Leave, Measure, Sit, Vote
from protocol.views import TableView
from spoof_tui.ui.wording import moderation as measures
from spoof_tui.ui.wording.moderation import Proposal
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at


def key(client: SeatedGuest) -> bytes:
    return client.guest.key


def vote(table: MemoryTable, voter: int, measure: Measure, about: int, yes: bool = True) -> None:
    client = table.clients[voter]
    table.act(client, client.guest.state(Vote(measure, key(table.clients[about]), yes=yes)))


def host_at(table: MemoryTable) -> SeatedGuest:
    """The host's own player, who sits down now."""
    client = SeatedGuest(Guest(table.host_key))
    table.clients.append(client)
    table.connect(client)
    table.act(client, client.guest.state(Sit(table.policy.name)))
    return client


def words(table: MemoryTable, client: int = 0) -> list[str]:
    view = table.clients[client].view
    return [measures.motion_words(motion, view) for motion in view.votes]


def told(before: TableView, client: SeatedGuest) -> list[str]:
    return list(measures.happened(before, client.view))


# A vote that is running


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (Measure.MUTE, "Player1 votes to mute Player2: 1 of 3"),
        (Measure.REMOVE, "Player1 votes to remove Player2: 1 of 3"),
        (Measure.BAR, "Player1 votes to ban Player2: 1 of 3"),
    ],
)
def test_a_vote_says_who_wants_what_and_how_many_it_takes(measure: Measure, said: str) -> None:
    table = MemoryTable(4)
    vote(table, 0, measure, 1)
    assert words(table, 3) == [said]


def test_several_voters_are_all_named() -> None:
    table = MemoryTable(4)
    vote(table, 2, Measure.MUTE, 1)
    vote(table, 0, Measure.MUTE, 1)
    assert words(table) == ["Player1 and Player3 vote to mute Player2: 2 of 3"]


def test_a_vote_to_let_somebody_talk_or_in_is_told_too() -> None:
    table = MemoryTable(4)
    table.decide(Measure.MUTE, key(table.clients[1]))
    vote(table, 0, Measure.UNMUTE, 1)
    table.decide(Measure.BAR, key(table.clients[2]))
    vote(table, 0, Measure.PARDON, 2)
    assert words(table) == [
        "Player1 votes to let Player2 talk: 1 of 2",
        "Player1 votes to let Player3 in: 1 of 2",
    ]


def test_before_the_first_vote_it_is_said_how_many_carry_it() -> None:
    table = MemoryTable(3)
    proposal = Proposal(Measure.MUTE, key(table.clients[1]))
    view = table.clients[0].view
    assert measures.tally(proposal, view) == "Nobody has voted for it yet: 2 votes carry it."
    assert not measures.has_voted(proposal, view)
    vote(table, 0, Measure.MUTE, 1)
    view = table.clients[0].view
    assert measures.tally(proposal, view) == "For it: Player1. 1 of 2 votes."
    assert measures.has_voted(proposal, view)


def test_a_vote_to_join_is_one_of_others_and_not_about_me() -> None:
    table = MemoryTable(4)
    vote(table, 0, Measure.MUTE, 1)
    vote(table, 0, Measure.REMOVE, 2)
    open_to = [measures.open_motion(client.view) for client in table.clients]
    assert [motion and motion.measure for motion in open_to] == [
        None,
        Measure.REMOVE,
        Measure.MUTE,
        Measure.REMOVE,
    ]


# What may be done


def test_everybody_else_is_concerned_and_who_is_refused() -> None:
    table = MemoryTable(3)
    me, other, gone = table.clients
    table.decide(Measure.BAR, key(gone))
    assert measures.concerned(me.view) == (key(other), key(gone), NO_ONE)


def test_a_player_can_be_muted_removed_or_refused() -> None:
    table = MemoryTable(3)
    whom = key(table.clients[1])
    view = table.clients[0].view
    assert measures.possible(view, whom) == (Measure.MUTE, Measure.REMOVE, Measure.BAR)


def test_what_is_so_already_is_taken_back_instead() -> None:
    table = at("choosing")
    table.choose(1, 1, 1)
    whom = key(table.clients[1])
    table.decide(Measure.MUTE, whom)
    table.decide(Measure.REMOVE, whom)
    view = table.clients[0].view
    assert measures.possible(view, whom) == (Measure.UNMUTE, Measure.BAR)
    table.decide(Measure.BAR, whom)
    assert Measure.PARDON in measures.possible(table.clients[0].view, whom)


def test_the_host_is_at_most_muted() -> None:
    table = MemoryTable(2)
    host = host_at(table)
    assert measures.possible(table.clients[0].view, key(host)) == (Measure.MUTE,)


def test_every_measure_that_is_offered_can_be_voted_for() -> None:
    for measure in measures.possible(
        (table := MemoryTable(3)).clients[0].view, key(table.clients[1])
    ):
        fresh = MemoryTable(3)
        vote(fresh, 0, measure, 1)
        assert fresh.clients[0].view.votes


# What was done


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        (Measure.MUTE, "Player2 is muted."),
        (Measure.REMOVE, "Player2 is removed after this round."),
        (Measure.BAR, "Player2 is banned."),
    ],
)
def test_what_is_decided_in_a_round_is_told(measure: Measure, said: str) -> None:
    table = at("speaking")
    before = table.clients[0].view
    table.decide(measure, key(table.clients[1]))
    assert told(before, table.clients[0]) == [said]


def test_what_is_taken_back_is_told() -> None:
    table = MemoryTable(3)
    for measure, back, said in (
        (Measure.MUTE, Measure.UNMUTE, "Player2 may talk again."),
        (Measure.BAR, Measure.PARDON, "Player2 may come in again."),
    ):
        table.decide(measure, key(table.clients[1]))
        before = table.clients[0].view
        table.decide(back, key(table.clients[1]))
        assert told(before, table.clients[0]) == [said]


def test_a_seat_that_goes_in_a_game_is_told_and_the_end_that_it_brings() -> None:
    table = at("choosing", players=3)
    before = table.clients[0].view
    table.decide(Measure.REMOVE, key(table.clients[1]))
    assert told(before, table.clients[0]) == ["Player2 is removed."]
    before = table.clients[0].view
    table.decide(Measure.REMOVE, key(table.clients[2]))
    assert told(before, table.clients[0]) == [
        "Player3 is removed.",
        "Player1 is the last one, and has won.",
    ]


def test_who_leaves_between_games_is_nobodys_measure() -> None:
    table = MemoryTable(3)
    before = table.clients[0].view
    table.act(table.clients[1], table.clients[1].guest.state(Leave()))
    assert told(before, table.clients[0]) == []


def test_a_game_that_goes_on_tells_nothing() -> None:
    table = at("speaking")
    before = table.clients[0].view
    table.play_on()
    assert told(before, table.clients[0]) == []


def test_a_lock_is_offered_at_an_open_table_and_told() -> None:
    table = MemoryTable(2)
    before = table.clients[0].view
    assert measures.possible(before, NO_ONE) == (
        Measure.PAUSE,
        Measure.LOCK,
        Measure.BAN_WOBBLE,
    )
    table.decide(Measure.LOCK, NO_ONE)
    after = table.clients[0].view
    assert measures.possible(after, NO_ONE) == (
        Measure.PAUSE,
        Measure.UNLOCK,
        Measure.BAN_WOBBLE,
    )
    assert told(before, table.clients[0]) == ["The table is locked: nobody new comes in."]
    table.decide(Measure.UNLOCK, NO_ONE)
    assert told(after, table.clients[0]) == ["The table is open to everybody again."]
