"""What the seats are called on this screen: safe, short, and no two alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from protocol.foreign import ForeignText
from protocol.views import TableView
from spoof_tui.text import show

NAME_CELLS = 12
"""Cells of a name at the table."""


def seat_names(view: TableView) -> tuple[str, ...]:
    """The name of every seat, by index; equal names are numbered."""
    return distinct([seat.name for seat in view.seats])


def distinct(names: Sequence[ForeignText]) -> tuple[str, ...]:
    """Every name in up to `NAME_CELLS` cells; the second of two equal ones ends in 2."""
    seen: Counter[str] = Counter()
    chosen = []
    for name in names:
        short = show(name, NAME_CELLS)
        seen[short] += 1
        chosen.append(short if seen[short] == 1 else show(name, NAME_CELLS - 2) + f" {seen[short]}")
    return tuple(chosen)


def name_of(view: TableView, key: bytes) -> str:
    """The name of anybody who sits or sat here."""
    for seat, name in zip(view.seats, seat_names(view), strict=True):
        if seat.key == key:
            return name
    named = view.names.get(key)
    return show(named, NAME_CELLS) if named else "?"
