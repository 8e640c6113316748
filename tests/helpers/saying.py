"""A real port that is not a table's, and answers all the same."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator

from spoof_tui.network.addresses import Address
from spoof_tui.network.tls import server_context


@contextlib.contextmanager
def saying(data: bytes) -> Iterator[Address]:
    """A server that says `data`, inside TLS, to its first client."""
    context, _ = server_context(bytes(32))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                with context.wrap_socket(connection, server_side=True) as connection:
                    connection.sendall(data)
                    connection.recv(1)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Address(*server.getsockname())
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        thread.join(5.0)
