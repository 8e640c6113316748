"""The names of the seats as this screen shows them: safe, short, and no two alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.views import TableView
from spoof_tui.text.i18n import _
from spoof_tui.text.safe_text import NOTHING, show

NAME_CELLS = 12
"""The most cells of a player's name at the table."""


def seat_names(view: TableView) -> tuple[str, ...]:
    """The name of every seat, by index; equal names are numbered."""
    return distinct([seat.name for seat in view.seats])


def called(seat: int, names: Sequence[str], me: int | None) -> str:
    """The name of a seat in the middle of a sentence; "you" for the seat `me`."""
    return _("you") if seat == me else names[seat]


def listed(seats: Iterable[int], names: Sequence[str], me: int | None) -> list[str]:
    """The names of these seats in the middle of a sentence; "you" for the seat `me`."""
    return [called(seat, names, me) for seat in seats]


def distinct(names: Sequence[ForeignText]) -> tuple[str, ...]:
    """Every name in up to `NAME_CELLS` cells; the second of two equal ones ends in 2."""
    chosen: list[str] = []
    for name in names:
        candidates = chain([show(name, NAME_CELLS)], (_numbered(name, n) for n in count(2)))
        chosen.append(next(each for each in candidates if each not in chosen))
    return tuple(chosen)


def _numbered(name: ForeignText, number: int) -> str:
    end = f" {number}"
    return show(name, NAME_CELLS - len(end)) + end


def name_of(view: TableView, key: bytes) -> str:
    """The name of anybody who sits or once sat at the table; "?" if the key is unknown."""
    for seat, name in zip(view.seats, seat_names(view), strict=True):
        if seat.key == key:
            return name
    named = view.names.get(key)
    return show(named, NAME_CELLS) if named else "?"


def clean_name(typed: str, empty: str = "") -> str:
    """A typed name as others will see it.

    Raises `ValueError` with a sentence if it is too long, or if it has nothing to show; in the
    second case that sentence is `empty`, if given.
    """
    name = show(ForeignText(typed), 10_000)
    if name == NOTHING and typed.strip() != NOTHING:
        raise ValueError(empty or _("A name needs a visible letter or two."))
    excess = len(name.encode()) - MAX_NAME
    if excess > 0:
        sentence = _("That is {excess} bytes too long: {most} are allowed.")
        raise ValueError(sentence.format(most=MAX_NAME, excess=excess))
    return name
