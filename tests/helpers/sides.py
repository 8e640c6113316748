"""The two sides of a link in memory: a guest and a host, and what becomes of all their effects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.guest.effects import GuestEffect, Keep, Secret, Transmit
from protocol.guest.guest import Guest
from protocol.guest.viewpoint import Viewpoint
from protocol.host import effects as host_side
from protocol.host.effects import HostEffect
from protocol.host.host import Host
from protocol.table.log import Intent
from protocol.timeouts import Moment
from protocol.views import TableView
from protocol.wire.messages import Farewell, Propose, read_from_guest, read_from_host

Event = TypeVar("Event", bound=GuestEffect)


class GuestSide:
    """One guest, and everything that it wanted."""

    def __init__(self, guest: Guest, address: str | None = None) -> None:
        self.guest = guest
        self.address = address
        """The address it comes from; None is the host's own program."""
        self.link: int | None = None
        self.effects: list[GuestEffect] = []
        """All its effects, in order."""
        self.received = bytearray()
        """Every byte that came on its links."""

    @property
    def view(self) -> TableView:
        return Viewpoint(self.guest).view()

    def events(self, kind: type[Event]) -> list[Event]:
        """Its effects of a kind, in order."""
        return [effect for effect in self.effects if isinstance(effect, kind)]

    @property
    def kept(self) -> list[Secret]:
        """The secrets that it kept, in order."""
        return [effect.secret for effect in self.events(Keep)]

    @property
    def sent(self) -> bytes:
        """Every byte that it sent."""
        return b"".join(effect.data for effect in self.events(Transmit))

    @property
    def intents(self) -> list[Intent]:
        """The intents that it sent, in order."""
        said = said_in(self.effects)
        return [Intent.read(each.blob) for each in said if isinstance(each, Propose)]

    @property
    def proposed(self) -> list[Message]:
        """The statements that it sent, in order."""
        return [intent.statement for intent in self.intents]


class HostSide:
    """A host, and what it wanted."""

    host: Host
    began = 1_700_000_001_000
    """When its clock began, in milliseconds since 1970."""

    def __init__(self) -> None:
        self.time = 0.0
        self.recorded: list[bytes] = []
        self.told: list[HostEffect] = []
        """What it said about other hosts."""
        self.closed: dict[int, Farewell] = {}
        """Links that it hung up."""
        self.stalled: set[int] = set()
        """Links that it does not read from."""

    def now(self, later: float = 0.0) -> Moment:
        """The time `later` seconds from now, which is now then."""
        self.time += later
        return Moment(self.time, self.began + int(self.time * 1000))

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Do what the host wants."""
        for effect in effects:
            if isinstance(effect, host_side.Send):
                for link in effect.links:
                    self.sent(link, effect.data)
            elif isinstance(effect, host_side.Record):
                self.record(effect.entry.blob)
            elif isinstance(effect, host_side.More):
                self.carry_out(self.host.pump(effect.link))
            elif isinstance(effect, host_side.Compute):
                self.carry_out(self.host.computed(effect.link, effect.work(), self.now()))
            elif isinstance(effect, host_side.Disconnect):
                self.closed[effect.link] = effect.why
            elif isinstance(effect, host_side.Stall):
                self.stalled.add(effect.link)
            elif isinstance(effect, host_side.Resume):
                self.stalled.remove(effect.link)
            elif not isinstance(effect, host_side.CodeChanged):
                self.told.append(effect)

    def record(self, blob: bytes) -> None:
        """An entry is in the log."""
        self.recorded.append(blob)

    def sent(self, link: int, data: bytes) -> None:
        """The host said this on a link."""
        raise NotImplementedError


def said_in(effects: Iterable[GuestEffect]) -> list[Message]:
    """The messages that a guest sends by these effects."""
    data = b"".join(effect.data for effect in effects if isinstance(effect, Transmit))
    return [read_from_guest(payload) for payload in FrameReader().feed(data)]


def read_all(data: bytes) -> list[Message]:
    """The messages of a host in what it sent."""
    return [read_from_host(payload) for payload in FrameReader().feed(data)]
