"""A port that is kept free for the day when this program has to serve its table."""

from __future__ import annotations

import contextlib
import socket

from spoof_tui.network.server import bound


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
