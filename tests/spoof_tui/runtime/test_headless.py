"""Tables whose host has no seat: cut off, promised away, impersonated and stopped."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass, replace

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.failover.roles import Hosting
from protocol.guest.effects import HandedOver, Promise
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.wire.messages import Card, State
from spoof_tui.network import server as servers
from spoof_tui.network.probe import Failure, ProbeFailed, probe
from spoof_tui.network.server import TableServer
from spoof_tui.runtime.headless import HeadlessHost
from spoof_tui.runtime.notices import Chosen, Ended, HeadlessNotice, Standing, Succeeded
from tests.helpers.virtual import computer, done_on, network, on, search
from tests.spoof_tui.runtime.local_table import new_key, until
from tests.spoof_tui.runtime.moves import MOVED, PLAN, Company, Player, moved, on_disk_of


@dataclass
class Minded:
    """A table that a headless program looks after, and everything that it reported."""

    company: Company
    minder: HeadlessHost
    running: asyncio.Task[None]
    told: list[HeadlessNotice]

    @classmethod
    async def open(cls, *names: str, locked: bool = False) -> Minded:
        """With these at it, for two games of three at least."""
        table = await Company.open(replace(PLAN, locked=locked, start_when=3, games=2))
        told: list[HeadlessNotice] = []
        with on(table.machine):
            minder = HeadlessHost(table.host_key, table.hosted, told.append, search=search())
            running = table.machine.loop.create_task(minder.run())
        minded = cls(table, minder, running, told)
        for name in names:
            await minded.sit(table.sit(name))
        await table.told_places()
        return minded

    async def sit(self, player: Player) -> None:
        """Wait until this one sits, who knows the code if there is one."""
        code = self.minder.hosted.code
        if code:
            player.do(lambda session: session.use_code(code))
        await until(lambda: player.sits)

    @property
    def patience(self) -> float:
        """Seconds that it stays alone before it looks for another host."""
        role = self.minder.place.failover.role
        assert isinstance(role, Hosting)
        return role.patience

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
        others = [player.machine.name for player in self.company.players]
        pairs = [*((host, other) for other in others), *((other, host) for other in others)]
        for pair in pairs:
            network().block(*pair)
        return pairs


async def ends(minded: Minded) -> None:
    """Wait until the program has come to its end."""
    await until(minded.running.done, MOVED)


@pytest.mark.parametrize("locked", [False, True])
async def test_a_host_that_was_cut_off_gives_way_to_the_later_one(locked: bool) -> None:
    minded = await Minded.open("Bob", "Cem", "Dan", locked=locked)
    pairs = minded.cut_off()
    heir = await moved(*minded.company.players)
    network().heal(pairs)
    await ends(minded)
    name = next(seat.name for seat in heir.table.seats if seat.key == heir.key.public)
    assert minded.told == [Succeeded(name)]
    assert all(not player.told(Ended) for player in minded.company.players)


async def test_while_most_seats_are_silent_and_nobody_else_hosts_the_table_stays() -> None:
    minded = await Minded.open("Bob", "Cem")
    patience = minded.patience
    for player in minded.company.players:
        player.crash()
    await until(lambda: minded.patience > patience, MOVED)
    assert (await probe([minded.company.address])).card
    assert minded.told == []


async def test_when_all_have_promised_too_much_the_host_is_chosen_anew_on_its_port() -> None:
    minded = await Minded.open("Bob", "Cem")
    port = minded.company.hosted.port
    again = [minded.again(player, promise=7) for player in list(minded.company.players)]
    await until(lambda: Chosen() in minded.told, MOVED)
    await until(lambda: all(player.is_up for player in again), MOVED)
    assert minded.told == [Standing(), Chosen()]
    hosted = minded.minder.hosted
    assert hosted.server.host.table.epoch > 7
    assert (hosted.port, hosted.plan.start_when, hosted.plan.games) == (port, 3, 2)


async def test_who_stands_in_vain_can_be_stopped_and_lets_go_of_the_port() -> None:
    minded = await Minded.open("Bob", "Cem")
    bob, cem = minded.company.players
    cem.crash()
    again = minded.again(bob, promise=7)
    await until(lambda: Standing() in minded.told, MOVED)
    again.crash()
    with on(minded.company.machine):
        minded.minder.stop()
    await ends(minded)
    with pytest.raises(ProbeFailed) as failed:
        await probe([minded.company.address])
    assert failed.value.reason is Failure.REFUSED and not minded.told[1:]


class Boaster(Host):
    """Says that it is the host of a later epoch, which nobody has made it."""

    @property
    def card(self) -> Card:
        return replace(super().card, state=State.GATHERING, epoch=5)


async def test_a_later_host_is_believed_by_its_log_alone() -> None:
    minded = await Minded.open("Bob", "Cem")
    log, key, liar = list(minded.company.hosted.server.host.log), new_key(), computer()
    with on(liar):
        host = Boaster(key, HostPolicy(ForeignText("Eve")), log, secrets.token_bytes, standing=5)
        server = TableServer(host, lambda blobs: None, key=key)
    port = await done_on(liar, server.start(servers.bound(0, loopback_only=False)))
    found = network().beacons
    found[liar.name, port] = minded.company.table_id, liar.life
    for player in minded.company.players:
        player.crash()
    before = minded.patience
    await until(lambda: minded.patience > 2 * before, MOVED)
    assert minded.company.machine.address in server.visitors, "it was asked"
    assert minded.told == [] and (await probe([minded.company.address])).card


@pytest.mark.parametrize("hands_over", [False, True])
async def test_a_host_that_is_stopped_closes_the_table_or_gives_it_away(hands_over: bool) -> None:
    minded = await Minded.open("Bob", "Cem", "Dan")
    bob, *others = minded.company.players
    with on(minded.company.machine):
        minded.minder.stop(hands_over=hands_over)
    await ends(minded)
    if hands_over:
        assert minded.minder.heir == bob.key.public and bob.told(HandedOver)
        assert await moved(bob, *others) is bob
    else:
        await until(lambda: all(player.told(Ended) for player in minded.company.players))
        assert minded.minder.heir is None
