"""A table whose host is gone: who may take it over, who follows, and what is never lost."""

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal, Reason
from protocol.guest.guest import (
    Cut,
    Guest,
    Halt,
    HandedOver,
    Hangup,
    LinkState,
    Promise,
    Refused,
    Settle,
    Store,
    Transmit,
)
from protocol.host.host import Elected, Stranded, Superseded
from protocol.rules.words import Bid, Ending
from protocol.table.log import Entry
from protocol.table.state import Phase
from protocol.table.statements import Gesticulate, Gesture, HostMoved, Measure, Say, Vote
from protocol.timing import LEASE, SUPPORT_DELAY, Moment
from protocol.wire.messages import Entries, Farewell, Ping, State, write
from tests.helpers.tables import Chair, MemoryTable


def playing(players: int = 3) -> MemoryTable:
    """A table in the middle of a round."""
    table = MemoryTable(players)
    table.ready()
    table.choose(*[1] * players)
    table.say(Bid(2))
    return table


def gather(table: MemoryTable, *clients: Chair) -> None:
    """These connect to whoever stands."""
    for client in clients:
        table.connect(client)


def moved(players: int = 3) -> MemoryTable:
    """A table that has moved to its first player's program."""
    table = playing(players)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients)
    return table


def test_a_majority_moves_the_table_and_the_game_goes_on_from_the_same_word() -> None:
    table = moved()
    assert any(isinstance(effect, Elected) for effect in table.told)
    assert table.host.table.epoch == 1
    assert table.host.table.host == table.clients[0].guest.key
    assert {client.guest.link for client in table.clients} == {LinkState.UP}
    table.say(Bid(3), Ending.CALL)
    table.play_on()
    assert {client.guest.log.head for client in table.clients} == {table.host.log.head}


def test_no_hand_is_lost_when_the_table_moves_before_the_words() -> None:
    table = MemoryTable(3)
    table.ready()
    first, *others = table.clients
    table.act(first, first.guest.choose(2, table.entropy()))
    table.now(SUPPORT_DELAY)
    table.stand(others[0])
    gather(table, *table.clients)
    assert first.guest.own_hand == 2
    table.choose(1, 0)
    table.play_on()
    assert table.host.table.phase is Phase.GATHERING


@pytest.mark.parametrize(("players", "present"), [(2, 1), (3, 1), (4, 2), (5, 2)])
def test_half_of_the_seats_or_fewer_do_not_move_a_table(players: int, present: int) -> None:
    table = playing(players)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:present])
    table.pass_time(2)
    assert table.host.is_standing
    assert table.host.card.state is State.MOVING


def test_nobody_supports_while_the_host_was_heard_a_moment_ago() -> None:
    table = playing()
    table.stand(table.clients[0])
    gather(table, *table.clients)
    assert table.host.is_standing
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert not table.host.is_standing


def test_a_seat_supports_one_in_an_epoch_and_promises_it_before() -> None:
    table = moved()
    promises = [e for client in table.clients for e in client.events if isinstance(e, Promise)]
    assert promises and set(promises) == {Promise(1)}
    voter = table.clients[2]
    table.stand(table.clients[1], epoch=1)
    gather(table, voter)
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert table.host.is_standing


def test_who_has_promised_answers_no_host_of_an_earlier_epoch() -> None:
    table = playing()
    old_host, old_key = table.host, table.host_key
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:2])
    table.host, table.host_key = old_host, old_key
    gather(table, table.clients[1])
    assert table.clients[1].events[-1] == Hangup(Farewell.OLD_EPOCH)


def test_a_host_that_is_left_alone_learns_that_the_table_has_moved() -> None:
    table = playing()
    old_host, old_key = table.host, table.host_key
    silent(table, *table.clients)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients)
    table.host, table.host_key, table.shown_key = old_host, old_key, old_key.public
    gather(table, table.clients[1])
    assert Superseded(1) in table.told


def test_a_host_that_most_seats_follow_is_not_talked_out_of_it() -> None:
    table = playing()
    liar = table.clients[1]
    liar.guest._voter.promised = 500
    gather(table, liar)
    assert table.told == [Stranded(500)]
    assert liar.events[-1] == Hangup(Farewell.OLD_EPOCH)


def test_who_stands_alone_promises_nothing_and_can_go_back() -> None:
    table = playing()
    old_host, old_key = table.host, table.host_key
    table.now(SUPPORT_DELAY)
    alone = table.clients[0]
    table.stand(alone)
    gather(table, alone)
    table.pass_time(2)
    assert alone.guest.epoch == 0
    table.host, table.host_key, table.shown_key = old_host, old_key, old_key.public
    gather(table, alone)
    assert alone.guest.link is LinkState.UP


