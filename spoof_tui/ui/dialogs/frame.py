"""The frame of everything that is laid over a screen: a title, and the keys in the border."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from textual.containers import Vertical
from textual.content import Content
from textual.style import Style

Keys: TypeAlias = Sequence[tuple[str, str, str]]
"""Keys, what they do in words, and the action that a click on them runs."""


class Frame(Vertical):
    """A framed column of widgets."""

    def entitle(self, title: str, keys: Keys) -> None:
        """Set the title and the keys; a title may hold names, and is never markup."""
        self.border_title = Content(title)
        self.border_subtitle = Content(" ─ ").join(_key(*each) for each in keys)


def _key(key: str, words: str, action: str) -> Content:
    click = Style.from_meta({"@click": action}) if action else Style()
    pieces = Content.assemble((key, "bold $accent"), " ", (words, "$foreground"))
    return pieces.stylize(click)
