"""Coming in to a table: its code, who need not prove it, and who is kept out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import CodeWanted, Hangup
from protocol.host.host import Host
from protocol.limits import (
    GUESS_INTERVAL,
)
from protocol.rules.words import Bid
from protocol.table.log import Log
from protocol.table.statements import Admitted, Measure, Sit
from protocol.timeouts import PING_INTERVAL, SUPPORT_DELAY
from protocol.views import LinkState
from protocol.wire.messages import Farewell
from tests.helpers.tables import MemoryTable
from tests.protocol.continuing import drafted, opening, signed_by
from tests.protocol.joining import ADDRESS, locked_table, newcomer
from tests.protocol.moving import gather, playing
from tests.protocol.stories import Desk, Story, signing_key


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
    assert ahead.events(Hangup) == [Hangup(Farewell.BEHIND)]
    assert table.host.log.head == candidate.guest.log.head


def test_who_missed_that_the_host_proved_the_code_proves_it_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.admission.code)
    again = newcomer(table, table.host.admission.code, key=client.guest._key)
    assert again.guest.link is LinkState.UP
    assert sum(isinstance(entry.statement, Admitted) for entry in table.host.log) == 1


def new_table() -> MemoryTable:
    """A locked table to which two of three have gone along from an old one (G8)."""
    table, story = locked_table(), Story(3, "milan").start(0, 1, 2)
    old = replace(story.table, opened=replace(story.table.opened, locked=True))
    entry = opening(signed_by(drafted(old, 0, 1), 0, 1))
    table.host_key = signing_key(0)
    table.shown_key = table.host_key.public
    table.host = Host(table.host_key, table.policy, [entry], table.random.randbytes)
    return table


def test_who_sat_at_the_old_table_needs_no_code_at_the_new_one() -> None:
    table = new_table()
    assert newcomer(table, key=signing_key(2)).guest.link is LinkState.UP
    assert newcomer(table).effects[-1] == CodeWanted(Farewell.NO_CODE)


def test_who_sat_at_the_old_table_and_has_the_code_gets_it_proven_at_the_second_try() -> None:
    table = new_table()
    client = newcomer(table, table.host.admission.code, key=signing_key(2))
    assert client.events(Hangup) == [Hangup(Farewell.NO_PROOF)]
    assert not client.events(CodeWanted)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    assert client.guest.link is LinkState.UP
    assert len(table.host.log) == 1


def test_who_opened_the_table_needs_no_code_though_another_one_hosts_it() -> None:
    table = locked_table()
    opener, heir = table.host_key, newcomer(table, table.host.admission.code)
    other = newcomer(table, table.host.admission.code)
    for client in (heir, other):
        table.act(client, client.guest.propose(Sit(ForeignText("Ann"))))
    table.now(SUPPORT_DELAY)
    table.stand(heir)
    for client in (heir, other):
        table.connect(client)
    table.pass_time(PING_INTERVAL)
    assert not table.host.is_standing
    assert newcomer(table, key=opener).guest.link is LinkState.UP


def test_who_is_barred_in_a_round_plays_it_to_its_end() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists_of({0: 1}).decide(Measure.BAR, 1)
    desk = Desk(story)
    assert desk.join(1, address=ADDRESS) not in desk.closed
