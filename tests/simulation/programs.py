"""A program at the table: what `spoof_tui` does round a guest and a host, in a few lines.

It sits in a chair (`session.py`), looks for its table after a loss (`network/locator.py`), and
serves it, or stands for that when the host is gone (`failover.py`, `hosting.py`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.errors import Illegal
from protocol.guest.guest import (
    CodeWanted,
    Cut,
    Guest,
    GuestEffect,
    Halt,
    HandedOver,
    Hangup,
    Keep,
    LinkState,
    Promise,
    Secret,
    Store,
    Transmit,
)
from protocol.host.host import Host, HostPolicy, Stranded, Superseded
from protocol.table.fold import Table
from protocol.table.log import Entry
from protocol.timing import STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY
from protocol.wire.messages import Card, Farewell, State
from tests.simulation.disks import Vault
from tests.simulation.laws import Laws
from tests.simulation.players import Character, Player, StubbornGuest
from tests.simulation.servers import Server
from tests.simulation.wires import End, Network
from tests.simulation.world import Machine, World

TICK_INTERVAL: Final = 0.25
"""Seconds between two looks at the clock."""

LOOK_INTERVAL: Final = (0.05, 0.4)
"""Seconds that looking for the table takes, from and to."""

LOOK_FIRST: Final = 2.0
"""Seconds that a host looks for a later one before it goes on after a restart."""

PORT: Final = 7337
"""Where every program would serve."""

RENEW_INTERVAL: Final = 60.0
"""Seconds between two times that a host has itself chosen anew for a seat that is stranded."""

GONE: Final = frozenset({Farewell.REPLACED, Farewell.BARRED, Farewell.OTHER_VERSION})
"""Farewells after which a program does not come back."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What all programs of one world share."""

    world: World
    network: Network
    laws: Laws
    policy: HostPolicy
    games: int
    may_move: Callable[[], bool]
    """Whether people still vote to change things, and not only to play on."""
    code: Callable[[], str]
    """The join code that somebody calls across the room."""


