"""The log at its host: what gets into it, and how much of what binds nobody."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.guest.guest import (
    Refused,
)
from protocol.limits import (
    RETURNS_BURST,
    SEATING_BURST,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
)
from protocol.table.state import Phase
from protocol.table.statements import Say
from protocol.wire.messages import (
    Refusal,
)
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Desk, Story


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
