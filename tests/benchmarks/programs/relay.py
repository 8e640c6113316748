"""Hands every message on to everybody, itself included: a table server without a game.

Prints its port. Messages are msgpack, so that both ends decode what a game would.
"""

import asyncio

import msgpack


class Relay(asyncio.Protocol):
    """One connection."""

    everybody: "set[asyncio.Transport]" = set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.everybody.add(transport)
        self._transport = transport
        self._unpacker = msgpack.Unpacker()

    def data_received(self, data: bytes) -> None:
        self._unpacker.feed(data)
        for message in self._unpacker:
            for transport in self.everybody:
                transport.write(msgpack.packb(message))

    def connection_lost(self, exc: Exception | None) -> None:
        self.everybody.discard(self._transport)


async def main() -> None:
    """Serve until killed."""
    server = await asyncio.get_running_loop().create_server(Relay, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
