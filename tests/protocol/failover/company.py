"""Programs at one table, each with its own machine, disk and links; the only clock is a number.

What `spoof_tui.runtime` does around the protocol is done here in a few lines: links are dialled,
effects carried out in order, and `Failover.tick` is called when something has come and at its own
deadlines, never otherwise.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from math import inf

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.failover.effects import (
    CannotHandOver,
    FailoverEffect,
    Left,
    Look,
    Pledge,
    Stand,
    StepDown,
    Tell,
)
from protocol.failover.election import Election
from protocol.failover.failover import Failover
from protocol.failover.inputs import Called, Found, HandOver, Prepared
from protocol.guest import effects as guest_side
from protocol.guest.effects import GuestEffect
from protocol.guest.guest import Guest
from protocol.host import effects as host_side
from protocol.host.effects import HostEffect, LinkId
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.rules.options import MIN_PLAYERS
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.table.log import Entry
from protocol.table.statements import HostMoved, Sit
from protocol.timeouts import Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import Card, Farewell, State
from tests.helpers.tables import MemoryTable, SeatedGuest

TICK = 0.5
"""Seconds between two looks of a guest and a host at the clock."""

MEET_TIMEOUT = 6.0
"""Seconds after which a link that leads nowhere is left."""

BACKOFF = 1.5
"""Seconds for which a link that led nowhere is tried last."""

SLOW_DISK = 0.6
"""Seconds that a disk takes for a promise, at most."""

POLICY = HostPolicy(ForeignText("Host"))


class _FreshTable(MemoryTable):
    """A participant whose signatures are made in this test only and not cached for others."""


def opened(seats: int, *, headless: bool) -> tuple[list[SigningKey], list[Entry]]:
    """The keys of the programs at a table, its host's first, and its log: all choose a hand."""
    table = _FreshTable(0)
    if not headless:
        host = SeatedGuest(Guest(table.host_key))
        table.clients.append(host)
        table.connect(host)
        table.act(host, host.guest.state(Sit(ForeignText("Host"))))
    while len(table.clients) < seats:
        table.add()
    table.ready()
    keys = [table.host_key] if headless else []
    return [*keys, *(client.guest._key for client in table.clients)], list(table.host.log)


@dataclass(eq=False)
class Wire:
    """A link from a guest to a server. Everything sent arrives in order, or the link breaks."""

    guest: Program
    server: Program
    number: LinkId
    life: tuple[int, int]
    is_open: bool = True
    waiting: list[Callable[[], None]] = field(default_factory=list)
    """Bytes held up while one end does not hear the other."""
    due: dict[bool, float] = field(default_factory=lambda: {True: 0.0, False: 0.0})
    """When the last bytes arrive, by whether they are for the guest."""


