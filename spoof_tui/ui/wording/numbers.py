"""Numbers as people write them."""

from __future__ import annotations

from spoof_tui.text.i18n import _


def percent(chance: float) -> str:
    """A chance, as people write it."""
    return _("{number} %").format(number=round(100 * chance))
