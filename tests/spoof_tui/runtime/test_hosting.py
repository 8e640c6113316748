"""A table that this machine hosts: where it listens, and what it keeps on the disk."""

import asyncio
import contextlib
import errno
import socket
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.crypto.join_code import CODE_LENGTH
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.host.host import HostPolicy, Record
from protocol.limits import MAX_NAME, TRIES_OF_CODE
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Measure
from protocol.wire.messages import Card, State
from spoof_tui.network.addresses import Address
from spoof_tui.network.adverts import Announcer
from spoof_tui.network.probe import probe
from spoof_tui.network.reserved_port import bound
from spoof_tui.runtime import hosting
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.hosting import HostedTable, Plan
from spoof_tui.runtime.notices import Ended
from spoof_tui.runtime.saved_tables import continuable
from spoof_tui.storage import disk as disks
from spoof_tui.storage import folders, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HOST_LOG, HostFiles, HostingTerms
from spoof_tui.storage.stored_log import read_entries
from tests.spoof_tui.runtime.local_table import LocalTable, Wire, new_key, until

PRACTICE = Plan("The Golden Pier", "Olha", Rules.parse("milan"), public=False)


@contextlib.asynccontextmanager
async def opened(plan: Plan = PRACTICE) -> AsyncIterator[HostedTable]:
    table = await HostedTable.open(plan, new_key())
    try:
        yield table
    finally:
        await table.close()


def company(table: HostedTable) -> LocalTable:
    return LocalTable(table.server, table.server.host.log[0].blob)


async def test_a_table_is_what_the_plan_says() -> None:
    plan = replace(PRACTICE, rules=Rules.parse("bid-spoof cap=5"), seats=4)
    async with opened(plan) as table:
        card = table.server.host.card
        assert (card.name.raw, card.host.raw) == ("The Golden Pier", "Olha")
        assert (card.rules, card.seats, card.taken) == (plan.rules, 4, 0)


async def test_every_table_is_another_one() -> None:
    async with opened() as one, opened() as other:
        assert one.server.host.table.id != other.server.host.table.id


async def test_it_answers_where_it_says() -> None:
    async with opened() as table:
        answer = await probe(Address("127.0.0.1", table.port))
        assert answer.card == table.server.host.card


async def test_a_practice_table_is_for_this_machine_only() -> None:
    async with opened() as table:
        sockets = [each for server in table.server._servers for each in server.sockets]
        assert {each.getsockname()[0] for each in sockets} <= {"127.0.0.1", "::1"}
        assert table.trouble is None


async def test_where_the_usual_port_is_taken_any_other_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        usual = taken.getsockname()[1]
        monkeypatch.setattr(hosting, "DEFAULT_PORT", usual)
        async with opened(replace(PRACTICE, public=True)) as table:
            assert table.port not in (0, usual)


async def test_a_port_that_was_asked_for_is_that_port_or_none() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        plan = replace(PRACTICE, public=True, port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            await HostedTable.open(plan, new_key())


async def test_a_table_whose_port_was_taken_never_was() -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        plan = replace(PRACTICE, public=True, port=taken.getsockname()[1])
        with pytest.raises(OSError, match="in use"):
            await HostedTable.open(plan, new_key())
    await disks.DISK.run(lambda: None)
    assert continuable() == []


async def test_a_public_table_says_whether_others_find_it() -> None:
    async with opened(replace(PRACTICE, public=True, port=0)) as table:
        assert table.trouble is None or table.trouble.strip()
        assert (await probe(Address("127.0.0.1", table.port))).card


async def test_an_opening_that_is_broken_off_leaves_no_port_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ports = asyncio.Queue[int]()

    async def never(_: Announcer, card: Card, port: int) -> None:
        ports.put_nowait(port)
        await asyncio.Event().wait()

    monkeypatch.setattr(Announcer, "start", never)
    plan = replace(PRACTICE, public=True, port=0)
    beginning = asyncio.create_task(HostedTable.open(plan, new_key()))
    port = await ports.get()
    assert (await probe(Address("127.0.0.1", port))).card
    beginning.cancel()
    await asyncio.gather(beginning, return_exceptions=True)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


async def test_the_log_grows_on_the_disk() -> None:
    async with opened() as table:
        pair = await company(table).sit("Ann", "Bob")
        path = folders.table_folder(table.server.host.table.id) / "host.log"
        assert read_entries(Frames(path).read()) == list(table.server.host.log)
        for sitter in pair:
            await sitter.crash()


async def test_listeners_hear_of_every_entry_and_can_be_several() -> None:
    async with opened() as table:
        heard: list[str] = []
        table.listen(lambda: heard.append("one"))
        table.listen(lambda: heard.append("two"))
        [ann] = await company(table).sit("Ann")
        assert heard == ["one", "two"]
        await ann.crash()


async def test_closing_tells_everybody() -> None:
    async with opened() as table:
        [ann] = await company(table).sit("Ann")
        await table.close()
        await ann.over()
        assert ann.told(Ended)


async def test_a_table_opens_where_nothing_can_be_written_and_ends_with_its_program(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").touch()
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "file" / "below"))
    async with opened() as table:
        [ann] = await company(table).sit("Ann")
        assert (table.is_lasting, table.server.trouble) == (False, None)
        await ann.crash()


