"""Coming in to a locked table, and how much anybody may ask of its host."""

import random

import pytest

from protocol.crypto.join_code import ExchangeContext, answer
from protocol.crypto.keys import SigningKey
from protocol.encoding.framing import FrameReader, frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Reason
from protocol.guest.guest import (
    Changed,
    CodeWanted,
    Guest,
    GuestEffect,
    Halt,
    Hangup,
    LinkState,
    Refused,
    Transmit,
)
from protocol.host.host import Compute, Send
from protocol.limits import (
    GUESS_INTERVAL,
    MAX_EARLY_FRAME,
    MAX_ENTRIES,
    MESSAGES_BURST,
    RETURNS_BURST,
    SEATING_BURST,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
    TRIES_OF_CODE,
)
from protocol.table.state import Phase
from protocol.table.statements import Admitted, Measure, Say
from protocol.timing import LOST_DELAY, PING_INTERVAL, SUPPORT_DELAY
from protocol.wire.messages import (
    Entries,
    Farewell,
    Goodbye,
    Locked,
    Pake,
    Ping,
    Refusal,
    Welcome,
    read_from_guest,
    write,
)
from tests.helpers.tables import Chair, MemoryTable
from tests.protocol.stories import Desk, Story, signing_key

ADDRESS = "192.0.2.1"
entropy = random.Random(5).randbytes


def locked_table() -> MemoryTable:
    return MemoryTable(0, locked=True)


def newcomer(table: MemoryTable, code: str | None = None, address: str = ADDRESS) -> Chair:
    """Somebody who has connected and, if a code is given, typed it."""
    client = Chair(Guest(SigningKey(table.entropy())), address=address)
    table.clients.append(client)
    if code is not None:
        client.guest.use_code(code, table.random.randbytes)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    return client


def wrong_code(table: MemoryTable) -> str:
    return "AAAAA" if table.host.code != "AAAAA" else "CCCCC"


def test_who_has_no_code_is_asked_for_it_and_learns_nothing_of_the_table() -> None:
    table = locked_table()
    client = newcomer(table)
    assert client.events == [Hangup(Farewell.NO_CODE), CodeWanted(Farewell.NO_CODE)]
    assert client.guest.table is None
    assert not client.stored


def test_who_types_the_code_is_in_and_the_log_says_so() -> None:
    table = locked_table()
    client = newcomer(table, table.host.code)
    assert client.guest.link is LinkState.UP
    assert table.host.log[-1].statement == Admitted(client.guest.key)


def test_the_code_is_typed_once_however_often_one_comes_back() -> None:
    table = locked_table()
    client = newcomer(table, table.host.code)
    for _ in range(3):
        table.cut(client)
        table.connect(client)
        assert client.guest.link is LinkState.UP
    assert sum(isinstance(entry.statement, Admitted) for entry in table.host.log) == 1


def test_the_code_is_not_asked_for_after_the_host_was_started_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.code)
    code = table.host.code
    table.restart_host()
    table.connect(client)
    assert client.guest.link is LinkState.UP
    assert table.host.code != code


def test_who_opened_the_table_needs_no_code_though_another_one_hosts_it() -> None:
    table = locked_table()
    opener, heir = table.host_key, newcomer(table, table.host.code)
    other = newcomer(table, table.host.code)
    for client in (heir, other):
        table.act(client, client.guest.sit(ForeignText("Ann")))
    table.now(SUPPORT_DELAY)
    table.stand(heir)
    for client in (heir, other):
        table.connect(client)
    table.pass_time(PING_INTERVAL)
    assert not table.host.is_standing
    client = Chair(Guest(opener), address=ADDRESS)
    table.clients.append(client)
    table.connect(client)
    assert client.guest.link is LinkState.UP


def test_a_wrong_code_is_told_and_another_one_may_be_typed() -> None:
    table = locked_table()
    client = newcomer(table, wrong_code(table))
    assert client.events == [Hangup(Farewell.WRONG_CODE), CodeWanted(Farewell.WRONG_CODE)]
    client.guest.use_code(table.host.code or "", entropy)
    table.now(GUESS_INTERVAL)
    table.connect(client)
    assert client.guest.link is LinkState.UP


def test_after_some_wrong_codes_the_old_code_opens_nothing_and_the_address_waits() -> None:
    table = locked_table()
    code = table.host.code
    for _ in range(TRIES_OF_CODE):
        newcomer(table, wrong_code(table))
    assert table.host.code != code
    late = newcomer(table, table.host.code)
    assert late.events[0] == Hangup(Farewell.TOO_MANY_TRIES)
    elsewhere = newcomer(table, code, address="192.0.2.2")
    assert elsewhere.events[0] == Hangup(Farewell.WRONG_CODE)
    assert newcomer(table, table.host.code, "192.0.2.3").guest.link is LinkState.UP


