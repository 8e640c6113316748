"""An attacker's code in a visitor's program: `python intruder.py HOME`.

`HOME` is the state directory of the player who opened the door. It prints what it got hold of as
JSON.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def attempts(home: Path) -> dict[str, Callable[[], object]]:
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
        "is root": lambda: os.setuid(0) if os.getuid() else os.chroot("/"),
        "keeps something": lambda: Path("own").write_bytes(b"own") and Path("own").read_bytes(),
        "hides something": lambda: Path("own").chmod(0o600),
        "calls a table": lambda: socket.create_server(("127.0.0.1", 0)).close(),
    }


def call(service: str) -> None:
    with socket.socket(socket.AF_UNIX) as calling:
        calling.connect(service)


def succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def main() -> None:
    from spoof_tui.commands import play, visit
    from spoof_tui.runtime.launch import Launch

    home = Path(sys.argv[1])

    def intrude(launch: Launch | None) -> int:
        got = [name for name, attempt in attempts(home).items() if succeeds(attempt)]
        print(json.dumps({"got": got, "user": os.geteuid()}), flush=True)
        return 0

    vars(play).update(show_app=intrude)
    sys.exit(visit.main([]))


if __name__ == "__main__":
    main()
