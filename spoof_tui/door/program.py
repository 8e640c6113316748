"""A table's door as its host's program holds it: a program of its own, which ends with this one.

So nothing that knocks, floods or fails there keeps the table waiting, or gets at its keys.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from typing import Final

from spoof_tui import visiting
from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _

DEFAULT_PORT: Final = 2222
"""Where a door listens unless told otherwise."""

WEB_PORT: Final = 7764
"""Where its page is unless told otherwise."""

_SSH_PORT: Final = 22
"""Where clients look for one themselves."""

MAX_LINE: Final = 4096
"""Bytes of what a door says of itself."""


@dataclass(frozen=True, slots=True)
class DoorOpened:
    """A door is open."""

    port: int
    """Where it listens."""
    fingerprint: str
    """By what its key is known, to read aloud."""
    web_port: int | None = None
    """Where its page is, if it has one."""
    web_word: str = field(default="", repr=False)
    """What the key of that page is made of."""

    def invitation(self, host: str) -> str:
        """The command that leads to it, when it is on this `host`."""
        port = "" if self.port == _SSH_PORT else f"-p {self.port} "
        return f"ssh {port}{host}"

    def page(self, host: str, code: str | None) -> str:
        """The address to scan, with the word and the join code, which never cross the network;
        empty where the door has no page."""
        if self.web_port is None:
            return ""
        where = f"[{host}]" if ":" in host else host
        return f"http://{where}:{self.web_port}/#{self.web_word}" + (f".{code}" if code else "")

    def page_lines(self, host: str, code: str | None) -> list[str]:
        """For those who scan, and for those who type; nothing where the door has no page."""
        if not (page := self.page(host, code)):
            return []
        typed = _("Or type in a browser: {page} and the code {word}")
        return [
            _("With a telephone: {page}").format(page=page),
            typed.format(page=page.partition("/#")[0], word=self.web_word),
        ]


@dataclass(frozen=True, slots=True)
class DoorFailed:
    """A door could not be opened, or did not stay open."""

    why: str
    """A sentence for the host."""


def missing() -> str | None:
    """Why no door can be opened here, in a sentence; None if it can."""
    if visiting.is_visitor():
        return _("You play over ssh yourself: only your own program can open a door.")
    if sys.platform == "win32":
        return _("A door for ssh needs Linux or macOS.")
    if find_spec("asyncssh") is None:
        return _("A door for ssh needs one more library: pip install 'spoof-tui[ssh]'")
    return None


def web_missing() -> str | None:
    """Why a door can have no page here, in a sentence; None if it can."""
    if find_spec("websockets") is None:
        return _("A door for browsers needs one more library: pip install 'spoof-tui[web]'")
    return None


def line_of(said: DoorOpened | DoorFailed) -> str:
    """What a door says of itself, on one line."""
    return json.dumps(asdict(said))


def read_line(line: bytes) -> DoorOpened | DoorFailed:
    """What `line_of` wrote; a failure if it is nothing of the kind."""
    try:
        said = json.loads(line)
        if "why" in said:
            return DoorFailed(str(said["why"]))
        web = said.get("web_port")
        return DoorOpened(
            int(said["port"]),
            str(said["fingerprint"]),
            None if web is None else int(web),
            str(said.get("web_word", "")),
        )
    except (ValueError, TypeError, KeyError):
        return DoorFailed(_("The door did not open."))


def host_of(address: str) -> str:
    """The host of a table's address, as an ssh client takes it."""
    return Address.parse(address).host


PROGRAM: Final = (sys.executable, "-m", "spoof_tui", "door", "--attached")
"""The door's program."""

START_TIMEOUT: Final = 20.0
"""Seconds that it may take to open."""

LOOK_INTERVAL: Final = 0.1
"""Seconds between two looks whether it is gone, while it says nothing."""

END_TIMEOUT: Final = 2.0
"""Seconds that it may take to send everybody away."""


class DoorProgram:
    """The door of one table; lives in one event loop."""

    def __init__(self, words: Sequence[str] | None = None) -> None:
        self.on_end: Callable[[], None] = lambda: None
        """Called when the program has ended by itself."""
        self._words = PROGRAM if words is None else words
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_open(self) -> bool:
        """Whether the program runs."""
        return self._process is not None

    async def open(self, table: bytes, address: str, port: int | None) -> DoorOpened | DoorFailed:
        """Open the door of the table with this id, which is at `address`.

        It listens on `port`; None: the usual one, or any other if that is taken.
        """
        if why := missing():
            return DoorFailed(why)
        words = [*self._words, "--id", table.hex(), "--table", address]
        words += [] if port is None else ["--port", str(port)]
        # One door with two leaves, where there is what the second one needs.
        words += [] if web_missing() else ["--web"]
        try:
            self._process = _start(words)
        except OSError as error:
            return DoorFailed(error.strerror or str(error))
        said = read_line(await asyncio.to_thread(_line, self._process))
        if isinstance(said, DoorFailed):
            await self.close()
        elif self._process and self._process.stdout:
            asyncio.get_running_loop().add_reader(self._process.stdout, self._ended)
        return said

    async def close(self) -> None:
        """Send everybody away."""
        process, self._process = self._process, None
        if process and process.stdout:
            asyncio.get_running_loop().remove_reader(process.stdout)
            await asyncio.to_thread(_end, process)

    def _ended(self) -> None:
        """It says nothing more, so that its output has come to an end."""
        process, self._process = self._process, None
        if process and process.stdout:
            loop = asyncio.get_running_loop()
            loop.remove_reader(process.stdout)
            loop.run_in_executor(None, _end, process)
            self.on_end()


def _start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        start_new_session=True,
    )


def _line(process: subprocess.Popen[bytes]) -> bytes:
    """What the program says first; in a thread of its own."""
    assert process.stdout
    line, until = b"", time.monotonic() + START_TIMEOUT
    # A door that is closed meanwhile closes its output.
    with contextlib.suppress(OSError, ValueError):
        while not line.endswith(b"\n") and len(line) < MAX_LINE and time.monotonic() < until:
            is_gone = process.poll() is not None
            if select.select([process.stdout], [], [], LOOK_INTERVAL)[0]:
                data = os.read(process.stdout.fileno(), MAX_LINE)
                if not data:
                    break
                line += data
            elif is_gone:
                break  # somebody else holds its output
    return line


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have the program end, by force if it does not; in a thread of its own."""
    assert process.stdin and process.stdout
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(END_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
