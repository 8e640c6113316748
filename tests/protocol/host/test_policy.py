"""What the rules leave to a host: when a game starts, and how many."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.host.policy import HostPolicy, due
from protocol.table.state import Phase
from protocol.table.statements import Leave, Ready, TimeUp, Vacated
from protocol.timeouts import LEASE
from protocol.wire.messages import Ping, write
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import silent
from tests.protocol.stories import GRACE, Desk, Story, signing_key


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


def test_what_the_clock_brings_about_is_a_late_turn_and_a_seat_that_is_nobodys() -> None:
    story = Story(2, clock=30).start(0, 1).toss(0, 1).sit(2).away(2)
    table, gone = story.table, signing_key(2).public
    assert due(table, table.time) == ()
    late = table.waiting_for[0]
    assert due(table, table.time + 60_000) == (TimeUp(late), Vacated(gone))


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


def test_a_host_that_waits_no_longer_starts_with_those_who_are_ready_if_they_are_enough() -> None:
    policy = HostPolicy(ForeignText("Eva"), start_when=3)
    story = Story(3).ready(0, 1)
    time = story.table.time
    assert policy.game_due(story.table, time, (), waits=False) == story.starting()
    silent = [story.table.seats[0].key]
    assert policy.game_due(story.table, time, silent, waits=False) is None
    assert policy.game_due(Story(3).ready(0).table, time, (), waits=False) is None
    assert policy.game_due(story.pause().table, time, (), waits=False) is None


def test_who_did_not_get_ready_watches_the_game_that_the_host_starts_and_plays_the_next() -> None:
    table = MemoryTable(3)
    table.ready(*table.clients[:2])
    table.carry_out(table.host.start(table.now()))
    table.deliver()
    assert table.host.table.phase is not Phase.GATHERING
    assert table.host.table.in_play == {each.guest.key for each in table.clients[:2]}


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
            # Its program is here, and answers nothing.
            table._to_host(link, write(Ping(0)))
        table.pass_time(1, step=1.0)
    assert table.host.table.in_play == {each.guest.key for each in friends}
