"""Numbers as people type them."""

from __future__ import annotations

from collections.abc import Callable

from spoof_tui.text.i18n import _


def whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise ValueError(_("{text!r} is not a number").format(text=text[:20]))
        if not least <= int(text) <= most:
            sentence = _("{number} is not from {least} to {most}")
            raise ValueError(sentence.format(number=int(text), least=least, most=most))
        return int(text)

    return read
