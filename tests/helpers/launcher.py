"""Stands in for a program that is forked elsewhere: `python -I -S launcher.py PATH MODULE WORD...`.

A program that starts another one knows it by its process: its pipes, its signals, its end. This
process is that, and imports next to nothing. The real work is done by a fork of the process at
PATH, see `warm`: it gets the descriptors, the directory and the variables of this one, and ends
with it.
"""

import array
import json
import os
import signal
import socket
import sys


def main(path: str, *argv: str) -> None:
    """Have the program run, pass on the signals that end it, and end as it does."""
    link = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    link.connect(path)
    cwd = os.getcwd()  # noqa: PTH109 (to import `pathlib` takes longer than all of this)
    asked = {"module": argv[0], "argv": argv[1:], "env": dict(os.environ), "cwd": cwd}
    rights = array.array("i", [0, 1, 2])
    words = json.dumps(asked).encode()
    link.sendmsg([words], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    pid = int(link.recv(32))
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: os.kill(pid, number))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nowhere, descriptor)
    status = int(link.recv(32) or -signal.SIGKILL)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main(*sys.argv[1:])
