"""Every module of the tests loads on Windows, too, without what only other systems have.

A test that needs Linux or macOS has the mark `unix`; what these have and Windows has not comes from
`tests/helpers/unix.py`.
"""

import json
import subprocess
import sys

import pytest

from tests.helpers import sources

MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
"""Modules that Windows lacks."""

NAMES = {
    "os": (
        "fchmod fork forkpty getegid geteuid getgid getgroups getpgid getuid killpg memfd_create "
        "mkfifo nice openpty sched_getaffinity setsid uname wait3 O_NOFOLLOW O_NONBLOCK WNOHANG"
    ),
    "signal": (
        "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 "
        "SIGWINCH pthread_kill pthread_sigmask sigwait"
    ),
    "socket": "AF_UNIX SO_PEERCRED SOCK_NONBLOCK",
}
"""Names that other modules lack there."""

LOADING = """
import asyncio, importlib, json, os, pkgutil, signal, socket, sys
import protocol, spoof_tui

names, modules, lacking = json.load(sys.stdin)
for package in (protocol, spoof_tui):
    for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not each.name.endswith("__main__"):
            importlib.import_module(each.name)
for name in ("hypothesis", "numpy", "playwright.sync_api", "pyte", "pytest", "textual.pilot"):
    importlib.import_module(name)

sys.platform = "win32"
sys.modules.update(dict.fromkeys(modules))
for module, gone in lacking.items():
    for name in gone.split():
        vars(sys.modules[module]).pop(name, None)
signal.SIGBREAK = 21
asyncio.WindowsSelectorEventLoopPolicy = asyncio.DefaultEventLoopPolicy
for name in names:
    try:
        importlib.import_module(name)
    except Exception as error:
        print(f"{name}: {error!r}")
"""


@pytest.mark.timeout(600)  # it loads everything
def test_every_module_of_the_tests_loads_without_what_windows_lacks() -> None:
    names = [
        ".".join(path.relative_to(sources.ROOT).with_suffix("").parts)
        for path in sources.paths("tests")
        if path.name != "__main__.py"
    ]
    ran = subprocess.run(
        [sys.executable, "-c", LOADING], input=json.dumps([names, MODULES, NAMES]),
        cwd=sources.ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.stdout, ran.stderr) == ("", "")
