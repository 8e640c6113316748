"""Too many are gone at once, and the others carry the game on at a new table (G8)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.crypto.keys import SigningKey
from protocol.errors import Reason
from protocol.failover.election import LAST_HOPE
from protocol.guest.effects import WentOn
from protocol.guest.new_table import Departure
from protocol.table.continuation import mark, unsigned
from protocol.table.fold import Origin, Phase, Table, origin_of
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.views import LinkState
from protocol.wire.messages import Offer
from spoof_tui.network import table_server
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import probe
from spoof_tui.runtime.inquiry import MISSING_INTERVAL
from spoof_tui.runtime.new_table import Continuation, Moves, gone_along
from spoof_tui.runtime.notices import ContinuedAt, Standing, ViewChanged
from spoof_tui.runtime.session import Session
from spoof_tui.storage.journal import Journal
from tests.helpers.virtual import at, done_on, network, on
from tests.protocol.continuing import old_table
from tests.protocol.greetings import greeting_of
from tests.protocol.stories import refused, signing_key
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import MOVED, PLAN, Company, Player, on_disk_of
from tests.spoof_tui.runtime.test_inquiry import ANN, continued

SOON_GONE = replace(PLAN, grace=5)
FIVE = ("Ann", "Bob", "Cem", "Dan", "Eva")


def offer(player: Player) -> Offer | None:
    return player.seat.guest.departure.offer


async def left(table: Company, *players: Player) -> None:
    """In the middle of a game all but these are gone; these are asked, and agree."""
    await table.choosing()
    for player in table.players:
        if player not in players:
            player.crash()
    await agreed(*players)


async def split(table: Company, here: Sequence[Player], there: Sequence[Player]) -> None:
    """In the middle of a game nobody here hears anybody there, until those there have gone on
    at a new table."""
    await table.choosing()
    ways = [(one.machine.name, two.machine.name) for one, two in product(here, there)]
    ways += [(two, one) for one, two in ways]
    for way in ways:
        network().block(*way)
    await agreed(*there)
    await playing(*await at_new_table(table, *there))
    network().heal(ways)


async def agreed(*players: Player) -> None:
    """These are asked, alone, whether to carry the game on, and agree."""
    keys = {player.key.public for player in players}

    def is_asked(player: Player) -> bool:
        made = offer(player)
        return made is not None and not made.wait and set(made.along) == keys

    await until(lambda: all(map(is_asked, players)), MOVED)
    for player in players:
        assert not (made := offer(player)) or not made.agreed, "nobody agrees by itself"
        player.do(Session.agree)
    await until(lambda: all(player.told(WentOn) for player in players))


async def at_new_table(table: Company, *players: Player) -> list[Player]:
    """These, as they sit at the new table."""
    return [await _follow(table, player) for player in players]


async def _follow(table: Company, player: Player) -> Player:
    entry = player.told(WentOn)[-1].entry
    new = await done_on(player.machine, gone_along(player.seat, entry))
    with on(player.machine):
        return table.sit(
            "again" if player.sits else None,
            player.key,
            new.hosted,
            machine=player.machine,
            opening=new.opening,
            addresses=tuple(new.addresses),
        )


async def playing(*players: Player) -> Table:
    """Wait until the game goes on with the fists of these; returns the table that they see."""
    await until(lambda: all(player.is_up for player in players), MOVED)
    for player in players:
        player.do(lambda session: session.choose(1))
    await until(lambda: all(player.table.phase is Phase.SPEAKING for player in players))
    return players[0].table


async def test_those_who_stay_with_their_host_carry_the_game_on_at_its_port() -> None:
    table = await Company.of(*FIVE, plan=SOON_GONE)
    ann, bob, *_ = table.players
    await left(table, ann, bob)
    old, port, taken = list(ann.seat.guest.log), table.hosted.port, list[int]()

    async def take() -> None:
        while True:
            with contextlib.suppress(OSError):
                table_server.bound(port, loopback_only=False)
                taken.append(port)
            await asyncio.sleep(0.0001)

    with on(ann.machine):
        taking = ann.machine.loop.create_task(take())
    later = await at_new_table(table, ann, bob)
    taking.cancel()
    new = await playing(*later)
    assert not taken, "nobody gets the port of the old table before the new one has it"
    assert new.host == ann.key.public and new.game and new.game.coins == (3, 3)
    assert new.continues and new.continues.table == table.table_id
    assert origin_of(new.continues, old) is Origin.HOLDS
    assert [each.seat.hosted.port for each in later if each.seat.hosted] == [port]
    assert ann.task.done() and bob.task.done()


async def test_who_comes_back_late_finds_out_where_the_game_went() -> None:
    table = await Company.of(*FIVE, plan=SOON_GONE)
    ann, bob, *_, eva = table.players
    await left(table, ann, bob)
    entry = ann.told(WentOn)[-1].entry
    kept = on_disk_of(ann, lambda: Journal(entry.hash, ann.key.public).read().entries)
    assert [each.hash for each in kept] == [entry.hash], "before anybody is told of it"
    await playing(*await at_new_table(table, ann, bob))
    again = table.back(eva)
    await until(lambda: again.told(ContinuedAt), MOVED)
    found = again.told(ContinuedAt)[-1]
    assert found.card.table == entry.hash and found.card.continues == (table.table_id,)
    answer = await probe([at(table.machine, table.hosted.port)])
    assert answer.card and answer.card.table == entry.hash


async def test_half_a_table_hears_from_its_own_host_s_side_that_the_other_half_went_on() -> None:
    table = await Company.of(*FIVE[:4], plan=SOON_GONE)
    ann, bob, cem, dan = table.players
    await split(table, [ann, bob], [cem, dan])
    await until(lambda: ann.told(ContinuedAt) and bob.told(ContinuedAt), MISSING_INTERVAL + 2)
    [found] = ann.told(ContinuedAt)
    assert found.card.continues == (table.table_id,) and ann.hosts and bob.is_up
    arrived: list[Continuation] = []

    async def arrive(key: SigningKey, new: Continuation) -> None:
        arrived.append(new)

    with on(ann.machine):
        moves = Moves(lambda: ann.seat, lambda _: None, arrive)
        assert not moves.found(found)
        moves.follow()
    await until(lambda: arrived)
    assert arrived == [Continuation(found.entry, (found.address,))]
    assert ann.seat.served is None, "a host that goes there leaves no table behind"


async def test_most_of_a_table_hears_nothing_of_a_few_who_went_on_without_them() -> None:
    table = await Company.of(*FIVE, plan=SOON_GONE)
    ann, bob, cem, dan, eva = table.players
    await split(table, [ann, bob, cem], [dan, eva])
    await asyncio.sleep(4 * MISSING_INTERVAL)
    assert not any(player.told(ContinuedAt) for player in (ann, bob, cem))


async def test_where_the_new_table_is_never_served_its_players_sit_there_all_the_same() -> None:
    table = await Company.of(*FIVE, plan=SOON_GONE)
    ann, bob, *_ = table.players
    await left(table, ann, bob)
    ann.crash()
    entry = bob.told(WentOn)[-1].entry
    [later] = await at_new_table(table, bob)
    await until(lambda: later.told(ViewChanged))
    view = later.told(ViewChanged)[-1].view
    assert view.table_id == entry.hash and view.link in (LinkState.DOWN, LinkState.MEETING)
    assert [seat.key for seat in view.seats] == [ann.key.public, bob.key.public]
    kept = on_disk_of(bob, lambda: Journal(entry.hash, bob.key.public))
    await until(lambda: [e.hash for e in on_disk_of(bob, kept.read).entries] == [entry.hash])


async def test_who_has_gone_along_is_silent_at_the_old_table_after_a_restart() -> None:
    table = await Company.of(*FIVE, plan=SOON_GONE)
    ann, bob, *_ = table.players
    await left(table, ann, bob)
    await at_new_table(table, ann)
    bob.crash()
    again = table.back(bob)
    departure = again.seat.guest.departure
    with refused(Reason.WENT_ALONG):
        departure.check()
    await asyncio.sleep(2 * LAST_HOPE)
    assert not again.told(Standing)
    again.do(lambda session: session.do(lambda guest: guest.departure.come_back()))
    departure.check()
    store = again.store()
    await until(lambda: on_disk_of(again, store.read).departed is None)


async def test_a_host_without_a_seat_serves_the_new_table_of_those_who_stay() -> None:
    table = await Company.open(SOON_GONE)
    host = table.sit(None, table.host_key, table.hosted)
    for name in FIVE:
        player = table.sit(name)
        await until(lambda: player.sits)  # noqa: B023
    _, bob, cem, *others = table.players
    await table.choosing()
    for player in others:
        player.crash()
    await agreed(bob, cem)
    await until(lambda: host.told(WentOn))
    port = table.hosted.port
    again, *later = await at_new_table(table, host, bob, cem)
    new = await playing(*later)
    assert again.seat.hosted and again.seat.hosted.port == port
    assert new.host == table.host_key.public and new.seat(new.host) is None


@pytest.mark.parametrize("is_signed", [True, False])
async def test_a_seat_that_has_gone_along_follows_to_what_it_has_signed_and_to_nothing_else(
    is_signed: bool,
) -> None:
    story = old_table()
    it = continued(story)
    departure = Departure(signing_key(ANN), mark(unsigned(it)) if is_signed else b"m" * 32)
    seat = SimpleNamespace(guest=SimpleNamespace(departure=departure))
    moves = Moves(cast(Any, lambda: seat), lambda _: None, cast(Any, None))
    followed: list[bool] = []
    moves.follow = lambda: followed.append(True)  # type: ignore[method-assign]
    entry = Entry.sign(signing_key(ANN), 0, EMPTY, 1, it)
    found = ContinuedAt(Address("192.0.2.1", 1), greeting_of(story).card, entry)
    assert moves.found(found) is is_signed and followed == [True] * is_signed
