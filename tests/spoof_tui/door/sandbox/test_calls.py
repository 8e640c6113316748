"""Which calls of the system a process may make."""

from errno import EPERM

import pytest

from spoof_tui.door import sandbox
from tests.spoof_tui.door.sandbox.walled import needs_filter, told

SHUT = """
import fcntl, os, resource, signal, socket, threading
from spoof_tui.door import sandbox
sandbox.give_up_privileges()
sandbox.restrict_calls()
def thread():
    started = threading.Thread(target=print, args=("", ), kwargs=dict(end=""))
    started.start()
    started.join()
for attempt in ({attempts}):
    print(tries(attempt), end=" ")
"""

LEFT = (
    "thread",
    "socket.socketpair",
    "lambda: socket.socket(socket.AF_INET6)",
    "lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)",
    "lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)",
    "lambda: os.kill(os.getpid(), 0)",
    "lambda: signal.raise_signal(signal.SIGCHLD)",
    "lambda: resource.getrlimit(resource.RLIMIT_CPU)",
    "lambda: os.chmod('/nowhere', 0)",
    "lambda: os.set_blocking(0, True)",
)

REFUSED = (
    "os.fork",
    "lambda: os.posix_spawn('/bin/true', ['true'], {})",
    "lambda: os.execv('/bin/true', ['true'])",
    "lambda: socket.socket(socket.AF_UNIX)",
    "lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)",
    "lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)",
    "lambda: os.memfd_create('x')",
    "lambda: sandbox.syscall({'x86_64': 294}.get(os.uname().machine, 26), 0)",
    "lambda: os.kill(os.getppid(), 0)",
    "lambda: os.kill(-1, 0)",
    "lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU)",
    "lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
    "lambda: fcntl.ioctl(0, 0x5412, b'x')",
    "lambda: os.truncate('/nowhere', 0)",
    "lambda: os.chown('/nowhere', 0, 0)",
    "lambda: os.setxattr('/nowhere', 'user.x', b'')",
    "lambda: os.setpriority(os.PRIO_PROCESS, 0, 19)",
    "lambda: sandbox.unshare(0)",
    "lambda: sandbox.syscall(425, 1, None)",
)


@needs_filter
@pytest.mark.parametrize(("attempts", "error"), [(LEFT, 0), (REFUSED, EPERM)])
def test_a_process_may_do_what_an_interface_does(attempts: tuple[str, ...], error: int) -> None:
    said = told(SHUT.replace("{attempts}", ",".join(attempts))).split()
    assert dict(zip(attempts, map(int, said), strict=True)) == dict.fromkeys(attempts, error)


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_every_way_through_the_filter_ends_in_it(machine: str) -> None:
    steps = list(sandbox._steps(machine, 1))
    for at, step in enumerate(steps):
        code, if_so, if_not = step[0], step[2], step[3]
        if code & 7 == 5:
            assert max(at + 1 + if_so, at + 1 + if_not) < len(steps)
    assert len(steps) < 4096 and steps[-1][0] == 6