def test_a_code_that_was_half_proven_when_the_link_broke_is_asked_for_again() -> None:
    table = locked_table()
    guest = Guest(SigningKey(table.entropy()))
    guest.use_code("K7M4Q", entropy)
    guest.connected(b"", table.now(), None)
    guest.received(table.greeting(), table.now())
    (asked,) = guest.received(write(Locked()), table.now())
    assert isinstance(asked, Transmit)
    setting = ExchangeContext(b"", bytes(32), table.host.table.id, guest.key)
    (pake,) = FrameReader().feed(asked.data)
    message = read_from_guest(pake)
    assert isinstance(message, Pake)
    answered = answer("AAAAA", setting, message.message, entropy)
    guest.received(write(Pake(answered.message)), table.now())
    assert CodeWanted(Farewell.NO_CODE) in guest.disconnected()


def test_a_link_that_breaks_after_the_proof_makes_no_suspicion_of_the_same_host() -> None:
    table = locked_table()
    host = table.host_key.public
    guest = Guest(SigningKey(table.entropy()))
    guest.use_code(table.host.code or "", entropy)
    table.now(GUESS_INTERVAL)
    link = 77
    sent = guest.connected(b"", table.now(), host)
    challenge = table.entropy()
    effects = table.host.connected(link, challenge, b"", table.now(), ADDRESS)
    for _ in range(3):
        said = b"".join(e.data for e in effects if isinstance(e, Send))
        sent = guest.received(said, table.now())
        effects = []
        for effect in table.host.received(link, transmitted(sent), table.now()):
            if isinstance(effect, Compute):
                effects += table.host.computed(link, effect.work(), table.now())
            else:
                effects.append(effect)
    proof, *_ = FrameReader().feed(b"".join(e.data for e in effects if isinstance(e, Send)))
    guest.received(frame(proof), table.now())
    assert guest.disconnected() == [Changed()]
    guest.connected(b"", table.now(), host)
    guest.received(table.greeting(), table.now())
    effects_now = guest.received(write(Welcome(2)), table.now())
    assert not any(isinstance(effect, Hangup) for effect in effects_now)


def transmitted(effects: list[GuestEffect]) -> bytes:
    return b"".join(effect.data for effect in effects if isinstance(effect, Transmit))


def test_an_open_table_asks_nobody() -> None:
    assert newcomer(MemoryTable(0)).guest.link is LinkState.UP


def test_who_typed_a_code_does_not_sit_down_where_nobody_proves_it() -> None:
    client = newcomer(MemoryTable(0), "K7M4Q")
    assert client.events == [Hangup(Farewell.NO_PROOF)]
    assert client.guest.table is None


def test_players_of_the_hosts_own_program_are_trusted() -> None:
    table = locked_table()
    assert table.add().guest.link is LinkState.UP


def test_who_is_refused_is_put_out_and_does_not_come_in_again() -> None:
    table = locked_table()
    client = newcomer(table, table.host.code)
    table.act(client, client.guest.sit(ForeignText("Mallory")))
    code = table.host.code
    table.decide(Measure.BAR, client.guest.key)
    assert client.events == [Hangup(Farewell.BARRED)]
    assert table.host.table.seat(client.guest.key) is None
    assert table.host.code != code
    table.connect(client)
    assert client.events == [Hangup(Farewell.BARRED)] * 2


