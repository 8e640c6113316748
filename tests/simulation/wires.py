"""The network between the machines: connections whose bytes come late, not at all, or to an end.

It offers what an event loop gives a program: listening sockets and transports. In place of TLS
there is a handshake with as many trips, which shows the host's key and encrypts nothing.
"""

from __future__ import annotations

import asyncio
import errno
import random
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from protocol.limits import MAX_UNSENT

if TYPE_CHECKING:
    from tests.simulation.laws import Laws
    from tests.simulation.world import Machine, World

LATENCY: Final = (0.0005, 0.02)
"""Least and most seconds that bytes take."""

ASKED_AGAIN: Final = (0.0, 1.0, 2.0, 4.0, 8.0)
"""Seconds between two attempts to connect to a place that has not answered."""

SENT_AGAIN: Final = 0.2
"""Seconds until a lost packet is sent again; doubled each time it is lost again."""

KERNEL: Final = 65536
"""Bytes that wait in the system before they wait in the program."""

LOOPBACK: Final = "127.0.0.1"

FIRST_PORT: Final = 40000
"""The first of the ports that are given out on request for any."""

HELLO: Final = b"hello"
DONE: Final = b"done!"
_KEY_BYTES: Final = 32


class Socket:
    """A port of a machine that is taken."""

    def __init__(self, machine: Machine, port: int) -> None:
        self.machine: Final = machine
        self.port: Final = port
        self._life = machine.life
        self._is_open = True

    def getsockname(self) -> tuple[str, int]:
        return "0.0.0.0", self.port

    def fileno(self) -> int:
        return -1

    def listen(self, backlog: int) -> None:
        """A client that asks before the server serves is refused."""

    def close(self) -> None:
        # Once only: somebody else may have the port by now.
        if self._is_open and self._life == self.machine.life:
            self._is_open = False
            self.machine.loop.network.free(self.machine, self.port)


class Server:
    """Where a program listens on a port."""

    def __init__(self, socket: Socket) -> None:
        self.sockets: Final = (socket,)

    async def start_serving(self) -> None:
        """The server has served since it was made."""

    def close(self) -> None:
        self.sockets[0].close()

    async def wait_closed(self) -> None:
        pass


