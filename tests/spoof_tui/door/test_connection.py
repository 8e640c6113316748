"""One connection, which is read only as fast as it may be."""

import asyncssh

from tests.spoof_tui.door.doors import ECHO, Guest, knocking, terminal
from tests.spoof_tui.runtime.local_table import until


async def test_a_flood_of_messages_is_read_slowly_and_nobody_else_waits() -> None:
    async with knocking() as door, await door.connect() as flooding:
        (standing,) = door.door.standing
        for _ in range(40):
            flooding.send_packet(2, b"\0\0\x40\0" + b"x" * 0x4000)
        await until(lambda: standing.is_spent)
        async with await door.connect("Ann") as other:
            await terminal(other)


class Asking(Guest):
    """A client that asks for the service once more before it has answered any question."""

    has_asked = False

    def connection_made(self, conn: asyncssh.SSHClientConnection) -> None:
        self._connection = conn

    def kbdint_auth_requested(self) -> str:
        if not self.has_asked:
            self.has_asked = True
            self._connection.send_service_request(b"ssh-userauth")
        return super().kbdint_auth_requested()


async def test_a_client_may_ask_for_the_service_before_each_way_to_log_in() -> None:
    async with knocking(ECHO) as door, await door.connect(client_factory=Asking) as client:
        await terminal(client)
