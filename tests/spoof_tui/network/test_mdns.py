"""The mDNS endpoint, on a made-up network."""

from __future__ import annotations

import errno

import pytest

from spoof_tui.network.mdns import MdnsEndpoint
from tests.spoof_tui.network.air import LOOPBACK, Services


class Endpoint(MdnsEndpoint):
    """An endpoint that remembers its troubles."""

    def __init__(self) -> None:
        self.troubles: list[str | None] = []
        super().__init__(self.troubles.append)

    async def look(self) -> list[bool]:
        """Whether the addresses of this machine changed; nothing if that failed."""
        changed = []
        async with self.attempt():
            changed.append(await self.refresh())
        return changed


@pytest.mark.parametrize(
    ("adapters", "error", "words", "is_open"),
    [
        ([LOOPBACK], None, "not on a network", True),
        ([], None, "no network at all", False),
        (None, OSError(errno.ENODEV, "No such device"), "No such device", False),
        (None, OSError(errno.EADDRINUSE, "Address already in use"), "5353", False),
        (None, RuntimeError("No interfaces to listen on"), "No interfaces", False),
    ],
)
async def test_what_is_missing_or_fails_is_trouble_told_once_until_it_works(
    adapters: list[object] | None,
    error: Exception | None,
    words: str,
    is_open: bool,
    services: Services,
) -> None:
    endpoint, usual = Endpoint(), services.adapters
    services.adapters = usual if adapters is None else adapters  # type: ignore[assignment]
    services.error = error
    looks = [await endpoint.look() for _ in range(2)]
    assert looks == ([[], []] if error else [[is_open], [False]])
    assert endpoint.trouble and words in endpoint.trouble
    assert bool(endpoint.zeroconf) is is_open
    services.adapters, services.error = usual, None
    await endpoint.look()
    assert endpoint.troubles[1:] == [None] and endpoint.zeroconf


async def test_an_endpoint_that_breaks_is_closed_and_replaced(services: Services) -> None:
    endpoint = Endpoint()
    await endpoint.look()
    services.error = OSError(errno.ENETDOWN, "Network is down")
    await endpoint.look()
    services.error = None
    await endpoint.look()
    broken, good = services.opened
    assert (broken.has_said_goodbye, broken.has_sockets, good.has_sockets) == (True, False, True)
    assert id(endpoint.zeroconf) == id(good)
