"""Many tables that are advertised, send beacons and answer, or the browser that lists them.

    crowd.py tables COUNT
    crowd.py look COUNT SECONDS

Each table has an address of its own on `eth0`, from 10.78.1.0 on. The first prints a line once all
are advertised, and ends with its input. The second prints how many
seconds it took until all were listed, and which part of a core the list costs then.
"""

import asyncio
import contextlib
import itertools
import multiprocessing
import socket
import sys
import time
from collections.abc import Sequence

from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from spoof_tui.network.adverts import pairs_of
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind, beacon_interval
from spoof_tui.network.broadcast import GROUP_4, PORT
from spoof_tui.network.discovery import Browser
from spoof_tui.network.mdns import SERVICE
from spoof_tui.network.probe import FoundTable
from tests.spoof_tui.network.greeter import greeting, listening, open_host

LIMIT = 120.0
"""Seconds until all are listed, at most."""

SETTLE_DELAY = 20.0
"""Seconds, at most, from a full list to its rest."""


def host_of(number: int) -> str:
    """Where a table is."""
    return f"10.78.{1 + number // 250}.{1 + number % 250}"


def beacons(told: Sequence[tuple[str, bytes]]) -> None:
    """Send the beacons of all tables, to the group and to everybody, one after the other."""
    senders = []
    for host, _ in told:
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
        sender.bind((host, 0))
        senders.append(sender)
    begun = time.monotonic()
    for turn in itertools.count():
        here, sender = told[turn % len(told)][1], senders[turn % len(told)]
        for to in (GROUP_4, "10.78.255.255"):
            sender.sendto(here, (to, PORT))
        due = begun + turn * beacon_interval(len(told)) / len(told)
        time.sleep(max(0.0, due - time.monotonic()))


async def tables(count: int) -> None:
    """Serve and advertise this many tables."""
    endpoint = AsyncZeroconf(interfaces=[host_of(0)])
    told = []
    async with contextlib.AsyncExitStack() as stack:
        for number in range(count):
            host = host_of(number)
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
            here = Beacon(BeaconKind.HERE, address.port, table.card.table[:TABLE_BYTES])
            told.append((host, here.write()))
        # Apart, because real hosts are not as busy as all of these together.
        sending = multiprocessing.get_context("spawn").Process(target=beacons, args=(told,))
        sending.start()
        print("advertised", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        sending.kill()
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
        await asyncio.sleep(min(2 * seconds, SETTLE_DELAY))
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
