"""Programs on loopback of which too many are gone at once: the others find a new table."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from protocol.errors import Reason
from protocol.guest import voter
from protocol.host import connections, lease
from protocol.host import new_table as offers
from protocol.table.fold import Phase, Table
from protocol.table.verify import Origin, origin_of
from protocol.views import LinkState
from protocol.wire.new_table import Offer
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import probe
from spoof_tui.runtime import election, failover, failover_seated
from spoof_tui.runtime.failover_headless import HeadlessFailover
from spoof_tui.runtime.failover_seated import Participant, SeatedFailover
from spoof_tui.runtime.new_table import gone_along
from spoof_tui.runtime.notices import (
    CarriedOn,
    ContinuedAt,
    FailoverNotice,
    HeadlessNotice,
    ViewChanged,
    WentOn,
)
from spoof_tui.storage.host_store import HostFiles
from spoof_tui.storage.seat_store import DiskSeatStore
from tests.protocol.stories import refused
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import PLAN, Company, Player, company

WITHIN = 20.0
"""Seconds in which those who stay are asked; the grace time is five of them."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that give a host up soon; none of it goes on meanwhile, so that is safe."""
    for module in (voter, election):
        monkeypatch.setattr(module, "SUPPORT_DELAY", 1.6)
    monkeypatch.setattr(connections, "LEASE", 1.5)
    for module in (lease, offers):
        monkeypatch.setattr(module, "PING_INTERVAL", 0.2)
    monkeypatch.setattr(failover_seated, "UNSTEADY_DELAY", 0)
    monkeypatch.setattr(election, "STAND_INTERVAL", 0.6)
    monkeypatch.setattr(election, "LAST_HOPE", 1.0)
    monkeypatch.setattr(failover, "LOOK_INTERVAL", 0.02)


@asynccontextmanager
async def playing(*names: str) -> AsyncIterator[tuple[Company, list[Player]]]:
    """A game of these, up to the first fists; the first one hosts."""
    async with company(replace(PLAN, grace=5)) as table:
        players = await table.sit(*names)
        await table.told_places()
        for player in players:
            player.seat.session.ready()
        await until(lambda: all(player.table.phase is Phase.CHOOSING for player in players))
        yield table, players


def offer(player: Player) -> Offer | None:
    return player.seat.guest.departure.offer


async def asked(*players: Player) -> None:
    """Wait until these are asked whether to go on at a new table, all with each other."""
    keys = {player.key.public for player in players}

    def is_asked(player: Player) -> bool:
        made = offer(player)
        return made is not None and not made.wait and set(made.along) == keys

    await until(lambda: all(map(is_asked, players)), WITHIN)


async def agreed(*players: Player) -> None:
    """All of these agree, and hear of the new table."""
    for player in players:
        player.seat.session.agree()
    await until(lambda: all(player.told(WentOn) for player in players))


async def at_new_table(table: Company, *players: Player) -> list[Player]:
    """These, as they sit at the new table."""
    return [await _follow(table, player) for player in players]


async def _follow(table: Company, player: Player) -> Player:
    entry = player.told(WentOn)[-1].entry
    assert player.task
    new = await gone_along(player.seat, player.task, entry, player.key)
    who = Participant(
        player.key,
        player.seat._who.name,
        DiskSeatStore(new.opening.hash, player.key.public),
        opening=new.opening,
    )
    notices: list[FailoverNotice] = []
    seat = SeatedFailover(
        who, entry.hash, notices.append, addresses=new.addresses, hosted=new.hosted
    )
    later = Player(player.key, seat, notices)
    later.task = asyncio.create_task(later.seat.run())
    table.players.append(later)
    return later


async def choosing(*players: Player) -> Table:
    """Wait until the game goes on with the fists of these; the table that they see."""
    await until(lambda: all(player.is_up for player in players))
    for player in players:
        player.seat.session.choose(1)
    await until(lambda: all(player.table.phase is Phase.SPEAKING for player in players))
    return players[0].table


async def test_those_who_stay_with_their_host_carry_the_game_on() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, *gone = players
        old = list(ann.seat.guest.log)
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(ann, bob)
        await agreed(ann, bob)
        new = await choosing(*await at_new_table(table, ann, bob))
        assert new.host == ann.key.public
        assert new.game and new.game.coins == (3, 3)
        assert new.continues and new.continues.table == table.table_id
        assert origin_of(new.continues, ann.seat.guest.log) is Origin.HOLDS
        assert list(ann.seat.guest.log)[: len(old)] == old