class World:
    """The machines and the network between them."""

    def __init__(self, seed: int, seats: int, *, headless: bool = False) -> None:
        self.random = random.Random(seed)
        self.time = 0.0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self.deaf: set[frozenset[Program]] = set()
        """Pairs that do not hear each other."""
        self.wires: list[Wire] = []
        self.moved: dict[int, bytes] = {}
        """The host of each epoch that anybody announced."""
        self.signed: dict[tuple[bytes, int], bytes] = {}
        """Whom each key has supported, by epoch."""
        self.elections = 0
        keys, log = opened(seats, headless=headless)
        self.programs = [Program(self, key, log) for key in keys]
        self.programs[0].host_log = list(log)
        for program in self.programs:
            program.start(hosts=program is self.programs[0])

    def later(self, delay: float, work: Callable[[], None]) -> None:
        """Schedule this for so many seconds from now."""
        heappush(self._queue, (self.time + delay, next(self._count), work))

    def run(self, seconds: float, check: Callable[[], None]) -> None:
        """Let time pass; `check` is called after everything that happens."""
        end = self.time + seconds
        while self._queue and self._queue[0][0] <= end:
            self.time, _, work = heappop(self._queue)
            work()
            check()
        self.time = end

    def hear(self, one: Program, other: Program) -> bool:
        """Whether one machine hears another now."""
        return not self.deaf or frozenset((one, other)) not in self.deaf

    def part(self, pairs: Iterable[tuple[Program, Program]]) -> None:
        """These do not hear each other, and everybody else does.

        What was said waits for them, or all who are cut off learn of it at once.
        """
        self.deaf = {frozenset(pair) for pair in pairs}
        is_known = self.random.random() < 0.5
        for wire in list(self.wires):
            if self.hear(wire.guest, wire.server):
                waiting, wire.waiting = wire.waiting, []
                for deliver in waiting:
                    deliver()
            elif is_known:
                self.cut(wire)

    def cut(self, wire: Wire) -> None:
        """The link breaks. The server may learn of it late, where a machine is gone."""
        if wire.is_open:
            wire.is_open = False
            self.wires.remove(wire)
            wire.guest.unlinked(wire)
            self.later(self.random.choice((0.0, 0.0, 9.0)), partial(wire.server.parted, wire))

    def supports(self, key: bytes, epoch: int, host: bytes) -> None:
        """A seat supports this host: for good, and in no epoch earlier than one it has been in."""
        assert self.signed.setdefault((key, epoch), host) == host, "a seat supports two"
        last = max(each for voter, each in self.signed if voter == key)
        assert last == epoch, "a seat goes back to an earlier epoch"

    def send(self, wire: Wire, deliver: Callable[[], None], *, to_guest: bool) -> None:
        """Bytes are delayed, and wait while the other end does not hear."""
        at = max(wire.due[to_guest], self.time + self.random.choice((0.0, 0.002, 0.05)))
        wire.due[to_guest] = at

        def arrive() -> None:
            target = wire.guest if to_guest else wire.server
            if not wire.is_open:
                return
            if wire.waiting or not self.hear(wire.guest, wire.server) or target.is_stopped:
                wire.waiting.append(deliver)
            else:
                deliver()

        self.later(at - self.time, arrive)

    @property
    def hosts(self) -> list[Program]:
        """The programs whose table goes on now, as far as they know."""
        return [each for each in self.programs if each.goes_on]

    @property
    def alive(self) -> list[Program]:
        return [each for each in self.programs if each.is_up and not each.is_stopped]


