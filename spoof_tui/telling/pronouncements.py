"""What the house says, in several wordings each: the same on every screen, never one twice in a
row.

The log decides which one it is: those of a kind come in turn, and each table starts with a
different one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from protocol.rules.house import Pronounced, Pronouncement
from protocol.views import TableView
from spoof_tui.telling.names import name_of
from spoof_tui.text.i18n import N_, _

OF_COUNT: Final = frozenset(Pronouncement) - {Pronouncement.HANDS_OUT}
"""What a count may lead to."""


def pronounced(view: TableView, said: Pronounced) -> str:
    """One remark of the house, about a player by name."""
    ways = wordings(said.what, is_guessing=view.is_guessing)
    text = ways[(said.ordinal + view.table_id[0]) % len(ways)]
    return text.format(name=name_of(view, said.key)) if said.key else text


def of_count(view: TableView) -> tuple[str, ...]:
    """What the house says about the round that was counted last."""
    told: list[str] = []
    for said in reversed(view.pronounced):
        if said.rounds != len(view.past) or not view.past:
            break
        if said.what in OF_COUNT:
            told.append(pronounced(view, said))
    return tuple(reversed(told))


def wordings(what: Pronouncement, *, is_guessing: bool) -> Sequence[str]:
    """Every way to say it; `{name}` is replaced by the player's name."""
    told = _IN_SCHOOL.get(what, _WAYS[what]) if is_guessing else _WAYS[what]
    return [_(template) for template in told]


_WAYS: Final = {
    Pronouncement.STICK: (
        N_("The stick points at {name}."),
        N_("The stick falls: {name} begins."),
        N_("{name} has the stick, and the first word."),
        N_("First word to {name}, says the stick."),
        N_("The stick rolls, stops, and picks {name}."),
        N_("{name} bids first."),
    ),
    Pronouncement.HANDS_OUT: (
        N_("When the hands are out!"),
        N_("The hands are out."),
        N_("All fists in the circle!"),
        N_("The circle is closed. Who dares?"),
        N_("Arms out, mouths open!"),
        N_("Every fist is in. Now talk!"),
        N_("Hands are out, and lips are sealed no more."),
        N_("Knuckles up, gentlefolk!"),
    ),
    Pronouncement.HOOVER: (
        N_("Hoover! {name} is sucked into a big bid with hardly a coin out."),
        N_("Can you hear the Hoover? It’s got {name}."),
        N_("{name} goes up the Hoover, bid and all."),
        N_("Mind the Hoover, {name}: hardly a coin was out."),
        N_("The Hoover is on, and {name} was standing too close."),
        N_("A big bid, no coins, and a Hoover: goodbye, {name}."),
    ),
    Pronouncement.CLIFF: (
        N_("Cliff giveth and Cliff taketh away, {name}."),
        N_("The Law of Cliff: what {name} won is gone."),
        N_("Cliff has come back for his coin, {name}."),
        N_("Cliff only lends. Ask {name}."),
        N_("Easy cliff, easy go, {name}."),
        N_("{name} paid Cliff back, as everybody does."),
    ),
    Pronouncement.FIRST_OUT: (
        N_("{name} is the first out."),
        N_("First out: {name}. Somebody has to be."),
        N_("{name} leads the way out."),
        N_("Crap! That is {name}, first out."),
        N_("The door is over there, {name}: first out."),
        N_("{name} is out first, and thirsty."),
    ),
    Pronouncement.LAST_IN: (
        N_("Last one in: {name}."),
        N_("{name} is the last one in, and has won."),
        N_("All the others are out. {name} stays."),
        N_("Nobody is left but {name}."),
        N_("{name} outlasts the table."),
        N_("{name} is the last one standing."),
    ),
}

_IN_SCHOOL: Final = {
    Pronouncement.FIRST_OUT: (
        N_("{name} is out first, and orders."),
        N_("First out: {name}. What are we drinking?"),
        N_("{name} leaves first: the bar is open."),
        N_("{name} is out. Somebody take the order!"),
        N_("School is out for {name}, who orders."),
        N_("{name} goes first, straight to the bar."),
    ),
    Pronouncement.LAST_IN: (
        N_("Last one in: {name} pays."),
        N_("{name} is the last one in: an honour, and a bill."),
        N_("The honour is {name}’s, and so is the bill."),
        N_("Everybody thanks {name}, who pays."),
        N_("The school has one pupil left: {name} pays."),
        N_("{name}, your purse!"),
    ),
}
"""What is said differently in the guessing game."""
