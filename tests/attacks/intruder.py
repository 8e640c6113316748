"""An attacker's code in a visitor's program: `python intruder.py HOME TABLE SERVICE`.

`HOME` is the state directory of the player who opened the door; `TABLE` and `SERVICE` are ports of
that machine. It prints what it got hold of as JSON.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SOCKET_LIST = 4
"""NETLINK_SOCK_DIAG."""


def attempts(home: Path, table: int, service: int) -> dict[str, Callable[[], object]]:
    """The attempts."""
    identity, other = home / "identity", home / "door" / "keys" / "other"
    host = os.getppid()
    return {
        "reads the identity": identity.read_bytes,
        "reads a hand": (home / "hand.secrets").read_bytes,
        "lists the visitors": lambda: list(other.parent.iterdir()),
        "reads what belongs to another visitor": (other / "hand").read_bytes,
        "writes what belongs to another visitor": lambda: (other / "hand").write_bytes(b""),
        "overwrites the identity": lambda: identity.write_bytes(b""),
        "empties the identity": lambda: os.truncate(identity, 0),
        "deletes the identity": identity.unlink,
        "goes up": lambda: list(Path("../../..").iterdir()),
        "writes beside it": lambda: (home / "new").write_bytes(b"x"),
        "runs a program": lambda: subprocess.run(["/bin/true"], check=True),
        "multiplies": lambda: os.fork() or os._exit(0),
        "ends the host": lambda: os.kill(host, 0),
        "reads the memory of the host": lambda: os.open(f"/proc/{host}/mem", os.O_RDONLY),
        "reads the variables of the host": lambda: os.open(f"/proc/{host}/environ", os.O_RDONLY),
        "speaks to a service": lambda: call(str(home / "socket")),
        "sends to a service": lambda: send(str(home / "mailbox")),
        "calls a service by its port": lambda: reach(service),
        "calls the table": lambda: reach(table),
        "lists everybody's sockets": lambda: socket.socket(16, socket.SOCK_RAW, SOCKET_LIST),
        "keeps memory in a file of no place": lambda: os.memfd_create("x"),
        "watches the home": lambda: watch(str(home)),
        "finds an open folder": left_open,
        "is root": lambda: os.setuid(0) if os.getuid() else os.chroot("/"),
        "keeps something": lambda: Path("own").write_bytes(b"own") and Path("own").read_bytes(),
        "hides something": lambda: Path("own").chmod(0o600),
        "opens a table": lambda: socket.create_server(("127.0.0.1", 0)).close(),
    }


def call(service: str) -> None:
    with socket.socket(socket.AF_UNIX) as calling:
        calling.connect(service)


def send(mailbox: str) -> None:
    for each in socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM):
        each.sendto(b"x", mailbox)


def reach(port: int) -> None:
    socket.create_connection(("127.0.0.1", port)).close()


def watch(folder: str) -> None:
    library = ctypes.CDLL(None, use_errno=True)
    if library.inotify_add_watch(library.inotify_init1(0), folder.encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno())


def left_open() -> None:
    """Fails unless a folder is open."""
    for each in range(3, 64):
        with suppress(OSError):
            if stat.S_ISDIR(os.fstat(each).st_mode):
                return
    raise FileNotFoundError


def succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def main() -> None:
    from spoof_tui.commands import play, visit
    from spoof_tui.runtime.launch import Launch

    home, ports = Path(sys.argv[1]), (int(sys.argv[2]), int(sys.argv[3]))

    def intrude(launch: Launch | None) -> int:
        got = [name for name, attempt in attempts(home, *ports).items() if succeeds(attempt)]
        print(json.dumps({"got": got, "user": os.geteuid()}), flush=True)
        return 0

    vars(play).update(show_app=intrude)
    sys.exit(visit.main([f"127.0.0.1:{ports[0]}"]))


if __name__ == "__main__":
    main()
