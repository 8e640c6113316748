"""Browsers that are at a table and flood their programs: pouring.py ADDRESS COUNT

They send keys that open and close the largest dialog, mouse reports, and sizes, for all that the
limits of their door allow. When all are in, a line says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from typing import Final

from websockets.exceptions import ConnectionClosed

from protocol.crypto.keys import SigningKey
from tests.spoof_tui.door.pages import HELLO, Caller, socket_to

POUR: Final = b"?\x1b[<35;10;10M\x1b[<35;20;12M" * 8
"""A quarter of what the program is given in a second."""

INTERVAL: Final = 0.05
SIZES: Final = (80, 24), (45, 20), (120, 40)


async def pour(address: str, number: int, came: asyncio.Event) -> None:
    """Come in, and send without a pause."""
    place, _, word = address.partition("/#")
    said = {**HELLO, "name": f"Mallory{number}"}
    socket = await socket_to(int(place.rpartition(":")[2]))
    caller = await Caller.introduce(
        socket, word.partition(".")[0], said, SigningKey(bytes([99, number]) * 16)
    )
    await caller.sees(b"Ann")
    came.set()
    stays = asyncio.create_task(caller.stay())
    with contextlib.suppress(ConnectionClosed):
        while True:
            for columns, rows in SIZES:
                await caller.press(POUR)
                size = json.dumps({"columns": columns, "rows": rows})
                await socket.send(caller.channel.seal(b"s" + size.encode()))
                await asyncio.sleep(INTERVAL)
    await stays


async def main(address: str, count: int) -> None:
    """Flood for as long as the door takes it."""
    events = [asyncio.Event() for _ in range(count)]
    floods = [asyncio.create_task(pour(address, each, came)) for each, came in enumerate(events)]
    for came in events:
        await came.wait()
    print("all are in", flush=True)
    await asyncio.gather(*floods)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
