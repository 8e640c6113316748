"""Many tables that are advertised and answer, or the lobby's browser that lists them.

    crowd.py tables COUNT
    crowd.py look COUNT SECONDS

The first prints a line once all are advertised, and ends with its input. The second prints how many
seconds it took until all were listed, and which part of a core the list costs then.
"""

import asyncio
import contextlib
import sys
import time

from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from spoof_tui.network.addresses import own_interfaces
from spoof_tui.network.adverts import pairs_of
from spoof_tui.network.discovery import Browser, FoundTable
from spoof_tui.network.mdns import SERVICE
from tests.spoof_tui.network.greeter import greeting, listening, open_host

LIMIT = 120.0
"""Seconds until all are listed, at most."""

SETTLE_DELAY = 5.0
"""Seconds, at most, from a full list to its rest."""


async def tables(count: int) -> None:
    """Serve and advertise so many."""
    host = str(own_interfaces()[0].ip)
    endpoint = AsyncZeroconf(interfaces=[host])
    async with contextlib.AsyncExitStack() as stack:
        for number in range(count):
            table = open_host(f"Table {number}")
            address = await stack.enter_async_context(listening(greeting(table), host))
            endpoint.zeroconf.registry.async_add(
                AsyncServiceInfo(
                    SERVICE,
                    f"{number}.{SERVICE}",
                    address.port,
                    properties=pairs_of(table.card),
                    server=f"{number}.local.",
                    parsed_addresses=[host],
                )
            )
        print("advertised", flush=True)
        await asyncio.to_thread(sys.stdin.read)
    await endpoint.async_close()


async def look(count: int, seconds: float) -> None:
    """List them, and then rest."""
    full = asyncio.Event()

    def changed(found: tuple[FoundTable, ...]) -> None:
        if len(found) >= count:
            full.set()

    browser = Browser(changed, known=())
    begun = time.perf_counter()
    await browser.start()
    try:
        async with asyncio.timeout(LIMIT):
            await full.wait()
        listed = time.perf_counter() - begun
        await asyncio.sleep(min(seconds, SETTLE_DELAY))
        before, begun = time.process_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        share = (time.process_time() - before) / (time.perf_counter() - begun)
        print(listed, share, flush=True)
    finally:
        await browser.close()


if __name__ == "__main__":
    if sys.argv[1] == "tables":
        asyncio.run(tables(int(sys.argv[2])))
    else:
        asyncio.run(look(int(sys.argv[2]), float(sys.argv[3])))