class Wire(asyncio.Transport):
    """One end of a connection."""

    def __init__(self, network: Network, machine: Machine, is_asking: bool) -> None:
        super().__init__()
        self.machine: Final = machine
        self.is_asking: Final = is_asking
        """Whether this end opened the connection."""
        self.address: Final = machine.address
        self.peer: Wire
        self.protocol: asyncio.BaseProtocol
        self.is_open = True
        self._network = network
        self._life = machine.life
        self._random = random.Random(machine.random.getrandbits(64))
        self._backlog: list[bytes] = []
        self._size = 0
        self._is_pushed = False
        self._is_last = False
        self._is_held = False
        self._is_clogged = False
        self._limit = KERNEL

    # What a program calls

    def write(self, data: Any) -> None:
        if self.is_open and not self.is_gone and data:
            self._network.sent(self, bytes(data))
            self._backlog.append(bytes(data))
            self._size += len(data)
            self._is_clogged = self._is_clogged or self.get_write_buffer_size() > self._limit
            self.push()

    def close(self) -> None:
        if self.is_open:
            self.is_open, self._is_last = False, True
            self.machine.loop.call_soon(self._tell_lost, None)
            self.push()

    def write_eof(self) -> None:
        if self.is_open:
            self._is_last = True
            self.push()

    def abort(self) -> None:
        if self.is_open:
            self.is_open = False
            self._clear()
            self.machine.loop.call_soon(self._tell_lost, None)
        if not self.is_gone:
            self._network.later(self, self._break_peer)

    def is_closing(self) -> bool:
        return not self.is_open

    def pause_reading(self) -> None:
        self._is_held = True

    def resume_reading(self) -> None:
        self._is_held = False
        self.peer.push()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self.protocol

    def get_write_buffer_size(self) -> int:
        return max(0, self._size - KERNEL)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._limit = MAX_UNSENT if high is None else high

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        if name == "sockname":
            return self.address, 0
        if name == "peername":
            return LOOPBACK if self.peer.machine is self.machine else self.peer.address, 0
        return default

    # What the network does

    @property
    def is_gone(self) -> bool:
        """Whether the program that it belonged to is gone."""
        return self._life != self.machine.life

    @property
    def is_lost(self) -> bool:
        """Whether its machine has another address now: nothing comes through any more."""
        return self.address != self.machine.address

    @property
    def waits(self) -> bool:
        """Whether something is on its way from here, or the end of it."""
        return bool(self._backlog) or self._is_last

    def push(self) -> None:
        """Have waiting bytes arrive after a while."""
        if not self._is_pushed and self.waits:
            self._is_pushed = True
            self._network.later(self, self._arrive)

    def end(self, error: OSError | None) -> None:
        """This end learns that the connection is gone."""
        if self.is_open and not self.is_gone:
            self.is_open = False
            self._clear()
            self.machine.do(self._tell_lost, error)

    def _tell_lost(self, error: OSError | None) -> None:
        # The present reader: the one who accepted the link may have passed it on.
        self.protocol.connection_lost(error)

    def delay(self) -> float:
        """Seconds that bytes take now."""
        low, high = LATENCY
        late = low + (high - low) * self._random.random()
        pause = SENT_AGAIN
        while self._network.loses(self._random):
            late, pause = late + pause, 2 * pause
        return late + self.machine.lag + self.peer.machine.lag

    def _arrive(self) -> None:
        self._is_pushed = False
        peer = self.peer
        if not self._network.is_through(self) or peer._is_held:
            # It waits until the network is mended or its peer reads again.
            return
        if peer.is_gone or not peer.is_open:
            if peer.is_gone and not peer.machine.is_up:
                return
            # Its peer answers that there is no such connection any more.
            self._clear()
            self.end(ConnectionResetError(errno.ECONNRESET, "reset"))
            return
        data, self._backlog = b"".join(self._backlog), []
        if len(data) > 1 and self._random.random() < 0.05:
            split = self._random.randrange(1, len(data))
            self._backlog, data = [data[split:]], data[:split]
        self._size -= len(data)
        if data:
            peer.machine.do(peer._take, data)
        if self._is_clogged and self.get_write_buffer_size() == 0:
            self._is_clogged = False
            self.machine.do(self._drained)
        if self._backlog:
            self.push()
        elif self._is_last:
            self._is_last = False
            peer.machine.do(peer._take_end)

    def _take(self, data: bytes) -> None:
        self._network.hears(self.peer.machine, self.machine)
        if self.is_open and isinstance(self.protocol, asyncio.Protocol):
            self.protocol.data_received(data)

    def _take_end(self) -> None:
        if self.is_open and isinstance(self.protocol, asyncio.Protocol):
            self.protocol.eof_received()
            self.close()

    def _drained(self) -> None:
        if self.is_open:
            self.protocol.resume_writing()

    def _break_peer(self) -> None:
        if self._network.is_through(self):
            self.peer.end(ConnectionResetError(errno.ECONNRESET, "reset"))

    def _clear(self) -> None:
        self._backlog.clear()
        self._size, self._is_last = 0, False


