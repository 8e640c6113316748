"""What the parts of a table's screen know of the screen that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spoof_tui.clock import now
from spoof_tui.ui.table.frame import StageScreen
from spoof_tui.ui.table.scene import Scene

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient


class SceneScreen(StageScreen):
    """A screen that shows a scene."""

    def __init__(self) -> None:
        super().__init__()
        self.scene = Scene()

    @property
    def client(self) -> TableClient | None:
        """This player's seat; None once it is given up."""
        return self.spoof.seat_of(self)

    def read_clock(self) -> None:
        """Update what changes on its own: the time, and what the client knows."""
        self.scene.read(self.client)

    def monotonic(self) -> float:
        """Seconds of the clock that the pacing uses."""
        return now().monotonic

    def watch_again(self, number: int) -> None:
        """Show the count of a round of this game again, if there is nothing new to be shown."""
        raise NotImplementedError
