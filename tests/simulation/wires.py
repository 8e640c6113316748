"""The network between the machines: streams of bytes that come late, not at all, or to an end."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Final, Protocol

from tests.simulation.world import Machine, World

LATENCY: Final = (0.0005, 0.02)
"""Seconds that bytes take, from and to."""

CONNECT_TIMEOUT: Final = 2.0
"""Seconds after which an attempt to connect fails that nobody answers."""


class Owner(Protocol):
    """What one end of a wire belongs to."""

    def opened(self, end: End) -> None:
        """The connection stands."""

    def received(self, end: End, data: bytes) -> None:
        """Bytes came."""

    def lost(self, end: End) -> None:
        """The connection is gone."""


class End:
    """One end of a wire: `send` goes to the other one."""

    def __init__(self, network: Network, machine: Machine, owner: Owner, key: bytes | None) -> None:
        self.machine: Final = machine
        self.owner: Final = owner
        self.host_key: Final = key
        """Key in the certificate of the connection; None in memory."""
        self.channel: Final = sha256(key).digest() if key else b""
        self.is_open = True
        self.peer: End
        self._network = network
        self._life = machine.life
        self._backlog: list[bytes] = []
        self._is_pushed = False
        self._is_last = False
        self._is_held = False

    def send(self, data: bytes) -> None:
        """Bytes for the other end."""
        if self.is_open and data:
            self._backlog.append(data)
            self.push()

    def close(self) -> None:
        """No more bytes after those that were sent."""
        if self.is_open:
            self.is_open, self._is_last = False, True
            self.push()

    def hold(self) -> None:
        """Take nothing from the other end for now."""
        self._is_held = True

    def release(self) -> None:
        """Take what waits."""
        self._is_held = False
        self.peer.push()

    @property
    def is_local(self) -> bool:
        """Whether both ends are in one program."""
        return self.machine is self.peer.machine

    @property
    def is_gone(self) -> bool:
        """Whether the program that it belonged to is no more."""
        return self._life != self.machine.life

    @property
    def has_backlog(self) -> bool:
        """Whether something is on its way from here, or the end of it."""
        return bool(self._backlog) or self._is_last

    def push(self) -> None:
        """Have what waits arrive after a while."""
        if self.has_backlog and not self._is_pushed:
            self._is_pushed = True
            delay = 0.0 if self.is_local else self._network.delay(self.machine, self.peer.machine)
            self._network.world.later(delay, self._arrive)

    def _arrive(self) -> None:
        self._is_pushed = False
        peer = self.peer
        if not self._network.is_way(self.machine, peer.machine) or peer._is_held:
            # It waits: what heals the network, or reads again, pushes it.
            return
        if peer.is_gone:
            if peer.machine.is_up:
                # Somebody answers that there is no such connection any more.
                self.end()
            return
        if not peer.is_open:
            self._backlog.clear()
            return
        if not peer.machine.is_awake:
            peer.machine.do(self.push)
            return
        data, self._backlog = b"".join(self._backlog), []
        dice = self._network.world.random
        if len(data) > 1 and dice.random() < 0.05:
            split = dice.randrange(1, len(data))
            self._backlog, data = [data[split:]], data[:split]
        if data:
            peer.machine.do(lambda: peer.owner.received(peer, data))
        if self._backlog:
            self.push()
        elif self._is_last:
            peer.end()

    def end(self) -> None:
        """This end learns that the connection is gone."""
        if self.is_open and not self.is_gone:
            self.is_open = False
            self._backlog.clear()
            self.machine.do(lambda: self.owner.lost(self))


class Network:
    """Which machine reaches which, who listens where, and all wires that stand."""

    def __init__(self, world: World) -> None:
        self.world: Final = world
        self.listening: dict[str, tuple[Machine, Owner, bytes]] = {}
        """By name of the machine: who answers there, with the key of its certificate."""
        self._blocked: set[tuple[str, str]] = set()
        self._ends: list[End] = []

    def is_way(self, source: Machine, target: Machine) -> bool:
        """Whether bytes get from one to the other now."""
        return source is target or (source.name, target.name) not in self._blocked

    def is_reachable(self, source: Machine, target: Machine) -> bool:
        """Whether a connection could be made."""
        both = self.is_way(source, target) and self.is_way(target, source)
        return both and target.is_up and target.is_awake

    def delay(self, source: Machine, target: Machine) -> float:
        """Seconds that bytes take now."""
        return self.world.random.uniform(*LATENCY) + source.lag + target.lag

    def listen(self, machine: Machine, owner: Owner, key: bytes) -> None:
        """Answer connections to a machine."""
        self.listening[machine.name] = machine, owner, key

    def stop_listening(self, machine: Machine) -> None:
        """Answer no more."""
        self.listening.pop(machine.name, None)

    def connect(
        self, source: Machine, target: str, owner: Owner, failed: Callable[[], None]
    ) -> None:
        """Make a connection, or say after a while that there is none."""

        def arrive() -> None:
            answer = self.listening.get(target)
            if answer is None:
                source.do(failed)
            elif not self.is_reachable(source, answer[0]):
                source.later(CONNECT_TIMEOUT, failed)
            else:
                machine, server, key = answer
                self._wire(source, owner, machine, server, key)

        source.later(self.world.random.uniform(*LATENCY) * 3 + source.lag, arrive)

    def join(self, machine: Machine, owner: Owner, server: Owner) -> None:
        """A connection inside of one program."""
        self._wire(machine, owner, machine, server, None)

    def _wire(
        self, source: Machine, owner: Owner, target: Machine, server: Owner, key: bytes | None
    ) -> None:
        near, far = End(self, source, owner, key), End(self, target, server, key)
        near.peer, far.peer = far, near
        self._ends = [end for end in self._ends if not end.is_gone and end.is_open]
        self._ends += [near, far]
        target.do(lambda: server.opened(far))
        source.do(lambda: owner.opened(near))

    def block(self, source: str, target: str) -> None:
        """From now on nothing gets from one machine to the other."""
        self._blocked.add((source, target))

    def heal(self, pairs: list[tuple[str, str]]) -> None:
        """Let bytes through again; of the wires between, some have not survived."""
        self._blocked -= set(pairs)
        for end in list(self._ends):
            pair = end.machine.name, end.peer.machine.name
            if pair in pairs and self.world.random.random() < 0.4:
                self.reset(end)
        self.flush()

    def flush(self) -> None:
        """Push everything that waited."""
        for end in self._ends + [end.peer for end in self._ends]:
            end.push()

    def reset(self, end: End) -> None:
        """Both sides learn that a connection is gone, if they can be told."""
        end.end()
        end.peer.end()

    def wires(self) -> list[End]:
        """One end of every connection between two machines that stands."""
        return [end for end in self._ends if end.is_open and not end.is_local and not end.is_gone]

    def crashed(self, machine: Machine, is_told: bool) -> None:
        """The program of a machine is gone; its peers are told if its system still runs."""
        self.stop_listening(machine)
        for end in list(self._ends):
            if end.machine is machine and is_told and self.is_way(machine, end.peer.machine):
                self.world.later(self.delay(machine, end.peer.machine), end.peer.end)