class Network:
    """Which machines reach each other, which ports are served, and all open connections."""

    def __init__(self, world: World, laws: Laws) -> None:
        self.world: Final = world
        self._laws = laws
        self.machines: Final[dict[str, Machine]] = {}
        """Machines by name."""
        self.beacons: Final[dict[tuple[str, int], tuple[bytes, int]]] = {}
        """Discoverable tables: by machine and port the table, and the run of the machine."""
        self.is_quiet = False
        """Whether nothing gets through by which a table could be discovered."""
        self.loss = 0.0
        """The rate of lost packets; those of an open connection are sent again."""
        self.is_watched = False
        """Whether players look at what they are shown, which costs as much as all the rest."""
        self.heard: Final[dict[tuple[str, str], float]] = {}
        """When anything last came from one machine to another, in the world's time."""
        self._taken: dict[tuple[str, int], int] = {}
        """By machine and port: the run of the machine in which the port was taken."""
        self._listening: dict[tuple[str, int], tuple[int, Callable[[], asyncio.Protocol]]] = {}
        self._blocked: set[tuple[str, str]] = set()
        self.lost_lines: Final[set[str]] = set()
        """Machines that reach nobody, whatever heals between others."""
        self._wires: list[Wire] = []

    def is_way(self, source: Machine, target: Machine) -> bool:
        """Whether bytes get from one to the other now."""
        one, other, lost = source.name, target.name, self.lost_lines
        is_cut = bool(lost) and (one in lost or other in lost)
        return source is target or not (is_cut or (one, other) in self._blocked)

    def hears(self, source: Machine, target: Machine) -> None:
        """Something has come from one machine to the other."""
        self.heard[source.name, target.name] = self.world.time

    def loses(self, dice: random.Random) -> bool:
        """Whether the next packet is lost."""
        return self.loss > 0 and dice.random() < self.loss

    def is_through(self, wire: Wire) -> bool:
        """Whether bytes get from this end to the other one now."""
        peer = wire.peer
        is_way = self.is_way(wire.machine, peer.machine)
        return is_way and peer.machine.is_awake and not wire.is_lost and not peer.is_lost

    def later(self, wire: Wire, act: Callable[[], None]) -> None:
        """Have something happen at the other end of a wire after the usual delay."""
        world = self.world
        world.later(max(0.0, wire.machine.time - world.time) + wire.delay(), act)

    def sent(self, wire: Wire, data: bytes) -> None:
        """Bytes leave a machine."""
        if wire.is_asking and data is not HELLO and data is not DONE:
            self._laws.transmitted(wire.machine, data)
        self._laws.left(wire.machine, data)

    # Ports

    def bind(self, machine: Machine, port: int) -> Socket:
        """Take a port, or any free one for 0; raises `OSError`."""
        if port == 0:
            port = FIRST_PORT
            while self._is_taken(machine, port):
                port += 1
        elif self._is_taken(machine, port):
            raise OSError(errno.EADDRINUSE, "the port is taken")
        self._taken[machine.name, port] = machine.life
        return Socket(machine, port)

    def _is_taken(self, machine: Machine, port: int) -> bool:
        return self._taken.get((machine.name, port)) == machine.life

    def free(self, machine: Machine, port: int) -> None:
        """Free a port."""
        self._taken.pop((machine.name, port), None)
        self._listening.pop((machine.name, port), None)

    def listen(
        self, machine: Machine, factory: Callable[[], asyncio.Protocol], socket: Socket
    ) -> Server:
        """Answer connections to a port."""
        self._listening[machine.name, socket.port] = machine.life, factory
        return Server(socket)

    # Connections

    async def connect(
        self, machine: Machine, factory: Callable[[], asyncio.Protocol], host: str, port: int
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        """Make a connection; raises `OSError`, and may take for ever."""
        answer: asyncio.Future[Wire] = machine.loop.create_future()
        self._ask_after(machine, (host, port), answer, list(ASKED_AGAIN))
        wire = await answer
        wire.protocol = protocol = factory()
        protocol.connection_made(wire)
        return wire, protocol

    def _ask_after(
        self,
        machine: Machine,
        address: tuple[str, int],
        answer: asyncio.Future[Wire],
        pauses: list[float],
    ) -> None:
        life, pause = machine.life, pauses.pop(0)

        def ask() -> None:
            if machine.life == life and not answer.done():
                is_answered = self._ask(machine, address, answer)
                if not is_answered and pauses:
                    self._ask_after(machine, address, answer, pauses)

        delay = pause + 2 * machine.random.uniform(*LATENCY) + machine.lag
        self.world.later(machine.time - self.world.time + delay, ask)

    def _ask(
        self, machine: Machine, address: tuple[str, int], answer: asyncio.Future[Wire]
    ) -> bool:
        """A first packet is sent, if there is a way; returns whether it was answered."""
        host, port = address
        others = (each for each in self.machines.values() if each.address == host)
        target = machine if host == LOOPBACK else next(others, None)
        if target is None:
            return False
        if self.loses(machine.random) or self.loses(machine.random):
            return False
        both = self.is_way(machine, target) and self.is_way(target, machine)
        if not (both and target.is_awake and machine.is_awake and target.is_on):
            return False
        self.hears(target, machine)
        listening = self._listening.get((target.name, port))
        if listening is None or listening[0] != target.life or not target.is_up:
            machine.do(_refuse, answer)
            return True
        near, far = Wire(self, machine, True), Wire(self, target, False)
        near.peer, far.peer = far, near
        near.protocol = far.protocol = asyncio.Protocol()
        self._wires = [each for each in self._wires if each.is_open or each.peer.is_open]
        self._wires.append(near)

        def accept() -> None:
            far.protocol = listening[1]()
            far.protocol.connection_made(far)

        def connected() -> None:
            if answer.done():
                near.abort()
            else:
                answer.set_result(near)

        target.do(accept)
        machine.do(connected)
        return True

    def block(self, source: str, target: str) -> None:
        """Let nothing through from one machine to the other from now on."""
        self._blocked.add((source, target))

    def heal(self, pairs: list[tuple[str, str]]) -> None:
        """Let bytes through again; some of the wires between have not survived."""
        self._blocked -= set(pairs)
        for wire in list(self._wires):
            pair = wire.machine.name, wire.peer.machine.name
            is_between = pair in pairs or pair[::-1] in pairs
            if is_between and self.world.random.random() < 0.6:
                self.reset(wire)
        self.flush()

    def flush(self) -> None:
        """Push everything that waited."""
        for wire in self._wires:
            wire.push()
            wire.peer.push()

    def reset(self, wire: Wire) -> None:
        """Both sides learn that a connection is gone, as far as they can be told."""
        for each in (wire, wire.peer):
            each.end(ConnectionResetError(errno.ECONNRESET, "reset"))

    def wires(self) -> list[Wire]:
        """One end of every connection that stands."""
        return [each for each in self._wires if each.is_open and not each.is_gone]

    def crashed(self, machine: Machine, is_told: bool) -> None:
        """The program of a machine is gone; its peers are told if its system still runs."""
        machine.is_on = is_told
        for wire in self._wires:
            for end in (wire, wire.peer):
                if end.machine is machine and is_told and end.is_open:
                    self.later(end, end._break_peer)

    # Discovery

    def seen(self, machine: Machine, table: bytes) -> list[tuple[str, int]]:
        """Where a machine can discover that a table is served."""
        if self.is_quiet:
            return []
        found = []
        for (name, port), (served, life) in self.beacons.items():
            other = self.machines[name]
            is_there = other.is_up and other.life == life and other.is_awake
            if served == table and is_there and self.is_way(other, machine):
                found.append((other.address, port))
        return found


def _refuse(answer: asyncio.Future[Wire]) -> None:
    if not answer.done():
        answer.set_exception(ConnectionRefusedError(errno.ECONNREFUSED, "refused"))


class PlainPipe:
    """In place of `spoof_tui.network.tls.TlsPipe`: as many trips, and nothing is encrypted.

    A host's `context` is its public key, a guest's is empty.
    """

    def __init__(self, context: bytes, *, is_server: bool = False) -> None:
        self._key = context
        self._incoming = b""
        self._outgoing: list[bytes] = [] if is_server else [HELLO]
        self.is_open = False
        self.is_over = False
        self.shown: bytes | None = None

    def receive(self, data: bytes) -> bytes:
        if self.is_open:
            return data
        self._incoming += data
        if self._key:
            self._greet_guest()
        else:
            self._greet_host()
        return self._said()

    def _said(self) -> bytes:
        if not self.is_open:
            return b""
        said, self._incoming = self._incoming, b""
        return said

    def _greet_host(self) -> None:
        if len(self._incoming) >= _KEY_BYTES:
            self.shown, self._incoming = self._incoming[:_KEY_BYTES], self._incoming[_KEY_BYTES:]
            self._outgoing.append(DONE)
            self.is_open = True

    def _greet_guest(self) -> None:
        if self._incoming.startswith(HELLO):
            self._incoming = self._incoming[len(HELLO) :]
            self._outgoing.append(self._key)
        if self._incoming.startswith(DONE):
            self._incoming = self._incoming[len(DONE) :]
            self.is_open = True

    def say(self, data: bytes) -> None:
        if data:
            self._outgoing.append(data)

    def end(self) -> None:
        pass

    def outgoing(self) -> bytes:
        outgoing, self._outgoing = self._outgoing, []
        return outgoing[0] if len(outgoing) == 1 else b"".join(outgoing)


def peer(shown: bytes | None) -> tuple[bytes, bytes]:
    """In place of `spoof_tui.network.tls.peer`: channel and key that a host has shown."""
    if shown is None:
        raise ConnectionError("nothing was shown")
    return sha256(shown).digest(), shown