@pytest.mark.parametrize("letter", ["x", "ї", "🪙"])
async def test_names_are_cut_to_what_others_can_be_told(letter: str) -> None:
    async with opened(replace(PRACTICE, name=letter * 99, host=letter * 99)) as table:
        for name in (table.server.host.card.name.raw, table.server.host.card.host.raw):
            assert set(name) == {letter}
            assert MAX_NAME - 4 < len(name.encode()) <= MAX_NAME


async def test_games_start_when_the_plan_says() -> None:
    async with opened(replace(PRACTICE, start_when=3)) as table:
        room = company(table)
        sitters = await room.sit("Ann", "Bob")
        for sitter in sitters:
            sitter.session.ready()
        await until(lambda: all(seat.ready for seat in sitters[0].view.seats))
        assert sitters[0].view.game_number == 0
        third = room.seat("Cem", wire=Wire(table.server.connect))
        await until(lambda: third.sits)
        third.session.ready()
        await until(lambda: sitters[0].view.game_number == 1)
        await asyncio.gather(*(each.crash() for each in room.sitters))


async def test_a_table_that_could_move_to_nobody_tells_who_does_not_reach_whom() -> None:
    async with opened() as table:
        sitters = await company(table).sit("Ann", "Bob", "Cem")
        by_key = {each.key: each for _, each in table.server.host.connections.inside()}
        ann, bob, cem = (by_key[sitter.session.guest.key] for sitter in sitters)
        for place, each in enumerate((ann, bob, cem), 1):
            each.address, each.port = f"10.0.0.{place}", 4000
        await until(lambda: len(table.server.host.places) == 3)
        keys = frozenset(each.key for each in (ann, bob, cem) if each.key)
        cem.apart = keys
        assert table.cut_off == frozenset() and table.noticed.apart == ()
        assert cem.key
        ann.apart = keys - {cem.key}
        assert table.cut_off == {bob.key} and table.noticed.apart == ()
        ann.apart = bob.apart = keys
        assert table.cut_off == {ann.key, bob.key, cem.key}
        assert ("Ann", "Bob") in table.noticed.apart
        await asyncio.gather(*(each.crash() for each in sitters))


# The join code, and keeping order


async def test_a_table_has_a_code_unless_it_is_open() -> None:
    async with opened() as table:
        assert table.code and len(table.code) == CODE_LENGTH
        assert table.server.host.card.locked and table.code_change is None
    async with opened(replace(PRACTICE, locked=False)) as table:
        assert table.code is None
        assert not table.server.host.card.locked


async def test_another_code_says_why_it_is_another_one() -> None:
    async with opened() as table:
        codes = [table.code]
        heard: list[tuple[str | None, CodeChange | None]] = []
        table.listen(lambda: heard.append((table.code, table.code_change)))
        table.renew_code()
        codes.append(table.code)
        [ann] = await company(table).sit("Ann")
        table.decide(Measure.BAR, ann.view.seats[0].key)
        codes.append(table.code)
        assert len(set(codes)) == 3
        await until(lambda: (codes[2], CodeChange.BARRED) in heard)
        assert (codes[1], CodeChange.ASKED) in heard
        assert heard[-1] == (codes[2], CodeChange.BARRED)
        await ann.crash()


async def test_guesses_make_another_code_and_say_so() -> None:
    async with opened() as table:
        first = table.code
        for _ in range(TRIES_OF_CODE):
            table.server.host.admission.wrong("10.0.0.9", 0.0)
        table._changed()
        assert table.code != first and table.code_change is CodeChange.GUESSED


