"""The frame of everything that is laid over a screen: a title, and the keys in the border."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from textual.containers import Vertical
from textual.content import Content
from textual.style import Style

Keys: TypeAlias = Sequence[tuple[str, str, str]]
"""Keys, what they do in words, and the action that a click on them runs."""

_BESIDE_KEYS: Final = 6
"""Cells of the lower border that Textual leaves to its corners and the blanks beside the keys."""


class Frame(Vertical):
    """A framed column of widgets."""

    _written: tuple[str, Keys] = ("", ())

    def entitle(self, title: str, keys: Keys) -> None:
        """Set the title and the keys; a title may hold names, and is never markup."""
        if (title, keys) == self._written:
            return  # to write the same again would paint it again
        self._written = title, keys
        self.border_title = Content(title)
        self._write_keys()

    def on_resize(self) -> None:
        """Show as many of the keys as there is room for."""
        self._write_keys()

    def _write_keys(self) -> None:
        room = self.outer_size.width - _BESIDE_KEYS
        self.border_subtitle = _joined(fitting(self._written[1], room) if room > 0 else ())


def fitting(keys: Keys, width: int) -> Keys:
    """The keys that fit into so many cells; the first and the last are never left out."""
    while len(keys) > 2 and _joined(keys).cell_length > width:
        keys = (*keys[:-2], keys[-1])
    return keys


def inside(width: int) -> int:
    """The columns of text in a frame of `width`, beside its border, padding and scroll bar."""
    return max(width - 5, 1)


def _joined(keys: Keys) -> Content:
    return Content(" ─ ").join(_key(*each) for each in keys)


def _key(key: str, words: str, action: str) -> Content:
    click = Style.from_meta({"@click": action}) if action else Style()
    pieces = Content.assemble((key, "bold $accent"), " ", (words, "$foreground"))
    return pieces.stylize(click)