def test_what_the_old_host_said_to_one_guest_only_is_dropped() -> None:
    table = playing()
    alone, second, third = table.clients
    for client in (second, third):
        table.cut(client)
    assert len(alone.guest.log) == len(second.guest.log) + 2
    table.now(SUPPORT_DELAY)
    table.stand(third)
    gather(table, third, second)
    assert table.host.table.epoch == 1
    gather(table, alone)
    assert any(isinstance(effect, Cut) for effect in alone.events)
    assert alone.guest.log.head == table.host.log.head
    assert [entry.hash for entry in alone.stored] == [entry.hash for entry in table.host.log]
    table.play_on()
    assert table.host.table.phase is Phase.GATHERING


def test_what_answered_to_lost_entries_is_not_said_to_the_new_host() -> None:
    table = playing()
    alone, second, third = table.clients
    for client in (second, third, alone):
        table.cut(client)
    table.act(alone, alone.guest.state(Gesticulate(Gesture.MITT_FULL)))
    table.now(SUPPORT_DELAY)
    table.stand(third)
    gather(table, third, second)
    sent = len(alone.sent)
    gather(table, alone)
    assert Gesticulate.KIND.encode() not in alone.sent[sent:]
    assert Refused(Gesticulate(Gesture.MITT_FULL), Reason.STALE) in alone.events
    assert not alone.guest.waiting


def test_who_holds_more_of_the_log_does_not_follow_who_holds_less() -> None:
    table = playing()
    behind, *others = table.clients
    table.cut(behind)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    table.stand(behind)
    gather(table, *others)
    assert {client.events[-1] for client in others} == {Hangup(Farewell.BEHIND)}
    assert table.host.is_standing


def test_who_holds_less_catches_up_before_it_supports() -> None:
    table = playing()
    behind = table.clients[0] if not table.clients[0].view.my_turn else table.clients[1]
    table.cut(behind)
    table.say(Bid(3))
    ahead = next(client for client in table.clients if client is not behind)
    table.now(SUPPORT_DELAY)
    table.stand(ahead)
    gather(table, ahead, behind)
    assert not table.host.is_standing
    assert behind.guest.log.head == table.host.log.head


def test_watchers_alone_do_not_move_a_running_game() -> None:
    table = MemoryTable(3)
    table.ready()
    late = [table.add() for _ in range(4)]
    table.choose(1, 1, 1)
    table.now(SUPPORT_DELAY)
    table.stand(late[0])
    gather(table, *late, table.clients[0])
    table.pass_time(2)
    assert table.host.is_standing
    gather(table, table.clients[1])
    assert not table.host.is_standing


def test_somebody_without_a_seat_gives_no_support() -> None:
    table = playing(2)
    watchers = [table.add(sit=False) for _ in range(5)]
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, table.clients[0], *watchers)
    table.pass_time(2)
    assert table.host.is_standing


def test_the_host_hands_its_role_over() -> None:
    table = MemoryTable(3)
    heir = table.clients[1]
    for client in table.clients:
        client.address = "192.0.2.1"
        client.guest._port = 7000
        table.cut(client)
        table.connect(client)
    table.pass_time(0.5)
    table.hand_over(heir.guest.key)
    assert all(HandedOver(heir.guest.key) in client.events for client in table.clients)
    table.stand(heir)
    gather(table, *table.clients)
    assert table.host.table.host == heir.guest.key


def test_a_role_is_handed_over_only_to_a_seat_that_could_serve() -> None:
    table = MemoryTable(3)
    with pytest.raises(Illegal):
        table.hand_over(table.clients[1].guest.key)


# The lease of a host


def silent(table: MemoryTable, *clients: Chair) -> None:
    """These do not answer any more, though their connections stand."""
    for client in clients:
        link = client.link
        assert link is not None
        connection = table.host.connections.get(link)
        assert connection is not None
        connection.address, connection.echoed = "192.0.2.9", table.now(0)


@pytest.mark.parametrize(
    ("players", "gone", "goes_on"), [(2, 1, True), (3, 1, True), (3, 2, False)]
)
def test_a_host_goes_on_while_no_majority_can_be_elsewhere(
    players: int, gone: int, goes_on: bool
) -> None:
    table = playing(players)
    speaker = table.speaker()
    others = [client for client in table.clients if client is not speaker]
    silent(table, *others[:gone])
    table.now(LEASE + 0.5)
    length = len(table.host.log)
    table.act(speaker, speaker.guest.speak(Bid(3)))
    assert (len(table.host.log) > length) is goes_on


def test_what_was_held_back_is_said_once_the_others_answer() -> None:
    table = playing()
    speaker = table.speaker()
    others = [client for client in table.clients if client is not speaker]
    silent(table, *others)
    table.now(LEASE + 0.5)
    table.act(speaker, speaker.guest.speak(Bid(3)))
    length = len(table.host.log)
    table.pass_time(2)
    assert len(table.host.log) == length + 1


