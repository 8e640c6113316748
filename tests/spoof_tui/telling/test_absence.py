"""Who is waited for, and who may vote on that."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from protocol.rules.words import Bid, Ending, Verdict, speaking_order
from protocol.table.statements import Measure
from protocol.timeouts import UNSTEADY_DELAY
from protocol.views import FistState, LinkState, SeatStatus
from spoof_tui.runtime.notices import SeatState
from spoof_tui.telling import absence
from spoof_tui.telling.explanations import why
from spoof_tui.telling.measures import Proposal
from spoof_tui.telling.names import name_of, seat_names
from spoof_tui.telling.table_state import LATE_ANSWER, TableState
from spoof_tui.ui.table.felt.seats import pictures
from tests.helpers.wordings import GRACE, away_from, since
from tests.spoof_tui.ui.table.scenes import at, play_on_without, with_a_shut_fist


def test_a_vote_to_play_on_is_due_after_the_grace_time() -> None:
    table, client = away_from("choosing")
    began, key = since(client.view), table.clients[0].guest.key
    assert absence.votes_due(client.view, began + GRACE - 1) == ()
    assert absence.votes_due(client.view, began + GRACE) == (Proposal(Measure.PLAY_ON, key),)


def test_only_a_secret_on_another_computer_makes_a_player_absent_on_their_own_screen() -> None:
    table, gone = with_a_shut_fist()
    table.pass_time(UNSTEADY_DELAY)
    view, now = gone.view, table.now().wall
    assert [each.seat.key for each in absence.absentees(view, now)] == [gone.guest.key]
    assert absence.absentees(replace(view, lacks_secret=False), now) == ()


@pytest.mark.parametrize("moment", ["choosing", "speaking", "answering"])
def test_a_time_of_no_second_is_never_told(moment: str) -> None:
    _, client = away_from(moment)
    view, began = client.view, since(client.view)
    for after in (-1000, 0, 999, GRACE - 1, GRACE):
        notes = [absence.away_note(seat, began + after) for seat in view.seats]
        told = " ".join([*absence.waiting_words(view, began + after), *notes])
        assert not re.search(r"\b0(:00|s)\b", told)


def test_who_is_away_as_a_table_is_opened_again_is_missed_since_an_unknown_time() -> None:
    table = at("choosing", 4)
    host, before, first, second = table.clients
    table.cut(before)
    table.pass_time(5)
    kept = replace(host.view, link=LinkState.DOWN)
    for gone in (first, second):
        table.cut(gone)
    view, keys = host.view, {first.guest.key, second.guest.key}
    state, guest = TableState(known=SeatState(is_host=True)), TableState()
    for each in (state, guest):
        each.receive(kept)
        each.receive(replace(view, link=LinkState.MEETING))
        each.receive(view)
    assert state.unseen == keys and not guest.unseen
    table.connect(first)
    state.receive(host.view)
    assert state.unseen == {second.guest.key}, "nor is anybody who went away before"


def test_only_who_is_away_can_be_away_since_an_unknown_time() -> None:
    _, client = away_from("choosing")
    view, later = client.view, since(client.view) + GRACE
    gone = next(seat for seat in view.seats if seat.presence is SeatStatus.AWAY)
    here, name = replace(gone, presence=SeatStatus.HERE, away_since=None), name_of(view, gone.key)
    for seat, word, note in (
        (gone, f"{name} is not back yet. ", "not back"),
        (here, f"{name}’s program has not answered for ", ""),
    ):
        seats = tuple(seat if each is gone else each for each in view.seats)
        seen = replace(view, seats=seats)
        (told,) = absence.waiting_words(seen, later, {gone.key})
        drawn = pictures(seen, seat_names(seen), None, None, later, unseen={gone.key})
        assert told.startswith(word) and drawn[seats.index(seat)].note == note


def test_who_goes_while_the_host_is_there_is_missed_since_a_known_time() -> None:
    table = at("choosing", 4)
    _, me, first, second = table.clients
    known = len(me.guest.log)
    for gone in (first, me, second):
        table.pass_time(5)
        table.cut(gone)
    table.connect(me)
    assert sum(seat.away_since is not None for seat in me.view.seats) == 2
    assert absence.unseen(me.guest.log[known:], me.view) == frozenset()


def test_who_goes_and_comes_again_and_again_is_back_once() -> None:
    table, client = away_from("choosing")
    gone = next(each for each in table.clients if each.link is None)
    state = TableState(wall=1)
    state.receive(client.view)
    for _ in range(2):
        table.connect(gone)
        state.receive(client.view)
        table.cut(gone)
        state.receive(client.view)
    assert [event.text for event in state.events] == [
        f"{name_of(client.view, gone.guest.key)} is back."
    ]


def test_who_ends_a_round_is_warned_of_those_whose_fists_cannot_be_opened() -> None:
    table = at("answering", 4)
    me = table.speaker()
    others = [client for client in table.clients if client is not me]
    assert not any(absence.wait_warnings(each.view) for each in table.clients)
    told = []
    for gone in others[:2]:
        table.cut(gone)
        told.append(absence.wait_warnings(me.view))
    first, second = sorted(
        (name_of(me.view, each.guest.key) for each in others[:2]),
        key=seat_names(me.view).index,
    )
    whatever = "if you end the round, it has to wait, or a vote voids it."
    one, other = (f"{name} is away: {whatever}" for name in (first, second))
    assert told[0][0].startswith((one, other))
    assert told[1][0].startswith(f"{first} and {second} are away: {whatever}")
    assert absence.wait_warnings(replace(me.view, options=())) == (), "nothing ends the round"
    empty = (replace(each, fist=FistState.OPEN) for each in me.view.seats)
    assert absence.wait_warnings(replace(me.view, seats=tuple(empty))) == (), "no fist is shut"


@pytest.mark.parametrize("place", [1, 2])
@pytest.mark.parametrize("bids", [(), (3,)])
def test_who_bids_is_warned_of_a_next_speaker_who_is_away(
    bids: tuple[int, ...], place: int
) -> None:
    table = at("speaking", 3)
    table.say(*map(Bid, bids))
    me = table.speaker()
    order = speaking_order([3] * 3, me.view.me or 0, me.view.direction)
    gone = table.clients[order[place]]
    table.cut(gone)
    name = name_of(me.view, gone.guest.key)
    # The first bid of a round may turn the direction: then nobody is surely next.
    is_next = place == 1 and bool(bids)
    long, short = absence.wait_warnings(me.view)
    assert long.endswith(f"A bid waits for {name}, too.") is is_next
    end = "a bid or a count has to wait." if is_next else "a count has to wait."
    assert short == f"{name} is away: {end}"


def test_a_round_is_void_at_once_that_ends_with_the_fist_of_a_seat_that_is_set_aside() -> None:
    table = at("speaking", 3)
    gone = table.speaker()
    table.cut(gone)
    play_on_without(table, gone)
    me, name = table.speaker(), name_of(gone.view, gone.guest.key)
    told, _ = absence.wait_warnings(me.view)
    assert told == f"{name} is away: if you end the round before {name} is back, it is void."
    table.say(Ending.CALL)
    last = me.view.last
    assert last is not None and last.outcome.verdict is Verdict.VOID


def test_without_whom_the_table_plays_on_is_said_until_they_are_back() -> None:
    table, client = away_from("choosing")
    gone = next(each for each in table.clients if each.link is None)
    before, name = client.view, name_of(client.view, gone.guest.key)
    play_on_without(table, gone)
    after = client.view
    (said,) = absence.came_and_went(before, after)
    assert said == (
        f"The table plays on without {name} until {name} is back: the seat is kept, the fist "
        "counts as empty, and a turn as a bid of 1 or a call."
    )
    told = why(after, seat_names(after))[-1]
    assert told.question == "Who is missing?" and told.lines[0].text == said
    table.connect(gone)
    assert [*absence.came_and_went(after, client.view)] == [f"{name} is back."]
    assert why(client.view, seat_names(client.view))[-1].question != "Who is missing?"
    assert [*absence.came_and_went(before, gone.view)] == [], "about others only"


def test_who_answers_too_late_is_told_what_happened_only_shortly_after_it() -> None:
    table, client = away_from("choosing")
    state = TableState(wall=1_000)
    state.receive(client.view)
    nothing = state.nothing_asked
    table.connect(next(each for each in table.clients if each.link is None))
    state.receive(client.view)
    assert state.nothing_asked == f"{nothing} {state.events[-1].text}"
    state.wall += LATE_ANSWER + 1
    assert state.nothing_asked == nothing


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
