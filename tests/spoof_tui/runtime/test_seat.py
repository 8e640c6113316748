"""Tables that move: the host of several programs crashes, hands over, is cut off and comes back."""

from __future__ import annotations

import errno

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.failover.election import LAST_HOPE
from protocol.failover.roles import HAND_OVER_TIMEOUT
from protocol.guest.effects import HandedOver
from protocol.guest.guest import Guest
from protocol.table.electorate import groups_of
from protocol.table.fold import Phase
from protocol.table.statements import Leave, Say
from protocol.timeouts import PING_INTERVAL
from spoof_tui.clock import now
from spoof_tui.network import table_server
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.hosted_table import HostedTable
from spoof_tui.runtime.notices import (
    DiskTrouble,
    Ended,
    HostGone,
    Moved,
    SeatState,
    Standing,
)
from spoof_tui.runtime.saved_tables import continuable, resumable
from spoof_tui.storage.journal import Journal
from spoof_tui.telling.connection import UNHEARD_DELAY
from tests.helpers.virtual import done_on, network, on, search
from tests.simulation.wires import LOOPBACK
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import MOVED, Company, Player, moved, on_disk_of

THREE = ("Ann", "Bob", "Cem")


async def resumed(table: Company) -> HostedTable:
    """The table as its host goes on with it after a crash."""
    if not table.machine.is_up:
        table.machine.start()
    with on(table.machine):
        [saved] = resumable()
        work = HostedTable.resume(saved, table.host_key, search())
    return await done_on(table.machine, work)


# The host dies


async def test_when_the_host_is_gone_one_of_the_others_serves_the_table_and_all_hear_who() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    watcher = table.sit(None)
    await until(lambda: watcher.is_up)
    assert not any(state.heard for state in bob.told(SeatState))
    ann.crash()
    assert await moved(bob, cem, watcher) is bob, "the first of those who are left"
    assert (bob.told(Standing), bob.told(Moved)) == ([Standing()], [Moved(True)])
    for other in (cem, watcher):
        await until(lambda: other.told(Moved))  # noqa: B023
        assert (other.told(Standing), other.told(Moved)) == ([], [Moved(False)])
    for one, another in ((bob, cem), (cem, bob)):
        heard = frozenset().union(*(state.heard for state in one.told(SeatState)))
        assert heard == {another.key.public} and not one.told(SeatState)[-1].heard
    states = bob.told(SeatState)
    assert [state.is_host for state in states if state.is_host != states[0].is_host][-1:] == [True]
    assert states[-1].heirs == {cem.key.public}


async def test_the_log_of_the_new_host_is_whole_on_its_disk_with_its_terms() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    ann.crash()
    heir = await moved(bob, cem)
    hosted = heir.seat.hosted
    assert hosted
    kept = on_disk_of(heir, lambda: Journal(table.table_id, heir.key.public))
    await until(lambda: list(on_disk_of(heir, kept.read).entries) == list(hosted.server.host.log))
    await until(lambda: on_disk_of(heir, kept.read).terms)
    terms = on_disk_of(heir, kept.read).terms
    assert terms and (terms.host, terms.port, terms.is_public) == (
        "Bob", hosted.port, True,
    )  # fmt: skip


async def test_of_two_players_the_one_who_is_left_waits_and_is_told_since_when() -> None:
    table = await Company.of("Ann", "Bob")
    ann, bob = table.players
    ann.crash()
    await until(lambda: len(bob.told(HostGone)) == 5)
    first, *others = [notice.seconds for notice in bob.told(HostGone)]
    assert others == [first + more for more in (1, 2, 3, 4)]
    assert not bob.told(Standing) and bob.seat.guest.epoch == 0
    assert bob.told(SeatState)[-1].tried == bob.seat.locator.addresses


