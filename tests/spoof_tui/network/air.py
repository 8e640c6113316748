"""A link for datagrams and adverts, without any network below it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import ifaddr
from zeroconf import ServiceInfo, ServiceStateChange
from zeroconf._cache import DNSCache
from zeroconf._dns import DNSRecord

from spoof_tui.network.beacon import Beacon
from spoof_tui.network.broadcast import Heard
from spoof_tui.network.mdns import SERVICE

ME: Final = "10.9.9.9"
"""The address that others see when a program of this machine sends something."""


class Air:
    """Carries datagrams between the programs of a test, and from strangers to them."""

    def __init__(self) -> None:
        self.ears: list[Ear] = []
        """The listeners."""
        self.sent: list[tuple[float, bytes]] = []
        """Datagrams meant for everybody, with their times."""
        self.is_denied = False

    def listener(self, heard: Heard) -> Ear:
        """In place of `broadcast.Broadcast`."""
        return Ear(self, heard)

    def hears(self, data: bytes | Beacon, host: str) -> list[bytes]:
        """Everybody hears a stranger; returns what they answer at once."""
        replies: list[bytes] = []
        for each in list(self.ears):
            each.heard(data.write() if isinstance(data, Beacon) else data, host, replies.append)
        return replies

    @property
    def beacons(self) -> list[Beacon]:
        """Datagrams meant for everybody, if they are beacons."""
        return [beacon for _, data in self.sent if (beacon := Beacon.read(data))]

    def times(self, data: bytes) -> list[float]:
        """When this was sent to everybody."""
        return [when for when, each in self.sent if each == data]


class Ear:
    """One program's socket."""

    def __init__(self, air: Air, heard: Heard) -> None:
        self._air = air
        self.heard = heard

    @property
    def is_denied(self) -> bool:
        return self._air.is_denied

    async def load(self) -> None:
        self._air.ears.append(self)

    async def refresh(self) -> None:
        await asyncio.sleep(0)

    def send(self, data: bytes) -> None:
        loop = asyncio.get_running_loop()
        self._air.sent.append((loop.time(), data))
        for each in self._air.ears:
            loop.call_soon(self._bring, each, data)

    def _bring(self, other: Ear, data: bytes) -> None:
        def reply(answer: bytes) -> None:
            asyncio.get_running_loop().call_soon(self.heard, answer, ME, reply)

        if other in self._air.ears:
            other.heard(data, ME, reply)

    async def close(self) -> None:
        if self in self._air.ears:
            self._air.ears.remove(self)


def adapter(name: str, *hosts: str) -> ifaddr.Adapter:
    """An adapter with these addresses, as ifaddr reports it."""
    number: list[str | tuple[str, int, int]]
    number = [(each, 0, 0) if ":" in each else each for each in hosts]
    return ifaddr.Adapter(name, name, [ifaddr.IP(each, 24, name) for each in number])


LOOPBACK: Final = adapter("lo", "127.0.0.1")


class Services:
    """The zeroconf of this link: endpoints come and go, adverts are announced and heard."""

    def __init__(self) -> None:
        self.adapters = [LOOPBACK, adapter("eth0", "10.0.0.5")]
        """The adapters of this machine."""
        self.error: Exception | None = None
        """The error with which everything fails."""
        self.opened: list[FakeZeroconf] = []
        """Every endpoint that there ever was."""
        self.questions: list[Any] = []
        """The kinds of questions that were asked."""
        self.told: list[ServiceInfo] = []
        """What this machine has advertised: each change of it."""
        self.listeners: list[FakeBrowser] = []
        self.known: dict[str, ServiceInfo] = {}
        """What others advertise."""
        self.announcing_lasts = 0.0

    def advertise(self, name: str, port: int = 7763, *hosts: str, **pairs: bytes) -> None:
        """Others advertise a table, or a change of it."""
        info = ServiceInfo(
            SERVICE, f"{name}.{SERVICE}", port, properties=pairs, parsed_addresses=[*hosts],
            server=f"{name}.local.",
        )  # fmt: skip
        is_new = info.name not in self.known
        self.known[info.name] = info
        for each in self.listeners:
            each.tell(info, ServiceStateChange.Added if is_new else ServiceStateChange.Updated)

    def withdraw(self, name: str) -> None:
        """Others say goodbye."""
        info = self.known.pop(f"{name}.{SERVICE}")
        for each in self.listeners:
            each.tell(info, ServiceStateChange.Removed)

    def zeroconf(self, **options: object) -> FakeZeroconf:
        """In place of `AsyncZeroconf`."""
        if self.error:
            raise self.error
        self.opened.append(FakeZeroconf(self))
        return self.opened[-1]

    def browser(
        self, zeroconf: FakeZeroconf, kind: str, handlers: Sequence[Handler], question_type: object
    ) -> FakeBrowser:
        """In place of `AsyncServiceBrowser`."""
        self.questions.append(question_type)
        return FakeBrowser(self, zeroconf, handlers[0])


Handler = Callable[..., None]


class FakeZeroconf:
    """One endpoint: both `AsyncZeroconf` and the `Zeroconf` in it."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.zeroconf = self.engine = self
        self.cache = DNSCache()
        self.has_said_goodbye = False
        self.has_sockets = True

    async def async_wait_for_start(self) -> None:
        await asyncio.sleep(0.05)

    async def async_update_interfaces(self) -> None:
        if self._services.error:
            raise self._services.error

    async def async_close(self) -> None:
        self.has_said_goodbye = True

    def close(self) -> None:
        self.has_sockets = False

    async def async_register_service(
        self, info: ServiceInfo, cooperating_responders: bool = False
    ) -> asyncio.Future[None]:
        assert not self.has_said_goodbye
        self._services.told.append(info)
        return asyncio.ensure_future(asyncio.sleep(self._services.announcing_lasts))

    async_update_service = async_register_service


class FakeBrowser:
    """One question of a lobby, and what it hears."""

    def __init__(self, services: Services, zeroconf: FakeZeroconf, handler: Handler) -> None:
        self._services, self._zeroconf, self._handler = services, zeroconf, handler
        services.listeners.append(self)
        loop = asyncio.get_running_loop()
        for info in services.known.values():
            loop.call_soon(self.tell, info, ServiceStateChange.Added)

    def tell(self, info: ServiceInfo, change: ServiceStateChange) -> None:
        self._zeroconf.cache = DNSCache()
        records: list[DNSRecord] = [info.dns_service(), info.dns_text(), *info.dns_addresses()]
        self._zeroconf.cache.async_add_records(records)
        self._handler(self._zeroconf, SERVICE, info.name, change)

    async def async_cancel(self) -> None:
        self._services.listeners.remove(self)
