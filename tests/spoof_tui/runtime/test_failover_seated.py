"""Tables that move: programs on loopback whose host crashes, hands over, sleeps and comes back."""

import errno
from dataclasses import replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.guest import voter as guests
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.table.fold import Phase
from protocol.table.statements import Say
from protocol.timing import Moment
from protocol.views import LinkState
from spoof_tui.network import server
from spoof_tui.network.locator import Search
from spoof_tui.network.probe import probe
from spoof_tui.runtime import election, failover, failover_seated, hosting, leadership
from spoof_tui.runtime.election import ElectionTimer
from spoof_tui.runtime.failover_seated import _HostReport
from spoof_tui.runtime.hosting import Elsewhere, HostedTable
from spoof_tui.runtime.notices import (
    DiskTrouble,
    Ended,
    FailoverNotice,
    HandedTo,
    HostGone,
    Moved,
    SeatState,
    Standing,
    WhileAway,
)
from spoof_tui.runtime.saved_tables import SavedTable, continuable, resumable
from spoof_tui.storage import folders
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HostFiles
from spoof_tui.storage.identity import Identity
from tests.protocol.moving import playing
from tests.spoof_tui.runtime.local_table import new_key, until
from tests.spoof_tui.runtime.moves import MOVED_TIMEOUT, Company, Player, company, kill


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that give a host up soon; none of it goes on meanwhile, so that is safe."""
    for module in (guests, election):
        monkeypatch.setattr(module, "SUPPORT_DELAY", 0.8)
    monkeypatch.setattr(failover_seated, "UNSTEADY_DELAY", 0)
    monkeypatch.setattr(election, "STAND_INTERVAL", 0.6)
    monkeypatch.setattr(election, "LAST_HOPE", 1.0)
    monkeypatch.setattr(leadership, "ALONE_DELAY", 0.2)
    monkeypatch.setattr(failover, "LOOK_INTERVAL", 0.02)
    monkeypatch.setattr(hosting, "LOOK_ELSEWHERE", 0.3)


async def moved(*players: Player) -> Player:
    """Wait until one of them hosts the table and all are at it; that one."""
    await until(
        lambda: any(player.hosts for player in players) and all(p.is_up for p in players),
        MOVED_TIMEOUT,
    )
    [host] = [player for player in players if player.hosts]
    await until(lambda: all(player.table.host == host.key.public for player in players))
    return host


async def choosing(*players: Player) -> None:
    """A game of these, up to the first fists."""
    for player in players:
        player.seat.session.ready()
    await until(lambda: all(player.table.phase is Phase.CHOOSING for player in players))


async def speak(players: list[Player], word: Word, direction: Direction | None = None) -> None:
    """The word of whoever is to speak, seen by everybody."""
    heard = players[0].table.head.length
    game = players[0].table.game
    assert game and game.round and game.round.speaker is not None
    key = game.players[game.round.speaker].key
    [speaker] = [player for player in players if player.key.public == key]
    speaker.seat.session.speak(word, direction)
    await until(lambda: all(player.table.head.length > heard for player in players))


def saved(table: Company) -> SavedTable:
    [only] = resumable()
    assert only.table == table.table_id
    return only


# The host dies


async def test_when_the_host_is_gone_one_of_the_others_serves_the_table() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await ann.crash()
        heir = await moved(bob, cem)
        assert heir.told(Standing)
        await until(lambda: bob.told(Moved) and cem.told(Moved))
        assert {player.told(Moved)[-1].me for player in (bob, cem)} == {True, False}


async def test_whoever_is_without_a_host_knows_who_else_is_heard() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        assert not any(state.heard for state in bob.told(SeatState))
        await ann.crash()
        await moved(bob, cem)
        for one, other in ((bob, cem), (cem, bob)):
            await until(lambda one=one: not one.told(SeatState)[-1].heard)  # type: ignore[misc]
            heard = frozenset().union(*(state.heard for state in one.told(SeatState)))
            assert heard == {other.key.public}


async def test_the_game_goes_on_from_the_same_word() -> None:
    async with company() as table:
        players = [table.join(name) for name in ("Bob", "Cem", "Dan")]
        await until(lambda: all(player.sits for player in players))
        await table.told_places()
        await choosing(*players)
        for player in players:
            player.seat.session.choose(1)
        await until(lambda: all(player.table.phase is Phase.SPEAKING for player in players))
        await speak(players, Bid(3), Direction.CLOCKWISE)
        await kill(table.hosted)
        await moved(*players)
        await speak(players, Ending.CALL)
        await until(lambda: players[0].table.game and players[0].table.game.round_number == 2)
        game = players[0].table.game
        assert game and sorted(game.coins) == [2, 3, 3]


async def test_where_somebody_is_who_came_back_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "TICK_INTERVAL", 3600.0)
    async with company() as table:
        bob, cem = [table.join(name) for name in ("Bob", "Cem")]
        await until(lambda: bob.sits and cem.sits)
        await bob.crash()
        again = table.join("Bob", bob.key)
        port = again.seat._reserved_ports[0].port
        await until(lambda: port in {place.port for place in cem.seat.guest.places})


async def test_the_log_of_the_new_host_is_whole_on_its_disk() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await ann.crash()
        heir = await moved(bob, cem)
        kept = HostFiles(table.table_id)
        hosted = heir.seat.hosted
        assert hosted
        await until(lambda: kept.entries() == list(hosted.server.host.log))
        port = hosted.port
        await until(lambda: (terms := kept.terms()) and terms.port == port)


async def test_the_old_host_comes_back_as_a_player() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.kept_places()
        await ann.crash()
        await moved(bob, cem)
        again = table.join("Ann", table.host_key)
        await until(lambda: again.is_up, MOVED_TIMEOUT)
        assert again.sits and again.table.epoch == 1 and not again.hosts
        assert again.told(WhileAway)[0].entries[0].position > 0


async def test_a_watcher_follows_and_does_not_stand() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        watcher = table.join(None)
        await until(lambda: watcher.is_up)
        await table.told_places()
        await ann.crash()
        await moved(bob, cem, watcher)
        assert not watcher.told(Standing)


async def test_of_two_players_the_one_who_is_left_waits() -> None:
    async with company() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await ann.crash()
        await until(lambda: [n.seconds for n in bob.told(HostGone) if n.seconds >= 2])
        assert not bob.told(Standing) and bob.seat.guest.epoch == 0


async def test_who_stood_in_vain_goes_back_to_the_old_host() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await ann.crash()
        await cem.crash()
        await until(lambda: bob.told(Standing), MOVED_TIMEOUT)
        key = table.host_key
        back = await HostedTable.resume(saved(table), key, Search())
        try:
            await until(lambda: bob.is_up, MOVED_TIMEOUT)
            assert bob.table.host == key.public
        finally:
            await back.close()


# Handing over


async def test_the_host_hands_its_role_over_and_stays_as_a_player(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nobody else stands, however long the heir takes.
    monkeypatch.setattr(election, "SUPPORT_DELAY", 2 * MOVED_TIMEOUT)
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await until(lambda: len(ann.seat.guest.places) == 2)
        await ann.seat.hand_over(cem.key.public)
        assert await moved(ann, bob, cem) is cem
        assert bob.told(HandedTo) == [HandedTo(cem.key.public)]
        assert not ann.told(Ended)


async def test_of_two_the_one_who_stays_hosts_though_the_other_is_never_heard_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(election, "SUPPORT_DELAY", 2 * MOVED_TIMEOUT)
    async with company() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await choosing(ann, bob)
        await until(lambda: ann.seat.guest.places)
        await ann.seat.hand_over(bob.key.public)
        await ann.crash()
        await until(lambda: bob.hosts, MOVED_TIMEOUT)
        assert bob.table.epoch == 1
        assert ann.seat._who.store
        assert ann.seat._who.store.promised() == 1


async def test_the_role_is_handed_to_somebody_who_is_here() -> None:
    async with company() as table:
        [ann] = await table.sit("Ann")
        with pytest.raises(Illegal):
            await ann.seat.hand_over(new_key().public)
        assert ann.hosts


def test_a_role_that_nobody_takes_leaves_the_table_without_a_host_from_then_on() -> None:
    guest, notices = playing().clients[1].guest, list[FailoverNotice]()
    guest.disconnected()
    guest.voter.dismiss()
    report = _HostReport(guest, ElectionTimer(guest), notices.append)
    report.look(Moment(100.0, 0))
    report.look(Moment(104.0, 0))
    assert notices == [HostGone(4)]


async def test_a_host_closes_its_table_for_good() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await ann.seat.close()
        await until(lambda: bob.told(Ended) and cem.told(Ended))


# A host that was not there


async def test_a_host_that_was_cut_off_steps_down_when_the_others_have_moved_on() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await until(lambda: len(ann.seat.guest.places) == 2)
        server = table.hosted.server
        for listening in server._servers:
            listening.close()
        for link in list(server._ids):
            if link.address:
                link.abort()
                server.lost(link)
        await moved(bob, cem)
        others = {bob.key.public, cem.key.public}
        await until(lambda: ann.is_up and not ann.hosts, MOVED_TIMEOUT)
        await until(lambda: ann.table.host in others, MOVED_TIMEOUT)
        await until(
            lambda: list(ann.seat.guest.log) == list(bob.seat.guest.log) == list(cem.seat.guest.log)
        )


async def test_a_host_is_chosen_anew_for_a_seat_that_has_promised_too_much() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.kept_places()
        await cem.crash()
        assert cem.seat._who.store
        cem.seat._who.store.promise(7)
        again = table.join("Cem", cem.key)
        await until(lambda: again.is_up and again.table.epoch > 7, MOVED_TIMEOUT)
        # On a busy machine Bob may be the one who is there sooner.
        assert await moved(ann, bob, again) is not again


async def test_of_a_full_disk_its_host_is_told_once_and_when_it_has_room_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def refuse(*_: object) -> None:
        raise full

    async with company() as table:
        [ann] = await table.sit("Ann")
        with monkeypatch.context() as disk:
            disk.setattr(Frames, "append", refuse)
            ann.seat.session.state(Say(ForeignText("anybody here?")))
            await until(lambda: ann.told(DiskTrouble))
            assert not ann.table.talk
        await until(lambda: ann.table.talk)
        await until(lambda: len(ann.told(DiskTrouble)) == 2)
        told = [DiskTrouble(full, is_host=True), DiskTrouble(None, is_host=True)]
        assert ann.told(DiskTrouble) == told


# Going on after a crash


async def test_a_table_goes_on_after_a_crash_mid_round() -> None:
    async with company() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await choosing(ann, bob)
        bob.seat.session.choose(2)
        await until(lambda: bob.seat.session.own_hand == 2)
        port = table.hosted.port
        await ann.crash()
        found = saved(table)
        assert (found.name.raw, found.phase) == ("The Golden Pier", Phase.CHOOSING)
        table.hosted = await HostedTable.resume(found, table.host_key, Search())
        assert table.hosted.port == port
        table.players.remove(ann)
        again = table.join("Ann", table.host_key, hosts=True)
        await until(lambda: again.is_up and bob.is_up, MOVED_TIMEOUT)
        again.seat.session.choose(1)
        await until(lambda: bob.table.phase is Phase.SPEAKING)
        assert bob.seat.session.own_hand == 2


async def test_a_table_that_has_moved_is_joined_and_not_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hosting, "LOOK_ELSEWHERE", MOVED_TIMEOUT)
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        found = saved(table)
        await ann.crash()
        heir = await moved(bob, cem)
        with pytest.raises(Elsewhere) as elsewhere:
            await HostedTable.resume(found, table.host_key, Search())
        assert heir.seat.hosted
        assert elsewhere.value.answer.address.port == heir.seat.hosted.port


async def test_a_table_with_another_port_than_before_is_found_by_its_players() -> None:
    async with company() as table:
        ann, bob = await table.sit("Ann", "Bob")
        await ann.crash()
        files = HostFiles(table.table_id)
        terms = files.terms()
        assert terms
        files.note(replace(terms, port=0))
        table.hosted = await HostedTable.resume(saved(table), table.host_key, Search())
        answer = await probe(table.address)
        assert answer.card and answer.card.table == table.table_id
        assert bob.seat.guest.link is not LinkState.UP


def test_nothing_goes_on_where_nothing_was_hosted() -> None:
    assert resumable() == continuable() == []


async def test_a_seat_at_a_game_is_gone_back_to_where_nothing_was_hosted() -> None:
    async with company() as table:
        players = [table.join(name) for name in ("Bob", "Cem")]
        await until(lambda: all(player.sits for player in players))
        host_log = folders.table_folder(table.table_id) / "host.log"
        assert [saved.seat for saved in continuable()] == [None]
        host_log.rename(host_log.with_suffix(".elsewhere"))
        assert continuable() == []
        await choosing(*players)
        await until(lambda: [kept.phase for kept in continuable()] == [Phase.CHOOSING])
        [kept] = continuable()
        assert kept.seat in {player.key.public for player in players}


async def test_who_was_host_before_another_one_has_a_seat_like_all_others() -> None:
    async with company() as table:
        ann, bob, cem = await table.sit("Ann", "Bob", "Cem")
        await table.told_places()
        await choosing(ann, bob, cem)
        host_log = folders.table_folder(table.table_id) / "host.log"
        await ann.crash()
        of_ann = host_log.read_bytes()
        heir = await moved(bob, cem)
        hosted = heir.seat.hosted
        assert hosted
        kept = HostFiles(table.table_id)
        await until(lambda: kept.entries() == list(hosted.server.host.log))
        host_log.write_bytes(of_ann)
        assert [saved.host for saved in resumable()] == [ann.key.public]
        # The guest's log gets to the disk a little after its player has seen the new host.
        await until(lambda: [saved.host for saved in continuable()] == [heir.key.public])
        [own] = continuable()
        assert own.seat not in {None, heir.key.public}


async def test_the_identity_of_a_saved_table_is_found_again() -> None:
    identity = Identity.claim()
    other = Identity.claim()
    from protocol.crypto.keys import SigningKey

    key = SigningKey(other.seed).public
    other.release()
    found = Identity.of(key)
    assert found and found.seed == other.seed
    assert Identity.of(key) is None
    assert Identity.of(new_key().public) is None
    found.release()
    identity.release()
