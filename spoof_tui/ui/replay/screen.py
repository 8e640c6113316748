"""The replay screen: a game record, step by step on a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.timer import Timer

from spoof_tui.ui.acting import ActingApp
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.replay.drawing import replay_parts
from spoof_tui.ui.replay.player import Player
from spoof_tui.ui.replay.reader import Recording
from spoof_tui.ui.table.framed_screen import FramedScreen
from spoof_tui.ui.themes import dress, own_themes
from spoof_tui.ui.tokens import play_with
from spoof_tui.ui.wording.acts import KeyAct, replay_acts

READING_DELAY: Final = 0.01
"""Pause between two slices of a long file, in which keys are heard."""


class ReplayScreen(FramedScreen):
    """One file of games."""

    def __init__(self, recording: Recording) -> None:
        super().__init__()
        self.player = Player(recording)
        self._playing: Timer | None = None
        self._reading: Timer | None = None

    def on_mount(self) -> None:
        self._read()

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here, for the command palette and the help."""
        return replay_acts()

    def parts(self, width: int, height: int) -> list[Part]:
        """The table at the present step, and what there is to say about it."""
        if rules := self.player.record.title.rules:
            play_with(rules.token)
        return replay_parts(self.player, width, height)

    def press(self, key: str) -> None:
        """A key of the replay; what it needs of the file is read in slices."""
        player = self.player
        if key == "q" or (key == "escape" and not player.typed):
            self._leave()
            return
        player.press(key)
        self._schedule()

    def _leave(self) -> None:
        """Back to where one came from; out of the program if that is all there is."""
        if len(self.app.screen_stack) > 1:
            self.dismiss(None)
        else:
            self.app.exit()

    def _schedule(self) -> None:
        if self.player.is_reading and self._reading is None:
            self._reading = self.set_timer(READING_DELAY, self._read)
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        if self.player.playing:
            self._playing = self.set_timer(self.player.seconds, self._tick)

    def _read(self) -> None:
        self._reading = None
        self.player.work()
        self._schedule()
        self.redraw()

    def _tick(self) -> None:
        self.player.tick()
        self._schedule()
        self.redraw()


class ReplayApp(ActingApp):
    """Nothing but a replay."""

    def __init__(self, recording: Recording, theme: str | None = None) -> None:
        super().__init__()
        dress(self, theme, own_themes()[0])
        self._recording = recording

    def get_default_screen(self) -> ReplayScreen:
        """The replay."""
        return ReplayScreen(self._recording)

    def watch_theme(self, name: str) -> None:
        """Draw everything in another theme."""
        palette.use(name)
