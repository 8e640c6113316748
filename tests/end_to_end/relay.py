"""A wire between a guest and a host on this machine that records the traffic.

It can read inside TLS because it has the host's own key: it answers with the host's certificate,
and both ends take it for each other.
"""

import contextlib
import selectors
import socket
import ssl
import threading
from typing import Self

from spoof_tui.network.tls import TlsPipe, client_context, server_context

_AT_ONCE = 65536


class Relay:
    """Listens on `port`; every connection to it is carried on to `target`, both ways.

    `seed` is that of the host's key.
    """

    def __init__(self, target: int, seed: bytes) -> None:
        self._target = target
        self._context, _ = server_context(seed)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._selector = selectors.DefaultSelector()
        self._peers: dict[socket.socket, socket.socket] = {}
        self._tunnels: dict[socket.socket, TlsPipe] = {}
        self._heard: dict[socket.socket, bytearray] = {}
        self._closing = False
        self.port = int(self._server.getsockname()[1])
        self.links: list[tuple[bytearray, bytearray]] = []
        """What guest and host said on every connection, in the order of connecting."""
        self._selector.register(self._server, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)

    @property
    def from_guest(self) -> bytes:
        """What the guest said on the longest connection; the others are probes."""
        return bytes(max(self.links, key=lambda link: len(link[1]))[0])

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        self._thread.join()
        for each in (self._server, *self._peers):
            each.close()
        self._selector.close()

    def _run(self) -> None:
        while not self._closing:
            for key, _ in self._selector.select(0.02):
                ready = key.fileobj
                assert isinstance(ready, socket.socket)
                if ready is self._server:
                    self._connect()
                else:
                    self._carry(ready)

    def _connect(self) -> None:
        guest, _ = self._server.accept()
        try:
            host = socket.create_connection(("127.0.0.1", self._target), 1)
        except OSError:
            guest.close()
            return
        said = bytearray(), bytearray()
        self.links.append(said)
        self._tunnels[guest] = TlsPipe(self._context, is_server=True)
        self._tunnels[host] = TlsPipe(client_context())
        for one, other, heard in ((guest, host, said[0]), (host, guest, said[1])):
            self._peers[one], self._heard[one] = other, heard
            self._selector.register(one, selectors.EVENT_READ)
        self._tunnels[host].receive(b"")
        self._put(host)

    def _carry(self, ready: socket.socket) -> None:
        if ready not in self._peers:
            return
        try:
            data = ready.recv(_AT_ONCE)
        except OSError:
            data = b""
        pipe = self._tunnels[ready]
        with contextlib.suppress(ssl.SSLError):
            said = pipe.receive(data)
            self._put(ready)
            self._heard[ready] += said
            receiver = self._peers[ready]
            self._tunnels[receiver].say(said)
            self._put(receiver)
        if not data or pipe.is_over:
            self._end(ready)

    def _put(self, receiver: socket.socket) -> None:
        """Send what is on the wire to this side now."""
        with contextlib.suppress(OSError):
            receiver.sendall(self._tunnels[receiver].outgoing())

    def _end(self, gone: socket.socket) -> None:
        for each in (gone, self._peers[gone]):
            del self._peers[each]
            self._selector.unregister(each)
            each.close()
