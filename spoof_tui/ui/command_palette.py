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
    """Textual's palette without a blinking cursor, which would write 1.6 kB a second."""

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False


class ActsProvider(Provider):
    """Finds the current screen's acts by their words, and does one by pressing its key."""

    def _found(self) -> Iterator[KeyAct]:
        if isinstance(self.screen, ActScreen):
            yield from (act for act in self.screen.acts() if act.key)

    async def discover(self) -> Hits:
        """All acts of the screen, shown before anything is typed."""
        for act in self._found():
            yield DiscoveryHit(Content(act.words), self._press(act), act.words, act.caption)

    async def search(self, query: str) -> Hits:
        """The acts whose words match `query`."""
        matcher = self.matcher(query)
        for act in self._found():
            if (score := matcher.match(act.words)) > 0:
                words = matcher.highlight(act.words)
                yield Hit(score, words, self._press(act), act.words, act.caption)

    def _press(self, act: KeyAct) -> partial[None]:
        return partial(self.app.simulate_key, act.key)
