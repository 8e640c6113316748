"""Waiting in words: who is away, what is done about it, and where the table goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Measure, Vote
from protocol.views import LinkState, SeatStatus, TableView
from spoof_tui.ui.wording import absence
from spoof_tui.ui.wording.absence import Others
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at, seen

GRACE = 60_000


def away(moment: str, rules: str = "milan") -> tuple[MemoryTable, SeatedGuest]:
    """A table of three in a moment; the one it waits for goes away, and another one looks on."""
    table = at(moment, rules=rules)
    gone = table.clients[0] if moment == "choosing" else table.speaker()
    if moment == "choosing":
        for client in table.clients[1:]:
            table.act(client, client.guest.choose(1, table.entropy()))
    table.cut(gone)
    return table, next(client for client in table.clients if client is not gone)


def since(view: TableView) -> int:
    [seat] = [seat for seat in view.seats if seat.away_since is not None]
    assert seat.away_since is not None
    return seat.away_since


def told(view: TableView, after: int) -> str:
    """What is said so many milliseconds after somebody went away."""
    return " ".join(absence.waiting_words(view, since(view) + after))


@pytest.mark.parametrize(
    ("seconds", "long", "short"),
    [
        (0, "0:00", "0s"),
        (42.9, "0:42", "42s"),
        (60, "1:00", "1m"),
        (3599, "59:59", "59m"),
        (3725, "1:02:05", "1h"),
        (-3, "0:00", "0s"),
    ],
)
def test_a_time_is_told_as_on_a_clock_and_in_few_cells(
    seconds: float, long: str, short: str
) -> None:
    assert (absence.duration(seconds), absence.short_duration(seconds)) == (long, short)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (20, "a moment ago"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (86400 * 3, "3 days ago"),
    ],
)
def test_how_long_ago_something_was(seconds: int, words: str) -> None:
    assert absence.ago(seconds) == words


def test_nobody_is_said_to_be_away_who_only_thinks() -> None:
    view = at("answering").clients[0].view
    assert list(absence.waiting_words(view, view.time + 600_000)) == []
    assert absence.next_votes(view, view.time + 600_000) == ()


def test_who_is_away_is_told_with_the_time_that_is_left_to_wait() -> None:
    _, client = away("choosing")
    text = told(client.view, 42_000)
    assert "Player1 is away for 0:42. In 0:18 the players here may vote" in text
    assert "Player1’s fist will be empty" in text
    assert absence.next_votes(client.view, since(client.view) + 42_000) == ()
    assert absence.too_soon(client.view, since(client.view) + 42_000).startswith(
        "You can vote on that in 0:18"
    )


def test_after_the_grace_time_one_key_votes_and_takes_the_vote_back() -> None:
    table, client = away("choosing")
    now = since(client.view) + GRACE
    assert "Press y to play on" in told(client.view, GRACE)
    assert "2 votes carry it" in told(client.view, GRACE)
    key = table.clients[0].guest.key
    assert absence.next_votes(client.view, now) == (Vote(Measure.PLAY_ON, key, yes=True),)
    table.time += 61
    table.act(client, client.guest.state(Vote(Measure.PLAY_ON, key, yes=True)))
    assert "You have voted to play on" in told(client.view, GRACE)
    assert "1 of 2 votes" in told(client.view, GRACE)
    assert absence.next_votes(client.view, now) == (Vote(Measure.PLAY_ON, key, yes=False),)


def test_one_key_votes_about_everybody_who_is_due_at_once() -> None:
    table = at("choosing")
    *gone, client = table.clients
    for each in gone:
        table.cut(each)
    votes = absence.next_votes(client.view, client.view.time + GRACE)
    assert [vote.seat for vote in votes] == [each.guest.key for each in gone]
    table.time += 61
    for vote in votes:
        table._guest(client, client.guest.state(vote))
    assert client.guest.waiting == votes


def test_a_watcher_is_told_of_the_vote_but_not_of_a_key() -> None:
    table, _ = away("choosing")
    watcher = table.add(sit=False)
    text = told(watcher.view, GRACE)
    assert "The players here may vote" in text and "Press" not in text


@pytest.mark.parametrize(
    ("moment", "rules", "what"),
    [
        ("choosing", "milan", "fist will be empty"),
        ("speaking", "milan", "bids 1"),
        ("answering", "milan", "calls"),
        ("speaking", "hollywood", "calls 0"),
    ],
)
def test_it_is_said_what_playing_on_does(moment: str, rules: str, what: str) -> None:
    _, client = away(moment, rules)
    assert what in told(client.view, GRACE)


def test_a_fist_that_stays_shut_is_told_to_cost_its_owner() -> None:
    table = at("answering")
    other = next(client for client in table.clients if not client.view.my_turn)
    table.cut(other)
    table.say(Ending.CALL)
    view = table.clients[0].view if table.clients[0] is not other else table.clients[1].view
    assert view.phase is Phase.WITNESSING
    assert "stays shut, which costs a coin" in told(view, GRACE)


def test_a_program_that_is_here_may_take_a_moment_to_open() -> None:
    table = at("answering")
    other = next(client for client in table.clients if not client.view.my_turn)
    table.cut(other)
    table.say(Ending.CALL)
    viewer = next(client for client in table.clients if client is not other)
    here = replace(
        viewer.view,
        seats=tuple(replace(seat, away_since=None) for seat in viewer.view.seats),
    )
    [began] = [seat.waits_since for seat in here.seats if seat.waits_since is not None]
    assert list(absence.waiting_words(here, began + 2900)) == []
    [text] = absence.waiting_words(here, began + 5000)
    assert "program has not answered for 0:05" in text


def test_the_turn_clock_counts_whole_seconds_and_stops_at_none() -> None:
    seat = replace(at("speaking").clients[0].view.seats[0], time_up_from=10_000)
    assert [absence.time_left(seat, now) for now in (0, 9_001, 10_000, 12_000)] == [10, 1, 0, 0]
    assert absence.time_left(replace(seat, time_up_from=None), 0) is None


def test_a_table_can_move_when_more_than_half_are_there_without_its_host() -> None:
    table = MemoryTable(3)
    keys = [client.guest.key for client in table.clients]
    view = replace(table.clients[0].view, host=keys[2])
    assert absence.can_move(view)
    table.cut(table.clients[1])
    assert not absence.can_move(replace(table.clients[0].view, host=keys[2]))


def test_before_the_first_game_a_table_can_move_when_everybody_is_there_without_its_host() -> None:
    table = MemoryTable(5)
    view, keys = table.clients[0].view, [client.guest.key for client in table.clients]
    assert absence.can_move(replace(view, host=keys[4]))
    seats = (*view.seats[:2], replace(view.seats[2], presence=SeatStatus.AWAY), *view.seats[3:])
    assert not absence.can_move(replace(view, host=keys[4], seats=seats))
    assert absence.can_move(replace(view, host=keys[4], seats=seats, game_number=1))


def test_who_is_set_aside_is_told_how_to_take_the_seat_back() -> None:
    view = at("speaking").clients[0].view
    assert view.me is not None
    seats = [replace(each, is_set_aside=True) if each.is_me else each for each in view.seats]
    assert absence.place_words(view) == ""
    assert "take your seat back" in absence.place_words(replace(view, seats=tuple(seats)))


def test_the_first_seat_that_can_host_is_the_heir() -> None:
    table = MemoryTable(3)
    keys = [client.guest.key for client in table.clients]
    view = replace(table.clients[2].view, host=keys[0])
    assert absence.heir(view, frozenset(keys)) == keys[1]
    assert absence.heir(view, frozenset()) == keys[2]


def cut_off(view: TableView, seconds: float, *, is_asked: bool = False, hears: bool = True) -> str:
    keys = frozenset(seat.key for seat in view.seats)
    others = Others(keys, keys if hears else frozenset(), is_asked=is_asked)
    tried = ("10.0.0.1:7763", "10.0.0.2:7763", "10.0.0.3:7763")
    return " ".join(
        absence.cut_off_words(replace(view, link=LinkState.DOWN), seconds, others, tried)
    )


def test_without_a_link_it_is_said_what_is_tried_and_who_takes_over() -> None:
    table = MemoryTable(3)
    view = replace(table.clients[2].view, host=table.clients[0].guest.key)
    early = cut_off(view, 1.0)
    assert "No connection to Player1’s program for 0:01." in early
    assert "Player2’s program takes over the table in 3 s" in early
    assert "10.0.0.1:7763, 10.0.0.2:7763 and 1 more" in early
    assert "another player’s program takes over the table" in cut_off(view, 10.0)
    assert "This computer is taking over the table" in cut_off(view, 5.0, is_asked=True)
    mine = replace(table.clients[1].view, host=table.clients[0].guest.key)
    assert "this computer takes over the table in" in cut_off(mine, 1.0)


@pytest.mark.parametrize("seconds", [0.0, 3.0, 5.0, 14.0, 15.0, 16.0, 600.0])
@pytest.mark.parametrize("is_asked", [False, True])
def test_a_program_that_hears_nobody_takes_over_nothing(seconds: float, is_asked: bool) -> None:
    table = MemoryTable(3)
    for client in table.clients[1:]:
        view = replace(client.view, host=table.clients[0].guest.key)
        text = cut_off(view, seconds, is_asked=is_asked, hears=False)
        assert "over the table" not in text and "takes over" not in text
        assert "Nobody else at the table is heard" in text
        assert ("perhaps your own network is down" in text) == (seconds > 15)


def test_two_players_without_the_host_keep_the_game() -> None:
    table = MemoryTable(2)
    view = replace(table.clients[1].view, host=table.clients[0].guest.key)
    text = cut_off(view, 4.0)
    assert "more than half of the seats" in text and "The game is kept" in text


def test_where_the_table_is_now() -> None:
    table = MemoryTable(2)
    view = replace(table.clients[0].view, host=table.clients[0].guest.key)
    assert absence.moved_words(view) == "This computer now hosts the table."
    view = replace(view, host=table.clients[1].guest.key)
    assert absence.moved_words(view) == "Player2 now hosts the table."


def test_late_arrivals_and_watchers_are_told_when_they_play() -> None:
    table = at("speaking")
    watcher, late = table.add(sit=False), table.add()
    assert "Press r to sit down for the next game" in absence.place_words(watcher.view)
    assert "play from the next game on" in absence.place_words(late.view)
    assert absence.place_words(table.clients[0].view) == ""


def test_whose_seat_was_freed_is_told_why_and_how_to_sit_down_again() -> None:
    table = MemoryTable(3)
    gone = table.clients[2]
    table.cut(gone)
    table.pass_time(61, step=1.0)
    table.connect(gone)
    words = absence.place_words(gone.view)
    assert "away before your first game" in words and "Press r to sit down" in words
    assert not absence.place_words(table.clients[0].view).startswith("You were away")


def test_who_is_out_is_told_so() -> None:
    view = at("speaking").clients[0].view
    out = replace(view, seats=tuple(replace(seat, coins=0) for seat in view.seats))
    assert absence.place_words(out) == "You are out. You can watch the rest."


def test_a_pause_tells_everybody_how_it_ends() -> None:
    table = at("speaking")
    view = table.clients[0].view
    assert "Press p to go on." in absence.pause_words(view, is_host=True)
    assert "Press p to vote for going on. Nobody" in absence.pause_words(view, is_host=False)
    watcher = table.add(sit=False)
    assert "Press" not in absence.pause_words(watcher.view, is_host=False)


def test_the_clock_of_the_host_is_learnt_from_what_comes_just_now() -> None:
    table = at("speaking")
    client = table.speaker()
    scene = seen(client)
    scene.wall = 5_000
    table.say(Bid(1))
    scene.look(client.view)
    scene.wall = 7_000
    assert scene.now == client.view.time + 2_000


def test_against_somebody_who_never_gets_ready_a_key_is_named_after_the_grace_time() -> None:
    view = MemoryTable(3).clients[0].view
    assert absence.idle_words(view, view.time + 59_999) == ""
    assert absence.idle_words(view, view.time + 60_000) == "v can remove a player."
