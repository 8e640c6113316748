"""The acts of the current screen in Textual's command palette."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.widgets import Input

from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.acts import KeyAct


@runtime_checkable
class HasActs(Protocol):
    """A screen that tells what it can do."""

    def acts(self) -> Sequence[KeyAct]:
        """Its keys, and what they do."""


class ActsPalette(CommandPalette):
    """Textual's palette, whose cursor does not blink: that would paint 1.6 kB a second."""

    def on_mount(self) -> None:
        self.query_one(Input).cursor_blink = False


class ActsProvider(Provider):
    """Finds an act by its words, and does it by pressing its key."""

    def _found(self) -> Iterator[tuple[str, str]]:
        if isinstance(self.screen, HasActs):
            yield from ((words, key) for key, words in self.screen.acts())

    async def discover(self) -> Hits:
        """Every act of the screen."""
        for words, key in self._found():
            yield DiscoveryHit(Content(words), self._press(key), words, caption(key))

    async def search(self, query: str) -> Hits:
        """The acts that fit what was typed."""
        matcher = self.matcher(query)
        for words, key in self._found():
            if (score := matcher.match(words)) > 0:
                yield Hit(score, matcher.highlight(words), self._press(key), words, caption(key))

    def _press(self, key: str) -> partial[None]:
        return partial(self.app.simulate_key, key)


def caption(key: str) -> str:
    """A key as it is called on a keyboard."""
    return {"enter": "Enter", "space": _("space"), "question_mark": "?"}.get(key, key)
