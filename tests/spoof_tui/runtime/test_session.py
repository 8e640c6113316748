"""Sessions at a table server, over links in memory that can be cut, and on disks that fill up."""

from __future__ import annotations

import asyncio
import errno
from dataclasses import replace

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Reason
from protocol.guest.guest import Guest
from protocol.host.effects import Send
from protocol.host.policy import HostPolicy
from protocol.limits import MAX_TALK, TALK_BURST
from protocol.rules.words import Ending
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import Fist, GameStarted, Leave, Say, Sit, Vacated
from protocol.table.verify import Flaw, verify
from protocol.views import LinkState
from protocol.wire.messages import Card, Entries, Farewell, Goodbye, Hello, write
from spoof_tui.clock import now
from spoof_tui.runtime.notices import Broken, Ended, NotAllowed, Saved, TurnedAway, WhileAway
from spoof_tui.runtime.session import AWAY_DELAY, talk
from spoof_tui.storage.journal import Journal
from tests.simulation.substitutes import here
from tests.spoof_tui.network.places import Host
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Sitter,
    Wire,
    local_table,
    new_key,
    proposed,
    statements,
    until,
)


def refused(sitter: Sitter) -> list[Reason]:
    return [notice.error.reason for notice in sitter.told(NotAllowed)]


def returning(table: LocalTable, key: SigningKey, name: str) -> Sitter:
    """A session on its way to the table that continues from what `key` kept on disk."""
    store = Journal(table.table_id, key.public)
    kept = store.read()
    return table.seat(name, Guest(key, table.table_id, kept.entries, kept.secrets), store)


async def saved_seat(table: LocalTable, key: SigningKey, name: str = "Maria") -> Sitter:
    """The same, at the table."""
    sitter = returning(table, key, name)
    await until(lambda: sitter.notices and sitter.sits and sitter.view.link is LinkState.UP)
    return sitter


def lose(sitter: Sitter) -> None:
    """The link is gone, and no path leads to another one."""
    sitter.wire.refuses = True
    sitter.wire.cut()


async def asking_in_vain(table: LocalTable, name: str) -> Sitter:
    """Somebody whose link has swallowed the request for a seat, and all that comes after it."""
    wire = Wire(table.server.connect)

    def is_late(message: Message) -> None:
        wire.swallows |= isinstance(proposed(message), Sit)

    wire.on_send = is_late
    sitter = table.seat(name, wire=wire)
    await until(lambda: wire.swallows)
    return sitter


def over_a_new_link(sitter: Sitter) -> None:
    """The link is gone, and the next one carries everything."""
    sitter.wire.on_send, sitter.wire.swallows = (lambda message: None), False
    sitter.wire.cut()


# Sitting and playing


async def test_who_found_no_free_seat_hears_why_and_may_ask_again() -> None:
    async with local_table(seats=2) as table:
        ann, _ = await table.sit("Ann", "Bob")
        third = table.seat("Cem")
        await until(lambda: third.told(NotAllowed))
        [notice] = third.told(NotAllowed)
        assert str(notice.error) == "The table is full: 2 seats. (G6)"
        ann.session.close()
        await ann.over()
        assert ann.told(Ended) == []
        await until(lambda: len(third.view.seats) == 1)
        assert not third.sits, "it asks once by itself"
        third.session.sit()
        await until(lambda: third.sits)


async def test_who_asks_for_a_seat_while_a_game_starts_gets_it_all_the_same() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        third = await asking_in_vain(table, "Cem")
        await table.start(ann, bob)
        over_a_new_link(third)
        await until(lambda: third.sits)
        assert not refused(third)


