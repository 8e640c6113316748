"""One visitor's terminal over ssh: keys go from the client to the interface, and its output comes
back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import asyncssh

from protocol.host.rate_limit import Bucket
from spoof_tui.door.interface import MAX_TAKEN, Interface, TerminalSize, environment, is_taken
from spoof_tui.door.visitors import Visitor
from spoof_tui.network.links import address_of
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

BYTES_BURST: Final = 256 * 1024
"""Bytes of one connection that are read in a burst."""

BYTES_RATE: Final = 64 * 1024
"""Bytes of one connection that are read per second after that: 20 times what keys need."""

CLOSE_GRACE: Final = 1.0
"""Seconds that a client has to read the last message before the connection is closed."""

_USERAUTH: Final = b"ssh-userauth"
"""The name of the ssh service for logging in."""


class VisitorConnection(asyncssh.SSHServerConnection):
    """An ssh connection that is read no faster than a limit allows, nor than its client reads."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, options: asyncssh.SSHServerConnectionOptions
    ) -> None:
        super().__init__(loop, options)
        self.is_clogged = False
        """Whether the client does not read what was sent, so that nothing more should be
        written."""
        self.on_flow: Callable[[], None] = lambda: None
        """Called when `is_clogged` has changed."""
        self.on_exchanged: Callable[[], None] = lambda: None
        """Called when the client has done its part of a key exchange."""
        self._wire: asyncio.Transport | None = None
        self._budget = Bucket(BYTES_BURST, 1 / BYTES_RATE)
        self.is_spent = False
        """Whether the client has sent too much, so that it is not read for a moment."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._wire = transport
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: int | None = None) -> None:
        super().data_received(data, datatype)
        self._take(len(data))

    def send_newkeys(self, k: bytes, h: bytes) -> None:
        super().send_newkeys(k, h)
        self.on_exchanged()

    def send_userauth_failure(self, partial_success: bool) -> None:
        super().send_userauth_failure(partial_success)
        # A private attribute: some clients request the service again before each login method.
        self._next_service = _USERAUTH

    def pause_writing(self) -> None:
        self._flow(is_clogged=True)

    def resume_writing(self) -> None:
        self._flow(is_clogged=False)

    def _flow(self, is_clogged: bool) -> None:
        self.is_clogged = is_clogged
        self._obey()
        self.on_flow()

    @property
    def address(self) -> str:
        """The client's address, without port and zone; empty once the connection has ended."""
        return (address_of(self._wire) or "") if self._wire else ""

    def part(self) -> None:
        """Close the connection, after a moment even if the client does not read."""
        self.close()
        if self._wire:
            asyncio.get_running_loop().call_later(CLOSE_GRACE, self._wire.abort)

    def _take(self, count: int) -> None:
        loop = asyncio.get_running_loop()
        delay = self._budget.spend(count, loop.time())
        if delay and not self.is_spent:
            self.is_spent = True
            self._obey()
            loop.call_later(delay, self._refill)

    def _refill(self) -> None:
        self.is_spent = False
        self._obey()

    def _obey(self) -> None:
        if self._wire is None or self._wire.is_closing():
            return
        if self.is_clogged or self.is_spent:
            self._wire.pause_reading()
        else:
            self._wire.resume_reading()


PICTURE_BUFFER: Final = 32 * 1024
"""Bytes of output that may wait for a slow client before its interface is no longer read."""

REFUSED: Final = 1
"""Exit status of a session that was refused."""


Painted = Callable[[bytes], None]
Ended = Callable[[int, str], None]
"""A function that gets the exit status of an interface, and a sentence why it ended (empty for
none)."""

Start = Callable[[Visitor, Mapping[str, str], TerminalSize, Painted, Ended], Awaitable[Interface]]
"""A function that starts the interface of a visitor, in a terminal with these variables and of this
size; raises `OSError`."""


class VisitorSession(asyncssh.SSHServerSession[bytes]):
    """An interactive ssh session; no other kind of session is accepted."""

    def __init__(
        self,
        start: Start,
        connection: VisitorConnection,
        visitor: Visitor,
        on_begin: Callable[[], None],
    ) -> None:
        """`start` starts an interface; `on_begin` is called when the client has got its session."""
        self._start, self._connection, self._visitor = start, connection, visitor
        self._on_begin = on_begin
        self._said: dict[str, str] = {}
        self._terminal: str | None = None
        self._size = TerminalSize.asked(0, 0)
        self._starting: asyncio.Task[None] | None = None
        self._interface: Interface | None = None
        self._is_full = self._is_begun = False

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        chan.set_write_buffer_limits(PICTURE_BUFFER)
        # asyncssh would keep whatever a client sends.
        hooks: Any = chan
        hooks._process_env_request = self._take_variable

    def _take_variable(self, packet: Any) -> bool:
        """Set a variable that the client asks for, if it is allowed; returns whether it was set."""
        name, value = (packet.get_string().decode("ascii", "replace") for _ in range(2))
        packet.check_end()
        if len(self._said) >= MAX_TAKEN or not is_taken(name, value):
            return False
        self._said[name] = value
        return True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._terminal, self._size = term_type, TerminalSize.asked(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = TerminalSize.asked(width, height)
        if self._interface:
            self._interface.resize(self._size)

    def shell_requested(self) -> bool:
        # Older versions of asyncssh would begin twice.
        was_begun, self._is_begun = self._is_begun, True
        return not was_begun

    def exec_requested(self, command: str) -> bool:
        return False

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        self._on_begin()
        if self._terminal is None:
            self._refuse(_("Spoof needs a terminal to draw on: ssh -t"))
            return
        # Keys wait until there is a program that reads them.
        self._channel.pause_reading()
        self._starting = asyncio.create_task(self._begin(self._terminal))

    async def _begin(self, terminal: str) -> None:
        variables, size = environment(terminal, self._said), self._size
        try:
            interface = await self._start(self._visitor, variables, size, self._paint, self._ended)
        except OSError as error:
            self._refuse(reason_of(error))
            return
        if self._channel.is_closing():
            interface.end()
            return
        self._interface = interface
        interface.resize(self._size)
        self._connection.on_flow = self._obey
        self._obey()
        self._channel.resume_reading()

    def _refuse(self, why: str) -> None:
        self._tell(why)
        self._hang_up(REFUSED)

    def _tell(self, why: str) -> None:
        if why and not self._channel.is_closing():
            self._channel.write_stderr(f"{why}\r\n".encode())

    def _paint(self, data: bytes) -> None:
        if not self._channel.is_closing():
            self._channel.write(data)

    def _ended(self, status: int, why: str) -> None:
        """End the session after the interface has exited, by itself or because the visitor is
        gone."""
        self._tell(why)
        self._hang_up(status)

    def _hang_up(self, status: int) -> None:
        if not self._channel.is_closing():
            self._channel.exit(status)
            # A client that does not acknowledge the end has to go all the same.
            asyncio.get_running_loop().call_later(CLOSE_GRACE, self._connection.part)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._interface:
            self._interface.feed(data, self._channel.resume_reading)
            if not self._interface.has_room:
                self._channel.pause_reading()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if self._interface:
            self._interface.end()
        self._connection.part()

    # A slow client

    def pause_writing(self) -> None:
        self._is_full = True
        self._obey()

    def resume_writing(self) -> None:
        self._is_full = False
        self._obey()

    def _obey(self) -> None:
        """Read the interface's output only while the client keeps up."""
        if self._interface is None:
            return
        if self._is_full or self._connection.is_clogged:
            self._interface.pause()
        else:
            self._interface.resume()
