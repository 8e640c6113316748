"""The acts of the current screen in Textual's command palette."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.widgets import Input

from spoof_tui.acts.act import KeyAct
from spoof_tui.ui.dialogs.rows import ActScreen


class ActsPalette(CommandPalette):
    """Textual's palette with a cursor that does not blink: blinking would paint 1.6 kB a second."""

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False


class ActsProvider(Provider):
    """Finds an act by its words, and carries it out by pressing its key."""

    def _found(self) -> Iterator[KeyAct]:
        if isinstance(self.screen, ActScreen):
            yield from (act for act in self.screen.acts() if act.key)

    async def discover(self) -> Hits:
        """Every act of the screen."""
        for act in self._found():
            yield DiscoveryHit(Content(act.words), self._press(act), act.words, act.caption)

    async def search(self, query: str) -> Hits:
        """The acts that match what was typed."""
        matcher = self.matcher(query)
        for act in self._found():
            if (score := matcher.match(act.words)) > 0:
                words = matcher.highlight(act.words)
                yield Hit(score, words, self._press(act), act.words, act.caption)

    def _press(self, act: KeyAct) -> partial[None]:
        return partial(self.app.simulate_key, act.key)
