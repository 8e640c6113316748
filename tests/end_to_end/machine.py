"""People on one machine, at one table that the first of them hosts."""

import signal
from contextlib import ExitStack
from pathlib import Path

from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, Home, free_port
from tests.helpers.pty import Terminal


class Machine:
    """People on one machine, at one table that Anna hosts."""

    def __init__(self, parent: Path, stack: ExitStack, *, is_open: bool = False) -> None:
        """Anna opens a table; if it `is_open`, one without a join code."""
        self._parent = parent
        self._stack = stack
        self.port = free_port()
        self.anna = self.home("Anna")
        words = ("host", "--port", str(self.port), "--table", TABLE)
        self.host = self.start(self.anna, *words, *(["--open"] if is_open else []))
        self.host.wait(markers.ALONE)
        self.code = "" if is_open else markers.code(self.host.text())

    def home(self, name: str) -> Home:
        """The state directory of one more user."""
        return Home.make(self._parent, name)

    def start(self, home: Home, *words: str) -> Terminal:
        """The real program in a terminal."""
        terminal = home.start(*words)
        # A host withdraws its advert; a guest's end is not worth waiting for.
        number = signal.SIGTERM if "host" in words else signal.SIGKILL
        self._stack.callback(terminal.close, number)
        return terminal

    def join(self, home: Home) -> Terminal:
        """Somebody sits down by the table's address."""
        code = ("--code", self.code) if self.code else ()
        guest = self.start(home, "join", f"127.0.0.1:{self.port}", *code)
        guest.wait(markers.READY)
        return guest

    def deal(self, *guests: Terminal) -> None:
        """Everybody gets ready, and is asked for a hand."""
        everybody = (self.host, *guests)
        for terminal in everybody:
            terminal.wait(markers.taken(len(everybody)))
        for terminal in everybody:
            terminal.send("r")
        for terminal in everybody:
            terminal.wait(markers.HAND)