class Program:
    """One run of the program on one machine; a restart makes another one."""

    def __init__(
        self,
        setting: Setting,
        machine: Machine,
        key: SigningKey,
        table: bytes,
        character: Character,
    ) -> None:
        self._setting = setting
        self.machine: Final = machine
        self._key = key
        self._vault = Vault(machine.disk)
        kind = Guest if character.opens else StubbornGuest
        entries, secrets = self._vault.entries(), self._vault.secrets()
        self.guest: Final = kind(key, table, entries, secrets, self._vault.promised(), PORT)
        self._tell_papers(entries, secrets)
        dice = setting.world.random
        self._player = Player(character, setting.games, dice, setting.may_move)
        self.server: Server | None = None
        self._end: End | None = None
        self._is_dialing = False
        self._stands_until = 0.0
        self._stand_next = 0.0
        self._looks_next = 0.0
        self._named = False
        self._seen = 0
        self._renewed = float("-inf")
        self.is_over = False
        """Whether it was told to stay away."""

    def _tell_papers(self, entries: list[Entry], secrets: list[Secret]) -> None:
        """What was put on the disk in the very moment of a crash is there, too."""
        laws = self._setting.laws
        for entry in entries:
            laws.stored(self.guest.key, entry, self.guest.epoch)
        for entry in self._vault.host_entries():
            laws.learn(entry)
        for secret in secrets:
            laws.kept(self.machine, secret)
        laws.started(self.machine, self.guest)

    def start(self) -> None:
        """Begin: a host that was interrupted looks for a later one first."""
        entries = self._vault.host_entries()
        if entries and _last_host(entries) == (self._key.public, entries[-1].epoch):
            self._looks_next = self.machine.now().monotonic + LOOK_FIRST
            self.machine.later(LOOK_FIRST, lambda: self._resume(entries))
        self.machine.later(self._setting.world.random.uniform(0, TICK_INTERVAL), self._tick)

    def open(self, entries: list[Entry]) -> None:
        """Serve a new table."""
        self._vault.begin_host_log(entries)
        self._serve(Host(self._key, self._setting.policy, entries, self._entropy))
        self.machine.later(self._setting.world.random.uniform(0, TICK_INTERVAL), self._tick)

    @property
    def is_host(self) -> bool:
        """Whether it serves the table, and not only stands for that."""
        return self.server is not None and not self.server.host.is_standing

    def hand_over(self, seat: bytes) -> None:
        """Give the host's role to a seat."""
        if self.server and self.is_host:
            server = self.server
            with contextlib.suppress(Illegal):
                server.carry_out(server.host.hand_over(seat))
                self._step_down()

    def opened(self, end: End) -> None:
        """A connection of the own guest stands."""
        self._is_dialing = False
        if self._end is not None or (self.server and not end.is_local):
            end.close()
            return
        self._end = end
        at = self.machine.now()
        self._carry_out(self.guest.connected(end.channel, at, end.host_key))

    def received(self, end: End, data: bytes) -> None:
        """Bytes came for the own guest."""
        if end is self._end:
            self._carry_out(self.guest.received(data, self.machine.now()))

    def lost(self, end: End) -> None:
        """The connection of the own guest is gone."""
        if end is self._end:
            self._end = None
            self._carry_out(self.guest.disconnected())

    def _tick(self) -> None:
        at = self.machine.now()
        self._carry_out(self.guest.tick(at))
        if self.server:
            self.server.tick()
        self._carry_out(self._player.think(self.guest, at))
        if self.server:
            if self._end is None:
                self._setting.network.join(self.machine, self, self.server)
            self._keep_serving(at.monotonic)
        elif self._end is None and not self._is_dialing and not self.is_over:
            self._look()
            self._stand_if_due()
        self.machine.later(TICK_INTERVAL, self._tick)

    def _carry_out(self, effects: Iterable[GuestEffect]) -> None:
        """Do what the guest wants, in order."""
        for effect in effects:
            if isinstance(effect, Transmit):
                if self._end:
                    to = self._end.host_key or self._key.public
                    self._setting.laws.transmitted(self.machine, self.guest, effect.data, to)
                    if not self._end.is_local:
                        self._setting.laws.left(self.machine, effect.data)
                    self._end.send(effect.data)
            elif isinstance(effect, Store):
                self._store(effect.entry)
            else:
                self._rare(effect)

    def _rare(self, effect: GuestEffect) -> None:
        if isinstance(effect, Keep):
            self._vault.keep(effect.secret)
            self._setting.laws.kept(self.machine, effect.secret)
        elif isinstance(effect, Promise):
            self._vault.promise(effect.epoch)
        elif isinstance(effect, Cut):
            dropped = self._vault.entries()[effect.length :]
            self._vault.cut(effect.length)
            self._note(f"cuts {len(dropped)}")
            self._setting.laws.forgotten(self.guest.key, dropped)
        elif isinstance(effect, HandedOver):
            self._named = effect.seat == self.guest.key
        elif isinstance(effect, Hangup):
            self._hang_up(effect.why)
        elif isinstance(effect, CodeWanted):
            self.guest.use_code(self._setting.code(), self._entropy)
        elif isinstance(effect, Halt):
            self._setting.laws.halted(self.machine, effect.error)

    def _store(self, entry: Entry) -> None:
        self._vault.store(entry.blob)
        self._setting.laws.stored(self.guest.key, entry, self.guest.epoch)

    def _hang_up(self, why: Farewell) -> None:
        end, self._end = self._end, None
        if end:
            end.close()
        self._note(f"hangs up: {why.value}")
        self._looks_next = self.machine.now().monotonic + self._setting.world.random.uniform(0, 1)
        self.is_over = self.is_over or why in GONE

    def _note(self, what: str) -> None:
        self._setting.world.note(self.machine.name, what)

    def _entropy(self, count: int) -> bytes:
        return self._setting.world.random.randbytes(count)

    # Looking for the table.

    def _look(self) -> None:
        if self.machine.now().monotonic < self._looks_next:
            return
        self._is_dialing = True
        self.machine.later(self._setting.world.random.uniform(*LOOK_INTERVAL), self._dial_best)

    def _dial_best(self) -> None:
        """Connect to the best of what answers: a host before who stands, later before earlier."""
        # An earlier host is told by the hello that it may be over.
        cards = self._answers()
        self._seen = max([self._seen, *(card.epoch for card, _ in cards)])
        if self.server or not cards:
            self._is_dialing = False
            return
        ranked = [(card.state is not State.MOVING, card.epoch, name) for card, name in cards]
        self._setting.network.connect(self.machine, max(ranked)[2], self, self._failed)

    def _failed(self) -> None:
        self._is_dialing = False

    def _answers(self) -> list[tuple[Card, str]]:
        network = self._setting.network
        return [
            (server.host.card, name)
            for name, (machine, server, _) in network.listening.items()
            if isinstance(server, Server)
            and machine is not self.machine
            and network.is_reachable(self.machine, machine)
        ]

    # Serving it.

    def _serve(self, host: Host) -> None:
        network, laws = self._setting.network, self._setting.laws
        self.server = Server(host, self.machine, network, self._vault, laws, self._succeeded)
        if self._end:
            self._end.close()
            self._end = None
            self._carry_out(self.guest.disconnected())
        self.server.start(self._key.public)
        network.join(self.machine, self, self.server)

    def _resume(self, entries: list[Entry]) -> None:
        """Go on with the table that this program served, unless it has moved."""
        if self._end is None and self.guest.epoch <= entries[-1].epoch:
            self._note("resumes")
            self._serve(Host(self._key, self._setting.policy, entries, self._entropy))

    def _keep_serving(self, now: float) -> None:
        """Stop standing after a while, and as a host that hears nobody look for a later one."""
        server = self.server
        assert server is not None
        if server.host.is_standing:
            is_better = any(
                card.state is not State.MOVING and card.epoch >= server.host.table.epoch
                for card, _ in self._answers()
            )
            if is_better or now >= self._stands_until:
                self._step_down()
        elif not server.host.may_go_on(self.machine.now()):
            later = [card for card, _ in self._answers() if card.epoch > server.host.table.epoch]
            if later:
                self._step_down()

    def _succeeded(self, effect: Superseded | Stranded) -> None:
        """Somebody promised a later epoch: this host is over, or has to be chosen anew."""
        server, now = self.server, self.machine.now().monotonic
        if server is None:
            return
        self._seen = max(self._seen, effect.epoch)
        if isinstance(effect, Superseded):
            self._note(f"is superseded by {effect.epoch}")
            self._step_down()
        elif now - self._renewed > RENEW_INTERVAL:
            self._note(f"wants to be chosen anew after {effect.epoch}")
            self._renewed = now
            server.carry_out(server.host.hand_over(self._key.public))
            self._step_down()
            self._named, self._stand_next = True, now

    def _step_down(self) -> None:
        server, self.server = self.server, None
        if server is None:
            return
        self._note("steps down")
        server.stop()
        self._named = False
        # Long enough for another one that stands at the same time, and not as long as its own.
        pause = self._setting.world.random.uniform(0, STAND_FOR)
        self._stand_next = self.machine.now().monotonic + pause

    def _rank(self) -> int:
        """The place of the own seat among those that could stand."""
        table = self.guest.table
        if table is None:
            return 0
        able = [s.key for s in table.seats if not s.away and s.key != table.host]
        return able.index(self.guest.key) if self.guest.key in able else len(able)

    def _stand_if_due(self) -> None:
        table, at = self.guest.table, self.machine.now()
        if table is None or table.seat(self.guest.key) is None:
            return
        due = SUPPORT_DELAY + self._rank() * STAND_INTERVAL
        if not self._named and self.guest.host_silent(at) < due:
            return
        if at.monotonic < self._stand_next or self.guest.link is not LinkState.DOWN:
            return
        self._stand(at.monotonic)

    def _stand(self, now: float) -> None:
        epoch = max(self.guest.epoch, self._seen) + 1
        self._note(f"stands in epoch {epoch}")
        entries = list(self.guest.log)
        self._vault.begin_host_log(entries)
        self._stands_until = now + STAND_FOR
        self._serve(Host(self._key, self._setting.policy, entries, self._entropy, standing=epoch))


def _last_host(entries: list[Entry]) -> tuple[bytes, int]:
    table: Table | None = None
    from protocol.table.fold import fold

    for entry in entries:
        table = fold(table, entry)
    assert table is not None
    return table.host, table.epoch
