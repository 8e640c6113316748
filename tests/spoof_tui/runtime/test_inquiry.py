"""Whether the game went on at a table that says so: asked there, over real sockets."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.guest.departure import Departure
from protocol.guest.guest import Guest
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.table.continuation import draft, mark, sign, signed, unsigned
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.opening import Opening, TableContinued
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Answer
from spoof_tui.network.server import TableServer
from spoof_tui.runtime import inquiry
from spoof_tui.runtime.failover_seated import Participant, SeatedFailover
from spoof_tui.runtime.inquiry import Inquiries
from spoof_tui.runtime.new_table import Moves
from spoof_tui.runtime.notices import ContinuedAt, FailoverNotice
from spoof_tui.storage.seat_store import DiskSeatStore
from tests.attacks.crooked import card_of
from tests.protocol.stories import Story, signing_key
from tests.spoof_tui.runtime.local_table import until

ANN, BO, CEM, STRANGER, OTHER = 0, 1, 2, 9, 10


def key(who: int) -> bytes:
    return signing_key(who).public


def old_table() -> Story:
    return Story(5).start(*range(5)).toss(*range(5))


def continued(story: Story, host: int = ANN) -> TableContinued:
    """The new table of Ann and Bo."""
    return _signed(draft(story.table, {key(ANN), key(BO)}, key(host), b"n" * 32), ANN, BO)


def _signed(it: TableContinued, *who: int) -> TableContinued:
    plain = unsigned(it)
    return signed(plain, {key(each): sign(signing_key(each), plain) for each in who})


def invented(story: Story) -> TableContinued:
    """A table of strangers with coins of their own, who have all signed it."""
    it = continued(story, STRANGER)
    pairs = zip(it.seats, (STRANGER, OTHER), strict=True)
    seats = tuple(replace(seat, key=key(who), coins=9) for seat, who in pairs)
    return _signed(replace(it, seats=seats, starter=key(STRANGER), behind=()), STRANGER, OTHER)


@contextlib.asynccontextmanager
async def served(opening: Opening, host: SigningKey, origin: bytes) -> AsyncIterator[Answer]:
    """Who greets at a table that this opens, and says that it goes on from `origin`."""
    entry = Entry.sign(host, 0, EMPTY, 1_700_000_900_000, opening)
    policy = HostPolicy(ForeignText("Ann"))
    server = TableServer(
        Host(host, policy, [entry], lambda count: bytes(count)), lambda blobs: None, key=host
    )
    port = await server.start(0, loopback_only=True)
    card = replace(server.host.card, continues=(origin,))
    try:
        yield Answer(Address("127.0.0.1", port), card, 1, "", host.public)
    finally:
        await server.close()


class Late:
    """Cem, who comes late with this much of the log of the old table, and what he is told."""

    def __init__(self, story: Story, held: int | None = None) -> None:
        self.guest = Guest(signing_key(CEM), story.table.id, story.entries[:held])
        self.told: list[ContinuedAt] = []
        self.inquiries = Inquiries(signing_key(CEM), self.guest, self.told.append)

    async def asks(self, answer: Answer) -> list[ContinuedAt]:
        """What comes of a claim."""
        self.inquiries.look_into([answer])
        await until(lambda: not self.inquiries._asking)
        return self.told


@pytest.mark.parametrize("held", [None, -2], ids=["the whole log", "less than that"])
async def test_who_holds_the_old_log_is_told_of_the_table_that_its_seats_have_signed(
    held: int | None,
) -> None:
    story, late = old_table(), Late(old_table(), held)
    async with served(continued(story), signing_key(ANN), story.table.id) as answer:
        (told,) = await late.asks(answer)
        assert told.address == answer.address and told.card == answer.card
        assert told.entry.statement == continued(story)
        assert not answer.card or told.entry.hash == answer.card.table


@pytest.mark.parametrize("held", [None, -2], ids=["the whole log", "less than that"])
async def test_nobody_is_told_of_seats_and_coins_that_a_stranger_has_made_up(
    held: int | None,
) -> None:
    story, late = old_table(), Late(old_table(), held)
    async with served(invented(story), signing_key(STRANGER), story.table.id) as answer:
        assert await late.asks(answer) == []


async def test_nobody_is_told_of_coins_that_do_not_follow_though_two_seats_have_signed_them() -> (
    None
):
    story = old_table()
    it = continued(story)
    richer = replace(it, seats=(replace(it.seats[0], coins=9), it.seats[1]))
    async with served(_signed(richer, ANN, BO), signing_key(ANN), story.table.id) as answer:
        assert await Late(story).asks(answer) == []


async def test_a_stranger_where_the_dead_host_was_leads_nobody_to_a_table_of_its_own() -> None:
    story, told = old_table(), list[FailoverNotice]()
    store = DiskSeatStore(story.table.id, key(CEM))
    store.store(*story.entries)
    async with served(invented(story), signing_key(STRANGER), story.table.id) as lie:
        # The greeting says it, too.
        who = Participant(signing_key(CEM), ForeignText("Cem"), store)
        seat = SeatedFailover(who, story.table.id, told.append, addresses=[lie.address])
        staying = asyncio.create_task(seat.run())
        await until(lambda: seat._inquiries._known)
        assert not any(isinstance(notice, ContinuedAt) for notice in told)
        assert not staying.done() and lie.address in seat.locator.addresses
        seat.session.close()
        await staying


@pytest.mark.parametrize("is_signed", [True, False])
def test_a_seat_that_has_gone_along_follows_to_what_it_has_signed_and_to_nothing_else(
    is_signed: bool,
) -> None:
    story = old_table()
    it = continued(story)
    departure = Departure(signing_key(ANN), mark(unsigned(it)) if is_signed else b"m" * 32)
    place = SimpleNamespace(seat=SimpleNamespace(guest=SimpleNamespace(departure=departure)))
    moves = Moves(SimpleNamespace(place=place))
    followed: list[bool] = []
    moves.follow = lambda: followed.append(True)  # type: ignore[method-assign]
    entry = Entry.sign(signing_key(ANN), 0, EMPTY, 1, it)
    found = ContinuedAt(Address("192.0.2.1", 1), card_of(story), entry)
    assert moves.found(found) is is_signed and followed == [True] * is_signed


async def test_a_table_that_goes_on_from_none_only_says_so() -> None:
    story = old_table()
    opened = replace(story.table.opened, host=key(STRANGER))
    async with served(opened, signing_key(STRANGER), story.table.id) as answer:
        assert await Late(story).asks(answer) == []


async def test_a_table_that_does_not_exist_keeps_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inquiry, "SLOW_TIMEOUT", 0.2)
    story = old_table()
    async with served(continued(story), signing_key(ANN), story.table.id) as answer:
        pass
    assert await Late(story).asks(answer) == []


async def test_a_claim_is_looked_into_once_and_the_others_meanwhile() -> None:
    story, late = old_table(), Late(old_table())
    async with (
        served(invented(story), signing_key(STRANGER), story.table.id) as lie,
        served(continued(story), signing_key(ANN), story.table.id) as truth,
    ):
        late.inquiries.look_into([lie, truth, lie])
        assert len(late.inquiries._asking) == 2
        await until(lambda: not late.inquiries._asking)
        assert [told.address for told in late.told] == [truth.address]
        late.inquiries.look_into([lie, truth])
        assert not late.inquiries._asking


async def test_whoever_asks_no_more_leaves_nothing_behind() -> None:
    story, late = old_table(), Late(old_table())
    async with served(continued(story), signing_key(ANN), story.table.id) as answer:
        late.inquiries.look_into([answer])
        await asyncio.sleep(0)
        await late.inquiries.close()
    assert late.told == [] and not late.inquiries._asking
