"""A program's end of the wires to its table, when it serves or stands (`network/server.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from protocol.crypto.seals import HASH_BYTES
from protocol.host.host import (
    Compute,
    Disconnect,
    Elected,
    Host,
    HostEffect,
    More,
    Record,
    Resume,
    Send,
    Stall,
    Stranded,
    Superseded,
)
from protocol.table.log import Entry
from tests.simulation.disks import Vault
from tests.simulation.laws import Laws
from tests.simulation.wires import End, Network
from tests.simulation.world import Machine

WORK: Final = (0.002, 0.05)
"""Seconds that working out an answer to a guess of the code takes, from and to."""


class Server:
    """One host on the network; `over` is called with what ends its rule."""

    def __init__(
        self,
        host: Host,
        machine: Machine,
        network: Network,
        vault: Vault,
        laws: Laws,
        over: Callable[[Superseded | Stranded], None],
    ) -> None:
        self.host: Final = host
        self._machine = machine
        self._network = network
        self._vault = vault
        self._laws = laws
        self._over = over
        self._ends: dict[int, End] = {}
        self._next_id = 0
        self._is_closed = False

    def start(self, key: bytes) -> None:
        """Listen."""
        self._network.listen(self._machine, self, key)
        self.carry_out(self.host.resume(self._machine.now()))

    def stop(self) -> None:
        """Say goodbye to everybody: somebody else is host, or shall be."""
        self._network.stop_listening(self._machine)
        self._is_closed = True
        self.carry_out(self.host.step_down())

    def tick(self) -> None:
        """Look at the clock."""
        if not self._is_closed:
            self.carry_out(self.host.tick(self._machine.now()))

    def opened(self, end: End) -> None:
        """A connection came."""
        self._next_id += 1
        self._ends[self._next_id] = end
        address = None if end.is_local else end.peer.machine.name
        dice = self._machine.world.random
        challenge, at = dice.randbytes(HASH_BYTES), self._machine.now()
        self.carry_out(self.host.connected(self._next_id, challenge, end.channel, at, address))

    def received(self, end: End, data: bytes) -> None:
        """Bytes came."""
        link = self._link(end)
        if link is not None:
            self.carry_out(self.host.received(link, data, self._machine.now()))

    def lost(self, end: End) -> None:
        """A connection ended."""
        link = self._link(end)
        if link is not None:
            del self._ends[link]
            self.carry_out(self.host.lost(link, self._machine.now()))

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Do what the host wants, in order."""
        for effect in effects:
            if isinstance(effect, Record):
                self._record(effect.blob)
            elif isinstance(effect, Send):
                self._send(effect)
            else:
                self._rare(effect)

    def _rare(self, effect: HostEffect) -> None:
        if isinstance(effect, Disconnect):
            end = self._ends.pop(effect.link, None)
            if end:
                end.close()
        elif isinstance(effect, More):
            self._later(0.001, lambda: self.host.pump(effect.link))
        elif isinstance(effect, Compute):
            delay = self._machine.world.random.uniform(*WORK)
            answer = effect.work()
            self._later(delay, lambda: self.host.computed(effect.link, answer, self._machine.now()))
        elif isinstance(effect, Stall) and effect.link in self._ends:
            self._ends[effect.link].hold()
        elif isinstance(effect, Resume) and effect.link in self._ends:
            self._ends[effect.link].release()
        elif isinstance(effect, Elected):
            self._laws.elected(self._machine, self.host)
        elif isinstance(effect, Superseded | Stranded):
            # Not in the middle of carrying out what the host wants.
            self._machine.later(0.0, lambda: None if self._is_closed else self._over(effect))

    def _record(self, blob: bytes) -> None:
        self._vault.record(blob)
        entry = Entry.read(blob, self.host.table.host)
        self._laws.recorded(self._machine, self.host, entry)

    def _send(self, effect: Send) -> None:
        self._laws.left(self._machine, effect.data)
        for link in effect.links:
            end = self._ends.get(link)
            if end:
                end.send(effect.data)

    def _later(self, delay: float, work: Callable[[], Iterable[HostEffect]]) -> None:
        def act() -> None:
            if not self._is_closed:
                self.carry_out(work())

        self._machine.later(delay, act)

    def _link(self, end: End) -> int | None:
        return next((link for link, each in self._ends.items() if each is end), None)
