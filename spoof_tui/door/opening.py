"""What the program of a host and its door say to each other, and what a door needs to be there."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import Final

from spoof_tui import visiting
from spoof_tui.network.addresses import Address
from spoof_tui.text.i18n import _

DEFAULT_PORT: Final = 2222
"""Where a door listens unless told otherwise."""

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

    def invitation(self, host: str) -> str:
        """The command that leads to it, when it is on this `host`."""
        port = "" if self.port == _SSH_PORT else f"-p {self.port} "
        return f"ssh {port}{host}"


@dataclass(frozen=True, slots=True)
class DoorFailed:
    """A door could not be opened, or did not stay open."""

    why: str
    """A sentence for the host."""


def missing() -> str | None:
    """Why no door can be opened here, in a sentence; None if it can."""
    if visiting.is_visitor():
        return _("You play by ssh yourself: only a program of your own can open a door.")
    if sys.platform == "win32":
        return _("A door for ssh needs Linux or macOS.")
    if find_spec("asyncssh") is None:
        return _("A door for ssh needs one more library: pip install 'spoof-tui[ssh]'")
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
        return DoorOpened(int(said["port"]), str(said["fingerprint"]))
    except (ValueError, TypeError, KeyError):
        return DoorFailed(_("The door did not open."))


def host_of(address: str) -> str:
    """The host of a table's address, as an ssh client takes it."""
    return Address.parse(address).host