async def test_an_open_table_has_no_code_to_renew() -> None:
    async with opened(replace(PRACTICE, locked=False)) as table:
        table.renew_code()
        assert table.code is None and table.code_change is None


async def test_what_cannot_be_decided_raises() -> None:
    async with opened() as table:
        with pytest.raises(Illegal, match="The host decides nothing about its own seat"):
            table.decide(Measure.MUTE, table.server.host.table.opened.host)


# Strangers at an open table

OPEN = replace(PRACTICE, public=True, port=0, locked=False, start_when=9)


async def test_an_open_table_is_locked_in_its_log_and_a_table_with_a_code_is_not() -> None:
    async with opened(OPEN) as table, opened(replace(OPEN, locked=True)) as other:
        assert (table.is_shut, other.is_shut) == (False, None)
        table.shut()
        assert table.is_shut and table.server.host.table.shut
        table.shut()
        assert table.is_shut is False


async def sit_from_elsewhere(seats: LocalTable, *names: str) -> tuple[bytes, ...]:
    """Keys of some who sit down from another machine."""
    keys = tuple(each.session.guest.key for each in await seats.sit(*names))
    for _, connection in seats.server.host.connections.inside():
        if connection.key in keys:
            connection.address = "192.0.2.7"
    return keys


async def test_strangers_are_those_of_other_programs_who_never_opened_a_fist() -> None:
    async with opened(replace(OPEN, start_when=2)) as table:
        seats = company(table)
        pair = await seats.sit("Bot")
        friend, *_ = await sit_from_elsewhere(seats, "Ann")
        assert table.strangers == (friend,)
        pair = seats.sitters[:2]
        await seats.start(*pair)
        await seats.choose(pair, 1, 1)
        await seats.say(Bid(1), Ending.CALL)
        await until(lambda: friend in table.server.host.table.played)
        stranger, *_ = await sit_from_elsewhere(seats, "Krona")
        assert table.strangers == (stranger,)
        await seats.close()


async def test_strangers_are_banned_at_once_and_the_table_is_locked() -> None:
    async with opened(OPEN) as table:
        seats = company(table)
        await seats.sit("Bot")
        gone = await sit_from_elsewhere(seats, "Krona", "Bo")
        table.clear(table.strangers)
        assert (table.strangers, table.is_shut) == ((), True)
        assert table.server.host.table.refused == set(gone)
        await seats.close()


async def test_nobody_is_banned_who_was_not_named() -> None:
    async with opened(OPEN) as table:
        seats = company(table)
        krona, bo = await sit_from_elsewhere(seats, "Krona", "Bo")
        table.clear((krona, new_key().public))
        assert table.server.host.table.barred == {krona} and table.strangers == (bo,)
        await seats.close()


# For the day when it goes on


async def test_the_terms_of_a_table_are_kept() -> None:
    async with opened(replace(PRACTICE, start_when=3, games=2)) as table:
        terms = HostFiles(table.server.host.table.id).terms()
        assert terms == HostingTerms("Olha", 3, 2, table.port, is_public=False)


async def test_who_stands_for_host_leaves_the_disk_alone_until_it_is_elected() -> None:
    async with opened() as table:
        entries = list(table.server.host.log)
        files = HostFiles(table.server.host.table.id)
        before = files.entries()
        policy = HostPolicy(ForeignText("Bo"))
        standing = await HostedTable.stand(entries, new_key(), policy, 1, bound(0, True))
        assert files.entries() == before
        card = (await probe(Address("127.0.0.1", standing.port))).card
        assert card and (card.state, card.epoch) == (State.MOVING, 1)
        await standing.close(is_moving=True)


async def test_who_is_elected_with_a_full_disk_writes_the_log_once_when_there_is_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disks, "RETRY_DELAY", 0.0)
    async with opened() as table:
        entries, policy = list(table.server.host.log), HostPolicy(ForeignText("Bo"))
        standing = await HostedTable.stand(entries, new_key(), policy, 1, bound(0, True))
        with monkeypatch.context() as full:
            full.setattr(Frames, "replace", refuse)
            standing.server.carry_out([Record(b"first")])
            await until(lambda: standing.server.trouble)
        standing.server.carry_out([Record(b"second")])
        await until(lambda: not standing.server.trouble)
        await standing.close(is_moving=True)
        log = Frames(folders.table_folder(table.server.host.table.id) / HOST_LOG)
        assert log.read() == [*(entry.blob for entry in entries), b"first", b"second"]
