"""What the rules leave to a host: when a game starts, and how many."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.host.policy import HostPolicy, due
from protocol.table.announcements import GameStarted, TimeUp, Vacated
from protocol.table.state import Phase
from protocol.table.statements import Leave, Ready
from protocol.timing import LEASE
from protocol.wire.messages import Ping, write
from tests.helpers.tables import MemoryTable
from tests.protocol.host.cases import added, at
from tests.protocol.moving import silent
from tests.protocol.stories import GRACE, Desk, Story, signing_key


def test_a_game_starts_when_all_who_are_present_are_ready() -> None:
    story = Story(2).ready(0)
    desk = Desk(story, start_when=2)
    link = desk.join(1)
    desk.propose(link, story.intent(1, Ready(story.share(1).seal)))
    ready, started = added(desk, link)
    assert isinstance(ready, Ready)
    assert started == GameStarted((signing_key(0).public, signing_key(1).public))
    assert desk.host.table.phase is Phase.LOT


@pytest.mark.parametrize("start_when,others,starts", [(3, 0, False), (2, 1, False), (0, 0, True)])
def test_a_game_waits_for_enough_and_for_everybody_present(
    start_when: int, others: int, starts: bool
) -> None:
    story = Story(2 + others).ready(0)
    desk = Desk(story, start_when=start_when)
    desk.propose(desk.join(1), story.intent(1, Ready(story.share(1).seal)))
    assert (desk.host.table.phase is Phase.LOT) == starts


def test_one_player_starts_no_game_whatever_the_host_wants() -> None:
    story = Story(1)
    desk = Desk(story, start_when=1)
    desk.propose(desk.join(0), story.intent(0, Ready(story.share(0).seal)))
    assert desk.host.table.phase is Phase.GATHERING


@pytest.mark.parametrize("departure", ["goes away", "leaves"])
def test_a_game_does_not_wait_for_who_is_gone(departure: str) -> None:
    story = Story(3).ready(0, 1)
    desk = Desk(story, start_when=2)
    link = desk.join(2)
    if departure == "leaves":
        desk.propose(link, story.intent(2, Leave()))
    else:
        desk.drop(link)
    assert desk.host.table.phase is Phase.LOT


def test_the_agreed_number_of_games_is_played_and_no_more() -> None:
    story = Story(2).start(0, 1).play_on().ready(0)
    for games, over in ((1, True), (2, False), (None, False)):
        desk = Desk(story, start_when=2, games=games)
        desk.propose(desk.join(1), story.intent(1, Ready(story.share(1).seal)))
        assert (desk.host.is_done, desk.host.table.phase is Phase.GATHERING) == (over, over)


def test_no_game_is_over_while_it_runs() -> None:
    assert not Desk(at(Phase.OPENING), games=1).host.is_done
    assert not Desk(Story(2), games=1).host.is_done


def test_what_the_clock_brings_about_is_a_late_turn_and_a_seat_that_is_nobodys() -> None:
    story = Story(2, clock=30).start(0, 1).toss(0, 1).sit(2).away(2)
    table, gone = story.table, signing_key(2).public
    assert due(table, table.time) == ()
    late = table.waiting_for[0]
    assert due(table, table.time + 60_000) == (TimeUp(late), Vacated(gone))


def test_a_host_frees_the_seat_of_a_stranger_who_sat_down_and_hung_up() -> None:
    table = MemoryTable(3)
    stranger = table.clients[2]
    table.cut(stranger)
    table.pass_time(59, step=1.0)
    assert len(table.host.table.seats) == 3
    table.pass_time(2, step=1.0)
    assert stranger.guest.key not in {seat.key for seat in table.host.table.seats}
    assert table.clients[0].guest.table == table.host.table


def test_the_seats_of_those_who_have_played_are_never_freed() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients)
    table.cut(table.clients[2])
    table.pass_time(120, step=1.0)
    assert len(table.host.table.seats) == 3


@pytest.mark.parametrize("has_played", [False, True])
def test_three_strangers_who_hang_up_at_a_table_of_two_stop_nobody(has_played: bool) -> None:
    table = MemoryTable(2, seats=5)
    friends = list(table.clients)
    if has_played:
        table.ready()
        table.play_on()
    strangers = [table.add() for _ in range(3)]
    table.lose_at_once(*strangers)
    table.ready(*friends)
    assert table.host.table.phase is not Phase.GATHERING


def test_a_game_begins_without_whoever_is_not_ready_when_the_grace_time_is_over() -> None:
    table = MemoryTable(3)
    first, second, late = table.clients
    table.ready(first)
    table.pass_time(GRACE - 2, step=1.0)
    table.ready(second)
    assert table.host.table.phase is Phase.GATHERING
    table.pass_time(3, step=1.0)
    assert table.host.table.playing(late.guest.key) is None
    assert len(table.host.table.in_play) == 2


def test_a_pause_gives_whoever_is_not_ready_the_grace_time_again() -> None:
    story = Story(3).ready(0, 1).pause().wait(10 * GRACE).go_on()
    policy, time = HostPolicy(ForeignText("Eva")), story.table.time
    assert policy.game_due(story.table, time + GRACE * 1000 - 1, ()) is None
    assert policy.game_due(story.table, time + GRACE * 1000, ()) == story.starting()


def test_no_game_begins_with_fewer_than_were_wished_for() -> None:
    story = Story(3).ready(0, 1)
    policy = HostPolicy(ForeignText("Eva"), start_when=3)
    late = story.table.time + 10 * GRACE * 1000
    assert policy.game_due(story.table, late, ()) is None


def test_who_is_ready_and_falls_silent_is_not_waited_for_either() -> None:
    table = MemoryTable(2, seats=5)
    friends, strangers = list(table.clients), [table.add() for _ in range(3)]
    table.ready(*strangers)
    links = [each.link or 0 for each in strangers]
    silent(table, *strangers)
    for each in strangers:
        each.link = None
    table.pass_time(LEASE + 1)
    table.ready(*friends)
    assert table.host.table.phase is Phase.GATHERING
    for _ in range(GRACE):
        for link in links:
            # Its program is there, and answers nothing.
            table._to_host(link, write(Ping(0)))
        table.pass_time(1, step=1.0)
    assert table.host.table.in_play == {each.guest.key for each in friends}
