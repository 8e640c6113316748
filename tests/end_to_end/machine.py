"""People on one machine, at one table that the first of them hosts."""

import signal
from contextlib import ExitStack
from pathlib import Path

from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, Home, free_port
from tests.helpers.pty import Terminal


class Machine:
    """People on one machine, at one table that Anna hosts."""

    def __init__(self, parent: Path, stack: ExitStack) -> None:
        self._parent = parent
        self._stack = stack
        self.port = free_port()
        self.anna = self.home("Anna")
        self.host = self.start(self.anna, "host", "--port", str(self.port), "--name", TABLE)
        self.host.wait(markers.ALONE)
        self.code = markers.code(self.host.text())

    def home(self, name: str) -> Home:
        """The state directory of one more user."""
        return Home.make(self._parent, name)

    def start(self, home: Home, *words: str) -> Terminal:
        """The real program in a terminal."""
        terminal = home.start(*words)
        # A host withdraws its advert; a guest's going is not worth the time.
        number = signal.SIGTERM if "host" in words else signal.SIGKILL
        self._stack.callback(terminal.close, number)
        return terminal

    def join(self, home: Home) -> Terminal:
        """Somebody sits down by the table's address."""
        guest = self.start(home, "join", f"127.0.0.1:{self.port}", "--code", self.code)
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
