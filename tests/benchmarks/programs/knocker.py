"""Somebody who knocks at a door again and again, and never comes in: knocker.py PORT LINE

It has hundreds of half-open handshakes at once, from an address of its own.
"""

from __future__ import annotations

import contextlib
import socket
import sys
from collections import deque
from typing import Final

HELD: Final = 200
ADDRESS: Final = "127.0.0.9"


def main(port: int, line: str) -> None:
    """Knock as long as somebody reads the count."""
    held: deque[socket.socket] = deque()
    knocks = 0
    while True:
        knock = socket.socket()
        knock.bind((ADDRESS, 0))
        knock.settimeout(1.0)
        with contextlib.suppress(OSError):
            knock.connect(("127.0.0.1", port))
            knock.send(f"{line}\r\n".encode())
        held.append(knock)
        while len(held) > HELD:
            held.popleft().close()
        knocks += 1
        print(knocks, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
