"""A real sshd on loopback, for this user alone, and windows that are opened through it."""

import getpass
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end.homes import COLUMNS, ROWS, SWIFT, Home, eventually, free_port
from tests.helpers.pty import Terminal

_SEPARATION = Path("/run/sshd")
"""Where Debian's sshd puts its unprivileged half, if root runs it."""

_CONFIG = """\
ListenAddress 127.0.0.1
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PidFile {folder}/pid
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
PubkeyAuthentication yes
PrintMotd no
PrintLastLog no
LogLevel ERROR
"""


class Sshd:
    """One sshd with its own keys."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        """Serve until `stack` is left; the test is skipped where there is no sshd."""
        program = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None or shutil.which("ssh") is None:
            pytest.skip("needs sshd and ssh: apt-get install openssh-server openssh-client")
        folder.mkdir(mode=0o700)
        self._folder, self.port = folder, free_port()
        for name in ("host", "user"):
            command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        config = folder / "config"
        config.write_text(_CONFIG.format(folder=folder) + f"Port {self.port}\n", "utf-8")
        if os.geteuid() == 0:
            _SEPARATION.mkdir(mode=0o755, exist_ok=True)
        words = [program, "-D", "-e", "-f", str(config)]
        self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(self._process.wait)
        stack.callback(self._process.terminate)
        eventually((folder / "pid").exists, "sshd", timeout=30)

    def start(self, home: Home, *words: str) -> Terminal:
        """The program at home in a window that is opened through ssh."""
        options = {
            "Port": str(self.port),
            "IdentityFile": str(self._folder / "user"),
            "IdentitiesOnly": "yes",
            "StrictHostKeyChecking": "no",
            "UserKnownHostsFile": "/dev/null",
            "LogLevel": "ERROR",
        }
        given = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
        env = {"LANG": os.environ["LANG"], "TERM": "xterm-256color"} | home.env
        where = f"{getpass.getuser()}@127.0.0.1"
        ssh = ["ssh", "-F", "none", "-tt", *given, where, _command([*SWIFT, *words], env)]
        return Terminal(ssh, COLUMNS, ROWS)

    def close(self, window: Terminal) -> None:
        """End a window, even if its client is stopped."""
        window.kill(signal.SIGCONT)
        window.close(signal.SIGTERM)


def _command(words: Sequence[str], env: Mapping[str, str]) -> str:
    settings = [f"{name}={value}" for name, value in env.items()]
    return shlex.join(["exec", "env", *settings, *words])