async def test_those_whose_host_is_gone_as_well_find_each_other_and_go_on() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, cem, *gone = players
        await asyncio.gather(*(player.crash() for player in (ann, *gone)))
        await asked(bob, cem)
        await agreed(bob, cem)
        new = await choosing(*await at_new_table(table, bob, cem))
        assert new.host in (bob.key.public, cem.key.public)
        assert new.game and new.game.coins == (3, 3)


async def test_who_comes_back_late_finds_out_where_the_game_went() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, *gone = players
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(ann, bob)
        await agreed(ann, bob)
        entry = ann.told(WentOn)[-1].entry
        assert [kept.hash for kept in HostFiles(entry.hash).entries()] == [entry.hash]
        later = await at_new_table(table, ann, bob)
        await choosing(*later)
        eva = table.join("Eva", gone[-1].key)
        await until(lambda: eva.told(ContinuedAt), WITHIN)
        found = eva.told(ContinuedAt)[-1]
        assert found.card.table == entry.hash and found.card.continues == (table.table_id,)
        answer = await probe(Address("127.0.0.1", table.hosted.port), WITHIN)
        assert answer.card and answer.card.table == entry.hash


async def test_nobody_gets_the_port_of_the_old_table_before_the_new_one_has_it() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, *gone = players
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(ann, bob)
        await agreed(ann, bob)
        taken: list[int] = []

        async def take() -> None:
            while True:
                with contextlib.suppress(OSError), socket.socket() as other:
                    other.bind(("127.0.0.1", table.hosted.port))
                    taken.append(table.hosted.port)
                await asyncio.sleep(0)

        taking = asyncio.create_task(take())
        later = await at_new_table(table, ann, bob)
        taking.cancel()
        await choosing(*later)
        assert not taken and [p.seat.hosted.port for p in later if p.seat.hosted] == [
            table.hosted.port
        ]


async def test_where_the_new_table_is_never_served_its_players_sit_there_all_the_same() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, *gone = players
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(ann, bob)
        await agreed(ann, bob)
        await ann.crash()
        entry = bob.told(WentOn)[-1].entry
        [later] = await at_new_table(table, bob)
        await until(lambda: later.told(ViewChanged))
        view = later.told(ViewChanged)[-1].view
        assert view.table_id == entry.hash and view.link in (LinkState.DOWN, LinkState.MEETING)
        assert [seat.key for seat in view.seats] == [ann.key.public, bob.key.public]
        kept = DiskSeatStore(entry.hash, bob.key.public)
        await until(lambda: [each.hash for each in kept.entries()] == [entry.hash])


async def test_who_has_gone_along_is_silent_at_the_old_table_after_a_restart() -> None:
    async with playing("Ann", "Bob", "Cem", "Dan", "Eva") as (table, players):
        ann, bob, *gone = players
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(ann, bob)
        await agreed(ann, bob)
        await at_new_table(table, ann)
        again = table.join("Bob", bob.key).seat
        departure = again.guest.departure
        with refused(Reason.WENT_ALONG):
            departure.check()
        assert await again.next_epoch() is None
        again.session.come_back()
        departure.check()
        await until(lambda: DiskSeatStore(table.table_id, bob.key.public).departed() is None)


async def test_a_host_without_a_seat_serves_the_new_table_of_those_who_stay() -> None:
    async with company(replace(PLAN, grace=5)) as table:
        notices: list[HeadlessNotice] = []
        minder = HeadlessFailover(table.host_key, table.hosted, notices.append)
        minding = asyncio.create_task(minder.run())
        players = [table.join(name) for name in ("Bob", "Cem", "Dan", "Eva", "Fay")]
        await until(lambda: all(player.sits for player in players))
        for player in players:
            player.seat.session.ready()
        await until(lambda: all(player.table.phase is Phase.CHOOSING for player in players))
        bob, cem, *gone = players
        await asyncio.gather(*(player.crash() for player in gone))
        await asked(bob, cem)
        await agreed(bob, cem)
        later = await at_new_table(table, bob, cem)
        new = await choosing(*later)
        assert new.host == table.host_key.public and notices == [CarriedOn()]
        minder.stop()
        await minding
