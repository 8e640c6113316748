"""Remarks of the house, each in several wordings: the same on every screen, never one twice in a
row.

The wordings stand in `spoof_tui/docs/texts/`. The log decides which is used: they take turns, and
each table starts with a different one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.rules.house import Pronounced, Pronouncement
from protocol.views import TableView
from spoof_tui.telling.names import name_of
from spoof_tui.text.texts import texts

OF_COUNT: Final = frozenset(Pronouncement) - {Pronouncement.HANDS_OUT}
"""The kinds of remarks that may follow a count."""


def pronounced(view: TableView, said: Pronounced) -> str:
    """The text of a remark of the house, with the name of the player it is about."""
    ways = wordings(said.what, is_guessing=view.is_guessing)
    text = ways[(said.ordinal + view.table_id[0]) % len(ways)]
    return text.format(name=name_of(view, said.key)) if said.key else text


def of_count(view: TableView) -> tuple[str, ...]:
    """The remarks of the house about the round that was counted last."""
    told: list[str] = []
    for said in reversed(view.pronounced):
        if said.rounds != len(view.past) or not view.past:
            break
        if said.what in OF_COUNT:
            told.append(pronounced(view, said))
    return tuple(reversed(told))


def wordings(what: Pronouncement, *, is_guessing: bool) -> Sequence[str]:
    """All wordings of a kind of remark; `{name}` stands for the player's name."""
    house, kind = texts("house"), what.value
    in_school = house.ways(f"{kind}-school", "says") if is_guessing else ()
    return in_school or house.ways(kind, "says")