async def test_who_asks_for_seats_too_fast_gets_one_later() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        for _ in range(TALK_BURST // 2):
            given_up = len(table.server.host.log)
            ann.session.do(Guest.propose, Leave())
            await until(lambda so_far=given_up: len(table.server.host.log) > so_far)  # type: ignore[misc]
            await until(lambda: ann.sits)
        assert not refused(ann)
        assert len(statements(table, Sit)) == 1 + TALK_BURST // 2


async def test_who_asks_for_a_seat_once_more_before_seeing_the_own_one_is_refused_nothing() -> None:
    async with local_table() as table:
        ann = await asking_in_vain(table, "Ann")
        ann.session.sit()
        over_a_new_link(ann)
        await until(lambda: ann.sits)
        ann.session.sit()
        await table.sit("Bob")
        assert not refused(ann)
        assert len(statements(table, Sit)) == 2


@pytest.mark.parametrize("letter", ["x", "ї", "🪙"])
def test_a_line_too_long_for_the_wire_is_cut(letter: str) -> None:
    said = talk(letter * 500)
    assert said and set(said.text.raw) == {letter}
    assert MAX_TALK - 4 < len(said.text.raw.encode()) <= MAX_TALK


def test_a_line_without_anything_to_say_is_no_statement_and_no_surrogate_is_said() -> None:
    assert talk("") is None
    assert talk("\ud800 after") == Say(ForeignText("? after"))


# Commands that are not allowed


async def test_what_the_host_alone_knows_is_told_with_its_own_reason() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        for line in range(12):
            ann.session.do(Guest.propose, Say(ForeignText(f"line {line}")))
        await until(lambda: Reason.TOO_FAST in refused(ann))
        assert ann.view.link is LinkState.UP


# Connections that come and go


async def test_a_dropped_session_resumes_from_its_position_and_hears_what_it_missed() -> None:
    async with local_table() as table:
        ann, bob = await table.sit("Ann", "Bob")
        had = len(bob.session.guest.log)
        lose(bob)
        assert bob.view.link is LinkState.DOWN, "it is shown at once"
        await until(lambda: table.server.host.table.seats[1].away)
        ann.session.do(Guest.propose, Say(ForeignText("Where is Bob?")))
        await asyncio.sleep(AWAY_DELAY)
        bob.wire.heard.clear()
        bob.wire.refuses = False
        await until(lambda: bob.view.link is LinkState.UP and bob.view.talk)
        await until(lambda: len(bob.session.guest.log) == len(table.server.host.log))
        heard = [each for each in bob.wire.heard if isinstance(each, Entries)]
        sent = [blob for each in heard for blob in each.blobs]
        assert sent == [entry.blob for entry in table.server.host.log][had:]
        [missed] = bob.told(WhileAway)
        assert any(isinstance(entry.statement, Say) for entry in missed.entries)
        bob.wire.cut()
        await until(lambda: bob.view.link is LinkState.UP)
        assert len(bob.told(WhileAway)) == 1, "a short loss is not worth telling"
        assert not ann.told(WhileAway), "nor anything at a table that is new"


async def test_who_goes_back_to_a_table_that_nobody_serves_sees_how_it_was_at_once() -> None:
    key = new_key()
    async with local_table() as table:
        maria = await saved_seat(table, key)
        await maria.crash()
        again = returning(table, key, "Maria")
        again.wire.refuses = True
        await until(lambda: again.notices, 1)
        assert again.view.my_seat is not None and again.view.link is LinkState.DOWN


async def test_whose_seat_was_freed_meanwhile_sits_down_again() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        lose(ann)
        host = table.server.host
        await until(lambda: host.table.seats[0].away)
        table.server.carry_out(host.tick(replace(now(), wall=now().wall + 61_000)))
        assert not host.table.seats
        ann.wire.refuses = False
        await until(lambda: host.table.seats)
        assert statements(table, Vacated) == [Vacated(ann.session.guest.key)]


# Ends


async def test_another_version_and_another_table_end_the_session() -> None:
    async with local_table() as table:
        host = Host(said=frame(pack(("greeting", 99, "9.9", "?", 1))))
        stranger = table.seat("Ann", wire=Wire(host.connect))
        lost = table.seat("Bob", Guest(new_key(), bytes(32)))
        for sitter, why in ((stranger, Farewell.OTHER_VERSION), (lost, Farewell.OTHER_LOG)):
            await sitter.over()
            assert sitter.told(Ended) == [Ended(why)]


async def test_who_is_not_the_host_cannot_end_a_session_and_is_told_of_once() -> None:
    async with local_table() as table:
        [maria] = await table.sit("Maria")
        maria.wire.divert(Host(said=write(Goodbye(Farewell.CLOSED))).connect, new_key().public)
        await until(lambda: len(maria.wire.dials) > 3)
        assert not maria.told(Ended)
        assert maria.told(TurnedAway) == [TurnedAway(Farewell.IMPOSTOR)]


@pytest.mark.parametrize("why", [Farewell.HANDED_OVER, Farewell.BEHIND, Farewell.OLD_EPOCH])
async def test_when_only_the_host_goes_the_session_looks_for_another(why: Farewell) -> None:
    async with local_table() as table:
        wire = Wire(Host(said=write(Goodbye(why))).connect)
        maria = table.seat("Maria", wire=wire)
        await until(lambda: len(wire.dials) > 2)
        assert not maria.told(Ended)


@pytest.mark.parametrize(("origins", "dials"), [((), 1), ((b"t" * 32,), 2)])
async def test_a_table_that_goes_on_elsewhere_may_prove_its_code_at_the_second_try(
    monkeypatch: pytest.MonkeyPatch, origins: tuple[bytes, ...], dials: int
) -> None:
    greeting = HostPolicy.card

    def card(policy: HostPolicy, table: Table, standing: int | None) -> Card:
        return replace(greeting(policy, table, standing), continues=origins)

    monkeypatch.setattr(HostPolicy, "card", card)
    async with local_table() as table:
        sitter = table.seat()
        sitter.session.use_code("K7M4Q")
        await until(lambda: sitter.told(Ended))
        assert sitter.told(Ended)[0].why is Farewell.NO_PROOF
        assert len(sitter.wire.dials) == dials


# A host that lies


def lie(table: LocalTable, key: SigningKey) -> Entry:
    """The host sends everybody a game that it cannot have started."""
    host = table.server.host
    log = host.log
    lying = Entry.sign(key, len(log), log.head, now().wall, GameStarted(()))
    links = tuple(range(1, len(table.sitters) + 1))
    table.server.carry_out([Send(links, write(Entries((lying.blob,))))])
    return lying


@pytest.mark.parametrize("disk_error", [None, errno.ENOSPC])
async def test_a_lying_host_is_left_with_the_evidence_as_far_as_it_can_be_kept(
    disk_error: int | None,
) -> None:
    key = new_key()
    async with local_table(key=key) as table:
        ann = await saved_seat(table, new_key())
        here().disk.refuses = disk_error
        lying = lie(table, key)
        await ann.over()
        [broken] = ann.told(Broken)
        assert isinstance(broken.error, BrokenLog) and len(ann.wire.dials) == 1
        assert broken.fault and broken.fault.flaw is Flaw.FORBIDDEN
        assert [entry.statement.KIND for entry in ann.session.guest.log] == ["table-opened", "sit"]
        if disk_error:
            assert broken.evidence is None
            return
        [(path, log)] = here().disk.durable("games/*.log")
        assert log.endswith(frame(lying.blob)) and str(broken.evidence) == path
        assert verify([log]).fault == broken.fault
        [(_, told)] = here().disk.durable("games/*.txt")
        assert str(broken.error) == told.decode()


# The disk


async def test_a_hand_that_was_kept_but_not_sent_is_sent_after_the_restart() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, key, "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        ann.wire.swallows = True
        ann.session.choose(2)
        await ann.crash()
        table.sitters.remove(ann)
        again = await saved_seat(table, key, "Ann")
        await until(lambda: statements(table, Fist))
        again.session.choose(1)
        assert again.session.guest.own_hand == 2 and refused(again) == [Reason.FIST_IS_IN]


async def test_a_program_that_comes_back_says_nothing_before_what_it_read_is_on_its_disk() -> None:
    key = new_key()
    async with local_table() as table:
        ann = await saved_seat(table, key)
        await ann.crash()
        here().disk.refuses = errno.ENOSPC
        again, said = returning(table, key, "Maria"), list[Message]()
        again.wire.on_send = said.append
        await until(lambda: again.session.trouble)
        await asyncio.sleep(5)
        assert again.wire.dials and not said
        here().disk.refuses = None
        await until(lambda: again.session.guest.link is LinkState.UP)


async def test_a_hand_waits_for_room_on_the_disk_and_then_is_sent_and_all_is_kept() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, key, "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        here().disk.refuses = errno.ENOSPC
        ann.session.choose(0)
        bob.session.choose(0)
        await until(lambda: statements(table, Fist))
        await asyncio.sleep(5)
        assert len(statements(table, Fist)) == 1
        assert ann.session.trouble and ann.session.trouble.errno == errno.ENOSPC
        here().disk.refuses = None
        await until(lambda: table.phase is Phase.SPEAKING and not ann.session.trouble)
        store = Journal(table.table_id, key.public)
        await until(lambda: len(store.read().entries) == len(table.server.host.log))


async def test_a_hand_that_is_chosen_just_before_the_end_is_sent_all_the_same() -> None:
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, new_key(), "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        ann.session.choose(2)
        ann.session.close(keeps_seat=True)
        await ann.over()
        await until(lambda: statements(table, Fist))


async def play_zeros(table: LocalTable, pair: list[Sitter]) -> None:
    """A whole game in which every fist is empty and each opener says zero."""
    while table.phase is not Phase.GATHERING:
        await until(lambda: all(sitter.view.own_fist_due for sitter in pair))
        await table.choose(pair, 0, 0)
        await table.say(Ending.ZERO)
        await until(lambda: table.phase in (Phase.CHOOSING, Phase.GATHERING))


async def test_a_finished_game_is_saved_once_by_whoever_has_a_disk() -> None:
    key = new_key()
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, key, "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        await play_zeros(table, [ann, bob])
        await until(lambda: ann.told(Saved))
        ann.wire.cut()
        await until(lambda: len(ann.wire.dials) == 2 and ann.view.link is LinkState.UP)
        await asyncio.sleep(1)
        [saved] = ann.told(Saved)
        assert saved.record.name.endswith(".spoof") and bob.told(Saved) == []
        await ann.crash()
        again = await saved_seat(table, key, "Ann")
        await asyncio.sleep(1)
        assert again.told(Saved) == [], "what was over before a restart is not saved again"


@pytest.mark.parametrize("is_cut", [True, False])
async def test_what_waits_for_the_disk_is_not_said_on_a_later_link(is_cut: bool) -> None:
    key, said = new_key(), list[Message]()
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, key, "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        here().disk.refuses = errno.ENOSPC
        ann.session.choose(1)
        await asyncio.sleep(3)
        ann.wire.on_send = said.append
        if is_cut:
            ann.wire.cut()
        else:
            await ann.wire(ann.session)
        await until(lambda: len(ann.wire.dials) == 2)
        here().disk.refuses = None
        await until(lambda: len(statements(table, Fist)) == 1)
        assert isinstance(said[0], Hello)
        assert [type(proposed(each)) for each in said].count(Fist) == 1


async def test_why_a_link_ended_is_no_news_if_a_full_disk_kept_it_back_till_the_next_one() -> None:
    async with local_table() as table:
        ann, [bob] = await saved_seat(table, new_key(), "Ann"), await table.sit("Bob")
        await table.start(ann, bob)
        here().disk.refuses = errno.ENOSPC
        ann.session.choose(1)
        for number, _ in list(table.server.host.connections.inside()):
            table.server.carry_out([Send((number,), write(Goodbye(Farewell.TOO_MANY)))])
        await asyncio.sleep(1)
        ann.wire.cut()
        await until(lambda: len(ann.wire.dials) == 2)
        here().disk.refuses = None
        await until(lambda: ann.view.link is LinkState.UP)
        assert not ann.told(TurnedAway) and bob.told(TurnedAway)