def test_a_host_that_slept_waits_for_an_answer_before_it_goes_on() -> None:
    table = playing()
    silent(table, *table.clients)
    now = table.now()
    assert table.host.may_go_on(now)
    assert not table.host.may_go_on(Moment(now.monotonic + 0.1, now.wall + 600_000))


def test_a_guest_that_slept_connects_anew() -> None:
    table = playing()
    client, now = table.clients[0], table.now()
    client.guest.tick(now)
    slept = Moment(now.monotonic + 0.1, now.wall + 600_000)
    assert Hangup(Farewell.SILENT) in client.guest.tick(slept)


def test_seats_that_are_not_there_when_the_table_has_moved_are_away() -> None:
    table = playing(3)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:2])
    assert [seat.away for seat in table.host.table.seats] == [False, False, True]
    gather(table, table.clients[2])
    assert not any(seat.away for seat in table.host.table.seats)


def test_a_seat_that_was_away_is_back_when_the_table_has_moved_with_its_help() -> None:
    table = playing(3)
    first, second, _ = table.clients
    table.cut(first)
    table.connect(second)
    assert table.host.table.seats[0].away
    table.now(SUPPORT_DELAY)
    table.stand(second)
    gather(table, second, first)
    assert table.host.table.epoch == 1
    assert [seat.away for seat in table.host.table.seats] == [False, False, True]


def test_a_moved_table_moves_again() -> None:
    table = moved()
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[1])
    gather(table, table.clients[1], table.clients[2])
    assert table.host.table.epoch == 2
    first = table.clients[0]
    gather(table, first)
    assert first.guest.link is LinkState.UP
    announcements = [e for e in table.host.log if isinstance(e.statement, HostMoved)]
    assert [entry.epoch for entry in announcements] == [1, 2]


def test_somebody_new_comes_to_a_table_that_has_moved() -> None:
    table = moved()
    table.shown_key = table.host_key.public
    late = table.add()
    assert late.guest.link is LinkState.UP
    assert late.guest.log.head == table.host.log.head


def test_an_impostor_who_claims_a_later_epoch_gets_no_words() -> None:
    table = playing()
    client = table.clients[0]
    table.stand(table.clients[1])
    table.shown_key = SigningKey(bytes(32)).public
    gather(table, client)
    length = len(client.sent)
    table.act(client, client.guest.state(Gesticulate(Gesture.MITT_FULL)))
    assert client.guest.link is LinkState.MOVING
    assert len(client.sent) == length


