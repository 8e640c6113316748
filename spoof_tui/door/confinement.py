"""The limits that a visitor's program sets on itself before it does anything else.

If the system lacks one of them, the others still apply; `has_wall` tells whether it has the main
ones.
"""

from __future__ import annotations

import contextlib
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import protocol
import spoof_tui
from spoof_tui.door import priority, sandbox
from spoof_tui.network.addresses import DEFAULT_PORT
from spoof_tui.storage import quota

if sys.platform != "win32":
    import fcntl
    import resource
    import termios

MAPPED: Final = 1 << 30
"""Maximum address space in bytes, most of which is never used."""

MEMORY: Final = 256 << 20
"""Maximum private memory in bytes: twice what a table with bots needs on the largest terminal."""

FILE_BYTES: Final = quota.QUOTA
"""Maximum size in bytes of a file that the program writes."""

OPEN_FILES: Final = 128
"""Maximum number of files and connections that are open at the same time."""

TASKS: Final = 4096
"""Number of processes and threads of this user in total, beyond which the program can start no
more."""

SECONDS: Final = 3600
"""Maximum seconds of processor time in all; an evening takes a few minutes."""

_SYSTEM: Final = (
    "/usr",
    "/lib",
    "/lib64",
    "/nix/store",
    "/gnu/store",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki/tls/openssl.cnf",
    "/etc/resolv.conf",
    "/etc/ssl/openssl.cnf",
    "/etc/ufw/ufw.conf",
    "/dev/random",
    "/dev/urandom",
    "/sys/class/net",
    "/sys/devices",
)
"""Files that any program reads: libraries, locales, time zones, name resolution, and the state of
the network."""

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_GIVEN: Final = 32768, 60999
"""The first and the last port that Linux gives to programs, unless `_RANGE` says otherwise."""

_NOWHERE: Final = Path("/dev/null")

_LIBRARIES: Final = ("site-packages", "dist-packages")
"""Names of the folders in which libraries are installed; folders of other names may contain much
else."""

_CANNOT = (OSError, ValueError)


def has_wall() -> bool:
    """Whether the system can keep a visitor's program from all files and calls that it does not
    need."""
    return sandbox.version() > 0 and sandbox.is_known()


def confine(folder: Path, port: int | None = None) -> None:
    """Limit this process for good, and make the terminal on its stdin its controlling terminal.

    The process must be a session leader. It keeps access to `folder` and to what programs and
    libraries need to run; by TCP it can reach the `port` of its table (None for the usual one), and
    the ports where other tables may be. If it crashes, it leaves no core dump.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    priority.set_niceness(os.getpid(), priority.usual())
    for name, most in _LIMITS:
        _limit(getattr(resource, name, None), most)
    if sys.platform == "linux":
        _wall_in(folder, port)
    os.umask(0o077)


def _wall_in(folder: Path, port: int | None) -> None:
    """Have the kernel refuse everything that the interface does not need, in case an attacker takes
    it over."""
    needed = _needed()
    if os.geteuid() == 0:
        sandbox.become_another(folder, needed)
    sandbox.give_up_privileges()
    if sandbox.version():
        readable = [*needed, *map(Path, _SYSTEM)]
        sandbox.restrict_access(readable, [folder, _NOWHERE], _ports(port))
    if sandbox.is_known():
        sandbox.restrict_calls()


def _ports(own: int | None) -> set[int]:
    """The ports of tables: `own`, the usual one, and those that a system gives to programs that ask
    for any. Nearly all other services of a machine have fixed ports below these."""
    first, last = _GIVEN
    with contextlib.suppress(*_CANNOT):
        first, last = map(int, _RANGE.read_text().split())
    return {own or DEFAULT_PORT, DEFAULT_PORT, *range(first, last + 1)}


def _needed() -> list[Path]:
    """The folders and files of Python, this program and its libraries."""
    packages = [Path(each).parent for each in (protocol.__file__, spoof_tui.__file__) if each]
    own = packages[0].parent
    places = [Path(each) for each in sys.path if each]
    libraries = [each for each in places if each != own or each.name in _LIBRARIES]
    toolkit = find_spec("textual")
    proof = [Path(toolkit.origin)] if toolkit and toolkit.origin else []
    return [Path(sys.prefix), Path(sys.base_prefix), *packages, *libraries, *proof]


_LIMITS: Final = (
    ("RLIMIT_CORE", 0),
    ("RLIMIT_AS", MAPPED),
    ("RLIMIT_DATA", MEMORY),
    ("RLIMIT_FSIZE", FILE_BYTES),
    ("RLIMIT_NOFILE", OPEN_FILES),
    ("RLIMIT_NPROC", TASKS),
    ("RLIMIT_CPU", SECONDS),
)


def _limit(kind: int | None, most: int) -> None:
    """Set a limit if the system knows it; a lower one that is set already stays."""
    if kind is None or sys.platform == "win32":
        return
    hard = resource.getrlimit(kind)[1]
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(*_CANNOT):
        resource.setrlimit(kind, (allowed, allowed))