@pytest.mark.parametrize("goes_with_host", [True, False])
async def test_who_is_left_counts_on_nobody_who_went_with_the_host(goes_with_host: bool) -> None:
    table = await Company.of("Ann", "Bob", "Cem")
    _, bob, cem = table.players
    near, loopback = table.machine, (Address(LOOPBACK, table.hosted.port),)
    for name in ("Dan", "Eve"):
        if goes_with_host:
            visitor = table.sit(name, may_stand=False, machine=near, addresses=loopback)
        else:
            visitor = table.sit(name, may_stand=False)
        await until(lambda: visitor.sits)  # noqa: B023
    for each in (bob, cem):
        elsewhere = 2 if goes_with_host else 4
        await until(lambda: len(each.seat.guest.elsewhere) == elsewhere)  # noqa: B023
        await until(lambda: len(groups_of(each.table)) == 1)  # noqa: B023
    table.machine.crash()
    await until(lambda: bob.told(HostGone))
    state = bob.told(SeatState)[-1]
    assert (state.could_move, state.heir) == (not goes_with_host, bob.key.public)
    assert len(state.gone_along) == (2 if goes_with_host else 0)
    # Those who could not serve the table themselves are heard once they come.
    assert state.heard == {cem.key.public} and not state.can_move
    await until(lambda: bob.told(Standing), MOVED)
    silent = max(notice.seconds for notice in bob.told(HostGone))
    assert (silent >= LAST_HOPE - 1) is goes_with_host, "two of five only offer a new table"
    assert goes_with_host or await moved(bob, cem) is bob


@pytest.mark.parametrize("near", [1, 2])
async def test_a_host_that_hears_too_few_says_so_and_so_does_who_is_with_it(near: int) -> None:
    table = await Company.of("Ann", "Bob", "Cem", "Dan", "Eve")
    await table.choosing()
    begun, here, gone = now().monotonic, table.players[:near], table.players[near:]
    between = [pair for a in here for b in gone for pair in ways(a, b)]
    for pair in between:
        network().block(*pair)
    await until(lambda: all(each.told(SeatState)[-1].unheard_since for each in here))
    silent = now().monotonic - begun
    assert silent <= UNHEARD_DELAY
    for each in here:
        since = each.told(SeatState)[-1].unheard_since
        with on(each.machine):
            told = (now().wall - (since or 0)) / 1000
        assert abs(told - silent) <= PING_INTERVAL
    await moved(*gone)
    network().heal(between)
    await until(lambda: all(player.is_up for player in table.players), MOVED)
    await until(lambda: not any(each.told(SeatState)[-1].unheard_since for each in here))


async def test_a_host_whose_lid_is_opened_again_knows_for_how_long_it_heard_nobody() -> None:
    table = await Company.of(*THREE)
    await table.choosing()
    ann, bob, cem = table.players
    begun, asleep = now().monotonic, 45.0
    ann.machine.sleep()
    await moved(bob, cem)
    await until(lambda: now().monotonic - begun >= asleep, asleep + 1)
    before = len(ann.notices)
    ann.machine.wake()
    await until(lambda: len(ann.notices) > before)
    first = next(each for each in ann.notices[before:] if isinstance(each, SeatState))
    with on(ann.machine):
        silent = (now().wall - (first.unheard_since or now().wall)) / 1000
    assert first.is_host and silent >= asleep - PING_INTERVAL
    await until(lambda: ann.told(Moved), MOVED)
    assert ann.told(SeatState)[-1].unheard_since is None


async def test_a_candidate_does_not_name_its_own_address_as_a_place_where_it_looks() -> None:
    table = await Company.of(*THREE)
    await table.choosing()
    ann, bob, cem = table.players
    for each in (ann, cem):
        each.machine.crash()
    await until(lambda: bob.told(Standing), 60)
    await until(lambda: bob.machine.address in {each.host for each in bob.seat.locator.addresses})
    await until(lambda: bob.seat.served is None, 60)
    await until(lambda: bob.seat.served is not None, 60)
    places = {place.host for each in bob.told(SeatState) for place in each.tried}
    assert places and bob.machine.address not in places


def ways(one: Player, other: Player) -> list[tuple[str, str]]:
    """The ways from one machine to another and back."""
    names = one.machine.name, other.machine.name
    return [names, names[::-1]]


async def test_who_stood_in_vain_goes_back_to_the_old_host() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    ann.crash()
    cem.crash()
    await until(lambda: bob.told(Standing), MOVED)
    await resumed(table)
    await until(lambda: bob.is_up, MOVED)
    assert bob.table.host == table.host_key.public and bob.table.epoch == 0


# Handing over


