"""Everything that known links are sent: the log, and who is where."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.limits import (
    MAX_BATCH,
    MAX_TALK,
)
from protocol.table.head import EMPTY
from protocol.table.state import Phase
from protocol.table.statements import (
    Say,
    Sit,
)
from protocol.timeouts import LOST_DELAY, UNSTEADY_DELAY
from protocol.wire.messages import (
    Entries,
    Farewell,
    Ping,
    Presence,
)
from tests.helpers.tables import MemoryTable
from tests.protocol.host.cases import FIRST, SECOND, STRANGER, at
from tests.protocol.stories import Desk, Story, signing_key


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


def test_a_long_log_comes_in_batches_that_follow_each_other() -> None:
    story = Story(1)
    for _ in range(110):
        story.tell(0, Say(ForeignText("x" * MAX_TALK)))
    desk = Desk(story)
    batches = [said for said in desk.heard(desk.join(STRANGER, EMPTY)) if isinstance(said, Entries)]
    assert [blob for batch in batches for blob in batch.blobs] == [e.blob for e in story.entries]
    sizes = [sum(map(len, batch.blobs)) for batch in batches]
    assert len(sizes) == 3 and max(sizes) < MAX_BATCH + 1000


def test_all_are_told_who_does_not_go_with_the_host_and_who_could_serve() -> None:
    table = MemoryTable(1)
    for address, port in (
        ("192.0.2.1", 7763),
        ("192.0.2.2", 0),
        ("127.0.0.1", 7764),
        ("127.4.0.1", 0),
        ("::1", 0),
        ("::1:2", 0),
    ):
        table.add(name=f"{address} {port}", address=address, port=port)
    table.add(sit=False, address="192.0.2.3", port=7765)
    _, able, voter, near, _, _, far, _ = [client.guest.key for client in table.clients]
    for client in table.clients:
        assert client.guest.elsewhere == {able, voter, near, far}
        assert [place.key for place in client.guest.places] == [able, near]


def test_the_others_are_told_where_a_seat_is_as_soon_as_it_is_taken() -> None:
    table = MemoryTable(2)
    client = table.add(sit=False, address="192.0.2.9", port=7764)
    before = table.time
    table.act(client, client.guest.propose(Sit(ForeignText("Ben"))))
    assert table.time == before
    for other in table.clients:
        assert client.guest.key in {place.key for place in other.guest.places}


def test_a_seat_is_unsteady_after_three_seconds_until_it_is_heard() -> None:
    desk = Desk(at(Phase.SPEAKING))
    quiet, other = desk.join(FIRST), desk.join(SECOND)
    desk.pass_time(UNSTEADY_DELAY, other)
    assert Presence((signing_key(FIRST).public,)) not in desk.heard(other)
    desk.pass_time(0.25, other)
    assert desk.heard(other)[-1] == Presence((signing_key(FIRST).public,))
    desk.pass_time(0.25, other, quiet)
    assert desk.heard(other)[-1] == Presence(())


def test_who_comes_now_is_told_who_is_unsteady() -> None:
    desk = Desk(at(Phase.SPEAKING))
    desk.join(FIRST)
    desk.pass_time(UNSTEADY_DELAY + 0.25)
    assert desk.heard(desk.join(SECOND))[-1] == Presence((signing_key(FIRST).public,))


def test_a_watcher_is_never_called_unsteady() -> None:
    desk = Desk(at(Phase.SPEAKING))
    desk.join(STRANGER)
    link = desk.join(FIRST)
    desk.heard(link)
    desk.pass_time(UNSTEADY_DELAY + 1, link)
    assert {type(said) for said in desk.heard(link)} == {Ping}