def test_another_host_under_the_tables_name_hears_no_hello() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(table.greeting(), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects
    assert not any(isinstance(effect, Transmit) for effect in effects)


@pytest.mark.parametrize("why", [Farewell.CLOSED, Farewell.OTHER_LOG, Farewell.BARRED])
def test_another_host_cannot_say_that_the_table_closes(why: Farewell) -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(write(Goodbye(why)), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects and Hangup(why) not in effects


def test_a_later_host_that_is_not_known_yet_can_ask_for_the_code_again() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(write(Goodbye(Farewell.WRONG_CODE)), table.now())
    assert CodeWanted(Farewell.WRONG_CODE) in effects


@pytest.mark.parametrize("key", ["own", "other"])
def test_the_first_entry_names_the_host_of_the_certificate(key: str) -> None:
    table = MemoryTable(0)
    host_key = table.host_key.public if key == "own" else signing_key(9).public
    guest = Guest(SigningKey(table.entropy()))
    guest.connected(b"", table.now(), host_key)
    guest.received(table.greeting() + write(Welcome(1)), table.now())
    effects = guest.received(write(Entries((table.host.log[0].blob,))), table.now())
    halts = [effect.error for effect in effects if isinstance(effect, Halt)]
    assert [type(error) for error in halts] == ([] if key == "own" else [BrokenLog])


# What one link may ask


def test_more_than_a_burst_of_one_link_waits_and_everybody_else_goes_on() -> None:
    desk = Desk(Story(2))
    loud, quiet = desk.join(0, address=ADDRESS), desk.join(1, address="192.0.2.2")
    desk.receive(loud, write(Ping(0)) * 10_000)
    assert desk.stalled == {loud}
    story = Story(2)
    desk.propose(quiet, story.intent(1, Say(ForeignText("here"))))
    assert desk.host.log[-1].statement == Say(ForeignText("here"))


def test_what_waited_is_taken_in_time_and_then_the_link_is_read_again() -> None:
    desk = Desk(Story(1))
    loud = desk.join(0, address=ADDRESS)
    desk.receive(loud, write(Ping(0)) * (MESSAGES_BURST + 10))
    desk.pass_time(1.0)
    assert not desk.stalled and not desk.closed


def test_who_has_proven_nothing_may_not_send_a_long_frame() -> None:
    desk = Desk(Story(0))
    link = desk.dial(ADDRESS)
    desk.receive(link, frame(bytes(MAX_EARLY_FRAME + 1))[:5])
    assert desk.closed == {link: Farewell.MALFORMED}


def test_a_link_that_does_not_read_gets_no_more_until_it_does() -> None:
    desk = Desk(Story(2))
    slow = desk.join(0)
    desk.heard(slow)
    desk.host.clogged(slow, desk.now())
    story = Story(2)
    desk.propose(desk.join(1), story.intent(1, Say(ForeignText("here"))))
    assert desk.heard(slow) == []
    desk.carry_out(desk.host.pump(slow))
    assert [type(message) for message in desk.heard(slow)] == [Entries]


def test_a_link_that_never_reads_is_cut() -> None:
    desk = Desk(Story(2))
    slow = desk.join(0)
    desk.host.clogged(slow, desk.now())
    desk.pass_time(LOST_DELAY + 1, slow)
    assert desk.closed == {slow: Farewell.TOO_SLOW}


def test_a_long_log_comes_in_pieces_that_are_asked_for() -> None:
    story = Story(2)
    for number in range(MAX_ENTRIES // 2):
        story.tell(0, Say(ForeignText(f"{number} {'x' * 300}")))
    desk = Desk(story)
    asked: list[int] = []
    pump = desk.host.pump
    desk.host.pump = lambda link: asked.append(link) or pump(link)  # type: ignore[method-assign,func-returns-value]
    link = desk.join(1, held=story.entries[0].head)
    got = [blob for m in desk.heard(link) if isinstance(m, Entries) for blob in m.blobs]
    assert got == [entry.blob for entry in desk.host.log[1:]]
    assert len(asked) > 3


# What one key may ask


def talk(desk: Desk, story: Story, link: int, who: int, number: int) -> None:
    desk.propose(link, story.intent(who, Say(ForeignText("!")), sequence=number))


def test_talk_in_one_round_is_bounded_however_long_it_takes() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    assert story.table.phase is Phase.CHOOSING
    desk = Desk(story)
    link = desk.join(0)
    begin = len(desk.host.log)
    for number in range(TALK_OF_ROUND + 20):
        talk(desk, story, link, 0, 100 + number)
        desk.pass_time(TALK_INTERVAL, link)
    assert len(desk.host.log) - begin == TALK_OF_ROUND


def test_before_a_game_one_may_talk_on_and_on_but_not_at_once() -> None:
    story = Story(2)
    desk = Desk(story)
    link = desk.join(0)
    for number in range(TALK_BURST + 1):
        talk(desk, story, link, 0, 100 + number)
    refusals = [m for m in desk.heard(link) if isinstance(m, Refusal)]
    assert [refusal.code for refusal in refusals] == [Reason.TOO_FAST.code]


def test_many_keys_cannot_fill_the_log_by_sitting_down_and_leaving() -> None:
    table = MemoryTable(0)
    for _ in range(SEATING_BURST):
        client = table.add()
        if table.host.table.seat(client.guest.key):
            table.act(client, client.guest.leave())
    assert len(table.host.log) == 1 + SEATING_BURST
    refused = [e.reason for c in table.clients for e in c.events if isinstance(e, Refused)]
    assert refused and set(refused) == {Reason.TOO_FAST}


def test_a_key_that_comes_and_goes_cannot_fill_the_log() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    for _ in range(RETURNS_BURST * 3):
        table.cut(client)
        table.connect(client)
    assert len(table.host.log) < 2 * RETURNS_BURST + 5
