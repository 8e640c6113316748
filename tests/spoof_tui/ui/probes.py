"""Small programs for a real terminal: `python -m tests.spoof_tui.ui.probes Probe`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from spoof_tui import system
from spoof_tui.ui.messages import TablesFound
from spoof_tui.ui.terminal import TerminalApp, run_app
from tests.spoof_tui.ui.lobbies import Lobby, found


class Probe(TerminalApp):
    """Counts spaces, crashes, and floods its terminal."""

    BINDINGS = [Binding("x", "crash"), Binding("f", "flood"), Binding("q", "quit")]
    presses = 0

    def compose(self) -> ComposeResult:
        yield Static("READY", id="said")

    def on_key(self, event: events.Key) -> None:
        self.presses += event.key == "space"
        self.query_one("#said", Static).update(f"pressed {self.presses}")

    def action_crash(self) -> None:
        coins_in_my_hand = "SECRET" * 2
        raise RuntimeError(f"a bug{coins_in_my_hand[:0]}")

    def action_flood(self) -> None:
        assert self._driver
        for number in range(100_000):
            self._driver.write(f"{number}" * 100)


class Patient(TerminalApp):
    """Writes a lot after losing its terminal, and is not ended by force."""

    def compose(self) -> ComposeResult:
        vars(system)["GRACE"] = 1000
        yield Static("READY")

    def on_unmount(self) -> None:
        assert self._driver
        for _ in range(100):
            self._driver.write("x")


class Lamp(ModalScreen[None]):
    """Goes out at any key."""

    def compose(self) -> ComposeResult:
        yield Static("lamp")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self.dismiss()


class Room(Screen[None]):
    """Has a lamp lit at any key, and counts the keys of both."""

    presses = 0

    def compose(self) -> ComposeResult:
        yield Static("dark after 0")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        self._count()
        self.app.push_screen(Lamp(), self._count)

    def _count(self, _result: None = None) -> None:
        self.presses += 1
        self.query_one(Static).update(f"dark after {self.presses}")


class Lit(TerminalApp):
    """A room with a lamp."""

    def on_mount(self) -> None:
        self.push_screen(Room())


class Unchanged(Lobby):
    """A lobby that finds the same tables again and again."""

    def _begin(self) -> None:
        super()._begin()
        self.set_interval(0.1, self._find)

    def _find(self) -> None:
        self.screen_stack[0].post_message(TablesFound((found(1), found(2)), None))


KINDS: Final[Mapping[str, type[TerminalApp]]] = {
    "Probe": Probe, "Patient": Patient, "Unchanged": Unchanged, "Lit": Lit,
}  # fmt: skip

if __name__ == "__main__":
    status = run_app(KINDS[sys.argv[1]]())
    print("afterwards", status)
    sys.exit(7 if sys.argv[1] == "Patient" else status)
