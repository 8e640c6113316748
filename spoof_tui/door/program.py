"""The door of a table, run by the host's program as a child process that ends with it.

So connections, floods and failures there neither delay the table nor get at its keys.
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
from typing import Final

from spoof_tui import visiting
from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of

DEFAULT_PORT: Final = 2222
"""The usual port of a door for ssh."""

WEB_PORT: Final = 7764
"""The usual port of a door's web page."""

_SSH_PORT: Final = 22
"""The port that ssh clients use unless told otherwise."""

MAX_LINE: Final = 4096
"""Maximum bytes of the line in which a door reports how it started."""


@dataclass(frozen=True, slots=True)
class DoorOpened:
    """The report that a door is open."""

    port: int
    """The port on which it accepts ssh connections."""
    fingerprint: str
    """Fingerprint of its ssh host key, to read aloud."""
    web_port: int | None = None
    """The port of its web page; None if it has none."""
    web_word: str = field(default="", repr=False)
    """The word from which the key of the web page is derived."""

    def invitation(self, host: str) -> str:
        """The ssh command that connects to the door on `host`."""
        port = "" if self.port == _SSH_PORT else f"-p {self.port} "
        return f"ssh {port}{host}"

    def page(self, host: str, code: str | None) -> str:
        """The address to scan, with the word and the join code in its fragment, which is never sent
        over the network; empty if the door has no page."""
        if self.web_port is None:
            return ""
        where = f"[{host}]" if ":" in host else host
        return f"http://{where}:{self.web_port}/#" + ".".join(filter(None, (self.web_word, code)))

    def page_lines(self, host: str, code: str | None) -> list[str]:
        """Two lines: one for people with a phone, one for those who type the address; empty if the
        door has no page."""
        if not (page := self.page(host, code)):
            return []
        address, _sign, word = page.partition("/#")
        typed = _("Or type in a browser: {page} and the code {word}")
        return [
            _("With a phone: {page}").format(page=page),
            typed.format(page=address, word=word),
        ]


@dataclass(frozen=True, slots=True)
class DoorFailed:
    """The report that a door could not be opened, or has closed unexpectedly."""

    why: str
    """A sentence for the host."""


def missing() -> str | None:
    """A sentence that says why no door can be opened here; None if one can."""
    if visiting.is_visitor():
        return _(
            "You are playing through a door yourself: only a program on your own computer can open "
            "one."
        )
    if sys.platform == "win32":
        return _("A door needs Linux or macOS.")
    return None


def line_of(said: DoorOpened | DoorFailed) -> str:
    """A door's report, encoded as one line of JSON."""
    return json.dumps(asdict(said))


def read_line(line: bytes) -> DoorOpened | DoorFailed:
    """The report in a line that `line_of` made; `DoorFailed` for anything else."""
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
    """The host part of a table's address, in the form that ssh clients accept; raises
    `ValueError`."""
    return Address.parse(address).host


PROGRAM: Final = (sys.executable, "-m", "spoof_tui", "door", "--attached")
"""The command that runs the door."""

START_TIMEOUT: Final = 20.0
"""Seconds that a door may take to report how it started."""

LOOK_INTERVAL: Final = 0.1
"""Seconds between two checks whether the process is still running while it reports nothing."""

CLOSES: Final = b"c"
"""What the host's program sends to the door before the end if somebody has closed the door."""

END_TIMEOUT: Final = 2.0
"""Seconds that a door may take to send all visitors away."""


class DoorProgram:
    """The process of one table's door; belongs to one event loop."""

    def __init__(self, words: Sequence[str] | None = None) -> None:
        self.on_end: Callable[[], None] = lambda: None
        """Called when the process has exited without being told to."""
        self._words = PROGRAM if words is None else words
        self._process: subprocess.Popen[bytes] | None = None

    async def open(self, table: bytes, address: str, port: int | None) -> DoorOpened | DoorFailed:
        """Open the door of the table with the id `table`, which is at `address`.

        It listens on `port`; None for the usual one, or any other if that is taken. Returns the
        door's report.
        """
        if why := missing():
            return DoorFailed(why)
        words = [*self._words, "--web", "--id", table.hex(), "--table", address]
        words += [] if port is None else ["--port", str(port)]
        try:
            self._process = _start(words)
        except OSError as error:
            return DoorFailed(reason_of(error))
        said = read_line(await asyncio.to_thread(_line, self._process))
        if isinstance(said, DoorFailed):
            await self.close()
        elif self._process and self._process.stdout:
            asyncio.get_running_loop().add_reader(self._process.stdout, self._ended)
        return said

    async def close(self, *, is_final: bool = False) -> None:
        """End the process, which sends all visitors away; `is_final`: somebody has closed the door,
        so nobody shall try again."""
        process, self._process = self._process, None
        if process and process.stdout:
            asyncio.get_running_loop().remove_reader(process.stdout)
            await asyncio.to_thread(_end, process, CLOSES if is_final else b"")

    def _ended(self) -> None:
        """React to the process having closed its output."""
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
    """The first line that the process prints, perhaps incomplete; runs in a thread."""
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
                break  # another process holds its output open
    return line


def _end(process: subprocess.Popen[bytes], last: bytes = b"") -> None:
    """Have the process exit, and kill it if it does not; runs in a thread. `last` is sent to it
    first."""
    assert process.stdin and process.stdout
    with contextlib.suppress(OSError):
        process.stdin.write(last)
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(END_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()
