"""The bare measure of a link: small packets there and back, many in a second.

pulse.py echo            answers on its port
pulse.py ask ADDRESS     prints the time, on `time.perf_counter`, of every answer
"""

from __future__ import annotations

import contextlib
import socket
import sys
import time
from typing import Final

PORT: Final = 4999
EVERY: Final = 0.02


def echo() -> None:
    """Answer whatever comes."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.bind(("", PORT))
        print("ready", flush=True)
        while True:
            ours.sendto(*ours.recvfrom(16))


def ask(address: str) -> None:
    """Ask as long as anybody reads the answers."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ours:
        ours.settimeout(EVERY)
        while True:
            # A link that is down says so at once.
            with contextlib.suppress(OSError):
                ours.sendto(b"pulse", (address, PORT))
                ours.recv(16)
                print(time.perf_counter(), flush=True)
            time.sleep(EVERY)


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        echo()
    else:
        ask(sys.argv[2])
