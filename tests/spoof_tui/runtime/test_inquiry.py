"""Whether the game went on at a table that claims so: asked there, over a wire."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.statements import Opening, TableContinued, TableOpened
from spoof_tui.network import table_server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.locator import TableLocator
from spoof_tui.network.probe import SLOW_TIMEOUT, FoundTable
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.inquiry import Inquiries
from spoof_tui.runtime.notices import ContinuedAt, Notice
from spoof_tui.runtime.seat import Participant, Seat
from spoof_tui.storage.journal import Journal
from tests.protocol.continuing import drafted, old_table, signed_by
from tests.protocol.stories import Story, public, signing_key
from tests.simulation.substitutes import here

ANN, BO, CEM, STRANGER, OTHER = 0, 1, 2, 9, 10


def continued(story: Story, host: int = ANN) -> TableContinued:
    """The new table of Ann and Bo."""
    return signed_by(drafted(story.table, ANN, BO, host=host), ANN, BO)


def invented(story: Story) -> TableContinued:
    """A table of strangers with coins of their own invention, signed by all of them."""
    it = continued(story, STRANGER)
    pairs = zip(it.seats, (STRANGER, OTHER), strict=True)
    seats = tuple(replace(seat, key=public(who), coins=9) for seat, who in pairs)
    return signed_by(replace(it, seats=seats, starter=public(STRANGER), behind=()), STRANGER, OTHER)


@contextlib.asynccontextmanager
async def served(opening: Opening, host: SigningKey, origin: bytes) -> AsyncIterator[FoundTable]:
    """The greeter at a table that this opens, which claims to go on from `origin`."""
    entry = Entry.sign(host, 0, EMPTY, 1_700_000_900_000, opening)
    policy = HostPolicy(ForeignText("Ann"))
    server = TableServer(
        Host(host, policy, [entry], lambda count: bytes(count)), lambda blobs: None, key=host
    )
    port = await server.start(servers.bound(0, loopback_only=True))
    card = replace(server.host.card, continues=(origin,))
    try:
        yield FoundTable(Address("127.0.0.1", port), card, 1, "", host.public)
    finally:
        await server.close()


class Late:
    """Cem, who comes late with this much of the old table's log, and what he is told."""

    def __init__(self, story: Story, held: int | None = None) -> None:
        self.guest = Guest(signing_key(CEM), story.table.id, story.entries[:held])
        self.told: list[ContinuedAt] = []
        self.locator = TableLocator(self.guest, story.table.id, ())
        key = signing_key(CEM)
        self.inquiries = Inquiries(key, self.guest, self.locator, self.told.append)

    def hear(self, *answers: FoundTable) -> None:
        """These claim to serve a table that goes on from his."""
        for answer in answers:
            self.inquiries.hear(answer)

    async def asks(self, *answers: FoundTable) -> list[Address]:
        """Where these claims lead him, within the time of an answer."""
        self.hear(*answers)
        await asyncio.sleep(SLOW_TIMEOUT + 1)
        return [told.address for told in self.told]


def richer(story: Story) -> TableContinued:
    """Two seats have signed coins for one of them that do not follow from the old table."""
    it = continued(story)
    return signed_by(replace(it, seats=(replace(it.seats[0], coins=9), it.seats[1])), ANN, BO)


def unrelated(story: Story) -> TableOpened:
    """It goes on from no table, and only claims to."""
    return replace(story.table.opened, host=public(STRANGER))


@pytest.mark.parametrize(
    ("opening", "host", "held", "is_told"),
    [
        pytest.param(continued, ANN, None, True, id="signed by its seats"),
        pytest.param(continued, ANN, -2, True, id="signed by its seats, of a log that is short"),
        pytest.param(invented, STRANGER, None, False, id="made up by strangers"),
        pytest.param(invented, STRANGER, -2, False, id="made up, of a log that is short"),
        pytest.param(richer, ANN, None, False, id="signed coins that do not follow"),
        pytest.param(unrelated, STRANGER, None, False, id="goes on from none"),
    ],
)
async def test_one_is_led_to_a_new_table_by_nothing_but_its_first_entry(
    opening: Callable[[Story], Opening], host: int, held: int | None, is_told: bool
) -> None:
    story, late = old_table(), Late(old_table(), held)
    async with served(opening(story), signing_key(host), story.table.id) as answer:
        assert await late.asks(answer) == [answer.address] * is_told
    for told in late.told:
        assert told.card == answer.card and told.card.table == told.entry.hash
        assert told.entry.statement == continued(story)


async def test_a_stranger_where_the_dead_host_was_leads_nobody_to_a_table_of_its_own() -> None:
    story, told = old_table(), list[Notice]()
    store = Journal(story.table.id, public(CEM))
    store.write(*story.entries)
    async with served(invented(story), signing_key(STRANGER), story.table.id) as lie:
        # The greeting says it, too.
        who = Participant(signing_key(CEM), ForeignText("Cem"), store)
        seat = Seat(who, story.table.id, told.append, addresses=[lie.address])
        staying = asyncio.create_task(seat.run())
        await asyncio.sleep(2 * SLOW_TIMEOUT)
        assert not any(isinstance(notice, ContinuedAt) for notice in told)
        assert not staying.done() and lie.address in seat.locator.addresses
        seat.session.close()
        await staying


async def test_a_table_that_does_not_answer_is_asked_again_soon_and_one_that_does_much_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, int]] = []
    loop, begun = here().loop, here().loop.time()
    connect = loop.create_connection

    async def watched(factory: Any, host: str, port: int, **options: Any) -> Any:
        asked.append((port, round(loop.time() - begun)))
        return await connect(factory, host, port, **options)

    monkeypatch.setattr(loop, "create_connection", watched)
    story, late = old_table(), Late(old_table())
    async with (
        served(continued(story), signing_key(ANN), story.table.id) as gone,
        served(invented(story), signing_key(STRANGER), story.table.id) as lie,
    ):
        await asyncio.sleep(0)
    async with served(continued(story), signing_key(ANN), story.table.id) as truth:
        gone = replace(gone, address=Address("127.0.0.1", 9))
        for _ in range(65):
            late.hear(gone, truth, lie)
            await asyncio.sleep(1)
        assert [told.address for told in late.told] == [truth.address] * 2
    times = [at for port, at in asked if port == truth.address.port]
    assert [at for at in times if at < 60][:1] == [0] and len(times) == 2 and times[1] >= 60
    again = [at for port, at in asked if port == 9]
    assert again[:3] == [0, 4, 8]


async def test_whoever_asks_no_more_leaves_nothing_behind() -> None:
    story, late = old_table(), Late(old_table())
    async with served(continued(story), signing_key(ANN), story.table.id) as answer:
        before = asyncio.all_tasks()
        late.hear(answer)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() > before
        await late.inquiries.close()
        assert asyncio.all_tasks() == before
        await asyncio.sleep(SLOW_TIMEOUT + 1)
    assert late.told == []
