"""Ports to listen on, and one that is kept free for when this program has to serve its table."""

from __future__ import annotations

import contextlib
import os
import socket


class ReservedPort:
    """One port of this machine, bound and not listened to: who asks there is refused at once."""

    def __init__(self, port: int = 0) -> None:
        """Keep `port`, or any free one; raises `OSError` if there is none."""
        self._sockets = bound(port, loopback_only=False)
        self.port = int(self._sockets[0].getsockname()[1])

    def take(self) -> list[socket.socket]:
        """The sockets, to listen on; raises `OSError` when the port was lost meanwhile."""
        sockets, self._sockets = self._sockets, []
        return sockets or bound(self.port, loopback_only=False)

    def keep(self) -> None:
        """Bind the port again, after those who listened on it are gone."""
        if not self._sockets:
            # If somebody else was quicker, the next try may have more luck.
            with contextlib.suppress(OSError):
                self._sockets = bound(self.port, loopback_only=False)

    def close(self) -> None:
        """Let go of the port."""
        for each in self._sockets:
            each.close()
        self._sockets = []


def bound(port: int, loopback_only: bool) -> list[socket.socket]:
    """One socket for IPv4 and, where the machine has it, one for IPv6 on the same port.

    They do not listen yet. Raises `OSError` when the port is taken.
    """
    four = _bound(socket.AF_INET, "127.0.0.1" if loopback_only else "0.0.0.0", port)
    sockets = [four]
    with contextlib.suppress(OSError):
        same = four.getsockname()[1]
        sockets.append(_bound(socket.AF_INET6, "::1" if loopback_only else "::", same))
    return sockets


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    # Named, because only then asyncio sends what is small at once.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            # Elsewhere this option would let two programs share the port.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound
