"""One ssh connection, with bounds that asyncssh does not set itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import asyncssh

from spoof_tui.network.links import address_of

BYTES_BURST: Final = 256 * 1024
"""Bytes of one connection that are read at once."""

BYTES_RATE: Final = 64 * 1024
"""Bytes of it that are read in a second, after that: 20 times what keys take."""

CLOSE_GRACE: Final = 1.0
"""Seconds that a peer has to read the last words."""

_USERAUTH: Final = b"ssh-userauth"
"""The service by which one logs in."""


class Connection(asyncssh.SSHServerConnection):
    """A connection that reads no faster than it is allowed to, nor than its peer reads."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, options: asyncssh.SSHServerConnectionOptions
    ) -> None:
        super().__init__(loop, options)
        self.is_clogged = False
        """Whether the peer does not read what was sent: nothing more should be written."""
        self.on_flow: Callable[[], None] = lambda: None
        """Called when that has changed."""
        self.on_exchanged: Callable[[], None] = lambda: None
        """Called when the peer has done its part of an exchange of keys."""
        self._wire: asyncio.Transport | None = None
        self._tokens, self._refilled = float(BYTES_BURST), loop.time()
        self.is_spent = False
        """Whether it has sent too much, and is not read for a moment."""

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
        # Private, for some clients ask for it again before each way to log in.
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
        """The peer's address, without port and zone; empty once it is gone."""
        return (address_of(self._wire) or "") if self._wire else ""

    @property
    def unsent(self) -> int:
        """Bytes that wait for the peer to read."""
        return self._wire.get_write_buffer_size() if self._wire else 0

    def part(self) -> None:
        """Say goodbye, and hang up soon, whether that is read or not."""
        self.close()
        if self._wire:
            asyncio.get_running_loop().call_later(CLOSE_GRACE, self._wire.abort)

    def _take(self, count: int) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self._tokens = min(BYTES_BURST, self._tokens + (now - self._refilled) * BYTES_RATE)
        self._refilled = now
        self._tokens -= count
        if self._tokens < 0 and not self.is_spent:
            self.is_spent = True
            self._obey()
            loop.call_later(-self._tokens / BYTES_RATE, self._refill)

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
