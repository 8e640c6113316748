"""A table that this machine hosts: where it listens, who may come in, and what it keeps."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest

from protocol.crypto.join_code import CODE_LENGTH
from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.failover.effects import Stand
from protocol.guest.guest import Guest
from protocol.host.effects import Record
from protocol.host.policy import HostPolicy
from protocol.limits import MAX_NAME, TRIES_OF_CODE
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from protocol.table.statements import Measure
from protocol.wire.messages import State
from spoof_tui.network import table_server
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.probe import FoundTable, ProbeFailed, probe
from spoof_tui.runtime.hosted_table import HostedTable, TablePlan
from spoof_tui.runtime.notices import CodeChange
from spoof_tui.runtime.saved_tables import continuable, resumable
from spoof_tui.storage.journal import Journal, Kept
from spoof_tui.visiting import DOOR_VARIABLE
from tests.helpers.virtual import network, search, unwritable
from tests.simulation.substitutes import here
from tests.spoof_tui.runtime.local_table import LocalTable, new_key, until
from tests.spoof_tui.runtime.moves import Company

PRACTICE = TablePlan("The Golden Pier", "Olha", Rules.parse("milan"), public=False)
OPEN = replace(PRACTICE, public=True, port=0, locked=False)


async def opened(plan: TablePlan = PRACTICE) -> HostedTable:
    return await HostedTable.open(plan, new_key())


def company(table: HostedTable) -> LocalTable:
    return LocalTable(table.server, table.server.host.log[0].blob)


async def test_the_table_of_a_visitor_leads_nobody_to_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = await opened(OPEN)
    monkeypatch.setattr(table, "_announcer", SimpleNamespace(hosts=()))
    assert table.address == f"127.0.0.1:{table.port}"
    monkeypatch.setenv(DOOR_VARIABLE, "host")
    assert table.address == ""


async def asked(port: int) -> FoundTable:
    return await probe([Address("127.0.0.1", port)])


async def test_a_table_is_what_the_plan_says_and_answers_where_it_says() -> None:
    plan = replace(PRACTICE, rules=Rules.parse("bid-spoof cap=5"), seats=4)
    table = await opened(plan)
    card = table.server.host.card
    assert (card.name.raw, card.host.raw) == ("The Golden Pier", "Olha")
    assert (card.rules, card.seats, card.taken) == (plan.rules, 4, 0)
    assert (await asked(table.port)).card == card
    assert table.trouble is None and table.journal.is_lasting
    assert (await opened(plan)).server.host.table.id != table.server.host.table.id


async def test_others_find_a_public_table_and_no_practice_table() -> None:
    practice, public = await opened(), await opened(OPEN)
    await asyncio.sleep(1)
    served = {table for table, _ in network().beacons.values()}
    assert served == {public.server.host.table.id}
    await public.close()
    assert not network().beacons and (await asked(practice.port)).card


async def test_where_the_usual_port_is_taken_any_other_does() -> None:
    first, second = [await opened(replace(OPEN, port=None)) for _ in range(2)]
    assert first.port == DEFAULT_PORT and second.port not in (0, DEFAULT_PORT)
    assert (await opened()).port != DEFAULT_PORT


async def test_a_port_that_was_asked_for_is_that_port_or_none_and_no_table_ever_was() -> None:
    taken = table_server.bound(0, loopback_only=False)[0].getsockname()[1]
    with pytest.raises(OSError, match="taken"):
        await opened(replace(OPEN, port=taken))
    await asyncio.sleep(1)
    assert continuable() == []


async def test_an_opening_that_is_broken_off_leaves_no_port_open() -> None:
    here().disk.sync_time = 60.0
    beginning = asyncio.create_task(opened(replace(OPEN, port=7000)))
    await asyncio.sleep(0.05)
    assert (await asked(7000)).card
    beginning.cancel()
    await asyncio.gather(beginning, return_exceptions=True)
    with pytest.raises(ProbeFailed):
        await asked(7000)


async def test_the_log_grows_on_the_disk_and_listeners_hear_of_every_entry() -> None:
    table, heard = await opened(), list[str]()
    table.listen(lambda: heard.append("one"))
    table.listen(lambda: heard.append("two"))
    await company(table).sit("Ann", "Bob")
    assert heard == ["one", "two"] * 2
    host = table.server.host
    assert Journal(host.table.id, host.key).read().entries == tuple(host.log)


async def test_a_table_opens_where_nothing_can_be_written_and_ends_with_its_program() -> None:
    with unwritable():
        table = await opened()
        await company(table).sit("Ann")
        assert (table.journal.is_lasting, table.server.trouble) == (False, None)


@pytest.mark.parametrize("letter", ["x", "ї", "🪙"])
async def test_names_are_cut_to_what_others_can_be_told(letter: str) -> None:
    table = await opened(replace(PRACTICE, name=letter * 99, host=letter * 99))
    for name in (table.server.host.card.name.raw, table.server.host.card.host.raw):
        assert set(name) == {letter}
        assert MAX_NAME - 4 < len(name.encode()) <= MAX_NAME


# The join code, and keeping order


async def test_a_table_has_a_code_unless_it_is_open() -> None:
    table = await opened()
    assert table.code and len(table.code) == CODE_LENGTH and table.code_change is None
    assert table.server.host.card.locked and table.is_shut is None
    table = await opened(OPEN)
    table.renew_code()
    assert table.code is None and table.code_change is None
    assert not table.server.host.card.locked and table.is_shut is False


async def test_a_table_is_open_anew_once_somebody_has_sat_there() -> None:
    table = await opened()
    assert not table.is_anew
    [_] = await company(table).sit("Ann")
    assert table.is_anew


def ask_for_another(table: HostedTable, ann: bytes) -> None:
    table.renew_code()


def bar(table: HostedTable, ann: bytes) -> None:
    table.decide(Measure.BAR, ann)


def guess(table: HostedTable, ann: bytes) -> None:
    for _ in range(TRIES_OF_CODE):
        table.server.host.admission.wrong("10.0.0.9", 0.0)


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (ask_for_another, CodeChange.ASKED),
        (bar, CodeChange.BARRED),
        (guess, CodeChange.GUESSED),
    ],
)
async def test_another_code_says_why_it_is_another_one(
    act: Callable[[HostedTable, bytes], None], why: CodeChange
) -> None:
    table, codes = await opened(), dict[str | None, CodeChange | None]()

    def listen() -> None:
        codes.setdefault(table.code, table.code_change)

    table.listen(listen)
    room = company(table)
    [ann] = await room.sit("Ann")
    act(table, ann.session.guest.key)
    await room.sit("Bob")
    assert list(codes.values()) == [None, why]


async def test_strangers_are_those_of_other_programs_who_never_opened_a_fist() -> None:
    table = await Company.open(replace(OPEN, start_when=2))
    ann = table.sit("Ann", table.host_key, table.hosted)
    friend = table.sit("Friend")
    await until(lambda: ann.sits and friend.sits)
    assert set(table.hosted.strangers) == {friend.key.public}
    await table.choosing()
    for player in (ann, friend):
        player.do(lambda session: session.choose(1))
    await until(lambda: all(each.table.phase is Phase.SPEAKING for each in table.players))
    for word in (Bid(1), Ending.CALL):
        for player in (ann, friend):
            player.do(lambda session: session.do(Guest.speak, word))  # noqa: B023
        await asyncio.sleep(1)
    await until(lambda: not table.hosted.strangers)
    krona, bo = table.sit("Krona"), table.sit("Bo")
    await until(lambda: krona.sits and bo.sits)
    assert set(table.hosted.strangers) == {krona.key.public, bo.key.public}
    table.hosted.clear((krona.key.public, friend.key.public, new_key().public))
    assert table.hosted.server.host.table.barred == {krona.key.public}, "and nobody else"
    assert set(table.hosted.strangers) == {bo.key.public} and table.hosted.is_shut
    table.hosted.clear((bo.key.public,))
    assert not set(table.hosted.strangers) and table.hosted.is_shut
    table.hosted.shut()
    assert not table.hosted.is_shut


# For the day when it goes on


async def standing(table: HostedTable) -> HostedTable:
    """Another program of this machine that stands for host in epoch 1."""
    entries, policy = list(table.server.host.log), HostPolicy(ForeignText("Bo"))
    sockets = table_server.bound(0, loopback_only=True)
    key = new_key()
    journal = Journal(table.server.host.table.id, key.public)
    return await HostedTable.stand(entries, key, policy, journal, Stand(1, 0.0, ()), sockets)


async def test_what_a_candidate_for_host_shows_is_on_its_disk_before() -> None:
    table = await opened()
    elected = await standing(table)
    card = (await asked(elected.port)).card
    assert card and (card.state, card.epoch) == (State.MOVING, 1)
    await asyncio.sleep(1)
    assert elected.journal.read() == Kept(tuple(table.server.host.log))


async def resumed(table: HostedTable, key: SigningKey) -> HostedTable:
    """The table as another program of its host goes on with it."""
    await table.close(is_moving=True)
    [saved] = resumable()
    return await HostedTable.resume(saved, key, search())


@pytest.mark.parametrize("is_back", [False, True])
async def test_nobody_comes_to_a_host_before_the_log_that_it_has_read_is_on_its_disk(
    is_back: bool,
) -> None:
    key = new_key()
    table = await HostedTable.open(OPEN, key)
    here().disk.refuses = errno.ENOSPC
    served = await (resumed(table, key) if is_back else standing(table))
    await until(lambda: served.server.trouble)
    with pytest.raises(ProbeFailed):
        await asked(served.port)
    here().disk.refuses = None
    await until(lambda: not served.server.trouble)
    assert (await asked(served.port)).card == served.server.host.card


async def test_who_is_elected_with_a_full_disk_writes_the_log_once_when_there_is_room() -> None:
    table = await opened(OPEN)
    table.shut()
    elected = await standing(table)
    here().disk.refuses = errno.ENOSPC
    *_, entry = before = list(table.server.host.log)
    elected.server.carry_out([Record(entry)])
    await until(lambda: elected.server.trouble)
    here().disk.refuses = None
    await until(lambda: not elected.server.trouble)
    await elected.close(is_moving=True)
    assert elected.journal.read().entries == tuple(before)
