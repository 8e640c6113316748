"""Coming in to a table: its code, who need not prove it, and who is kept out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import CodeWanted, Hangup
from protocol.guest.guest import Guest
from protocol.host.host import Host, Stranded, Superseded
from protocol.limits import (
    GUESS_INTERVAL,
    TRIES_OF_CODE,
)
from protocol.rules.words import Bid
from protocol.table.announcements import Admitted
from protocol.table.continuation import draft, sign, signed
from protocol.table.head import EMPTY
from protocol.table.log import Entry, Log
from protocol.table.statements import NO_ONE, Measure, Sit
from protocol.timing import PING_INTERVAL, SUPPORT_DELAY
from protocol.views import LinkState
from protocol.wire.messages import Farewell, Goodbye, Welcome
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.joining import ADDRESS, entropy, locked_table, newcomer
from tests.protocol.moving import gather, playing, silent
from tests.protocol.stories import Desk, Story, signing_key


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
    liar.guest.voter.promised = 500
    gather(table, liar)
    assert table.told == [Stranded(500)]
    assert liar.events[-1] == Hangup(Farewell.OLD_EPOCH)


def test_who_lends_a_candidate_what_does_not_follow_is_sent_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = playing()
    ahead = next(client for client in table.clients if client.view.my_turn)
    candidate = next(client for client in table.clients if client is not ahead)
    table.cut(candidate)
    table.say(Bid(3))
    table.stand(candidate)
    monkeypatch.setattr(Log, "batch", lambda log, start: (log[start - 1].blob, log[-1].blob))
    gather(table, ahead)
    assert ahead.events[-1] == Hangup(Farewell.BEHIND)
    assert table.host.log.head == candidate.guest.log.head


def test_who_was_removed_and_has_promised_a_later_epoch_can_come_back() -> None:
    table = playing()
    gone = table.clients[1]
    table.cut(gone)
    table.decide(Measure.REMOVE, gone.guest.key)
    gone.guest.voter.promised = 5
    gather(table, gone)
    assert table.told == [Stranded(5)]
    stranger = table.add(sit=False)
    stranger.guest.voter.promised = 6
    gather(table, stranger)
    assert table.told == [Stranded(5)]


def test_a_table_that_is_shut_takes_nobody_new_and_everybody_who_sat_there() -> None:
    table = MemoryTable(2)
    table.decide(Measure.LOCK, NO_ONE)
    stranger = newcomer(table)
    assert stranger.events[-1] == Hangup(Farewell.SHUT)
    assert stranger.guest.table is None
    known = table.clients[0]
    known.address = ADDRESS
    table.cut(known)
    table.connect(known)
    assert known.guest.link is LinkState.UP
    table.decide(Measure.UNLOCK, NO_ONE)
    assert newcomer(table).guest.link is LinkState.UP


def test_players_of_the_own_program_sit_down_at_a_table_that_is_shut() -> None:
    table = MemoryTable(2)
    table.decide(Measure.LOCK, NO_ONE)
    assert table.add(sit=False).guest.link is LinkState.UP


def test_a_table_that_is_shut_stays_so_when_another_host_serves_it() -> None:
    table = MemoryTable(3)
    table.decide(Measure.LOCK, NO_ONE)
    gather(table, *table.clients)
    silent(table, *table.clients)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients)
    assert table.host.table.epoch == 1 and table.host.table.shut
    assert newcomer(table).events[-1] == Hangup(Farewell.SHUT)


def wrong_code(table: MemoryTable) -> str:
    return "AAAAA" if table.host.admission.code != "AAAAA" else "CCCCC"


def test_who_has_no_code_is_asked_for_it_and_learns_nothing_of_the_table() -> None:
    table = locked_table()
    client = newcomer(table)
    assert client.events == [CodeWanted(Farewell.NO_CODE)]
    assert client.guest.table is None
    assert not client.stored


def test_who_types_the_code_in_time_is_in_over_the_link_that_was_asked() -> None:
    table = locked_table()
    client = newcomer(table)
    table.now(GUESS_INTERVAL)
    table.act(client, client.guest.use_code(table.host.admission.code or "", entropy))
    assert client.events == [CodeWanted(Farewell.NO_CODE)]
    assert client.guest.link is LinkState.UP


def test_who_types_the_code_is_in_and_the_log_says_so() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    assert client.guest.link is LinkState.UP
    assert table.host.log[-1].statement == Admitted(client.guest.key)


def test_the_code_is_typed_once_however_often_one_comes_back() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    for _ in range(3):
        table.cut(client)
        table.connect(client)
        assert client.guest.link is LinkState.UP
    assert sum(isinstance(entry.statement, Admitted) for entry in table.host.log) == 1


def test_the_code_is_not_asked_for_after_the_host_was_started_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    code = table.host.admission.code
    table.restart_host()
    table.connect(client)
    assert client.guest.link is LinkState.UP
    assert table.host.admission.code != code


def test_who_missed_that_the_host_proved_the_code_proves_it_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    again = SeatedGuest(Guest(client.guest._key), address=ADDRESS)
    table.clients.append(again)
    again.guest.use_code(table.host.admission.code or "", table.random.randbytes)
    table.now(GUESS_INTERVAL)
    table.connect(again)
    assert again.guest.link is LinkState.UP
    assert sum(isinstance(entry.statement, Admitted) for entry in table.host.log) == 1


def new_table() -> MemoryTable:
    """A locked table to which two of three have gone along from an old one (G8)."""
    table, story = locked_table(), Story(3, "milan").start(0, 1, 2)
    old = replace(story.table, opened=replace(story.table.opened, locked=True))
    along = {signing_key(who).public: signing_key(who) for who in (0, 1)}
    unsigned = draft(old, along.keys(), signing_key(0).public, bytes(32))
    continued = signed(unsigned, {public: sign(each, unsigned) for public, each in along.items()})
    entry = Entry.sign(signing_key(0), 0, EMPTY, table.now().wall, continued)
    table.host_key = signing_key(0)
    table.shown_key = table.host_key.public
    table.host = Host(table.host_key, table.policy, [entry], table.random.randbytes)
    return table


def coming(table: MemoryTable, who: int, code: str | None = None) -> SeatedGuest:
    """The same as `newcomer`, with the key of somebody from the old table."""
    client = SeatedGuest(Guest(signing_key(who)), address=ADDRESS)
    table.clients.append(client)
    if code is not None:
        client.guest.use_code(code, table.random.randbytes)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    return client


def test_who_sat_at_the_old_table_needs_no_code_at_the_new_one() -> None:
    table = new_table()
    assert coming(table, 2).guest.link is LinkState.UP
    assert newcomer(table).events[-1] == CodeWanted(Farewell.NO_CODE)


def test_who_sat_at_the_old_table_and_has_the_code_gets_it_proven_at_the_second_try() -> None:
    table = new_table()
    client = coming(table, 2, table.host.admission.code)
    assert client.events == [Hangup(Farewell.NO_PROOF)]
    table.now(GUESS_INTERVAL)
    table.connect(client)
    assert client.guest.link is LinkState.UP
    assert len(table.host.log) == 1


def test_who_opened_the_table_needs_no_code_though_another_one_hosts_it() -> None:
    table = locked_table()
    opener, heir = table.host_key, newcomer(table, table.host.admission.code)
    other = newcomer(table, table.host.admission.code)
    for client in (heir, other):
        table.act(client, client.guest.state(Sit(ForeignText("Ann"))))
    table.now(SUPPORT_DELAY)
    table.stand(heir)
    for client in (heir, other):
        table.connect(client)
    table.pass_time(PING_INTERVAL)
    assert not table.host.is_standing
    client = SeatedGuest(Guest(opener), address=ADDRESS)
    table.clients.append(client)
    table.connect(client)
    assert client.guest.link is LinkState.UP


def test_a_wrong_code_is_told_and_another_one_may_be_typed() -> None:
    table = locked_table()
    client = newcomer(table, wrong_code(table))
    assert client.events == [Hangup(Farewell.WRONG_CODE), CodeWanted(Farewell.WRONG_CODE)]
    client.guest.use_code(table.host.admission.code or "", entropy)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    assert client.guest.link is LinkState.UP


def test_after_some_wrong_codes_the_old_code_opens_nothing_and_the_address_waits() -> None:
    table = locked_table()
    code = table.host.admission.code
    for _ in range(TRIES_OF_CODE):
        newcomer(table, wrong_code(table))
    assert table.host.admission.code != code
    late = newcomer(table, table.host.admission.code)
    assert late.events[0] == Hangup(Farewell.TOO_MANY_TRIES)
    elsewhere = newcomer(table, code, address="192.0.2.2")
    assert elsewhere.events[0] == Hangup(Farewell.WRONG_CODE)
    assert newcomer(table, table.host.admission.code, "192.0.2.3").guest.link is LinkState.UP


def test_an_open_table_asks_nobody() -> None:
    assert newcomer(MemoryTable(0)).guest.link is LinkState.UP


def test_players_of_the_hosts_own_program_are_trusted() -> None:
    table = locked_table()
    assert table.add().guest.link is LinkState.UP


def test_who_is_refused_is_put_out_and_does_not_come_in_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    table.act(client, client.guest.state(Sit(ForeignText("Mallory"))))
    code = table.host.admission.code
    table.decide(Measure.BAR, client.guest.key)
    assert client.events == [Hangup(Farewell.BARRED)]
    assert table.host.table.seat(client.guest.key) is None
    assert table.host.admission.code != code
    table.connect(client)
    assert client.events == [Hangup(Farewell.BARRED)] * 2


def test_a_key_that_is_refused_does_not_come_in() -> None:
    desk = Desk(Story(2).decide(Measure.BAR, 1))
    let_in, kept_out = desk.join(0, address=ADDRESS), desk.join(1, address=ADDRESS)
    assert desk.closed == {kept_out: Farewell.BARRED}
    assert [type(said) for said in desk.heard(kept_out)] == [Goodbye]
    assert any(isinstance(said, Welcome) for said in desk.heard(let_in))


def test_who_is_barred_in_a_round_plays_it_to_its_end() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists_of({0: 1}).decide(Measure.BAR, 1)
    desk = Desk(story)
    assert desk.join(1, address=ADDRESS) not in desk.closed