class Program:
    """One program and its disk; a crash loses everything else."""

    def __init__(self, world: World, key: SigningKey, log: Iterable[Entry]) -> None:
        self.world = world
        self.key = key
        self.log = list(log)
        self.host_log: list[Entry] = []
        self.promised = 0
        self.is_up = self.is_stopped = False
        self.life = 0
        self.has_slow_disk = False
        self.refused: list[Illegal] = []

    # Its life

    def start(self, *, hosts: bool = False) -> None:
        """Start as host of the table on the disk, or as a guest of another program."""
        self.is_up, self.is_stopped, self.leaves, self.has_left = True, False, False, False
        self.life += 1
        seats = {seat.key for seat in Host(self.key, POLICY, self.log, bytes, 1).table.seats}
        self.plays = self.key.public in seats
        self.guest = Guest(self.key, None, self.log, promise=self.promised, port=7 * self.plays)
        self.server: Host | None = None
        self.wire: Wire | None = None
        self.wires: dict[LinkId, Wire] = {}
        self._links = itertools.count()
        self._disk_free_at = 0.0
        self._bad: dict[Program, float] = {}
        self._next_tick = inf
        if hosts:
            self.server = Host(self.key, POLICY, self.host_log, self.world.random.randbytes)
        self.failover = Failover(Election(self.key, self.guest, plays=self.plays), self.server)
        if self.server:
            self.carry_out(self.server.resume(self.now))
        self._tick()
        self._dial()

    def crash(self) -> None:
        """End without a word; the others learn it from their links, some of them late."""
        self.is_up = False
        self.life += 1
        for wire in [wire for wire in self.world.wires if self in (wire.guest, wire.server)]:
            delay = self.world.random.choice((0.0, 0.01, 9.0))
            self.world.later(delay, partial(self.world.cut, wire))

    def stop(self, seconds: float) -> None:
        """Stand still, as a stopped program does, and go on."""
        self.is_stopped = True
        self.world.later(seconds, self._resume)

    def _resume(self) -> None:
        self.is_stopped = False
        for wire in self.world.wires:
            if self.world.hear(wire.guest, wire.server):
                waiting, wire.waiting = wire.waiting, []
                for deliver in waiting:
                    deliver()

    @property
    def now(self) -> Moment:
        return Moment(self.world.time, round(self.world.time * 1000))

    @property
    def goes_on(self) -> bool:
        host = self.server
        runs = self.is_up and not self.is_stopped and host is not None and not host.is_standing
        return runs and host is not None and host.may_go_on(self.now)

    def later(self, delay: float, work: Callable[[], None]) -> None:
        """Do this then, unless the program is gone; if it stands still, do it late."""
        life = self.life

        def act() -> None:
            if life == self.life and self.is_stopped:
                self.world.later(0.1, act)
            elif life == self.life:
                work()

        self.world.later(delay, act)

    def _tick(self) -> None:
        self.do(self.guest.tick(self.now))
        if self.server:
            self.carry_out(self.server.tick(self.now))
        self.later(TICK, self._tick)

    # Its seat

    def _dial(self) -> None:
        """Go to the best server of the table within hearing."""
        if self.wire is None and not self.has_left:
            target = self if self.server else self._best(is_old_welcome=True)
            if target and target.server:
                self._link(target)
        self.later(0.2, self._dial)

    def servers(self, *, is_old_welcome: bool) -> Iterator[tuple[Program, Card]]:
        """The others who serve the table, and their cards."""
        for each in self.world.alive:
            if each is self or each.server is None or not self.world.hear(self, each):
                continue
            card = each.server.card
            if not (is_old_welcome or card.epoch >= self.guest.epoch):
                continue
            if self.plays or card.state is not State.MOVING:
                yield each, card

    def _best(self, *, is_old_welcome: bool) -> Program | None:
        def merit(found: tuple[Program, Card]) -> tuple[bool, bool, bool, int]:
            program, card = found
            is_rested = self._bad.get(program, 0.0) <= self.world.time
            is_host = card.state is not State.MOVING
            return card.epoch >= self.guest.epoch, is_rested, is_host, card.epoch

        found = max(self.servers(is_old_welcome=is_old_welcome), key=merit, default=None)
        return found[0] if found else None

    def _link(self, server: Program) -> None:
        is_own, number = server is self, next(server._links)
        wire = self.wire = Wire(self, server, number, (self.life, server.life))
        self.world.wires.append(wire)
        server.wires[number] = wire
        key = None if is_own else server.key.public
        self.guest.trip = RoundTrip(0.0 if is_own else 0.01)
        self.do(self.guest.connected(bytes(32), self.now, key))
        address = None if is_own else f"192.0.2.{self.world.programs.index(self)}"
        assert server.server
        challenge = self.world.random.randbytes(32)
        server.carry_out(server.server.connected(number, challenge, bytes(32), server.now, address))
        self.later(MEET_TIMEOUT, partial(self._leave_stuck, wire))

    def _leave_stuck(self, wire: Wire) -> None:
        if wire is self.wire:
            silence = self.guest.voter.silence(self.now)
            is_linked = self.guest.link in (LinkState.UP, LinkState.UNSTEADY)
            if not is_linked or silence > self.guest.trip.gone_delay:
                self._bad[wire.server] = self.world.time + BACKOFF
                self.world.cut(wire)
            else:
                self.later(1.0, partial(self._leave_stuck, wire))

    def unlinked(self, wire: Wire) -> None:
        if wire is self.wire and wire.life[0] == self.life:
            self.wire = None
            self.do(self.guest.disconnected())

    def redial(self) -> None:
        if self.wire:
            self.world.cut(self.wire)

    def do(self, effects: Iterable[GuestEffect]) -> None:
        """Carry out what this program's guest wants, in order: a promise waits for the disk."""
        effects = list(effects)
        for effect in effects:
            if isinstance(effect, guest_side.HandedOver):
                self.failover.take(effect, self.now)
        for effect in effects:
            if isinstance(effect, guest_side.Promise) and self.has_slow_disk:
                took = self.world.random.uniform(0.0, SLOW_DISK)
                self._disk_free_at = max(self._disk_free_at, self.world.time) + took
            act = partial(self._act, effect, self.wire)
            if self._disk_free_at > self.world.time:
                self.later(self._disk_free_at - self.world.time, act)
            else:
                act()
        if effects:
            self.wake()

    def _act(self, effect: GuestEffect, wire: Wire | None) -> None:
        match effect:
            case guest_side.Transmit() if wire and wire.is_open:
                server, data = wire.server, effect.data
                self.world.send(wire, partial(server._received, wire, data), to_guest=False)
            case guest_side.Promise():
                self.promised = effect.epoch
            case guest_side.Store():
                self.log.append(effect.entry)
            case guest_side.Cut():
                del self.log[effect.length :]
            case guest_side.Pledged():
                self.failover.take(effect, self.now)
                self.wake()
            case guest_side.Halt():
                raise AssertionError(f"an honest host's log halts a guest: {effect.error}")
            case guest_side.Hangup():
                if effect.why is Farewell.BEHIND and self.guest.card:
                    self.failover.take(Called(self.guest.card.epoch), self.now)
                if wire:
                    self._bad[wire.server] = self.world.time + BACKOFF
                    # What was said before is still heard.
                    self.world.send(wire, partial(self.world.cut, wire), to_guest=False)
                    self.unlinked(wire)

    def _hear(self, wire: Wire, data: bytes) -> None:
        if wire is self.wire and wire.life[0] == self.life:
            self.do(self.guest.received(data, self.now))

    # Its server

    def _received(self, wire: Wire, data: bytes) -> None:
        if self.server and wire.life[1] == self.life and wire.number in self.wires:
            self.carry_out(self.server.received(wire.number, data, self.now))

    def parted(self, wire: Wire) -> None:
        is_known = wire.life[1] == self.life and wire.number in self.wires
        self.wires.pop(wire.number if is_known else -1, None)
        if is_known and self.server:
            self.carry_out(self.server.lost(wire.number, self.now))

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Do what this program's host wants, in order."""
        server = self.server
        for effect in effects:
            match effect:
                case host_side.Record():
                    self._record(effect.entry.blob)
                case host_side.Send():
                    for number in effect.links:
                        if wire := self.wires.get(number):
                            hear = partial(wire.guest._hear, wire, effect.data)
                            self.world.send(wire, hear, to_guest=True)
                case host_side.Disconnect():
                    if wire := self.wires.get(effect.link):
                        self.world.send(wire, partial(self.world.cut, wire), to_guest=True)
                case host_side.More():
                    self.later(0.0, partial(self._pump, server, effect.link))
                case host_side.Superseded() | host_side.Stranded() if server is self.server:
                    self.failover.take(effect, self.now)
                    self.wake()
                case host_side.Elected():
                    self.wake()

    def _pump(self, server: Host | None, link: LinkId) -> None:
        if server and server is self.server:
            self.carry_out(server.pump(link))

    def _record(self, blob: bytes) -> None:
        assert self.server
        log = list(self.server.log)
        entry = next(each for each in reversed(log) if each.blob == blob)
        # An elected host begins its own copy with everything before.
        self.host_log = log[: entry.position + 1]
        if isinstance(moved := entry.statement, HostMoved):
            known = self.world.moved.setdefault(moved.epoch, moved.host)
            assert known == moved.host, "two hosts of one epoch"
            self.world.elections += 1

    # Its role

    def wake(self) -> None:
        """Something has come: decide what follows as soon as it is handled."""
        self._tick_at(self.world.time)

    def _tick_at(self, when: float) -> None:
        if when < self._next_tick and when < inf:
            self._next_tick = when
            self.later(max(0.0, when - self.world.time), partial(self._decide, when))

    def _decide(self, when: float) -> None:
        if when != self._next_tick:
            return
        self._next_tick = inf
        for effect in self.failover.tick(self.now):
            self._follow(effect)
        self._tick_at(self.failover.next_deadline(self.now))

    def _follow(self, effect: FailoverEffect) -> None:
        match effect:
            case Tell():
                self.carry_out(effect.effects)
            case Pledge():
                self.do(effect.effects)
            case Stand():
                took = self.world.random.choice((0.0, 0.01, 0.1))
                self.later(took, partial(self._serve, effect))
            case StepDown():
                self._close(is_moving=True)
                if not effect.was_host:
                    self.redial()
            case Look():
                took = self.world.random.choice((0.05, effect.within))
                self.later(took, partial(self._found, effect))
            case CannotHandOver():
                self.refused.append(effect.error)
            case Left():
                self.has_left = True
                self.redial()

    def _serve(self, stand: Stand) -> None:
        if self.world.random.random() < 0.1:
            self.failover.take(Prepared(None), self.now)
        else:
            log, entropy = list(self.guest.log), self.world.random.randbytes
            self.server = Host(
                self.key, POLICY, log, entropy, stand.epoch, stand.silent, stand.pledges
            )
            self.failover.take(Prepared(self.server), self.now)
            self.redial()
        self.wake()

    def _close(self, *, is_moving: bool) -> None:
        server, self.server = self.server, None
        if server:
            # The last words reach those who still hear.
            self.server = server
            self.carry_out(server.close(is_moving=is_moving))
            self.server = None
        for wire in list(self.wires.values()):
            self.world.send(wire, partial(self.world.cut, wire), to_guest=True)
        self.wires = {}

    def _found(self, look: Look) -> None:
        """A look has ended: its result is lost now and then, and reported twice now and then."""
        found = self._best(is_old_welcome=look.is_old_welcome)
        is_lost = found is None or self.world.random.random() < 0.2
        answer = Found(None, None)
        if found and found.server and not is_lost:
            answer = Found(found.key.public, found.server.card)
        for _ in range(self.world.random.choice((1, 1, 2))):
            self.failover.take(answer, self.now)
        self.wake()

    # Its player

    def act(self) -> None:
        """Do what the table waits for from this seat, if it does."""
        table, guest = self.guest.table, self.guest
        if table is None or not self.is_up or self.is_stopped or not self.plays:
            return
        running = table.game.round if table.game else None
        try:
            if table.phase is Phase.CHOOSING:
                self.do(guest.choose(1, self.world.random.randbytes(32)))
            elif table.phase is Phase.SPEAKING and running is not None:
                self.do(guest.speak(Bid(len(self.guest.log) % 3 + 1)))
        except Illegal:
            return

    def hand_over(self, to: Program) -> None:
        if self.is_up and not self.is_stopped:
            self.failover.take(HandOver(to.key.public), self.now)
            self.wake()

    def leave(self, to: Program) -> None:
        if self.is_up and not self.is_stopped and self.failover.is_host:
            self.leaves = True
            self.failover.take(HandOver(to.key.public, leaves=True), self.now)
            self.wake()


def is_enough(world: World) -> bool:
    """Whether the running programs are more than half of the seats, and so at least two."""
    seats = [each for each in world.programs if each.plays]
    alive = [each for each in world.alive if each.plays and not each.leaves]
    return len(alive) >= MIN_PLAYERS and 2 * len(alive) > len(seats)