def test_a_move_that_nobody_supports_does_not_stop_the_guest_for_good() -> None:
    table = playing()
    client, stranger = table.clients[0], SigningKey(bytes(32))
    table.stand(table.clients[1])
    table.shown_key = stranger.public
    gather(table, client)
    head = client.guest.log.head
    lie = Entry.sign(stranger, 1, head, 2**41, HostMoved(1, stranger.public, ()))
    effects = client.guest.received(write(Entries((lie.blob,))), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects
    assert not any(isinstance(effect, Halt) for effect in effects)
    assert client.guest.log.head == head


def deserted(seats: int) -> tuple[MemoryTable, list[Chair]]:
    """A table between games at which nobody who sits answers any more."""
    table = MemoryTable(seats)
    sitters = list(table.clients)
    silent(table, *sitters)
    ignorant(table, *sitters)
    table.now(LEASE + 0.5)
    return table, sitters


def test_between_games_people_sit_down_and_talk_though_the_others_are_gone() -> None:
    table, _ = deserted(2)
    late = table.add()
    assert table.host.table.seat(late.guest.key)
    table.act(late, late.guest.state(Say(ForeignText("hm"))))
    assert table.host.table.talk


def test_no_game_begins_while_those_who_are_gone_could_have_moved_the_table() -> None:
    table, _ = deserted(2)
    late = [table.add() for _ in range(4)]
    table.ready(*late)
    table.pass_time(1)
    assert table.host.table.phase is Phase.GATHERING


def test_a_game_begins_once_the_host_has_removed_those_who_are_gone() -> None:
    table, gone = deserted(3)
    late = [table.add() for _ in range(2)]
    for client in gone:
        table.cut(client)
    table.ready(*late)
    assert table.host.table.phase is Phase.GATHERING
    for client in gone:
        table.decide(Measure.REMOVE, client.guest.key)
    table.pass_time(1)
    assert table.host.table.phase is not Phase.GATHERING


def test_a_host_that_nobody_else_ever_heard_comes_back_as_a_player() -> None:
    table = playing()
    lonely, second, third = table.clients
    table.now(SUPPORT_DELAY)
    table.stand(lonely)
    gather(table, second, lonely)
    # Nobody else has kept what it said as host, and everybody has promised not to follow less.
    told = second.guest.log
    fork = next(entry.position for entry in told if entry.epoch == 1)
    second.guest = Guest(second.guest._key, table.host.table.id, told[:fork], second.kept, 1)
    del second.stored[fork:]
    assert lonely.guest.log[-1].epoch == 1
    table.now(SUPPORT_DELAY)
    table.stand(second, epoch=2)
    gather(table, second, third)
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert table.host.table.epoch == 2
    gather(table, lonely)
    assert lonely.guest.link is LinkState.UP
    assert lonely.guest.log.head == table.host.log.head
    assert [entry.hash for entry in lonely.stored] == [entry.hash for entry in table.host.log]
    table.play_on()


def test_another_past_counts_for_nothing_without_a_move() -> None:
    table = moved()
    client = table.clients[1]
    head = client.guest.log.head
    table.stand(table.clients[2])
    gather(table, client)
    first = client.guest.log[3]
    effects = client.guest.received(write(Entries((first.blob,))), table.now())
    assert not any(isinstance(effect, Cut | Store | Halt) for effect in effects)
    assert client.guest.log.head == head


# No fist opens on a word that could be lost


def few_in(fists: int, without: int) -> tuple[MemoryTable, list[Chair]]:
    """A round whose first speakers have a fist in, and the others, who let the clock run, none."""
    table = MemoryTable(fists + without, clock=2)
    table.ready()
    starter = table.clients[0].view.starter or 0
    order = [*table.clients[starter:], *table.clients[:starter]]
    for client in order[:fists]:
        table.act(client, client.guest.choose(1, table.entropy()))
    table.pass_time(3)
    return table, order[fists:]


def ignorant(table: MemoryTable, *clients: Chair) -> None:
    """These hear nothing any more, and nobody has noticed."""
    for client in clients:
        assert client.link is not None
        connection = table.host.connections.get(client.link)
        assert connection is not None
        connection.clogged_since = table.time


def test_the_fists_open_once_half_of_the_seats_have_the_ending_word_on_disk() -> None:
    table, waiting = few_in(2, 3)
    ignorant(table, *waiting)
    table.say(Bid(2), Ending.CALL)
    assert table.host.table.phase is Phase.WITNESSING
    link = waiting[0].link
    assert link is not None
    table._host(table.host.pump(link))
    table.deliver()
    assert table.host.table.phase is not Phase.WITNESSING


def test_two_of_four_seats_are_enough() -> None:
    table, waiting = few_in(2, 2)
    ignorant(table, *waiting)
    table.say(Bid(2), Ending.CALL)
    assert table.host.table.phase is not Phase.WITNESSING


def test_what_is_confirmed_is_on_the_disk_before() -> None:
    table = playing(2)
    speaker = table.speaker()
    other = next(client for client in table.clients if client is not speaker)
    table.say(Ending.CALL)
    said = [type(effect) for effect in other.everything]
    word = next(index for index, kind in enumerate(said) if kind is Settle)
    assert Store in said[:word] and Transmit in said[word:]


def test_nobody_says_to_hold_more_than_it_was_sent() -> None:
    table, waiting = few_in(2, 3)
    liar = waiting[0]
    ignorant(table, *waiting)
    table.say(Bid(2), Ending.CALL)
    assert liar.link is not None
    table._to_host(liar.link, write(Ping(0, 10**6)))
    assert table.host.table.phase is Phase.WITNESSING


def test_newcomers_cannot_vote_those_away_who_could_have_moved_the_table() -> None:
    table, gone = deserted(2)
    late = [table.add() for _ in range(4)]
    for client in gone:
        table.cut(client)
        for voter in late:
            if table.host.table.seat(client.guest.key):
                table.act(
                    voter, voter.guest.state(Vote(Measure.REMOVE, client.guest.key, yes=True))
                )
    assert len(table.host.table.seats) == 4
    table.ready(*late)
    table.pass_time(1)
    assert table.host.table.phase is Phase.GATHERING


def test_one_seat_alone_keeps_nobody_waiting() -> None:
    table, _ = deserted(1)
    late = [table.add() for _ in range(2)]
    table.cut(table.clients[0])
    table.ready(*late)
    table.pass_time(1)
    assert table.host.table.phase is not Phase.GATHERING


def test_newcomers_count_once_most_of_the_others_have_heard_of_them() -> None:
    table = MemoryTable(3)
    old = list(table.clients)
    for client in old:
        assert client.link is not None
        connection = table.host.connections.get(client.link)
        assert connection is not None
        connection.address = "192.0.2.9"
    table.pass_time(2)
    late = [table.add() for _ in range(3)]
    table.pass_time(2)
    silent(table, *old)
    for client in old:
        client.link = None
    table.now(LEASE + 0.5)
    assert table.host.may_go_on(table.now())
    assert len(late) == 3
