"""Programs that are not a table, and answer all the same."""

from __future__ import annotations

import asyncio

from spoof_tui.network import table_server, tls
from spoof_tui.network.addresses import Address
from tests.helpers.virtual import at, done_on
from tests.simulation.wires import PlainPipe
from tests.simulation.world import Machine


class _Greeter(asyncio.Protocol):
    """Says one thing, behind a handshake."""

    def __init__(self, said: bytes) -> None:
        self._said = said
        self._pipe = PlainPipe(tls.server_context(bytes(32))[0], is_server=True)  # type: ignore[arg-type]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._pipe.receive(data)
        if self._pipe.is_open:
            self._pipe.say(self._said)
        self._transport.write(self._pipe.outgoing())


async def saying(machine: Machine, said: bytes) -> Address:
    """An address on that machine where every client hears this."""

    async def listen() -> int:
        [socket] = table_server.bound(0, loopback_only=False)
        loop = asyncio.get_running_loop()
        await loop.create_server(lambda: _Greeter(said), sock=socket)
        return int(socket.getsockname()[1])

    return at(machine, await done_on(machine, listen()))
