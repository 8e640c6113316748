"""One visitor's terminal: the client's keys go to the interface, and its picture comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import asyncssh

from spoof_tui.door.connection import CLOSE_GRACE, Connection
from spoof_tui.door.interface import Interface
from spoof_tui.door.terminal import MAX_TAKEN, Size, environment, is_taken
from spoof_tui.door.visitors import Visitor
from spoof_tui.text.i18n import _

PICTURE_BUFFER: Final = 32 * 1024
"""Bytes of a picture that wait for a slow client before its interface is not read any more."""

RESIZE_INTERVAL: Final = 0.05
"""Seconds between two changes of the size: a window that is dragged sends hundreds."""

REFUSED: Final = 1
"""Exit status of a session that was not begun."""


class Threshold(Protocol):
    """The door, as far as a session depends on it."""

    def enter(self, visitor: Visitor) -> int | None:
        """Let a visitor in, under a number; None where there are too many."""

    def leave(self, number: int) -> None:
        """The interface of that visitor has ended."""

    def start(
        self,
        visitor: Visitor,
        variables: Mapping[str, str],
        size: Size,
        on_picture: Callable[[bytes], None],
        on_end: Callable[[int, str], None],
    ) -> Interface:
        """Start the interface of a visitor, whose terminal is like this; raises `OSError`.

        `on_end` gets its exit status, and in a sentence why it was ended, if it was.
        """


class Session(asyncssh.SSHServerSession[bytes]):
    """An interactive session; nothing else is begun."""

    def __init__(
        self,
        door: Threshold,
        connection: Connection,
        visitor: Visitor,
        on_begin: Callable[[], None],
    ) -> None:
        """`on_begin` is called when the client has asked for what it gets."""
        self._door, self._connection, self._visitor = door, connection, visitor
        self._on_begin = on_begin
        self._said: dict[str, str] = {}
        self._terminal: str | None = None
        self._size = Size.asked(0, 0)
        self._resizing: asyncio.TimerHandle | None = None
        self._number: int | None = None
        self._interface: Interface | None = None
        self._is_full = self._is_begun = False

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan
        chan.set_write_buffer_limits(PICTURE_BUFFER)
        # asyncssh would keep whatever a client sends.
        hooks: Any = chan
        hooks._process_env_request = self._take_variable

    def _take_variable(self, packet: Any) -> bool:
        """Take a variable that the client wants to set, if it may; whether it is taken."""
        name, value = (packet.get_string().decode("ascii", "replace") for _ in range(2))
        packet.check_end()
        if len(self._said) >= MAX_TAKEN or not is_taken(name, value):
            return False
        self._said[name] = value
        return True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._terminal, self._size = term_type, Size.asked(*term_size[:2])
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = Size.asked(width, height)
        if self._resizing is None:
            loop = asyncio.get_running_loop()
            self._resizing = loop.call_later(RESIZE_INTERVAL, self._resize)

    def _resize(self) -> None:
        self._resizing = None
        if self._interface:
            self._interface.resize(self._size)

    def shell_requested(self) -> bool:
        # Older versions of asyncssh would begin once more.
        was_begun, self._is_begun = self._is_begun, True
        return not was_begun

    def exec_requested(self, command: str) -> bool:
        return False

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def session_started(self) -> None:
        self._on_begin()
        if self._terminal is None:
            self._refuse(_("This needs a terminal to draw on: ssh -t"))
            return
        self._number = self._door.enter(self._visitor)
        if self._number is None:
            self._refuse(_("Too many visitors are here already. Try again later."))
            return
        variables = environment(self._terminal, self._said)
        try:
            self._interface = self._door.start(
                self._visitor, variables, self._size, self._paint, self._ended
            )
        except OSError as error:
            self._left()
            self._refuse(error.strerror or str(error))
        else:
            self._connection.on_flow = self._obey

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
        """The interface has ended, by itself or because the visitor is gone."""
        self._left()
        self._tell(why)
        self._hang_up(status)

    def _left(self) -> None:
        if self._number is not None:
            self._door.leave(self._number)
            self._number = None

    def _hang_up(self, status: int) -> None:
        if not self._channel.is_closing():
            self._channel.exit(status)
            # Whoever does not take the end of it has to go all the same.
            asyncio.get_running_loop().call_later(CLOSE_GRACE, self._connection.part)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        if self._interface:
            self._interface.feed(data, self._channel.resume_reading)
            if not self._interface.has_room:
                self._channel.pause_reading()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if self._resizing:
            self._resizing.cancel()
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
        """Read the picture only while the client reads, too."""
        if self._interface is None:
            return
        if self._is_full or self._connection.is_clogged:
            self._interface.pause()
        else:
            self._interface.resume()
