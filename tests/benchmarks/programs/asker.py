"""Sends a message through the relay and waits until it comes back, for every line of its input.

Prints the seconds that each took. Its argument is the relay's port.
"""

import asyncio
import sys
import time

import msgpack

BID = {"kind": "bid", "number": 7, "signed": bytes(200)}
"""About as large as a signed bid."""


async def main(port: int) -> None:
    """Ask until the input ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    unpacker = msgpack.Unpacker()
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        begun = time.perf_counter()
        writer.write(msgpack.packb(BID))
        answer = None
        while answer is None:
            unpacker.feed(await reader.read(4096))
            answer = next(unpacker, None)
        print(time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
