"""Players who read lines: at a table in memory, or in the whole program with a script."""

from __future__ import annotations

import io
import random
from typing import cast

from spoof_tui.plain.acts import PlainActs
from spoof_tui.plain.lines import LineWriter
from spoof_tui.plain.program import PlainProgram
from spoof_tui.plain.table import PlainTable
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.notices import ViewChanged
from spoof_tui.storage.settings import Settings
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.chairs import MemoryClient


def answer(line: str, chance: random.Random) -> str | None:
    """What somebody types who is asked this, and plays at random; None if nothing is."""
    if line.startswith("Your hand"):
        return str(chance.randint(0, 1))
    if line.startswith("Your turn"):
        words = line.rpartition("Say ")[2].rstrip(".").replace(" or ", ", ").split(", ")
        return chance.choice(words).split(" to ")[0]
    if line.startswith(("Your call", "That number is taken: call")):
        return chance.choice(line.rpartition(": ")[2].rstrip(".").split(", "))
    return None


class Reader:
    """One player of a table in memory, who hears lines and types them; counts take no time."""

    def __init__(self, table: MemoryTable, place: int = 0, *, is_terminal: bool = False) -> None:
        self.settings = Settings(name="Olha")
        self.stream = io.StringIO()
        self.lines = LineWriter(self.stream, is_terminal=is_terminal)
        self.seat = table.clients[place]
        self.client = MemoryClient(
            table, self.seat, lambda notice: self.table.heard(notice, self.now)
        )
        program = cast(PlainProgram, self)
        self.table = PlainTable(program, cast(TableClient, self.client))
        self._acts = PlainActs(program, self.table)
        self.left: list[bytes | None] = []
        """The seats that the table was left to, in order."""
        self.spoken: list[str] = []
        """Languages that were asked for."""
        self.examined = self.turned_lines = 0
        self.now = 0.0
        self._read = 0
        self._see()
        self.table.ask()
        self.first = self.heard()
        """The lines at first sight."""

    def look(self) -> list[str]:
        """Hear what has happened, to the end of every count; returns the new lines."""
        self._see()
        while (due := self.table.pacing.due) is not None:
            self.now = max(self.now, due)
            self.step()
        self.table.ask()
        return self.heard()

    def begin_to_look(self) -> list[str]:
        """Hear what is due at once; returns the new lines."""
        self._see()
        return self.heard()

    def _see(self) -> None:
        self.table.heard(ViewChanged(self.seat.view), self.now)
        self.table.show()

    def step(self) -> None:
        """Let time go on to the next thing that is due."""
        self.table.pacing.advance(self.now)
        self.table.show()

    def type(self, text: str) -> list[str]:
        """Type a line; returns the new lines after it."""
        self.say(text)
        self.table.show()
        return self.look() if not self.left else self.heard()

    def say(self, text: str) -> None:
        """Type a line, and do what it asks for."""
        asked = self.table.typed(text, self.now)
        if asked is not None:
            self._acts.do(asked)

    def hear(self, notice: object) -> list[str]:
        """Hear something from the background; returns the new lines."""
        self.table.heard(notice, self.now)
        self.table.show()
        return self.heard()

    def heard(self) -> list[str]:
        """The lines since the last time."""
        text = self.stream.getvalue()
        new, self._read = text[self._read :], len(text)
        return new.splitlines()

    @property
    def all(self) -> list[str]:
        """All lines so far."""
        return self.stream.getvalue().splitlines()

    def leave_table(self, heir: bytes | None = None) -> None:
        self.left.append(heir)

    def speak(self, language: str) -> None:
        self.spoken.append(language)

    def diagnose(self) -> None:
        self.examined += 1

    def turn_lines(self) -> None:
        self.turned_lines += 1
