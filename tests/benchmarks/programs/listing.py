"""Finds an existing table by the lobby's browser and by bare zeroconf, in turns.

    listing.py PORT COUNT

Prints one line for every pair: the seconds of each. A process of its own, so that it can run in
another network namespace than the table.
"""

import asyncio
import random
import sys
import time

from zeroconf import InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from spoof_tui.network.discovery import Browser
from spoof_tui.network.mdns import SERVICE, load
from spoof_tui.network.probe import FoundTable

LIMIT = 10.0
"""Seconds that a search takes at most."""


async def by_browser(port: int) -> float:
    """Seconds until the lobby's list holds the table."""
    listed = asyncio.Event()

    def changed(tables: tuple[FoundTable, ...]) -> None:
        if any(table.address.port == port for table in tables):
            listed.set()

    # Without the address that is always asked: the table must be found on the network.
    browser = Browser(changed, known=())
    begun = time.perf_counter()
    await browser.start()
    async with asyncio.timeout(LIMIT):
        await listed.wait()
    seconds = time.perf_counter() - begun
    await browser.close()
    return seconds


async def by_zeroconf(port: int) -> float:
    """Seconds until bare zeroconf has resolved the same service."""
    resolved = asyncio.Event()
    tasks = set()

    async def resolve(zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if await info.async_request(zeroconf, 3000) and info.port == port:
            resolved.set()

    def heard(
        zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Added:
            tasks.add(asyncio.create_task(resolve(zeroconf, name)))

    begun = time.perf_counter()
    endpoint = AsyncZeroconf(interfaces=InterfaceChoice.All, ip_version=IPVersion.V4Only)
    questions = AsyncServiceBrowser(endpoint.zeroconf, SERVICE, [heard])
    async with asyncio.timeout(LIMIT):
        await resolved.wait()
    seconds = time.perf_counter() - begun
    await questions.async_cancel()
    await endpoint.async_close()
    return seconds


async def main(port: int, count: int) -> None:
    """Print this many pairs."""
    await load()
    for number in range(count):
        # The first question waits a random 20 to 120 ms: the same chance for both.
        random.seed(number)
        ours = await by_browser(port)
        await asyncio.sleep(0.2)
        random.seed(number)
        bare = await by_zeroconf(port)
        await asyncio.sleep(0.2)
        print(ours, bare, flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
