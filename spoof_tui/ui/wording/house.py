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
from spoof_tui.text.i18n import _
from spoof_tui.ui.wording.names import name_of

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
    if what is Pronouncement.FIRST_OUT:
        return _leaves_first() if is_guessing else _out_first()
    if what is Pronouncement.LAST_IN:
        return _pays() if is_guessing else _wins()
    return {
        Pronouncement.STICK: _stick,
        Pronouncement.HANDS_OUT: _hands_out,
        Pronouncement.HOOVER: _hoover,
        Pronouncement.CLIFF: _cliff,
    }[what]()


def _stick() -> Sequence[str]:
    return (
        _("The stick points at {name}."),
        _("The stick falls: {name} begins."),
        _("{name} has the stick, and the first word."),
        _("First word to {name}, says the stick."),
        _("The stick rolls, stops, and picks {name}."),
        _("{name} bids first."),
    )


def _hands_out() -> Sequence[str]:
    return (
        _("When the hands are out!"),
        _("The hands are out."),
        _("All fists in the circle!"),
        _("The circle is closed. Who dares?"),
        _("Arms out, mouths open!"),
        _("Every fist is in. Now talk!"),
        _("Hands are out, and lips are sealed no more."),
        _("Knuckles up, gentlefolk!"),
    )


def _hoover() -> Sequence[str]:
    return (
        _("Hoover! {name} is sucked into a big bid with hardly a coin out."),
        _("Can you hear the Hoover? It’s got {name}."),
        _("{name} goes up the Hoover, bid and all."),
        _("Mind the Hoover, {name}: hardly a coin was out."),
        _("The Hoover is on, and {name} was standing too close."),
        _("A big bid, no coins, and a Hoover: goodbye, {name}."),
    )


def _cliff() -> Sequence[str]:
    return (
        _("Cliff giveth and Cliff taketh away, {name}."),
        _("The Law of Cliff: what {name} won is gone."),
        _("Cliff has come back for his coin, {name}."),
        _("Cliff only lends. Ask {name}."),
        _("Easy cliff, easy go, {name}."),
        _("{name} paid Cliff back, as everybody does."),
    )


def _out_first() -> Sequence[str]:
    return (
        _("{name} is the first out."),
        _("First out: {name}. Somebody has to be."),
        _("{name} leads the way out."),
        _("Crap! That is {name}, first out."),
        _("The door is over there, {name}: first out."),
        _("{name} is out first, and thirsty."),
    )


def _wins() -> Sequence[str]:
    return (
        _("Last one in: {name}."),
        _("{name} is the last one in, and has won."),
        _("All the others are out. {name} stays."),
        _("Nobody is left but {name}."),
        _("{name} outlasts the table."),
        _("{name} is the last one standing."),
    )


def _leaves_first() -> Sequence[str]:
    return (
        _("{name} is out first, and orders."),
        _("First out: {name}. What are we drinking?"),
        _("{name} leaves first: the bar is open."),
        _("{name} is out. Somebody take the order!"),
        _("School is out for {name}, who orders."),
        _("{name} goes first, straight to the bar."),
    )


def _pays() -> Sequence[str]:
    return (
        _("Last one in: {name} pays."),
        _("{name} is the last one in: an honour, and a bill."),
        _("The honour is {name}’s, and so is the bill."),
        _("Everybody thanks {name}, who pays."),
        _("The school has one pupil left: {name} pays."),
        _("{name}, your purse!"),
    )
