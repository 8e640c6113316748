"""The interface of the table screen that its parts use."""

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
        """The player's seat; None once it is given up."""
        return self.spoof.seat_of(self)

    def read_clock(self) -> None:
        """Update the scene's time, and what the seat's program knows."""
        self.scene.read(self.client)

    def monotonic(self) -> float:
        """The time in seconds of the clock that pacing uses."""
        return now().monotonic

    def watch_again(self, number: int) -> None:
        """Show the count of round `number` of this game again, unless something new is waiting to
        be shown."""
        raise NotImplementedError
