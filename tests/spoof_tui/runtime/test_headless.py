"""Tables whose host has no seat: cut off, promised away, impersonated and stopped."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.failover.roles import Hosting
from protocol.guest.effects import HandedOver, Promise
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.wire.messages import Card, State
from spoof_tui.network import table_server as servers
from spoof_tui.network.probe import Failure, ProbeFailed, probe
from spoof_tui.network.table_server import TableServer
from spoof_tui.runtime.notices import Ended, Moved, Notice, Standing
from tests.helpers.virtual import computer, done_on, network, on
from tests.spoof_tui.runtime.local_table import new_key, until
from tests.spoof_tui.runtime.moves import MOVED, PLAN, Company, Player, moved, on_disk_of


@dataclass
class Seatless:
    """A table whose host does not play, and those who do."""

    company: Company
    host: Player

    @classmethod
    async def open(cls, *names: str, locked: bool = False) -> Seatless:
        """With these at it, for two games of three at least."""
        table = await Company.open(replace(PLAN, locked=locked, start_when=3, games=2))
        seatless = cls(table, table.sit(None, table.host_key, table.hosted))
        for name in names:
            await seatless.sit(table.sit(name))
        await table.told_places()
        return seatless

    @property
    def players(self) -> list[Player]:
        """Those who play."""
        return self.company.players[1:]

    @property
    def told(self) -> list[Notice]:
        """What its host was told of who hosts the table."""
        return [each for each in self.host.notices if isinstance(each, Standing | Moved)]

    @property
    def patience(self) -> float:
        """Seconds that its host stays alone before it looks for another one."""
        role = self.host.seat.failover.role
        assert isinstance(role, Hosting)
        return role.patience

    async def sit(self, player: Player) -> None:
        """Wait until this one sits, who knows the code if there is one."""
        code = self.company.hosted.code
        if code:
            player.do(lambda session: session.use_code(code))
        await until(lambda: player.sits)

    def again(self, player: Player, promise: int) -> Player:
        """The same one, after a promise to another candidate."""
        store = player.store()
        player.crash()
        player.machine.start()
        on_disk_of(player, lambda: store.write(Promise(promise)))
        return self.company.back(player)

    def cut_off(self) -> list[tuple[str, str]]:
        """Nobody reaches this host any more, and it does not know why."""
        host = self.company.machine.name
        others = [player.machine.name for player in self.players]
        pairs = [*((host, other) for other in others), *((other, host) for other in others)]
        for pair in pairs:
            network().block(*pair)
        return pairs

    async def close(self, heir: bytes | None = None) -> None:
        """The host's program ends, and leaves its table to this seat."""
        if heir is not None:
            await done_on(self.company.machine, self.host.seat.leave(heir))
        await done_on(self.company.machine, self.host.seat.close())
        await until(self.host.task.done, MOVED)


@pytest.mark.parametrize("locked", [False, True])
async def test_a_host_that_was_cut_off_gives_way_to_the_later_one(locked: bool) -> None:
    table = await Seatless.open("Bob", "Cem", "Dan", locked=locked)
    pairs = table.cut_off()
    heir = await moved(*table.players)
    network().heal(pairs)
    await until(lambda: table.told, MOVED)
    name = next(seat.name for seat in heir.table.seats if seat.key == heir.key.public)
    card = table.host.seat.guest.card
    assert table.told == [Moved(me=False)] and card and card.host == name
    assert all(not player.told(Ended) for player in table.players)


async def test_who_sat_down_at_a_host_that_was_cut_off_sits_down_again_at_the_later_one() -> None:
    table = await Seatless.open("Bob", "Cem", "Dan")
    pairs = table.cut_off()
    others = table.players
    eve = table.company.sit("Eve")
    await until(lambda: eve.sits)
    heir = await moved(*others)
    network().heal(pairs)
    await until(lambda: eve.is_up and eve.table.host == heir.key.public, MOVED)
    await until(lambda: eve.sits)


async def test_while_most_seats_are_silent_and_nobody_else_hosts_the_table_stays() -> None:
    table = await Seatless.open("Bob", "Cem")
    patience = table.patience
    for player in table.players:
        player.crash()
    await until(lambda: table.patience > patience, MOVED)
    assert (await probe([table.company.address])).card
    assert table.told == []


async def test_when_all_have_promised_too_much_the_host_is_chosen_anew_on_its_port() -> None:
    table = await Seatless.open("Bob", "Cem")
    port = table.company.hosted.port
    again = [table.again(player, promise=7) for player in table.players]
    await until(lambda: table.told and table.host.hosts, MOVED)
    await until(lambda: all(player.is_up for player in again), MOVED)
    hosted = table.host.seat.hosted
    assert table.told == [Standing()] and hosted
    assert hosted.server.host.table.epoch > 7
    assert (hosted.port, hosted.plan.start_when, hosted.plan.games) == (port, 3, 2)


async def test_who_stands_in_vain_can_be_stopped_and_lets_go_of_the_port() -> None:
    table = await Seatless.open("Bob", "Cem")
    bob, cem = table.players
    cem.crash()
    again = table.again(bob, promise=7)
    await until(lambda: table.told, MOVED)
    again.crash()
    await table.close()
    with pytest.raises(ProbeFailed) as failed:
        await probe([table.company.address])
    assert failed.value.reason is Failure.REFUSED and table.told == [Standing()]


class Boaster(Host):
    """Says that it is the host of a later epoch, which nobody has made it."""

    @property
    def card(self) -> Card:
        return replace(super().card, state=State.GATHERING, epoch=5)


async def test_a_later_host_is_believed_by_its_log_alone() -> None:
    table = await Seatless.open("Bob", "Cem")
    log, key, liar = list(table.company.hosted.server.host.log), new_key(), computer()
    with on(liar):
        host = Boaster(key, HostPolicy(ForeignText("Eve")), log, secrets.token_bytes, standing=5)
        server = TableServer(host, lambda blobs: None, key=key)
    port = await done_on(liar, server.start(servers.bound(0, loopback_only=False)))
    found = network().beacons
    found[liar.name, port] = table.company.table_id, liar.life
    for player in table.players:
        player.crash()
    before = table.patience
    await until(lambda: table.patience > 2 * before, MOVED)
    assert table.company.machine.address in server.visitors, "it was asked"
    assert table.told == [] and (await probe([table.company.address])).card


@pytest.mark.parametrize("hands_over", [False, True])
async def test_a_host_that_is_stopped_closes_the_table_or_gives_it_away(hands_over: bool) -> None:
    table = await Seatless.open("Bob", "Cem", "Dan")
    bob, *others = table.players
    heir = table.company.hosted.successor(table.host.machine.now())
    assert heir == bob.key.public
    await table.close(heir if hands_over else None)
    if hands_over:
        assert bob.told(HandedOver) and await moved(bob, *others) is bob
    else:
        await until(lambda: all(player.told(Ended) for player in table.players))