async def test_the_host_hands_its_role_over_and_stays_as_a_player() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    ann.hand_over(cem)
    await until(lambda: not ann.hosts)
    assert await moved(ann, bob, cem) is cem, "whoever is named comes before the first in turn"
    for other in (bob, cem):
        [handed] = other.told(HandedOver)
        assert handed.seat == cem.key.public and handed.support
    assert not ann.told(Ended)
    with on(ann.machine), pytest.raises(OSError, match="taken"):
        # There the others would look for it first if it became host again.
        table_server.bound(table.hosted.port, loopback_only=False)


async def test_support_that_is_not_on_the_disk_in_time_is_not_given() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    ann.machine.disk.sync_time = 5.0
    ann.hand_over(bob)
    await until(lambda: bob.told(HandedOver))
    assert bob.told(HandedOver)[0].support is None
    assert await moved(ann, bob, cem) is bob


async def test_a_role_that_nobody_takes_leaves_the_table_without_a_host_from_then_on() -> None:
    table = await Company.of("Ann", "Bob")
    ann, bob = table.players
    watcher = table.sit(None)
    await until(lambda: watcher.is_up)
    bob.machine.sleep()
    ann.hand_over(bob)
    await until(lambda: watcher.told(HandedOver))
    ann.crash()
    await until(lambda: watcher.told(HostGone), MOVED)
    assert watcher.told(HostGone)[0].seconds < 5


async def test_whoever_leaves_once_its_session_is_over_gives_its_role_away_all_the_same() -> None:
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    ann.do(lambda session: session.close(keeps_seat=True))
    await until(ann.task.done)
    assert ann.hosts
    await done_on(ann.machine, ann.seat.leave(bob.key.public))
    assert await moved(bob, cem) is bob and not ann.hosts


async def test_whoever_leaves_while_its_session_ends_waits_for_nobody() -> None:
    table = await Company.of("Ann", "Bob")
    ann, bob = table.players
    bob.machine.sleep()
    with on(ann.machine):
        leaving = ann.machine.loop.create_task(ann.seat.leave(bob.key.public))
        ann.seat.session.close(keeps_seat=True)
    await until(leaving.done, HAND_OVER_TIMEOUT / 2)


async def test_a_host_that_closes_its_table_keeps_its_own_seat_there() -> None:
    table = await Company.of("Ann", "Bob")
    ann, bob = table.players
    await done_on(ann.machine, ann.seat.close())
    await until(lambda: bob.told(Ended))
    kept = on_disk_of(ann, lambda: ann.store().read().entries)
    assert not any(isinstance(entry.statement, Leave) for entry in kept)


# A host that was not there


async def test_of_a_full_disk_its_host_is_told_once_and_when_it_has_room_again() -> None:
    table = await Company.of("Ann", "Bob")
    ann, _ = table.players
    ann.machine.disk.refuses = errno.ENOSPC
    ann.do(lambda session: session.do(Guest.propose, Say(ForeignText("anybody here?"))))
    await until(lambda: ann.told(DiskTrouble))
    assert not ann.table.talk
    ann.machine.disk.refuses = None
    await until(lambda: ann.table.talk and len(ann.told(DiskTrouble)) == 2)
    full, room = ann.told(DiskTrouble)
    assert full.error and full.error.errno == errno.ENOSPC and full.is_host
    assert room == DiskTrouble(None, is_host=True)


# Going on after a crash


async def test_a_seat_at_a_game_is_gone_back_to_and_a_table_that_was_hosted_once_is_no_more() -> (
    None
):
    table = await Company.of(*THREE)
    ann, bob, cem = table.players
    assert on_disk_of(bob, resumable) == on_disk_of(bob, continuable) == []
    assert [saved.has_begun for saved in on_disk_of(ann, continuable)] == [False]
    await table.choosing()
    await until(lambda: on_disk_of(bob, continuable))
    assert [saved.has_begun for saved in on_disk_of(ann, continuable)] == [True]
    [kept] = on_disk_of(bob, continuable)
    assert (kept.phase, kept.seat, kept.host) == (
        Phase.CHOOSING, bob.key.public, ann.key.public,
    )  # fmt: skip
    assert [saved.seat for saved in on_disk_of(ann, continuable)] == [None]
    ann.crash()
    heir = await moved(bob, cem)
    again = table.back(ann)
    await until(lambda: again.is_up, MOVED)
    await until(lambda: [each.host for each in on_disk_of(ann, continuable)] == [heir.key.public])
    assert on_disk_of(ann, continuable)[0].seat == ann.key.public
    assert not on_disk_of(ann, resumable)
