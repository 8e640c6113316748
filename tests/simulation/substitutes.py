"""Substitutes for the machine below `spoof_tui`: clocks, chance, files and the network.

Each asks the running event loop which machine it stands for.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from protocol.crypto.keys import SigningKey
from protocol.failover import roles
from protocol.guest import voter
from protocol.guest.viewpoint import Viewpoint
from protocol.host.effects import HostEffect
from protocol.host.host import Host
from protocol.table.electorate import sign_support
from protocol.table.head import Head
from protocol.table.log import Entry
from protocol.views import TableView
from protocol.wire.messages import Card
from spoof_tui import clock, system
from spoof_tui.network import links, table_server, tls
from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis import own_network
from spoof_tui.network.links import MemoryLink
from spoof_tui.network.locator import Search
from spoof_tui.runtime import hosted_table, player, seat, session, troubleshooting
from spoof_tui.runtime.session import Session
from spoof_tui.storage import disk as disk_queue
from spoof_tui.storage import files, paths
from spoof_tui.storage.journal import JournalRecord, SeatStore
from tests.simulation import disks, wires
from tests.simulation.laws import Laws
from tests.simulation.loop import Idle, MachineLoop
from tests.simulation.wires import Network, PlainPipe, Socket
from tests.simulation.world import Machine


def here() -> Machine:
    """The machine whose program runs now."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, MachineLoop)
    return loop.machine


def _bound(port: int, loopback_only: bool) -> Sequence[Socket]:
    machine = here()
    return [machine.loop.network.bind(machine, port)]


def _server_context(seed: bytes) -> tuple[bytes, bytes]:
    key = SigningKey(seed).public
    return key, sha256(key).digest()


class _BeaconSender:
    def __init__(self, table: bytes, port: int) -> None:
        self._table = table
        self._port = port

    async def run(self) -> None:
        machine = here()
        beacons, place = machine.loop.network.beacons, (machine.name, self._port)
        beacons[place] = self._table, machine.life
        try:
            await machine.loop.create_future()
        finally:
            if beacons.get(place) == (self._table, machine.loop.life):
                del beacons[place]


class _Announcer:
    trouble: Final = None

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._sender: asyncio.Task[None] | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        return (here().address,)

    async def start(self, card: Card, port: int) -> None:
        self._sender = asyncio.create_task(_BeaconSender(card.table, port).run())

    def update(self, card: Card) -> None:
        pass

    def name_door(self, port: int | None) -> None:
        pass

    def askers(self, before: float) -> frozenset[str]:
        return frozenset()

    async def close(self) -> None:
        if self._sender:
            self._sender.cancel()
            await asyncio.gather(self._sender, return_exceptions=True)


class SimulatedSearch(Search):
    """What a machine can discover about a table."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self._machine = machine

    async def begin(self, user: object) -> None:
        self._users.add(user)

    async def end(self, user: object) -> None:
        self._users.discard(user)

    def addresses(self, table: bytes) -> list[Address]:
        machine = self._machine
        if not self._users:
            return []
        return [Address(*each) for each in machine.loop.network.seen(machine, table)]


async def _is_on_network() -> bool:
    return True


_CLOCK: Final = SimpleNamespace(
    monotonic=lambda: here().monotonic, time_ns=lambda: here().wall * 1_000_000
)

_CHANGES: Final[tuple[tuple[Any, str, Any], ...]] = (
    (clock, "time", _CLOCK),
    (secrets, "token_bytes", lambda count: here().random.randbytes(count)),
    (secrets, "randbits", lambda count: here().random.getrandbits(count)),
    (paths, "state_folder", lambda: here().disk.root),
    (files, "make_private_directory", disks.make_private_directory),
    (files, "write_private", disks.write_private),
    (files, "open_private_append", disks.open_private_append),
    (files, "extend", disks.extend),
    (files, "sync", disks.sync),
    (files, "opened", disks.opened),
    (files, "sync_directory", disks.sync_directory),
    (system, "send_at_once", lambda stream: None),
    (tls, "server_context", _server_context),
    (tls, "client_context", lambda: b""),
    (tls, "peer", wires.peer),
    (disk_queue, "DISK", SimpleNamespace(run=lambda job: here().disk.run(job))),
    (links, "TlsPipe", PlainPipe),
    (table_server, "TlsPipe", PlainPipe),
    (links, "_is_own", lambda name: name[0] == here().address),
    (own_network, "look", _is_on_network),
    (links, "_own_end", lambda address: None),
    (table_server, "bound", _bound),
    (hosted_table, "bound", _bound),
    (player, "Search", lambda: SimulatedSearch(here())),
    (hosted_table, "own_addresses", lambda: [here().address]),
    (seat, "own_addresses", lambda: [here().address]),
    (hosted_table, "Announcer", _Announcer),
    (hosted_table, "BeaconSender", _BeaconSender),
    (session, "TICK_INTERVAL", Idle.of(session.TICK_INTERVAL, 0.75)),
    (table_server, "TICK_INTERVAL", Idle.of(table_server.TICK_INTERVAL, 0.5)),
)


@contextlib.contextmanager
def no_search() -> Iterator[None]:
    """Inside the context, whatever is in the way of a table, nobody looks at this machine's real
    network for it."""

    async def nothing(request: object) -> tuple[()]:
        return ()

    with patch.object(troubleshooting, "find_out", nothing):
        yield


@contextlib.contextmanager
def simulated(network: Network, laws: Laws) -> Iterator[None]:
    """Inside the context, programs that run in a `MachineLoop` use its machine, and are watched.

    What a program does in memory does not concern the network, but the laws hold there, too.
    """
    publish, send, view = Host._publish, MemoryLink.send, Viewpoint.view

    def published(host: Host, entry: Entry, *arguments: Any) -> list[HostEffect]:
        if not here().loop.is_dead:
            laws.made(here(), host, entry)
        return publish(host, entry, *arguments)

    def sent(link: MemoryLink, data: bytes) -> None:
        if isinstance(link._owner, Session) and not here().loop.is_dead:
            laws.transmitted(here(), data)
        send(link, data)

    def support(key: SigningKey, table: bytes, epoch: int, host: bytes, head: Head) -> bytes:
        if not here().loop.is_dead:
            laws.signs(here(), epoch, host)
        return sign_support(key, table, epoch, host, head)

    def remember(store: SeatStore, *records: JournalRecord) -> None:
        for each in records:
            laws.remembers(here(), each)

    def shown(point: Viewpoint) -> TableView | None:
        return view(point) if network.is_watched or laws.shows_views(point.guest) else None

    with ExitStack() as stack:
        for change in _CHANGES:
            stack.enter_context(patch.object(*change))
        stack.enter_context(patch.object(MachineLoop, "network", network, create=True))
        stack.enter_context(patch.object(Viewpoint, "view", shown))
        stack.enter_context(patch.object(SeatStore, "write", remember))
        for signer in (voter, roles):
            stack.enter_context(patch.object(signer, "sign_support", support))
        stack.enter_context(patch.object(Host, "_publish", published))
        stack.enter_context(patch.object(MemoryLink, "send", sent))
        yield
