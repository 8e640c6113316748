"""Addresses and what answers there, without any network."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Final

from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Card, Farewell, Goodbye, Greeting, State, write
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, MemoryLink, Owner
from tests.spoof_tui.network.ends import End

TABLE: Final = bytes(32)
CARD: Final = Card(
    table=TABLE,
    name=ForeignText("The Golden Pier"),
    host=ForeignText("Olha"),
    rules=Rules.parse("milan"),
    seats=9,
    taken=3,
    state=State.PLAYING,
    locked=False,
    epoch=0,
)


def called(name: str, number: int = 1) -> Card:
    """The card of another table."""
    return replace(CARD, table=bytes([number]) * 32, name=ForeignText(name))


def greeting(card: Card = CARD) -> bytes:
    """A table's greeting to its clients."""
    return write(Greeting(PROTOCOL, PROGRAM, card, bytes(32)))


FULL: Final = write(Goodbye(Farewell.TOO_MANY))
STRANGE: Final = frame(pack(("greeting", 99, "9.9")))
"""The greeting of a table of another version."""

GARBAGE: Final = b"HTTP/1.1 400 Bad Request\r\n\r\n"
REFUSED: Final = ConnectionRefusedError()
UNREACHABLE: Final = OSError("no route")


def now() -> float:
    """The time by the clock of the loop."""
    return asyncio.get_running_loop().time()


def at(number: int) -> Address:
    return Address(f"10.0.{number // 256}.{number % 256}", 7763)


@dataclass
class Host(End):
    """The host's end of a link: says something, and remembers what is said to it."""

    said: bytes = b""

    async def connect(self, owner: Owner) -> None:
        MemoryLink.join(owner, self, asyncio.get_running_loop())

    def opened(self, link: Link) -> None:
        super().opened(link)
        link.send(self.said)


@dataclass
class Shown:
    """Tells a guest's end what only a real network link knows."""

    owner: Owner
    key: bytes | None
    trip: float

    def opened(self, link: Link) -> None:
        link.host_key, link.round_trip = self.key, self.trip
        self.owner.opened(link)

    def received(self, link: Link, data: bytes) -> None:
        self.owner.received(link, data)

    def drained(self, link: Link) -> None:
        self.owner.drained(link)

    def lost(self, link: Link) -> None:
        self.owner.lost(link)


@dataclass
class Places:
    """The answer at each address; at all others nobody ever answers."""

    said: dict[Address, bytes | OSError] = field(default_factory=dict)
    keys: dict[Address, bytes] = field(default_factory=dict)
    """Whose certificate is shown there."""
    trip: float = 0.0
    """Seconds that an answer takes."""
    asked: list[Address] = field(default_factory=list)
    at: list[float] = field(default_factory=list)
    """When each of these was asked, by the clock of the loop."""
    hosts: list[Host] = field(default_factory=list)
    waiting: int = 0
    """Calls that are not answered yet."""

    @property
    def open(self) -> int:
        """Links on which nobody has hung up."""
        return sum(not each.lost_ for each in self.hosts)

    def times(self, address: Address) -> list[float]:
        """When an address was asked."""
        return [at for at, each in zip(self.at, self.asked, strict=True) if each == address]

    async def connect(self, owner: Owner, address: Address) -> None:
        self.asked.append(address)
        self.at.append(now())
        self.waiting += 1
        try:
            if address not in self.said:
                await asyncio.Event().wait()
            await asyncio.sleep(self.trip)
        finally:
            self.waiting -= 1
        said = self.said[address]
        if isinstance(said, OSError):
            raise said
        self.hosts.append(Host(said=said))
        guest = Shown(owner, self.keys.get(address), self.trip)
        await self.hosts[-1].connect(guest)
